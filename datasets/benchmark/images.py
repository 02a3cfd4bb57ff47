"""Digits and faces."""

from __future__ import annotations

from dataclasses import replace

from halfmoon.datasets import fetch, originals, store
from halfmoon.datasets.benchmark._reading import (
    DIGITS,
    OGAWA,
    SUBSET,
    UNIT_NORM,
    benchmark,
    dataset,
    described,
    lapsvm,
    pixels,
    published,
    read,
    subset,
    subset_rows,
)

MNIST_LICENCE = "MNIST, LeCun and Cortes, CC BY-SA 3.0"
USPS_LICENCE = "USPS (Hull 1994), freely distributed for research; no explicit licence"


@benchmark(
    title="MNIST 3 against 8",
    fetch=fetch.openml(554, fetch.mnist_3_vs_8),
    knobs=[UNIT_NORM, SUBSET],
    n_classes=2,
    dims=784,
    n_points=13966,
    n_labeled=80,
    image_shape=(28, 28),
    defaults={**lapsvm(0.5, 20, 3, 1e-6, 1e-2), "kernel": "poly", "degree": 9},
    published=published(
        {
            "kernel": "poly",
            "degree": 9,
            "n_neighbors": 20,
            "laplacian_degree": 3,
            "gamma_A": 1e-6,
            "gamma_I": 1e-2,
            "n_labeled": 80,
            "n_val": 80,
        }
    ),
    source="MNIST; OpenML data set 554",
    licence=MNIST_LICENCE,
    reference="LeCun et al., Proceedings of the IEEE 86, 1998",
)
def mnist3vs8(unit_norm: bool = True, n: int = 0, *, rng, progress=None):
    """The digits 3 and 8 of MNIST, 11982 for training and 1984 for testing."""
    raw = read("mnist3vs8", progress)
    raw = replace(raw, X=pixels(raw.X, unit_norm, top=255.0))
    said = described(mnist3vs8, unit_norm)
    data = dataset(raw, ("3", "8"), image_shape=(28, 28), description=said)
    return subset(data, n, rng)


@benchmark(
    title="MNIST digits",
    fetch=fetch.openml(554, fetch.mnist),
    knobs=[UNIT_NORM, SUBSET],
    n_classes=10,
    dims=784,
    n_points=70000,
    n_labeled=100,
    image_shape=(28, 28),
    defaults=lapsvm(0.5, 20, 3, 1e-6, 1e-2),
    source="MNIST; OpenML data set 554",
    licence=MNIST_LICENCE,
    reference="LeCun et al., Proceedings of the IEEE 86, 1998",
)
def mnist(unit_norm: bool = True, n: int = 0, *, rng, progress=None):
    """Handwritten digits, 60000 for training and 10000 for testing, 28 x 28 pixels."""
    raw = read("mnist", progress)
    kept = subset_rows(raw.y, n, rng)  # before the pixels grow to eight bytes
    if kept is not None:
        raw = store.Raw(raw.X[kept], raw.y[kept], raw.meta)
    raw = replace(raw, X=pixels(raw.X, unit_norm, top=255.0))
    said = described(mnist, unit_norm)
    return dataset(raw, DIGITS, image_shape=(28, 28), description=said)


@benchmark(
    title="MIT faces",
    fetch=originals.FACES,
    file="facemit_train",
    knobs=[UNIT_NORM, SUBSET],
    n_classes=2,
    dims=361,
    n_points=6977,
    n_labeled=2,
    image_shape=(19, 19),
    defaults=lapsvm(4.3, 6, 1, 1e-6, 1e-8),
    published=published({**lapsvm(4.3, 6, 1, 1e-6, 1e-8), "n_val": 50}),
    source="MIT CBCL face data, original training part (6977 of the paper's 31022)",
    licence="MIT CBCL, free for research with credit",
    reference="MIT Center for Biological and Computational Learning, 2000",
)
def facemit(unit_norm: bool = False, n: int = 0, *, rng, progress=None):
    """Faces against everything else, 19 x 19 grey pixels, two thirds not faces."""
    raw = read("facemit_train", progress)
    raw = replace(raw, X=pixels(raw.X, unit_norm, top=255.0))
    said = described(facemit, unit_norm)
    data = dataset(raw, ("not a face", "face"), image_shape=(19, 19), description=said)
    return subset(data, n, rng)


@benchmark(
    title="USPS digits",
    fetch=fetch.openml(41082, fetch.usps),
    knobs=[SUBSET],
    n_classes=10,
    dims=256,
    n_points=9298,
    n_labeled=50,
    image_shape=(16, 16),
    defaults=lapsvm(9.4, 10, 2, 1e-4, 1.0, C=38.0),
    source="USPS zip codes; OpenML data set 41082",
    licence=USPS_LICENCE,
    reference="Hull, IEEE PAMI 16, 1994; " + OGAWA,
)
def usps(n: int = 0, *, rng, progress=None):
    """Handwritten digits of the US Postal Service, all 9298, pixels in [-1, 1]."""
    raw = read("usps", progress)
    raw = replace(raw, X=raw.X / 1000.0 - 1.0)
    return subset(dataset(raw, DIGITS, image_shape=(16, 16)), n, rng)
