"""Every public name of `datasets` as a user would write it, for mypy and pyright."""

import numpy as np

from halfmoon import datasets
from halfmoon.datasets import (
    DATASETS,
    Dataset,
    DatasetEntry,
    DatasetUnavailable,
    OriginalSplits,
    Split,
)

rng = np.random.default_rng(0)
moons: Dataset = datasets.two_moons(n=60, rng=rng)
wide: Dataset = datasets.g50c(n=40, dim=5, rng=rng)
text: Dataset = datasets.topic_text(n=60, rng=rng)
more = [
    datasets.blobs(rng=rng),
    datasets.clock(rng=rng),
    datasets.clusters(rng=rng),
    datasets.spirals(rng=rng),
    datasets.stripes(rng=rng),
    datasets.three_arcs(rng=rng),
    datasets.two_circles(rng=rng),
    datasets.two_moons_noise(rng=rng),
]
digits: Dataset = datasets.load("digits")
y: np.ndarray = datasets.hide_labels(moons, 4)
parts: Split = datasets.split(moons, n_labeled=4)
folds: list[Split] = list(datasets.lapsvm_protocol(moons, 4, 4))
chosen: np.ndarray = datasets.telling_points(moons.X, 4)
entry: DatasetEntry = DATASETS["digits"]
original = datasets.original_split
read = datasets.read_table, datasets.read_svmlight, datasets.write_svmlight
store = datasets.DatasetUnavailable, OriginalSplits, datasets.register
added = datasets.register_dataset
files = datasets.bundled, datasets.benchmark
print(len(more), text.n, wide.dims, parts, y.sum(), chosen, entry.title, digits.n)
print(len(folds), original, read, store, added, files, DatasetUnavailable)
