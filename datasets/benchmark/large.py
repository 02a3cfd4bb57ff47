"""Large and sparse data: news, connections, newswire, spoken letters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import MaxAbsScaler

from halfmoon.common.knobs import Knob
from halfmoon.datasets import fetch, store
from halfmoon.datasets._base import Dataset
from halfmoon.datasets.benchmark._reading import (
    SUBSET,
    UCI,
    benchmark,
    dataset,
    lapsvm,
    published,
    read,
    subset,
)

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


@benchmark(
    title="20 newsgroups",
    file="news20_counts",
    fetch=fetch.news20,
    knobs=[
        Knob(
            "pair", "choice", choices=tuple(PAIRS), help="Pair of groups to separate."
        ),
        SUBSET,
    ],
    n_classes=2,
    dims=43953,
    n_points=7931,
    n_labeled=50,
    sparse=True,
    defaults={
        **lapsvm(1.5, 50, 2, 1e-4, 1.0),
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
    raw = read("news20_counts", progress)
    groups = raw.meta["classes"]
    counts = raw.X.astype(np.float64)
    # Document frequencies are those of all posts, whatever pair is asked for.
    X = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
    words = bytes(raw.extras["vocab"]).decode().split("\n")
    raw = replace(raw, X=sp.csr_matrix(X))
    data = replace(dataset(raw, tuple(groups)), feature_names=tuple(words))
    if PAIRS[pair] is not None:
        data = _pair(data, pair)
    return subset(data, n, rng)


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


@benchmark(
    title="KDD Cup 1999, 10 percent",
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
    raw = read("kdd99_10pct", progress)
    X = raw.X.astype(np.float64)
    if scale == "log":
        X = X.log1p()
    if scale != "none":
        X = MaxAbsScaler().fit_transform(X)
    data = dataset(replace(raw, X=sp.csr_matrix(X)), ("normal", "attack"))
    return subset(data, n, rng)


@benchmark(
    title="Reuters RCV1",
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
    raw = read("rcv1", progress)
    column = list(raw.meta["topics"]).index(topic)
    raw = replace(raw, y=raw.extras["topics"][:, column])
    data = dataset(raw, (f"not {topic}", topic))
    if part == "train":
        data = data.take(np.arange(data.test_start))
    return subset(data, n, rng)


@benchmark(
    title="ISOLET spoken letters",
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
    defaults=lapsvm(15.0, 10, 1, 1e-4, 1.0, C=43.0),
    published=published(None, {"sigma": 15.0, "C": 43.0, "n_labeled": 50}),
    source="UCI ISOLET; OpenML data set 300",
    licence=UCI,
    reference="Fanty and Cole, NIPS 1990; Chapelle et al., JMLR 2008, Table 4",
)
def isolet(letters: str = "confusing", *, progress=None):
    """Spoken letters, 617 acoustic features in [-1, 1]; by default nine letters that
    are easily confused, speaker sets 1 to 3."""
    raw = read("isolet", progress)
    if letters == "confusing":
        # The file goes through the speaker sets in order.
        rows = np.flatnonzero(np.isin(raw.y, list(fetch.CONFUSING_LETTERS)))
        rows = rows[: fetch.ISOLET_9_ROWS]
        raw = store.Raw(raw.X[rows], raw.y[rows], raw.meta)
    return dataset(raw)
