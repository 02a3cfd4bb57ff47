"""What the benchmarks share: licences, knobs, and the way from a file to a Dataset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from sklearn.preprocessing import normalize

from halfmoon.common.knobs import Knob
from halfmoon.datasets import store
from halfmoon.datasets._base import Dataset, OriginalSplits
from halfmoon.datasets.registry import DATASETS, register, suited
from halfmoon.datasets.splits import stratified_rows

DIGITS = tuple("0123456789")
UCI = "UCI, CC BY 4.0"
COIL = "Nene, Nayar and Murase, Columbia Object Image Library (COIL-20), 1996"
OGAWA = "Ogawa et al., Infinitesimal annealing for S3VMs, ICML 2013, Table 1"

UNIT_NORM = Knob(
    "unit_norm", "bool", help="Rows of unit norm; otherwise pixels in [0, 1]."
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


benchmark = partial(register, kind="benchmark")


def lapsvm(sigma, n_neighbors, degree, gamma_A, gamma_I, **more) -> dict:
    """Suggested parameters; the graph's are Table 9 of [MB11] where it has the set."""
    more["laplacian_degree"] = degree
    return suited(sigma, n_neighbors, gamma_A, gamma_I, **more)


def published(lapsvm: dict | None = None, review: dict | None = None) -> dict:
    """Parameters as printed: Tables 2 and 9 of [MB11], Tables 4 and 5 of the review."""
    both = {"lapsvm_primal": lapsvm, "s3vm_review": review}
    return {paper: values for paper, values in both.items() if values}


def read(file: str, progress) -> store.Raw:
    """The file's content, fetched by the entry that names the file."""
    fetchers = [e.fetch for e in DATASETS.values() if e.file == file and e.fetch]
    return store.read(file, fetchers[0] if fetchers else None, progress)


def dataset(
    raw: store.Raw,
    class_names: Sequence[str] = (),
    image_shape: tuple[int, int] | None = None,
    description: str = "",
) -> Dataset:
    """A Dataset from a file: class indices, splits, test part, provenance."""
    labels, y = np.unique(raw.y, return_inverse=True)
    splits = {}
    for key in raw.extras:
        if key.startswith("idx_lab"):
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


def described(function: Callable, unit_norm: bool) -> str:
    return DATASETS[function.__name__].description + (
        " Rows have unit norm." if unit_norm else " Pixels are in [0, 1]."
    )


def pixels(X: np.ndarray, unit_norm: bool, top: float) -> np.ndarray:
    """Pixels in [0, 1], or rows of unit norm."""
    X = X.astype(np.float64)
    return normalize(X, copy=False) if unit_norm else np.divide(X, top, out=X)


def upright(X: np.ndarray, side: int) -> np.ndarray:
    """Column-major square images turned row-major."""
    images = X.reshape(len(X), side, side).transpose(0, 2, 1)
    return np.ascontiguousarray(images).reshape(len(X), -1)


def two_groups(data: Dataset, upper: np.ndarray, names: tuple[str, str]) -> Dataset:
    return replace(data, y=upper.astype(np.int64), class_names=names, description="")


def subset_rows(y: np.ndarray, n: int, rng) -> np.ndarray | None:
    """Rows of a stratified sample of n points, or None for all of them."""
    if n == 0 or n >= len(y):
        return None
    k = len(np.unique(y))
    if n < 2 * k:
        raise ValueError(f"n must be 0 (all) or at least {2 * k}, got {n}.")
    return stratified_rows(y, n, rng)


def subset(data: Dataset, n: int, rng) -> Dataset:
    rows = subset_rows(data.y, n, rng)
    return data if rows is None else data.take(rows)
