"""Benchmarks of the SSL book that are kept with their splits."""

from __future__ import annotations

from functools import partial

from halfmoon.datasets import originals
from halfmoon.datasets.benchmark._reading import (
    SUBSET,
    benchmark,
    dataset,
    lapsvm,
    read,
    subset,
)

ssl_book = partial(
    benchmark,
    n_points=1500,
    source="benchmark of the book Semi-Supervised Learning",
    licence="SSL book benchmark; research use, no explicit licence",
    reference="Chapelle, Schoelkopf and Zien, Semi-Supervised Learning, 2006, "
    "chapter 21",
)


@ssl_book(
    title="Digit1 (SSL book)",
    fetch=originals.SSL_DIGIT1,
    n_classes=2,
    dims=241,
    n_labeled=100,
    defaults=lapsvm(1.5, 6, 1, 1e-4, 1.0),
)
def ssl_digit1(*, progress=None):
    """Images of an artificial digit 1, tilted to either side, 241 transformed
    features: the points lie near a manifold."""
    return dataset(read("ssl_digit1", progress), ("-1", "+1"))


@ssl_book(
    title="USPS (SSL book)",
    fetch=originals.SSL_USPS,
    n_classes=2,
    dims=241,
    n_labeled=100,
    defaults=lapsvm(4.0, 6, 2, 1e-2, 1.0),
)
def ssl_usps(*, progress=None):
    """Handwritten digits, 2 and 5 against the rest, one to four; 241 transformed
    features."""
    return dataset(read("ssl_usps", progress), ("-1", "+1"))


@ssl_book(
    title="BCI (SSL book)",
    fetch=originals.SSL_BCI,
    n_classes=2,
    dims=117,
    n_points=400,
    n_labeled=100,
    defaults=lapsvm(25.0, 6, 1, 1e-4, 1e-4),
)
def ssl_bci(*, progress=None):
    """Which hand did a person imagine to move? 400 trials of a brain-computer
    interface, 117 coefficients of 39 electrodes."""
    return dataset(read("ssl_bci", progress), ("-1", "+1"))


@ssl_book(
    title="g241c (SSL book)",
    fetch=originals.SSL_G241C,
    n_classes=2,
    dims=241,
    n_labeled=100,
    defaults=lapsvm(30.0, 50, 5, 1e-1, 1e-2),
)
def ssl_g241c(*, progress=None):
    """Two Gaussians, one of each class: the cluster assumption holds."""
    return dataset(read("ssl_g241c", progress), ("-1", "+1"))


@ssl_book(
    title="COIL (SSL book)",
    fetch=originals.SSL_COIL,
    n_classes=6,
    dims=241,
    n_labeled=100,
    defaults=lapsvm(1000.0, 6, 1, 1e-4, 1.0),
)
def ssl_coil(*, progress=None):
    """COIL-100 objects in six classes, 241 transformed features."""
    return dataset(read("ssl_coil", progress))


@ssl_book(
    title="COIL2 (SSL book)",
    fetch=originals.SSL_COIL2,
    n_classes=2,
    dims=241,
    n_labeled=100,
    defaults=lapsvm(1000.0, 6, 1, 1e-4, 1.0),
)
def ssl_coil2(*, progress=None):
    """COIL-100 objects in two classes, 241 transformed features."""
    return dataset(read("ssl_coil2", progress))


@ssl_book(
    title="g241n (SSL book)",
    fetch=originals.SSL_G241N,
    n_classes=2,
    dims=241,
    n_labeled=100,
    defaults=lapsvm(30.0, 50, 1, 1e-1, 1e-2),
)
def ssl_g241n(*, progress=None):
    """Gaussians whose clusters are misleading: the cluster assumption does not hold."""
    return dataset(read("ssl_g241n", progress), ("-1", "+1"))


@ssl_book(
    title="Text (SSL book)",
    fetch=originals.SSL_TEXT,
    n_classes=2,
    dims=11960,
    n_labeled=100,
    sparse=True,
    defaults={**lapsvm(1.5, 50, 1, 1e-4, 1.0), "lam": 1e-3, "lam_u": 1.0},
)
def ssl_text(*, progress=None):
    """Newsgroup posts, one group of five against the rest, sparse TF-IDF."""
    return dataset(read("ssl_text", progress), ("-1", "+1"))


@ssl_book(
    title="SecStr (SSL book)",
    fetch=originals.SSL_SECSTR,
    knobs=[SUBSET],
    n_classes=2,
    dims=315,
    n_points=83679,
    n_labeled=100,
    sparse=True,
    defaults={**lapsvm(3.0, 10, 1, 1e-2, 1e-2), "kernel": "linear", "lam": 1.5e-2},
)
def ssl_secstr(n: int = 0, *, rng, progress=None):
    """Secondary structure of proteins: 15 neighbouring amino acids, each as one of 21
    letters, in 315 columns of 0 and 1; the labelled part, 83679 rows."""
    data = dataset(read("ssl_secstr", progress), ("0", "1"))
    return subset(data, n, rng)
