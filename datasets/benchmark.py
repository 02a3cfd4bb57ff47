"""Benchmarks of the papers: read from a local folder, or fetched.

The project ships none of these files. Labels become class indices in the order of the
file's own labels, so that -1 and +1 become 0 and 1. The licence wording is what is
generally known of each collection; check it before passing data on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import MaxAbsScaler, normalize

from datasets import fetch, store
from datasets._base import Dataset, OriginalSplits
from datasets.bundled import SCALE, scale_columns
from datasets.registry import DATASETS, register
from datasets.splits import stratified_rows
from ssl_core.knobs import Knob

DIGITS = tuple("0123456789")
LDS = "Chapelle and Zien 2005 (LDS) collection; research use, no explicit data licence"
SSL_BOOK = "SSL book benchmark; research use, no explicit licence"
LIBSVM = "LIBSVM copy of a public (Statlog/UCI/IJCNN) set; no explicit licence"
UCI = "UCI, CC BY 4.0"
MNIST_LICENCE = "MNIST, LeCun and Cortes, CC BY-SA 3.0"
USPS_LICENCE = "USPS (Hull 1994), freely distributed for research; no explicit licence"
COIL_LICENCE = "Columbia COIL-20, free for research"
CHAPELLE_ZIEN = "Chapelle and Zien, AISTATS 2005"
BOOK = "Chapelle, Schoelkopf and Zien, Semi-Supervised Learning, 2006, chapter 21"
COIL = "Nene, Nayar and Murase, Columbia Object Image Library (COIL-20), 1996"
OGAWA = "Ogawa et al., Infinitesimal annealing for S3VMs, ICML 2013, Table 1"
CARS = (3, 6, 19)  # the three cars among the objects of COIL-20, picked by eye

UNIT_NORM = Knob(
    "unit_norm",
    "bool",
    help="Rows of unit norm; otherwise pixels in [0, 1].",
)
SUBSET = Knob(
    "n",
    "int",
    0,
    1_000_000,
    step=500,
    help="Points to keep, drawn at random with the classes in proportion; 0: all.",
    unit="points",
    title="Points",
)


def _lapsvm(sigma, n_neighbors, degree, gamma_A, gamma_I, C=10.0) -> dict:
    """Suggested parameters; the graph's are Table 9 of [MB11] where it has the set."""
    return {
        "sigma": sigma,
        "n_neighbors": n_neighbors,
        "laplacian_degree": degree,
        "gamma_A": gamma_A,
        "gamma_I": gamma_I,
        "C": C,
    }


def _published(lapsvm: dict | None = None, review: dict | None = None) -> dict:
    """Parameters as printed: Tables 2 and 9 of [MB11], Tables 4 and 5 of the review."""
    both = {"lapsvm_primal": lapsvm, "s3vm_review": review}
    return {paper: values for paper, values in both.items() if values}


# -- the benchmark collection of Chapelle and Zien -----------------------------------


@register(
    "g50c_original",
    title="G50C (original file)",
    kind="benchmark",
    file="g50c",
    n_classes=2,
    dims=50,
    n_points=550,
    n_labeled=50,
    defaults=_lapsvm(17.5, 50, 5, 1e-1, 10.0, C=19.0),
    published=_published(
        {**_lapsvm(17.5, 50, 5, 1e-1, 10.0), "n_labeled": 50, "n_val": 50},
        {"sigma": 38.0, "C": 19.0, "n_labeled": 50},
    ),
    source="Chapelle and Zien's LDS benchmark",
    licence=LDS,
    reference=CHAPELLE_ZIEN,
)
def g50c_original(*, progress=None):
    """Two Gaussians in 50 dimensions with Bayes error 5 percent, the file that the
    papers used."""
    return _dataset(_read("g50c", progress), ("-1", "+1"))


