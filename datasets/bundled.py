"""Data that ships inside scikit-learn, ready without a network."""

from __future__ import annotations

from functools import partial

import numpy as np
from sklearn import datasets as sk

from halfmoon.common.knobs import Knob
from halfmoon.datasets._base import Dataset
from halfmoon.datasets.registry import DATASETS, register, suited

UCI = (
    "UCI Machine Learning Repository, CC BY 4.0 (general knowledge, not a shipped file)"
)
SCALES = ("standard", "range", "none")
SCALE = Knob(
    "scale",
    "choice",
    choices=SCALES,
    help="Columns to mean 0 and deviation 1, to [0, 1], or as they are.",
    words=("Mean 0, deviation 1", "0 to 1", "As is"),
)
_SAID = {
    "standard": "Columns have mean 0 and standard deviation 1.",
    "range": "Columns are scaled to [0, 1].",
    "none": "Columns are as measured.",
}


bundled = partial(register, kind="bundled", licence=UCI)


def scale_columns(X: np.ndarray, scale: str) -> np.ndarray:
    """Scale the columns of a dense X; a constant column becomes zero.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Points.
    scale : {"standard", "range", "none"}
        Mean 0 and deviation 1, range [0, 1], or untouched.
    """
    X = np.asarray(X, dtype=np.float64)
    if scale == "none":
        return X
    if scale == "standard":
        shift, width = X.mean(axis=0), X.std(axis=0)
    else:
        shift, width = X.min(axis=0), np.ptp(X, axis=0)
    return (X - shift) / np.where(width > 0, width, 1.0)


def _bundled(name: str, scale: str) -> Dataset:
    raw = getattr(sk, f"load_{name}")()
    return Dataset(
        scale_columns(raw.data, scale),
        raw.target,
        class_names=tuple(str(name) for name in raw.target_names),
        feature_names=tuple(str(name) for name in raw.feature_names),
        description=f"{DATASETS[name].description} {_SAID[scale]}",
    )


@bundled(
    title="Breast cancer (Wisconsin)",
    knobs=[SCALE],
    n_classes=2,
    dims=30,
    n_points=569,
    n_labeled=10,
    defaults=suited(5.0, 6, 1e-2, 1e-1, lam=0.03),
    source="scikit-learn's load_breast_cancer",
    reference="Street, Wolberg and Mangasarian, 1993",
)
def breast_cancer(scale: str = "standard"):
    """Cell nuclei measured in breast tissue, malignant against benign."""
    return _bundled("breast_cancer", scale)


@bundled(
    title="Digits 8 x 8",
    knobs=[
        Knob(
            "scale",
            "choice",
            choices=("range", "none"),
            help="Grey levels to [0, 1], or 0..16 as they are.",
            words=("0 to 1", "As is"),
        )
    ],
    n_classes=10,
    dims=64,
    n_points=1797,
    n_labeled=20,
    image_shape=(8, 8),
    defaults=suited(1.5, 8, 1e-4, 1.0, lam=0.015),
    source="scikit-learn's load_digits",
    reference="Alpaydin and Kaynak, 1998",
)
def digits(scale: str = "range"):
    """Handwritten digits, 8 x 8 pixels of 17 grey levels."""
    raw = sk.load_digits()
    said = {"range": "Grey levels are in [0, 1].", "none": "Grey levels are 0..16."}
    return Dataset(
        raw.data / 16.0 if scale == "range" else raw.data,
        raw.target,
        class_names=tuple("0123456789"),
        feature_names=tuple(raw.feature_names),
        image_shape=(8, 8),
        description=f"{DATASETS['digits'].description} {said[scale]}",
    )


@bundled(
    title="Wine",
    knobs=[SCALE],
    n_classes=3,
    dims=13,
    n_points=178,
    n_labeled=6,
    defaults=suited(5.0, 10, 1e-1, 1e-1, lam=0.013),
    source="scikit-learn's load_wine",
    reference="Aeberhard, Coomans and de Vel, 1992",
)
def wine(scale: str = "standard"):
    """Chemical analysis of wines from three cultivars of one region."""
    return _bundled("wine", scale)


@bundled(
    title="Iris",
    knobs=[SCALE],
    n_classes=3,
    dims=4,
    n_points=150,
    n_labeled=6,
    defaults=suited(1.5, 6, 1e-2, 1e-1, lam=0.004),
    source="scikit-learn's load_iris",
    reference="Fisher, 1936",
)
def iris(scale: str = "standard"):
    """Sepals and petals of three species of iris."""
    return _bundled("iris", scale)
