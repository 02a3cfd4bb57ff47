"""Toy, bundled and benchmark data behind one ``load(name, **knobs)``.

>>> from halfmoon.datasets import load, hide_labels
>>> moons = load("two_moons", noise=0.1, random_state=3)
>>> y = hide_labels(moons, n_labeled=4)
"""

from halfmoon.common import plugins
from halfmoon.datasets._base import Dataset, OriginalSplits
from halfmoon.datasets.registry import (
    DATASETS,
    DatasetEntry,
    load,
    register,
    register_dataset,
)
from halfmoon.datasets.store import DatasetUnavailable

from halfmoon.datasets.toy import (  # isort: skip - the order here is the order in menus
    blobs,
    clock,
    clusters,
    g50c,
    spirals,
    stripes,
    three_arcs,
    two_circles,
    two_moons,
    two_moons_noise,
)
from halfmoon.datasets.text import topic_text  # isort: skip
from halfmoon.datasets import bundled, benchmark  # isort: skip
from halfmoon.datasets.splits import (
    Split,
    hide_labels,
    lapsvm_protocol,
    original_split,
    split,
)
from halfmoon.datasets.telling import telling_points
from halfmoon.datasets.upload import read_svmlight, read_table, write_svmlight

__all__ = [
    "DATASETS",
    "Dataset",
    "DatasetEntry",
    "DatasetUnavailable",
    "OriginalSplits",
    "Split",
    "benchmark",
    "blobs",
    "bundled",
    "clock",
    "clusters",
    "g50c",
    "hide_labels",
    "lapsvm_protocol",
    "load",
    "original_split",
    "read_svmlight",
    "read_table",
    "register",
    "register_dataset",
    "spirals",
    "split",
    "stripes",
    "telling_points",
    "three_arcs",
    "topic_text",
    "two_circles",
    "two_moons",
    "two_moons_noise",
    "write_svmlight",
]

plugins.load()  # the last line: a plug-in finds everything in place