@register(
    "text_pcmac",
    title="PCMAC text",
    kind="benchmark",
    file="text_pcmac",
    n_classes=2,
    dims=7511,
    n_points=1946,
    n_labeled=50,
    sparse=True,
    defaults={**_lapsvm(2.7, 50, 5, 1e-6, 1.0, C=31.0), "lam": 1e-3, "lam_u": 1.0},
    published=_published(
        {**_lapsvm(2.7, 50, 5, 1e-6, 1.0), "n_labeled": 50, "n_val": 50},
        {"sigma": 3.5, "C": 31.0, "n_labeled": 50},
    ),
    source="Chapelle and Zien's LDS benchmark (20 newsgroups, mac and mswindows)",
    licence=LDS,
    reference="Szummer and Jaakkola, NIPS 2001; " + CHAPELLE_ZIEN,
)
def text_pcmac(*, progress=None):
    """Usenet posts on Windows against Macintosh, TF-IDF with rows of unit norm."""
    return _dataset(_read("text_pcmac", progress), ("-1", "+1"))


@register(
    "uspst",
    title="USPST digits",
    kind="benchmark",
    file="uspst",
    n_classes=10,
    dims=256,
    n_points=2007,
    n_labeled=50,
    image_shape=(16, 16),
    defaults=_lapsvm(9.4, 10, 2, 1e-4, 1.0, C=38.0),
    published=_published(
        {**_lapsvm(9.4, 10, 2, 1e-4, 1.0), "n_labeled": 50, "n_val": 50},
        {"sigma": 7.4, "C": 38.0, "n_labeled": 50},
    ),
    source="Chapelle and Zien's LDS benchmark",
    licence=LDS,
    reference=CHAPELLE_ZIEN,
)
def uspst(*, progress=None):
    """Handwritten digits of the US Postal Service, 2007 images of 16 x 16 pixels in
    [-1, 1]."""
    return _dataset(_read("uspst", progress), DIGITS, image_shape=(16, 16))


@register(
    "uspst_b",
    title="USPST(B): digits 0-4 against 5-9",
    kind="benchmark",
    file="uspst",
    n_classes=2,
    dims=256,
    n_points=2007,
    n_labeled=50,
    image_shape=(16, 16),
    defaults=_lapsvm(9.4, 10, 2, 1e-6, 1e-2, C=38.0),
    published=_published(
        {**_lapsvm(9.4, 10, 2, 1e-6, 1e-2), "n_labeled": 50, "n_val": 50}
    ),
    source="Chapelle and Zien's LDS benchmark",
    licence=LDS,
    reference="Melacci and Belkin, JMLR 2011, section 6.1",
)
def uspst_b(*, progress=None):
    """The USPST digits in two classes, the first five digits against the last five."""
    data = uspst(progress=progress)
    return _two_groups(data, data.y >= 5, ("digits 0-4", "digits 5-9"))


# -- COIL ----------------------------------------------------------------------------


@register(
    "coil20",
    title="COIL20 objects",
    kind="benchmark",
    file="coil20",
    knobs=[UNIT_NORM],
    n_classes=20,
    dims=1024,
    n_points=1440,
    n_labeled=40,
    image_shape=(32, 32),
    defaults=_lapsvm(0.6, 2, 1, 1e-6, 1.0, C=37.0),
    published=_published(
        {**_lapsvm(0.6, 2, 1, 1e-6, 1.0), "n_labeled": 40, "n_val": 40},
        {"sigma": 2900 / 255, "C": 37.0, "n_labeled": 40, "unit_norm": False},
    ),
    source="COIL-20, 32 x 32 rendering",
    licence=COIL_LICENCE,
    reference=COIL,
)
def coil20(unit_norm: bool = True, *, progress=None):
    """Twenty objects on a turntable, 72 views each, 32 x 32 grey pixels."""
    raw = _read("coil20", progress)
    X = _pixels(_upright(raw.X, 32), unit_norm, top=1.0)
    names = tuple(f"object {c}" for c in np.unique(raw.y))
    return _dataset(
        replace(raw, X=X),
        names,
        image_shape=(32, 32),
        description=_said(coil20, unit_norm)
        + ("" if unit_norm else " The review's sigma is for 0..255: divide it by 255."),
    )


