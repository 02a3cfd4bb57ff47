"""Benchmarks from the network, by scikit-learn's own fetchers.

Each function takes the scratch folder of the download and returns a
:class:`halfmoon.datasets.store.Raw` in the format of the benchmark files. scikit-learn
checks what arrives against the checksums it knows; the store records one of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from sklearn import datasets as sk

from halfmoon.datasets.store import Raw

if TYPE_CHECKING:  # imported where it is needed: few visitors ever fetch
    import pandas as pd

RCV1_TOPICS = ("CCAT", "GCAT", "MCAT", "ECAT")
RCV1_TRAIN = 23149  # rows of the LYRL2004 training part, which come first
MNIST_TRAIN = 60000
CONFUSING_LETTERS = "BCDEGPTVZ"
ISOLET_9_ROWS = 1620  # speaker sets 1 to 3, two utterances of nine letters each


def openml(
    data_id: int, convert: Callable[[pd.DataFrame, np.ndarray], Raw]
) -> Callable[[Path], Raw]:
    """Fetcher of OpenML data set number ``data_id``.

    Parameters
    ----------
    data_id : int
        OpenML's number, which names one version for good.
    convert : callable
        Makes a Raw from the table of features and the column of labels (text).
    """

    def fetch(folder: Path) -> Raw:
        bunch = sk.fetch_openml(
            data_id=data_id,
            data_home=str(folder),
            as_frame=True,
            parser="pandas",
            n_retries=2,
            # scikit-learn 1.9 reads nominal columns as categories and then expects
            # words, but pandas 3.1 makes numbers of categories like "1"; plain
            # columns suit both, and the quotes are ours to strip.
            read_csv_kwargs={"dtype": None},
        )
        labels = bunch.target.astype(str).str.strip("' ")
        raw = convert(bunch.data, labels.to_numpy(dtype=str))
        meta = {
            "title": str(bunch.details.get("name", "")),
            "source_repo": f"OpenML data set {data_id}",
            "licence": str(bunch.details.get("licence", "not stated")),
            **raw.meta,
        }
        return Raw(raw.X, raw.y, meta, raw.extras)

    return fetch


def numbers(table: pd.DataFrame) -> np.ndarray:
    """(n, d) float32 from a table; numbers in quotes count as numbers."""

    def column(values: pd.Series) -> np.ndarray:
        if values.dtype.kind not in "biuf":
            values = values.astype(str).str.strip("' ")
        return values.to_numpy(dtype=np.float32)

    return np.column_stack([column(table[name]) for name in table.columns])


def plain(table: pd.DataFrame, labels: np.ndarray) -> Raw:
    """Numeric features and class names as they are."""
    return Raw(numbers(table), labels, {"scaling": "none"})


def scaled(table: pd.DataFrame, labels: np.ndarray) -> Raw:
    """Numeric features, each scaled to [-1, 1] as the LIBSVM copies are."""
    X = numbers(table)
    low, width = X.min(axis=0), np.ptp(X, axis=0)
    X = 2 * (X - low) / np.where(width > 0, width, 1) - 1
    return Raw(X.astype(np.float32), labels, {"scaling": "each feature to [-1,1]"})


def mnist(table: pd.DataFrame, labels: np.ndarray) -> Raw:
    """70,000 digits, the original test part last."""
    X = table.to_numpy(dtype=np.uint8)
    start = {"test_start": np.array(MNIST_TRAIN)}
    return Raw(X, labels.astype(np.uint8), {"scaling": "uint8 0..255"}, start)


def mnist_3_vs_8(table: pd.DataFrame, labels: np.ndarray) -> Raw:
    """The digits 3 and 8 of MNIST, training part first."""
    raw = mnist(table, labels)
    rows = np.flatnonzero(np.isin(raw.y, (3, 8)))
    start = {"test_start": np.array(np.searchsorted(rows, MNIST_TRAIN))}
    return Raw(raw.X[rows], raw.y[rows], raw.meta, start)


def usps(table: pd.DataFrame, labels: np.ndarray) -> Raw:
    """9298 digits; OpenML keeps LIBSVM's labels, 1 for digit 0 up to 10 for 9."""
    # The file's levels are 0..2000, so that X / 1000 - 1 is the usual [-1, 1].
    X = np.rint((numbers(table) + 1) * 1000).astype(np.uint16)
    y = labels.astype(float).astype(int)
    return Raw(X, y - y.min(), {"scaling": "uint16 levels 0..2000"})


