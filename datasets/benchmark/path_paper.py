"""Data sets of the S3VM path paper, Table 1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from halfmoon.common.knobs import Knob
from halfmoon.datasets import fetch, originals
from halfmoon.datasets.benchmark._reading import (
    OGAWA,
    UCI,
    benchmark,
    dataset,
    lapsvm,
    read,
)
from halfmoon.datasets.bundled import SCALE, scale_columns

LIBSVM = "LIBSVM copy of a public (Statlog/UCI/IJCNN) set; no explicit licence"


@benchmark(
    title="DNA",
    fetch=fetch.openml(40670, fetch.plain),
    knobs=[Knob("part", "choice", choices=("train", "all"), help="Rows to use.")],
    n_classes=3,
    dims=180,
    n_points=2000,
    n_labeled=30,
    defaults=lapsvm(7.0, 10, 1, 1e-2, 1e-2),
    source="Statlog DNA; OpenML data set 40670",
    licence=LIBSVM,
    reference=OGAWA,
)
def dna(part: str = "train", *, progress=None):
    """Splice junctions coded as 180 bits, three classes; the training part has 2000
    rows."""
    data = dataset(read("dna", progress), ("1", "2", "3"))
    if part == "train":  # the path paper uses the first 2000 rows
        return data.take(np.arange(min(2000, data.n)))
    return data


@benchmark(
    title="Four class",
    fetch=originals.FOURCLASS,
    n_classes=2,
    dims=2,
    n_points=862,
    n_labeled=30,
    defaults=lapsvm(0.2, 6, 1, 1e-2, 1.0),
    source="LIBSVM data sets",
    licence=LIBSVM,
    reference="Ho and Kleinberg, ICPR 1996; " + OGAWA,
)
def fourclass(*, progress=None):
    """Two classes in irregular patches of the plane, scaled to [-1, 1]."""
    return dataset(read("fourclass", progress), ("-1", "+1"))


@benchmark(
    title="Ionosphere",
    fetch=fetch.openml(59, fetch.ionosphere),
    n_classes=2,
    dims=33,
    n_points=351,
    n_labeled=17,
    defaults=lapsvm(2.0, 6, 1, 1e-1, 1e-2),
    source="UCI Ionosphere; OpenML data set 59",
    licence=UCI,
    reference="Sigillito et al., 1989; " + OGAWA,
)
def ionosphere(*, progress=None):
    """Radar returns from the ionosphere, good against bad; the constant column is
    dropped."""
    raw = read("ionosphere", progress)
    raw = replace(raw, X=raw.X[:, np.ptp(raw.X, axis=0) > 0])
    return dataset(raw, ("bad", "good"))


@benchmark(
    title="Image segments",
    fetch=fetch.openml(36, fetch.scaled),
    n_classes=7,
    dims=19,
    n_points=2310,
    n_labeled=30,
    defaults=lapsvm(0.7, 8, 1, 1e-4, 1.0),
    source="Statlog image segmentation; OpenML data set 36",
    licence=LIBSVM,
    reference=OGAWA,
)
def segment(*, progress=None):
    """Seven kinds of outdoor surface from 19 measurements of a pixel patch, scaled to
    [-1, 1]."""
    return dataset(read("segment", progress))


@benchmark(
    title="Splice",
    fetch=fetch.openml(46, fetch.splice),
    n_classes=2,
    dims=60,
    n_points=1000,
    n_labeled=30,
    defaults=lapsvm(5.0, 10, 1, 1e-2, 1e-2),
    source="DELVE splice, training part; OpenML data set 46 (all sequences)",
    licence="DELVE/UCI public; no explicit licence",
    reference=OGAWA,
)
def splice(*, progress=None):
    """Does a DNA sequence of 60 bases hold a splice junction? Bases coded in
    [-1, 1]."""
    return dataset(read("splice", progress), ("no junction", "junction"))


@benchmark(
    title="SVM guide 4: traffic lights",
    fetch=originals.SVMGUIDE4,
    knobs=[
        SCALE,
        Knob("part", "choice", choices=("train", "all"), help="Rows to use."),
    ],
    n_classes=6,
    dims=10,
    n_points=300,
    n_labeled=30,
    defaults=lapsvm(1.5, 8, 1, 1e-2, 1.0),
    source="LIBSVM data sets",
    licence=LIBSVM,
    reference="Hsu, Chang and Lin, A practical guide to SVC, 2003; " + OGAWA,
)
def svmguide4(scale: str = "standard", part: str = "train", *, progress=None):
    """Traffic light signals in six classes; the raw columns are very uneven."""
    raw = read("svmguide4", progress)
    data = dataset(replace(raw, X=scale_columns(raw.X, scale)))
    return data.take(np.arange(300)) if part == "train" else data


@benchmark(
    title="Vehicle silhouettes",
    fetch=fetch.openml(54, fetch.scaled),
    n_classes=4,
    dims=18,
    n_points=846,
    n_labeled=30,
    defaults=lapsvm(0.8, 8, 1, 1e-2, 1e-1),
    source="Statlog vehicle; OpenML data set 54",
    licence=LIBSVM,
    reference="Siebert, Turing Institute, 1987; " + OGAWA,
)
def vehicle(*, progress=None):
    """Four kinds of vehicle from 18 measures of their outline, scaled to [-1, 1]."""
    return dataset(read("vehicle", progress))
