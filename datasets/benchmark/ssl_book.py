"""Benchmarks of the SSL book that are kept with their splits."""

from __future__ import annotations

from functools import partial

from halfmoon.datasets import originals
from halfmoon.datasets.benchmark._reading import benchmark, dataset, lapsvm, read

ssl_book = partial(
    benchmark,
    n_points=1500,
    source="benchmark of the book Semi-Supervised Learning",
    licence="SSL book benchmark; research use, no explicit licence",
    reference="Chapelle, Schoelkopf and Zien, Semi-Supervised Learning, 2006, "
    "chapter 21",
)


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
