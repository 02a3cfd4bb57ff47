"""The benchmark collection of Chapelle and Zien."""

from __future__ import annotations

from halfmoon.datasets import originals
from halfmoon.datasets.benchmark._reading import (
    DIGITS,
    benchmark,
    dataset,
    lapsvm,
    published,
    read,
    two_groups,
)

LDS = "Chapelle and Zien 2005 (LDS) collection; research use, no explicit data licence"
CHAPELLE_ZIEN = "Chapelle and Zien, AISTATS 2005"


@benchmark(
    title="G50C (original file)",
    fetch=originals.G50C,
    file="g50c",
    n_classes=2,
    dims=50,
    n_points=550,
    n_labeled=50,
    defaults=lapsvm(17.5, 50, 5, 1e-1, 10.0, C=19.0),
    published=published(
        {**lapsvm(17.5, 50, 5, 1e-1, 10.0), "n_labeled": 50, "n_val": 50},
        {"sigma": 38.0, "C": 19.0, "n_labeled": 50},
    ),
    source="Chapelle and Zien's LDS benchmark",
    licence=LDS,
    reference=CHAPELLE_ZIEN,
)
def g50c_original(*, progress=None):
    """Two Gaussians in 50 dimensions with Bayes error 5 percent, the file that the
    papers used."""
    return dataset(read("g50c", progress), ("-1", "+1"))


@benchmark(
    title="PCMAC text",
    fetch=originals.TEXT_PCMAC,
    n_classes=2,
    dims=7511,
    n_points=1946,
    n_labeled=50,
    sparse=True,
    defaults={**lapsvm(2.7, 50, 5, 1e-6, 1.0, C=31.0), "lam": 1e-3, "lam_u": 1.0},
    published=published(
        {**lapsvm(2.7, 50, 5, 1e-6, 1.0), "n_labeled": 50, "n_val": 50},
        {"sigma": 3.5, "C": 31.0, "n_labeled": 50},
    ),
    source="Chapelle and Zien's LDS benchmark (20 newsgroups, mac and mswindows)",
    licence=LDS,
    reference="Szummer and Jaakkola, NIPS 2001; " + CHAPELLE_ZIEN,
)
def text_pcmac(*, progress=None):
    """Usenet posts on Windows against Macintosh, TF-IDF with rows of unit norm."""
    return dataset(read("text_pcmac", progress), ("-1", "+1"))


@benchmark(
    title="USPST digits",
    fetch=originals.USPST,
    n_classes=10,
    dims=256,
    n_points=2007,
    n_labeled=50,
    image_shape=(16, 16),
    defaults=lapsvm(9.4, 10, 2, 1e-4, 1.0, C=38.0),
    published=published(
        {**lapsvm(9.4, 10, 2, 1e-4, 1.0), "n_labeled": 50, "n_val": 50},
        {"sigma": 7.4, "C": 38.0, "n_labeled": 50},
    ),
    source="Chapelle and Zien's LDS benchmark",
    licence=LDS,
    reference=CHAPELLE_ZIEN,
)
def uspst(*, progress=None):
    """Handwritten digits of the US Postal Service, 2007 images of 16 x 16 pixels in
    [-1, 1]."""
    return dataset(read("uspst", progress), DIGITS, image_shape=(16, 16))


@benchmark(
    title="USPST(B) digits",
    fetch=originals.USPST,
    file="uspst",
    n_classes=2,
    dims=256,
    n_points=2007,
    n_labeled=50,
    image_shape=(16, 16),
    defaults=lapsvm(9.4, 10, 2, 1e-6, 1e-2, C=38.0),
    published=published(
        {**lapsvm(9.4, 10, 2, 1e-6, 1e-2), "n_labeled": 50, "n_val": 50}
    ),
    source="Chapelle and Zien's LDS benchmark",
    licence=LDS,
    reference="Melacci and Belkin, JMLR 2011, section 6.1",
)
def uspst_b(*, progress=None):
    """The USPST digits in two classes, the first five digits against the last five."""
    data = uspst(progress=progress)
    return two_groups(data, data.y >= 5, ("digits 0-4", "digits 5-9"))