def isolet(table: pd.DataFrame, labels: np.ndarray) -> Raw:
    """7797 spoken letters, labels A to Z."""
    y = labels.astype(float).astype(int)
    letters = np.array([chr(ord("A") + i - y.min()) for i in y])
    return Raw(numbers(table), letters, {"scaling": "none, native [-1,1]"})


def ionosphere(table: pd.DataFrame, labels: np.ndarray) -> Raw:
    """Radar returns, g (good, +1) against b (bad, -1)."""
    return Raw(numbers(table), np.where(labels == "g", 1, -1), {"scaling": "none"})


def splice(table: pd.DataFrame, labels: np.ndarray) -> Raw:
    """Primate splice junctions: a boundary (EI or IE, +1) or none (N, -1).

    OpenML has all 3190 sequences; rows with an ambiguous base are left out.
    """
    text = table.apply(lambda column: column.astype(str).str.strip("' ").str.upper())
    code = text.apply(lambda column: column.map({"A": 1, "C": 2, "G": 3, "T": 4}))
    whole = code.notna().all(axis=1).to_numpy()
    X = (code[whole].to_numpy(dtype=np.float32) - 2.5) / 1.5
    y = np.where(labels[whole] == "N", -1, 1)
    return Raw(X, y, {"scaling": "base code 1..4 mapped to [-1,1]"})


def news20(folder: Path) -> Raw:
    """20 newsgroups by scikit-learn's tokeniser, raw counts, test part last."""
    parts = [
        sk.fetch_20newsgroups_vectorized(
            subset=part, data_home=str(folder), normalize=False
        )
        for part in ("train", "test")
    ]
    X = sp.vstack([part.data for part in parts], format="csr")
    names = parts[0].feature_names
    return Raw(
        X.astype(np.uint16),
        np.concatenate([part.target for part in parts]).astype(np.uint8),
        {
            "title": "20 newsgroups, by date",
            "classes": list(parts[0].target_names),
            "source_repo": "scikit-learn's fetch_20newsgroups_vectorized",
            "scaling": "raw counts",
        },
        {
            "test_start": np.array(len(parts[0].target)),
            "vocab": np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
        },
    )


def kdd99(folder: Path) -> Raw:
    """The 10 percent file of KDD Cup 1999, categories one-hot."""
    bunch = sk.fetch_kddcup99(data_home=str(folder), percent10=True)
    table = np.asarray(bunch.data, dtype=object)
    blocks, names = [], []
    categorical = (1, 2, 3)  # protocol, service, flag
    for j in range(table.shape[1]):
        if j not in categorical:
            column = table[:, j].astype(np.float32)
            if column.any():  # an all-zero column tells nothing
                blocks.append(sp.csr_matrix(column[:, None]))
                names.append(f"f{j}")
    for j in categorical:
        words = np.array([_text(word) for word in table[:, j]])
        values, code = np.unique(words, return_inverse=True)
        one = np.ones(len(code), dtype=np.float32)
        rows = np.arange(len(code))
        blocks.append(
            sp.csr_matrix((one, (rows, code)), shape=(len(code), len(values)))
        )
        names += [f"c{j}={value}" for value in values]
    normal = np.array([_text(word).startswith("normal") for word in bunch.target])
    meta = {
        "title": "KDD Cup 1999, 10 percent",
        "source_repo": "scikit-learn's fetch_kddcup99",
        "scaling": "none",
        "feature_names": names,
    }
    return Raw(sp.hstack(blocks, format="csr"), np.where(normal, -1, 1), meta)


def rcv1(folder: Path) -> Raw:
    """RCV1-v2 with its four top topics, training part first."""
    bunch = sk.fetch_rcv1(data_home=str(folder), subset="all")
    names = list(bunch.target_names)
    topics = bunch.target[:, [names.index(topic) for topic in RCV1_TOPICS]].toarray()
    meta = {
        "title": "Reuters RCV1-v2",
        "source_repo": "scikit-learn's fetch_rcv1",
        "scaling": "log TF-IDF, rows of unit norm",
        "topics": list(RCV1_TOPICS),
    }
    extras = {
        "topics": topics.astype(np.uint8),
        "test_start": np.array(min(RCV1_TRAIN, len(topics))),
    }
    return Raw(bunch.data.tocsr(), topics[:, 0].astype(np.int8), meta, extras)


def _text(word: object) -> str:
    return word.decode() if isinstance(word, bytes) else str(word)