@register(
    "coil20_b",
    title="COIL20(B): objects 1-10 against 11-20",
    kind="benchmark",
    file="coil20",
    knobs=[UNIT_NORM],
    n_classes=2,
    dims=1024,
    n_points=1440,
    n_labeled=40,
    image_shape=(32, 32),
    defaults=_lapsvm(0.6, 2, 1, 1e-6, 1.0, C=37.0),
    published=_published(
        {**_lapsvm(0.6, 2, 1, 1e-6, 1.0), "n_labeled": 40, "n_val": 40}
    ),
    source="COIL-20, 32 x 32 rendering",
    licence=COIL_LICENCE,
    reference="Melacci and Belkin, JMLR 2011, section 6.1; " + COIL,
)
def coil20_b(unit_norm: bool = True, *, progress=None):
    """The COIL20 objects in two classes, the first ten against the last ten."""
    data = coil20(unit_norm, progress=progress)
    names = ("objects 1-10", "objects 11-20")
    data = _two_groups(data, data.y >= 10, names)
    return replace(data, description=_said(coil20_b, unit_norm))


@register(
    "coil3",
    title="Coil3: three cars",
    kind="benchmark",
    file="coil20",
    knobs=[UNIT_NORM],
    n_classes=3,
    dims=1024,
    n_points=216,
    n_labeled=6,
    image_shape=(32, 32),
    defaults=_lapsvm(3000 / 255, 2, 1, 1e-6, 1.0, C=100.0),
    published=_published(
        None, {"sigma": 3000 / 255, "C": 100.0, "n_labeled": 6, "unit_norm": False}
    ),
    source="COIL-20, 32 x 32 rendering; the three objects were picked by eye",
    licence=COIL_LICENCE,
    reference="Chapelle, Chi and Zien, ICML 2006; " + COIL,
)
def coil3(unit_norm: bool = False, *, progress=None):
    """Three toy cars that look alike, 72 views each: hard for local methods."""
    data = coil20(unit_norm, progress=progress)
    cars = np.array(CARS) - 1
    rows = np.flatnonzero(np.isin(data.y, cars))
    return replace(
        data.take(rows),
        y=np.searchsorted(cars, data.y[rows]),
        class_names=tuple(f"car {c}" for c in CARS),
        description=_said(coil3, unit_norm),
    )


# -- images --------------------------------------------------------------------------


