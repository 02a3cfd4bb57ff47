"""Objects on a turntable: COIL-20 and what is made of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from halfmoon.datasets import originals
from halfmoon.datasets.benchmark._reading import (
    COIL,
    UNIT_NORM,
    benchmark,
    dataset,
    described,
    lapsvm,
    pixels,
    published,
    read,
    two_groups,
    upright,
)

COIL_LICENCE = "Columbia COIL-20, free for research"
CARS = (3, 6, 19)  # the three cars among the objects of COIL-20, picked by eye


@benchmark(
    title="COIL20 objects",
    fetch=originals.COIL20,
    knobs=[UNIT_NORM],
    n_classes=20,
    dims=1024,
    n_points=1440,
    n_labeled=40,
    image_shape=(32, 32),
    defaults=lapsvm(0.6, 2, 1, 1e-6, 1.0, C=37.0),
    published=published(
        {**lapsvm(0.6, 2, 1, 1e-6, 1.0), "n_labeled": 40, "n_val": 40},
        {"sigma": 2900 / 255, "C": 37.0, "n_labeled": 40, "unit_norm": False},
    ),
    source="COIL-20, 32 x 32 rendering",
    licence=COIL_LICENCE,
    reference=COIL,
)
def coil20(unit_norm: bool = True, *, progress=None):
    """Twenty objects on a turntable, 72 views each, 32 x 32 grey pixels."""
    raw = read("coil20", progress)
    X = pixels(upright(raw.X, 32), unit_norm, top=1.0)
    names = tuple(f"object {c}" for c in np.unique(raw.y))
    return dataset(
        replace(raw, X=X),
        names,
        image_shape=(32, 32),
        description=described(coil20, unit_norm)
        + ("" if unit_norm else " The review's sigma is for 0..255: divide it by 255."),
    )


@benchmark(
    title="COIL20(B) objects",
    fetch=originals.COIL20,
    file="coil20",
    knobs=[UNIT_NORM],
    n_classes=2,
    dims=1024,
    n_points=1440,
    n_labeled=40,
    image_shape=(32, 32),
    defaults=lapsvm(0.6, 2, 1, 1e-6, 1.0, C=37.0),
    published=published({**lapsvm(0.6, 2, 1, 1e-6, 1.0), "n_labeled": 40, "n_val": 40}),
    source="COIL-20, 32 x 32 rendering",
    licence=COIL_LICENCE,
    reference="Melacci and Belkin, JMLR 2011, section 6.1; " + COIL,
)
def coil20_b(unit_norm: bool = True, *, progress=None):
    """The COIL20 objects in two classes, the first ten against the last ten."""
    data = coil20(unit_norm, progress=progress)
    names = ("objects 1-10", "objects 11-20")
    data = two_groups(data, data.y >= 10, names)
    return replace(data, description=described(coil20_b, unit_norm))


@benchmark(
    title="Coil3: three cars",
    fetch=originals.COIL20,
    file="coil20",
    knobs=[UNIT_NORM],
    n_classes=3,
    dims=1024,
    n_points=216,
    n_labeled=6,
    image_shape=(32, 32),
    defaults=lapsvm(3000 / 255, 2, 1, 1e-6, 1.0, C=100.0),
    published=published(
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
        description=described(coil3, unit_norm),
    )
