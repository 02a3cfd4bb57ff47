"""Benchmarks of the SSL book that are kept with their splits."""

from __future__ import annotations

from collections.abc import Callable

from datasets.benchmark._reading import dataset, lapsvm, read
from datasets.registry import register

SSL_BOOK = "SSL book benchmark; research use, no explicit licence"
BOOK = "Chapelle, Schoelkopf and Zien, Semi-Supervised Learning, 2006, chapter 21"


def _ssl_book(file: str, name: str, title: str, **facts) -> Callable:
    return register(
        name,
        title=title,
        kind="benchmark",
        file=file,
        n_points=1500,
        source="benchmark of the book Semi-Supervised Learning",
        licence=SSL_BOOK,
        reference=BOOK,
        **facts,
    )


@_ssl_book(
    "ssl_coil",
    "ssl_coil",
    "COIL (SSL book)",
    n_classes=6,
    dims=241,
    n_labeled=100,
    defaults=lapsvm(1000.0, 6, 1, 1e-4, 1.0),
)
def ssl_coil(*, progress=None):
    """COIL-100 objects in six classes, 241 disguised features."""
    return dataset(read("ssl_coil", progress))


@_ssl_book(
    "ssl_coil2",
    "ssl_coil2",
    "COIL2 (SSL book)",
    n_classes=2,
    dims=241,
    n_labeled=100,
    defaults=lapsvm(1000.0, 6, 1, 1e-4, 1.0),
)
def ssl_coil2(*, progress=None):
    """COIL-100 objects in two classes, 241 disguised features."""
    return dataset(read("ssl_coil2", progress))


@_ssl_book(
    "ssl_g241n",
    "ssl_g241n",
    "g241n (SSL book)",
    n_classes=2,
    dims=241,
    n_labeled=100,
    defaults=lapsvm(30.0, 50, 1, 1e-1, 1e-2),
)
def ssl_g241n(*, progress=None):
    """Gaussians whose clusters mislead: the cluster assumption does not hold."""
    return dataset(read("ssl_g241n", progress), ("-1", "+1"))


@_ssl_book(
    "ssl_text",
    "ssl_text",
    "Text (SSL book)",
    n_classes=2,
    dims=11960,
    n_labeled=100,
    sparse=True,
    defaults={**lapsvm(1.5, 50, 1, 1e-4, 1.0), "lam": 1e-3, "lam_u": 1.0},
)
def ssl_text(*, progress=None):
    """Newsgroup posts, one group of five against the rest, sparse TF-IDF."""
    return dataset(read("ssl_text", progress), ("-1", "+1"))