@register(
    "mnist3vs8",
    title="MNIST 3 against 8",
    kind="benchmark",
    file="mnist3vs8",
    fetch=fetch.openml(554, fetch.mnist_3_vs_8),
    knobs=[UNIT_NORM, SUBSET],
    n_classes=2,
    dims=784,
    n_points=13966,
    n_labeled=80,
    image_shape=(28, 28),
    defaults={
        **_lapsvm(0.5, 20, 3, 1e-6, 1e-2),
        "kernel": "poly",
        "degree": 9,
    },
    published=_published(
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
    raw = _read("mnist3vs8", progress)
    raw = replace(raw, X=_pixels(raw.X, unit_norm, top=255.0))
    said = _said(mnist3vs8, unit_norm)
    data = _dataset(raw, ("3", "8"), image_shape=(28, 28), description=said)
    return _subset(data, n, rng)


@register(
    "mnist",
    title="MNIST digits",
    kind="benchmark",
    file="mnist",
    fetch=fetch.openml(554, fetch.mnist),
    knobs=[UNIT_NORM, SUBSET],
    n_classes=10,
    dims=784,
    n_points=70000,
    n_labeled=100,
    image_shape=(28, 28),
    defaults=_lapsvm(0.5, 20, 3, 1e-6, 1e-2),
    source="MNIST; OpenML data set 554",
    licence=MNIST_LICENCE,
    reference="LeCun et al., Proceedings of the IEEE 86, 1998",
)
def mnist(unit_norm: bool = True, n: int = 0, *, rng, progress=None):
    """Handwritten digits, 60000 for training and 10000 for testing, 28 x 28 pixels."""
    raw = _read("mnist", progress)
    kept = _subset_rows(raw.y, n, rng)  # before the pixels grow to eight bytes
    if kept is not None:
        raw = store.Raw(raw.X[kept], raw.y[kept], raw.meta)
    raw = replace(raw, X=_pixels(raw.X, unit_norm, top=255.0))
    said = _said(mnist, unit_norm)
    return _dataset(raw, DIGITS, image_shape=(28, 28), description=said)


@register(
    "facemit",
    title="MIT faces",
    kind="benchmark",
    file="facemit_train",
    knobs=[UNIT_NORM, SUBSET],
    n_classes=2,
    dims=361,
    n_points=6977,
    n_labeled=2,
    image_shape=(19, 19),
    defaults=_lapsvm(4.3, 6, 1, 1e-6, 1e-8),
    published=_published({**_lapsvm(4.3, 6, 1, 1e-6, 1e-8), "n_val": 50}),
    source="MIT CBCL face data, original training part (6977 of the paper's 31022)",
    licence="MIT CBCL, free for research with credit",
    reference="MIT Center for Biological and Computational Learning, 2000",
)
def facemit(unit_norm: bool = False, n: int = 0, *, rng, progress=None):
    """Faces against everything else, 19 x 19 grey pixels, two thirds not faces."""
    raw = _read("facemit_train", progress)
    raw = replace(raw, X=_pixels(raw.X, unit_norm, top=255.0))
    said = _said(facemit, unit_norm)
    data = _dataset(raw, ("not a face", "face"), image_shape=(19, 19), description=said)
    return _subset(data, n, rng)


@register(
    "usps",
    title="USPS digits",
    kind="benchmark",
    file="usps",
    fetch=fetch.openml(41082, fetch.usps),
    knobs=[SUBSET],
    n_classes=10,
    dims=256,
    n_points=9298,
    n_labeled=50,
    image_shape=(16, 16),
    defaults=_lapsvm(9.4, 10, 2, 1e-4, 1.0, C=38.0),
    source="USPS zip codes; OpenML data set 41082",
    licence=USPS_LICENCE,
    reference="Hull, IEEE PAMI 16, 1994; " + OGAWA,
)
def usps(n: int = 0, *, rng, progress=None):
    """Handwritten digits of the US Postal Service, all 9298, pixels in [-1, 1]."""
    raw = _read("usps", progress)
    raw = replace(raw, X=raw.X / 1000.0 - 1.0)
    return _subset(_dataset(raw, DIGITS, image_shape=(16, 16)), n, rng)


# -- the table of the S3VM path paper ------------------------------------------------


@register(
    "dna",
    title="DNA",
    kind="benchmark",
    file="dna",
    fetch=fetch.openml(40670, fetch.plain),
    knobs=[Knob("part", "choice", choices=("train", "all"), help="Rows to use.")],
    n_classes=3,
    dims=180,
    n_points=2000,
    n_labeled=30,
    defaults=_lapsvm(7.0, 10, 1, 1e-2, 1e-2),
    source="Statlog DNA; OpenML data set 40670",
    licence=LIBSVM,
    reference=OGAWA,
)
def dna(part: str = "train", *, progress=None):
    """Splice junctions coded as 180 bits, three classes; the training part has 2000
    rows."""
    data = _dataset(_read("dna", progress), ("1", "2", "3"))
    if part == "train":  # the path paper uses the first 2000 rows
        return data.take(np.arange(min(2000, data.n)))
    return data


@register(
    "fourclass",
    title="Four class",
    kind="benchmark",
    file="fourclass",
    n_classes=2,
    dims=2,
    n_points=862,
    n_labeled=30,
    defaults=_lapsvm(0.2, 6, 1, 1e-2, 1.0),
    source="LIBSVM data sets",
    licence=LIBSVM,
    reference="Ho and Kleinberg, ICPR 1996; " + OGAWA,
)
def fourclass(*, progress=None):
    """Two classes in irregular patches of the plane, scaled to [-1, 1]."""
    return _dataset(_read("fourclass", progress), ("-1", "+1"))


@register(
    "ionosphere",
    title="Ionosphere",
    kind="benchmark",
    file="ionosphere",
    fetch=fetch.openml(59, fetch.ionosphere),
    n_classes=2,
    dims=33,
    n_points=351,
    n_labeled=17,
    defaults=_lapsvm(2.0, 6, 1, 1e-1, 1e-2),
    source="UCI Ionosphere; OpenML data set 59",
    licence=UCI,
    reference="Sigillito et al., 1989; " + OGAWA,
)
def ionosphere(*, progress=None):
    """Radar returns from the ionosphere, good against bad; the constant column is
    dropped."""
    raw = _read("ionosphere", progress)
    raw = replace(raw, X=raw.X[:, np.ptp(raw.X, axis=0) > 0])
    return _dataset(raw, ("bad", "good"))


@register(
    "segment",
    title="Image segments",
    kind="benchmark",
    file="segment",
    fetch=fetch.openml(36, fetch.scaled),
    n_classes=7,
    dims=19,
    n_points=2310,
    n_labeled=30,
    defaults=_lapsvm(0.7, 8, 1, 1e-4, 1.0),
    source="Statlog image segmentation; OpenML data set 36",
    licence=LIBSVM,
    reference=OGAWA,
)
def segment(*, progress=None):
    """Seven kinds of outdoor surface from 19 measurements of a pixel patch, scaled to
    [-1, 1]."""
    return _dataset(_read("segment", progress))


@register(
    "splice",
    title="Splice",
    kind="benchmark",
    file="splice",
    fetch=fetch.openml(46, fetch.splice),
    n_classes=2,
    dims=60,
    n_points=1000,
    n_labeled=30,
    defaults=_lapsvm(5.0, 10, 1, 1e-2, 1e-2),
    source="DELVE splice, training part; OpenML data set 46 (all sequences)",
    licence="DELVE/UCI public; no explicit licence",
    reference=OGAWA,
)
def splice(*, progress=None):
    """Does a DNA sequence of 60 bases hold a splice junction? Bases coded in
    [-1, 1]."""
    return _dataset(_read("splice", progress), ("no junction", "junction"))


@register(
    "svmguide4",
    title="SVM guide 4: traffic lights",
    kind="benchmark",
    file="svmguide4",
    knobs=[
        SCALE,
        Knob("part", "choice", choices=("train", "all"), help="Rows to use."),
    ],
    n_classes=6,
    dims=10,
    n_points=300,
    n_labeled=30,
    defaults=_lapsvm(1.5, 8, 1, 1e-2, 1.0),
    source="LIBSVM data sets",
    licence=LIBSVM,
    reference="Hsu, Chang and Lin, A practical guide to SVC, 2003; " + OGAWA,
)
def svmguide4(scale: str = "standard", part: str = "train", *, progress=None):
    """Traffic light signals in six classes; the raw columns are very uneven."""
    raw = _read("svmguide4", progress)
    data = _dataset(replace(raw, X=scale_columns(raw.X, scale)))
    return data.take(np.arange(300)) if part == "train" else data


@register(
    "vehicle",
    title="Vehicle silhouettes",
    kind="benchmark",
    file="vehicle",
    fetch=fetch.openml(54, fetch.scaled),
    n_classes=4,
    dims=18,
    n_points=846,
    n_labeled=30,
    defaults=_lapsvm(0.8, 8, 1, 1e-2, 1e-1),
    source="Statlog vehicle; OpenML data set 54",
    licence=LIBSVM,
    reference="Siebert, Turing Institute, 1987; " + OGAWA,
)
def vehicle(*, progress=None):
    """Four kinds of vehicle from 18 measures of their outline, scaled to [-1, 1]."""
    return _dataset(_read("vehicle", progress))


# -- the SSL book --------------------------------------------------------------------


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
    "COIL, six classes (SSL book)",
    n_classes=6,
    dims=241,
    n_labeled=100,
    defaults=_lapsvm(1000.0, 6, 1, 1e-4, 1.0),
)
def ssl_coil(*, progress=None):
    """COIL-100 objects in six classes, 241 disguised features."""
    return _dataset(_read("ssl_coil", progress))


@_ssl_book(
    "ssl_coil2",
    "ssl_coil2",
    "COIL2 (SSL book)",
    n_classes=2,
    dims=241,
    n_labeled=100,
    defaults=_lapsvm(1000.0, 6, 1, 1e-4, 1.0),
)
def ssl_coil2(*, progress=None):
    """COIL-100 objects in two classes, 241 disguised features."""
    return _dataset(_read("ssl_coil2", progress))


@_ssl_book(
    "ssl_g241n",
    "ssl_g241n",
    "g241n (SSL book)",
    n_classes=2,
    dims=241,
    n_labeled=100,
    defaults=_lapsvm(30.0, 50, 1, 1e-1, 1e-2),
)
def ssl_g241n(*, progress=None):
    """Gaussians whose clusters mislead: the cluster assumption does not hold."""
    return _dataset(_read("ssl_g241n", progress), ("-1", "+1"))


@_ssl_book(
    "ssl_text",
    "ssl_text",
    "Text (SSL book)",
    n_classes=2,
    dims=11960,
    n_labeled=100,
    sparse=True,
    defaults={**_lapsvm(1.5, 50, 1, 1e-4, 1.0), "lam": 1e-3, "lam_u": 1.0},
)
def ssl_text(*, progress=None):
    """Newsgroup posts, one group of five against the rest, sparse TF-IDF."""
    return _dataset(_read("ssl_text", progress), ("-1", "+1"))


# -- large and sparse ----------------------------------------------------------------

PAIRS = {
    "pc hardware / mac hardware": (
        ("comp.sys.ibm.pc.hardware",),
        ("comp.sys.mac.hardware",),
    ),
    "windows / mac": (("comp.os.ms-windows.misc",), ("comp.sys.mac.hardware",)),
    "baseball / hockey": (("rec.sport.baseball",), ("rec.sport.hockey",)),
    "autos / motorcycles": (("rec.autos",), ("rec.motorcycles",)),
    "atheism / christian": (("alt.atheism",), ("soc.religion.christian",)),
    "rec / sci": (("rec.",), ("sci.",)),
    "comp / rec": (("comp.",), ("rec.",)),
    "all 20 groups": None,
}


@register(
    "news20",
    title="20 newsgroups",
    kind="benchmark",
    file="news20_counts",
    fetch=fetch.news20,
    knobs=[
        Knob(
            "pair", "choice", choices=tuple(PAIRS), help="Which groups to tell apart."
        ),
        SUBSET,
    ],
    n_classes=2,
    dims=43953,
    n_points=7931,
    n_labeled=50,
    sparse=True,
    defaults={
        **_lapsvm(1.5, 50, 2, 1e-4, 1.0),
        "kernel": "linear",
        "lam": 1e-3,
        "lam_u": 1.0,
    },
    source="20 newsgroups by date",
    licence="UCI Twenty Newsgroups, CC BY 4.0 (public Usenet posts)",
    reference="Lang, NewsWeeder, ICML 1995",
)
def news20(pair: str = "rec / sci", n: int = 0, *, rng, progress=None):
    """Usenet posts by topic, log TF-IDF with rows of unit norm."""
    raw = _read("news20_counts", progress)
    groups = raw.meta["classes"]
    counts = raw.X.astype(np.float64)
    # Document frequencies are those of all posts, whatever pair is asked for.
    X = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
    words = bytes(raw.extras["vocab"]).decode().split("\n")
    raw = replace(raw, X=sp.csr_matrix(X))
    data = replace(_dataset(raw, tuple(groups)), feature_names=tuple(words))
    if PAIRS[pair] is not None:
        data = _pair(data, pair)
    return _subset(data, n, rng)


def _pair(data: Dataset, pair: str) -> Dataset:
    """Rows of two sets of newsgroups; the original test part stays the last one."""
    side = np.full(data.n_classes, -1)
    for i, prefixes in enumerate(PAIRS[pair]):
        for c, group in enumerate(data.class_names):
            if group.startswith(prefixes):
                side[c] = i
    rows = np.flatnonzero(side[data.y] >= 0)
    return replace(
        data.take(rows),
        y=side[data.y[rows]],
        class_names=tuple(pair.split(" / ")),
        test_start=int(np.searchsorted(rows, data.test_start)),
    )


@register(
    "kdd99_10pct",
    title="KDD Cup 1999, 10 percent",
    kind="benchmark",
    file="kdd99_10pct",
    fetch=fetch.kdd99,
    knobs=[
        Knob(
            "scale",
            "choice",
            choices=("max_abs", "log", "none"),
            words=("Max abs", "Log", "As is"),
            help="Columns to at most 1, the same after log(1 + x), or as they are.",
        ),
        SUBSET,
    ],
    n_classes=2,
    dims=118,
    n_points=494021,
    n_labeled=1000,
    sparse=True,
    defaults={"kernel": "linear", "lam": 1e-3, "lam_u": 1.0, "sigma": 1.0, "C": 10.0},
    source="KDD Cup 1999, the official 10 percent sample",
    licence="UCI KDD Cup 1999, CC BY 4.0",
    reference="Stolfo et al., 1999; Sindhwani and Keerthi, SIGIR 2006",
)
def kdd99_10pct(scale: str = "max_abs", n: int = 0, *, rng, progress=None):
    """Network connections, attacks against normal traffic, four attacks to one
    normal."""
    raw = _read("kdd99_10pct", progress)
    X = raw.X.astype(np.float64)
    if scale == "log":
        X = X.log1p()
    if scale != "none":
        X = MaxAbsScaler().fit_transform(X)
    data = _dataset(replace(raw, X=sp.csr_matrix(X)), ("normal", "attack"))
    return _subset(data, n, rng)


@register(
    "rcv1",
    title="Reuters RCV1",
    kind="benchmark",
    file="rcv1",
    fetch=fetch.rcv1,
    knobs=[
        Knob(
            "topic",
            "choice",
            choices=fetch.RCV1_TOPICS,
            help="Topic to tell from the rest.",
        ),
        Knob("part", "choice", choices=("train", "all"), help="Rows to use."),
        SUBSET,
    ],
    n_classes=2,
    dims=47236,
    n_points=23149,
    n_labeled=50,
    sparse=True,
    defaults={"kernel": "linear", "lam": 1e-3, "lam_u": 1.0, "sigma": 1.0, "C": 10.0},
    source="RCV1-v2 through scikit-learn's fetch_rcv1",
    licence="Reuters Corpus Volume 1, vectors distributed for research",
    reference="Lewis et al., JMLR 5, 2004",
)
def rcv1(topic: str = "CCAT", part: str = "train", n: int = 0, *, rng, progress=None):
    """News stories, one top topic against the rest, log TF-IDF rows of unit norm; the
    training part has 23149 rows."""
    raw = _read("rcv1", progress)
    column = list(raw.meta["topics"]).index(topic)
    raw = replace(raw, y=raw.extras["topics"][:, column])
    data = _dataset(raw, (f"not {topic}", topic))
    if part == "train":
        data = data.take(np.arange(data.test_start))
    return _subset(data, n, rng)


@register(
    "isolet",
    title="ISOLET spoken letters",
    kind="benchmark",
    file="isolet",
    fetch=fetch.openml(300, fetch.isolet),
    knobs=[
        Knob(
            "letters",
            "choice",
            choices=("confusing", "all"),
            help="The review's nine letters B C D E G P T V Z, or all 26.",
        )
    ],
    n_classes=9,
    dims=617,
    n_points=1620,
    n_labeled=50,
    defaults=_lapsvm(15.0, 10, 1, 1e-4, 1.0, C=43.0),
    published=_published(None, {"sigma": 15.0, "C": 43.0, "n_labeled": 50}),
    source="UCI ISOLET; OpenML data set 300",
    licence=UCI,
    reference="Fanty and Cole, NIPS 1990; Chapelle et al., JMLR 2008, Table 4",
)
def isolet(letters: str = "confusing", *, progress=None):
    """Spoken letters, 617 acoustic features in [-1, 1]; by default nine letters that
    are easily confused, speaker sets 1 to 3."""
    raw = _read("isolet", progress)
    if letters == "confusing":
        # The file goes through the speaker sets in order.
        rows = np.flatnonzero(np.isin(raw.y, list(fetch.CONFUSING_LETTERS)))
        rows = rows[: fetch.ISOLET_9_ROWS]
        raw = store.Raw(raw.X[rows], raw.y[rows], raw.meta)
    return _dataset(raw)


# -- from file to Dataset ------------------------------------------------------------


def _read(file: str, progress) -> store.Raw:
    """The file's content, fetched by the entry that names the file."""
    fetchers = [e.fetch for e in DATASETS.values() if e.file == file and e.fetch]
    return store.read(file, fetchers[0] if fetchers else None, progress)


def _dataset(
    raw: store.Raw,
    class_names: Sequence[str] = (),
    image_shape: tuple[int, int] | None = None,
    description: str = "",
) -> Dataset:
    """A Dataset from a file: class indices, splits, test part, provenance."""
    labels, y = np.unique(raw.y, return_inverse=True)
    splits = {}
    for key in ("idx_lab", "idx_lab_10", "idx_lab_100"):
        if key in raw.extras:
            rows = raw.extras[key].astype(np.int64)
            splits[rows.shape[1]] = rows
    start = raw.extras.get("test_start")
    names = raw.meta.get("feature_names", ())
    origin = ("title", "source_repo", "source_path", "source_commit", "scaling", "note")
    return Dataset(
        raw.X,
        y,
        class_names=tuple(class_names) or tuple(str(label) for label in labels),
        feature_names=tuple(names) if len(names) == raw.X.shape[1] else (),
        image_shape=image_shape,
        description=description,
        splits=OriginalSplits(splits) if splits else None,
        test_start=None if start is None else int(start),
        meta={
            "origin": {key: raw.meta[key] for key in origin if key in raw.meta},
            "original_labels": tuple(labels.tolist()),
        },
    )


def _said(function: Callable, unit_norm: bool) -> str:
    sentence = " ".join(function.__doc__.split())
    return sentence + (
        " Rows have unit norm." if unit_norm else " Pixels are in [0, 1]."
    )


def _pixels(X: np.ndarray, unit_norm: bool, top: float) -> np.ndarray:
    """Pixels in [0, 1], or rows of unit norm."""
    X = X.astype(np.float64)
    return normalize(X, copy=False) if unit_norm else np.divide(X, top, out=X)


def _upright(X: np.ndarray, side: int) -> np.ndarray:
    """Column-major square images turned row-major."""
    images = X.reshape(len(X), side, side).transpose(0, 2, 1)
    return np.ascontiguousarray(images).reshape(len(X), -1)


def _two_groups(data: Dataset, upper: np.ndarray, names: tuple[str, str]) -> Dataset:
    return replace(data, y=upper.astype(np.int64), class_names=names, description="")


def _subset_rows(y: np.ndarray, n: int, rng) -> np.ndarray | None:
    """Rows of a stratified sample of n points, or None for all of them."""
    if n == 0 or n >= len(y):
        return None
    k = len(np.unique(y))
    if n < 2 * k:
        raise ValueError(f"n must be 0 (all) or at least {2 * k}, got {n}.")
    return stratified_rows(y, n, rng)


def _subset(data: Dataset, n: int, rng) -> Dataset:
    rows = _subset_rows(data.y, n, rng)
    return data if rows is None else data.take(rows)
