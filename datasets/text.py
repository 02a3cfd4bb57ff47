"""Sparse text of two topics, of any size: the shape of RCV1 without its licence."""

from __future__ import annotations

import math

import numpy as np
import scipy.sparse as sp

from halfmoon.common.knobs import Knob
from halfmoon.datasets._base import Dataset, NumberedColumns
from halfmoon.datasets.registry import suited
from halfmoon.datasets.toy import toy

ZIPF = 1.05  # exponent of English text
ZIPF_SHIFT = 2.7  # Mandelbrot's correction for the most frequent words
N_FUNCTION_WORDS = 50  # the most frequent words belong to no topic
TOPICAL_TOKENS = 0.35  # share of tokens drawn from a topic's own vocabulary
LENGTH_SPREAD = 0.35  # standard deviation of the log of a document's length
MIN_WORDS = 3


class PseudoWords(NumberedColumns):
    """Pronounceable names for n columns, made on request.

    Word i spells the number i in syllables, so that 47,000 names cost nothing
    until they are read.

    Examples
    --------
    >>> list(PseudoWords(3))
    ['baba', 'babe', 'babi']
    """

    SYLLABLES = tuple(c + v for c in "bdfgklmnprstvz" for v in "aeiou")

    def _name(self, i: int) -> str:
        base = len(self.SYLLABLES)
        rest, last = divmod(i, base)
        parts = [self.SYLLABLES[last]]
        while True:
            rest, digit = divmod(rest, base)
            parts.append(self.SYLLABLES[digit])
            if not rest:
                return "".join(reversed(parts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PseudoWords) and other.n == self.n

    __hash__ = None


@toy(
    title="Text of two topics",
    knobs=[
        Knob(
            "n",
            "int",
            50,
            50_000,
            step=50,
            help="Number of documents.",
            unit="points",
            title="Points",
        ),
        Knob(
            "n_features",
            "int",
            200,
            100_000,
            step=100,
            help="Size of the vocabulary.",
            title="Words",
        ),
        Knob(
            "nnz_per_row",
            "int",
            5,
            200,
            help="Average number of different words in a document; at most a quarter "
            "of the vocabulary.",
            title="Words per text",
        ),
        Knob(
            "difficulty",
            "float",
            0.0,
            1.0,
            step=0.05,
            help=(
                "Share of a document's topical words that may be of the other topic: "
                "none at 0, any share at 1."
            ),
        ),
        Knob(
            "positive",
            "float",
            0.05,
            0.95,
            step=0.05,
            help="Share of documents of the second topic; the count is exact.",
            title="Share of class 2",
        ),
    ],
    dims=2000,
    n_labeled=20,
    # gamma_I is small: a fifth of the edges join different topics.
    defaults=suited(1.0, 10, 0.1, 1e-3, kernel="linear", lam=1e-3, lam_u=1.0),
    sparse=True,
    peak_bytes=lambda at: _peak(at["n"], at["n_features"], at["nnz_per_row"]),
)
def topic_text(
    n: int = 1000,
    n_features: int = 2000,
    nnz_per_row: int = 40,
    difficulty: float = 0.25,
    positive: float = 0.5,
    *,
    rng: np.random.Generator,
) -> Dataset:
    """Sparse documents of two topics that differ on part of a Zipf vocabulary.

    Returns
    -------
    Dataset
        X is CSR with int32 indices, sorted, rows of unit norm: (1 + log tf) idf,
        with the idf of the model rather than of the sample.

    Notes
    -----
    A token is a common word with probability 0.65. Otherwise it comes from a
    topic's own vocabulary, a fifth of all words each: from that of the document's topic
    with a probability uniform in [1 - difficulty, 1]. Both parts follow Zipf's law.
    Tokens are drawn until the document has its number of different words. Documents are
    written in place, so that memory stays near the matrix itself at any size.
    """
    if not 1 <= nnz_per_row <= n_features // 4:
        raise ValueError(
            f"nnz_per_row must be between 1 and a quarter of n_features="
            f"{n_features}, got {nnz_per_row}."
        )
    y = (rng.permutation(n) < round(positive * n)).astype(np.int64)
    lengths = _lengths(n, nnz_per_row, n_features // 4, rng)
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    if indptr[-1] <= np.iinfo(np.int32).max:
        indptr = indptr.astype(np.int32)

    column = rng.permutation(n_features).astype(np.int32)  # rank -> column
    common = 1.0 / (np.arange(n_features) + ZIPF_SHIFT) ** ZIPF
    common /= common.sum()
    topics, topical_mass = _topics(common, rng)
    idf = _idf(common, topical_mass, nnz_per_row)
    purity = 1.0 - difficulty * rng.random(n)
    return Dataset(
        _documents(indptr, y, purity, (common, *topics), column, idf, rng),
        y,
        class_names=("topic A", "topic B"),
        feature_names=PseudoWords(n_features),
        meta={"topic_words": tuple(np.sort(column[p > 0]) for p in topics)},
    )


def _peak(n: int, n_features: int, nnz_per_row: int) -> float:
    """Bytes at the peak: entries, vectors of the documents, tables of the words."""
    entries = n * nnz_per_row
    # Beyond 32 bits the positions are wide, and the column numbers become so too.
    wide = entries > np.iinfo(np.int32).max
    return (24.0 if wide else 13.0) * entries + 64.0 * n + 160.0 * n_features


def _documents(indptr, y, purity, words, column, idf, rng) -> sp.csr_matrix:
    """The matrix of documents, (n, V), written in place.

    Parameters
    ----------
    indptr : ndarray of shape (n + 1,)
        Where each document begins.
    y, purity : ndarrays of shape (n,)
        Topic, and share of topical words that are the topic's own.
    words : sequence of three ndarrays of shape (V,)
        Chances of the words: common ones, and those of either topic.
    column, idf : ndarrays of shape (V,)
    """
    from halfmoon.datasets._text_kernels import (
        write_documents,  # numba: only when needed
    )

    tables = [_alias_table(p) for p in words]
    indices = np.empty(indptr[-1], dtype=np.int32)
    data = np.empty(indptr[-1], dtype=np.float64)
    write_documents(
        indptr,
        indices,
        data,
        y,
        purity,
        TOPICAL_TOKENS,
        np.stack([keep for keep, _ in tables]),
        np.stack([alias for _, alias in tables]),
        column,
        idf,
        rng.integers(0, 2**63, dtype=np.uint64),
    )
    X = sp.csr_matrix((data, indices, indptr), shape=(len(y), len(column)), copy=False)
    X.has_sorted_indices = True
    return X


def _lengths(n: int, mean: int, top: int, rng: np.random.Generator) -> np.ndarray:
    """(n,) different words per document: log-normal around ``mean``."""
    z = rng.standard_normal(n)
    lengths = mean * np.exp(LENGTH_SPREAD * z - LENGTH_SPREAD**2 / 2)
    return np.clip(np.rint(lengths), min(MIN_WORDS, top), top).astype(np.int64)


def _topics(
    common: np.ndarray, rng: np.random.Generator
) -> tuple[list[np.ndarray], np.ndarray]:
    """Word distributions of the two topics, and the mean of both, each (V,).

    The words of a topic are chosen at random, with Zipf's law among themselves.
    """
    V = len(common)
    words = rng.permutation(np.arange(min(N_FUNCTION_WORDS, V // 10), V))
    size = V // 5
    topics = []
    for own in (words[:size], words[size : 2 * size]):
        p = np.zeros(V)
        p[np.sort(own)] = common[:size]
        topics.append(p / p.sum())
    return topics, (topics[0] + topics[1]) / 2


def _idf(common: np.ndarray, topical: np.ndarray, n_words: int) -> np.ndarray:
    """(V,) log of one over the chance that a document has the word, plus 1."""
    token = (1 - TOPICAL_TOKENS) * common + TOPICAL_TOKENS * topical
    document = -np.expm1(n_words * np.log1p(-token))
    return 1.0 - np.log(document)


def _alias_table(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vose's table: draws from p in constant time.

    Cell i is drawn uniformly; it gives i with probability ``keep[i]`` and
    ``alias[i]`` otherwise.
    """
    V = len(p)
    scaled = p * (V / math.fsum(p))
    keep, alias = np.ones(V), np.arange(V, dtype=np.int32)
    small = list(np.flatnonzero(scaled < 1.0))
    large = list(np.flatnonzero(scaled >= 1.0))
    while small and large:
        s, g = small.pop(), large[-1]
        keep[s], alias[s] = scaled[s], g
        scaled[g] -= 1.0 - scaled[s]
        if scaled[g] < 1.0:
            small.append(large.pop())
    # What is left is 1 up to rounding; a word of zero weight never is.
    return keep, alias
