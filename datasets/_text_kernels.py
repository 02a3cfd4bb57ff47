"""The one loop of the text generator that numpy cannot do without copies."""

from __future__ import annotations

import math

import numpy as np

from halfmoon.common.compiled import compiled

# splitmix64: one 64-bit state, one multiplication chain a number. A document's
# stream starts from the hash of its row, so that rows do not depend on each other.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
TO_UNIT = 1.0 / (1 << 53)


@compiled(inline="always")
def _mix(z):
    z = (z ^ (z >> np.uint64(30))) * MIX_1
    z = (z ^ (z >> np.uint64(27))) * MIX_2
    return z ^ (z >> np.uint64(31))


@compiled(inline="always")
def _unit(z):
    """A float in [0, 1) from 64 random bits."""
    return np.float64(z >> np.uint64(11)) * TO_UNIT


@compiled(nogil=True)
def write_documents(
    indptr, indices, data, y, purity, topical, keep, alias, column, idf, seed
):
    """Fill ``indices`` and ``data`` of a CSR matrix, one document a row.

    Parameters
    ----------
    indptr : ndarray of shape (n + 1,)
        Row limits: how many different words each document has.
    indices, data : ndarray of shape (nnz,)
        Written in place, columns in order.
    y : ndarray of shape (n,)
        Topic of each document, 0 or 1.
    purity : ndarray of shape (n,)
        Chance that a topical word is of the document's own topic.
    topical : float
        Chance that a token is topical.
    keep, alias : ndarray of shape (3, V)
        Alias tables of the common words and of the two topics.
    column : ndarray of shape (V,)
        Column of each word.
    idf : ndarray of shape (V,)
        Weight of each word.
    seed : uint64
        Seed of all documents.
    """
    V = len(column)
    count = np.zeros(V, dtype=np.int32)  # by column, tokens in this document
    weight = np.empty(V)
    for word in range(V):
        weight[column[word]] = idf[word]
    for i in range(len(y)):
        state = _mix(seed + np.uint64(i) * GOLDEN)
        position, end = indptr[i], indptr[i + 1]
        while position < end:
            state += GOLDEN
            which = 0
            u = _unit(_mix(state))
            if u < topical:
                # What is left of u after the first decision is uniform again.
                own = u < topical * purity[i]
                which = 1 + (y[i] if own else 1 - y[i])
            state += GOLDEN
            cell_at = _unit(_mix(state)) * V
            word = int(cell_at)
            if cell_at - word >= keep[which, word]:
                word = alias[which, word]
            j = column[word]
            if count[j] == 0:
                indices[position] = j
                position += 1
            count[j] += 1
        row = indices[indptr[i] : end]
        row.sort()
        squares = 0.0
        for p in range(indptr[i], end):
            j = indices[p]
            value = (1.0 + math.log(count[j])) * weight[j]
            count[j] = 0
            data[p] = value
            squares += value * value
        scale = 1.0 / math.sqrt(squares)
        for p in range(indptr[i], end):
            data[p] *= scale
