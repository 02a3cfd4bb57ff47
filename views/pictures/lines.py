"""Level lines and borders of a field, from side to side as ``contour.js`` has them."""

from __future__ import annotations

import numpy as np

from halfmoon.views.pictures.field import FineField, opacity_of, parted


def level_lines(F: np.ndarray, level: float) -> list[np.ndarray]:
    """Unbroken lines (m, 2) in units of the grid; dashes begin where the stage's do."""
    from contourpy import contour_generator

    if not F.min() < level <= F.max():
        return []
    found = contour_generator(z=F, name="serial").lines(level)
    return [_begun(line, F, level) for line in found if len(line) > 1]


def _begun(line: np.ndarray, F: np.ndarray, level: float) -> np.ndarray:
    """A line from its lowest cell on: from the end that is lower, or around."""
    cells = np.floor((line[:-1] + line[1:]) / 2).astype(int)
    order = cells[:, 1] * F.shape[1] + cells[:, 0]
    if (line[0] != line[-1]).any():
        return line if order[0] <= order[-1] else line[::-1]
    first = order.argmin()
    column, row = cells[first] + 1
    ring = np.roll(line[:-1], -first, axis=0)  # its first piece is in the lowest cell
    right = ring[0, 0] >= ring[1, 0]
    if right != (F[row, column] >= level):
        ring = np.roll(ring[::-1], 2, axis=0)
    return np.vstack([ring, ring[:1]])


def class_borders(field: FineField) -> np.ndarray:
    """Borders between winning classes: pieces (m, 2, 2) in units of the grid.

    Along a side the border lies where the outputs of its two winners are equal; where
    three classes meet, the crossings are joined in the middle of the cell.
    """
    F, winner = field.outputs, field.winner
    corners = [winner[:-1, :-1], winner[:-1, 1:], winner[1:, 1:], winner[1:, :-1]]
    row, column = np.nonzero(np.any([c != corners[0] for c in corners[1:]], axis=0))
    low = np.column_stack([column, row])
    steps = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    crossings = np.full((len(low), 4, 2), np.nan)
    for side, ends in enumerate([(0, 1), (1, 2), (3, 2), (0, 3)]):
        (x0, y0), (x1, y1) = p, q = [(low + steps[end]).T for end in ends]
        one, other = winner[y0, x0], winner[y1, x1]
        lead = F[one, y0, x0] - F[other, y0, x0]
        lag = F[other, y1, x1] - F[one, y1, x1]
        both = lead + lag
        share = np.divide(lead, both, out=np.full(len(low), 0.5), where=both > 0)
        cut = one != other
        crossings[cut, side] = (p + share * (np.array(q) - p)).T[cut]
    there = ~np.isnan(crossings[..., 0])
    two = there.sum(axis=1) == 2
    joined = crossings[two][there[two]].reshape(-1, 2, 2)
    rest, where = crossings[~two], there[~two]
    if not len(rest):
        return joined
    middle = np.broadcast_to(np.nanmean(rest, axis=1)[:, None], rest.shape)
    return np.concatenate([joined, np.stack([rest, middle], axis=2)[where]])


def by_opacity(field: FineField, lines, found: np.ndarray) -> dict[float, np.ndarray]:
    """Lines cut where their opacity changes: opacity -> places with NaN between.

    Parameters
    ----------
    lines : sequence of ndarray of shape (m, 2)
    found : ndarray
        As `regions` finds them.
    """
    if not len(lines):
        return {}
    sizes = [len(line) for line in lines]
    apart = parted(found, np.array([line[0] for line in lines]))
    parts = np.repeat(apart | (not apart.any()), sizes)
    at = np.concatenate(list(lines))
    opacity = opacity_of(field, at, parts)
    last = np.zeros(len(at), dtype=bool)
    last[np.cumsum(sizes) - 1] = True
    made: dict[float, np.ndarray] = {}
    for value in np.unique(opacity[~last]):
        begins = np.flatnonzero((opacity == value) & ~last)
        ends = begins[np.diff(begins, append=-1) != 1] + 1  # of runs of pieces
        order = np.sort(np.concatenate([begins, ends]))
        gaps = np.flatnonzero(np.isin(order, ends)) + 1
        made[float(value)] = np.insert(at[order], gaps, np.nan, axis=0)
    return made
