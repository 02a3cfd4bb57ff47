"""Decision fields over the plane: where to look, and the outputs found there."""

import numpy as np

from ssl_core.trace import Array, Trace

MARGIN = 0.18  # free space around the points, as a part of the larger span
Extent = tuple[float, float, float, float]


def fit_extent(points, *, margin=MARGIN, aspect=4 / 3) -> Extent:
    """(x0, x1, y0, y1) around points, with the given width over height.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
    margin : float
        Free space on each side, as a part of the larger span.
    aspect : float
        Width over height: with equal scales on both axes a circle stays one.
    """
    points = np.asarray(points, dtype=float)
    if len(points) == 0:  # a stage to draw on
        points = np.array([[-1.0, -1.0], [1.0, 1.0]])
    low, high = points.min(axis=0), points.max(axis=0)
    centre, span = (low + high) / 2, high - low
    span = span + 2 * margin * (span.max() or 1.0)
    height = max(span[1], span[0] / aspect)
    half = np.array([height * aspect, height]) / 2
    (x0, y0), (x1, y1) = centre - half, centre + half
    return float(x0), float(x1), float(y0), float(y1)


def axes(extent: Extent, resolution=60) -> tuple[Array, Array]:
    """Coordinates of the columns and of the rows of a field.

    ``resolution`` is the number of columns and of rows, or a pair (columns, rows).
    """
    width, height = np.broadcast_to(resolution, 2)
    x0, x1, y0, y1 = extent
    return np.linspace(x0, x1, width), np.linspace(y0, y1, height)


def grid(extent: Extent, resolution=60) -> Array:
    """All points of a field, (rows * columns, 2): row by row, lowest row first."""
    x, y = np.meshgrid(*axes(extent, resolution))
    return np.column_stack([x.ravel(), y.ravel()])


def field_frames(trace: Trace, extent: Extent, resolution=60, frames=None) -> Array:
    """Outputs of a recorded run on a grid, by one matrix product.

    Parameters
    ----------
    trace : Trace
        Of a run on two-dimensional points.
    extent : (x0, x1, y0, y1)
    resolution : int or (int, int)
        Columns and rows.
    frames : sequence of int or None
        Which states; all that kept their arrays (``trace.kept``) when None.

    Returns
    -------
    F : ndarray of shape (T, H, W), or (T, H, W, k) for k > 2 classes
        ``F[i, 0]`` is the lowest row.
    """
    width, height = np.broadcast_to(resolution, 2)
    X = grid(extent, resolution)
    if frames is None:
        F = trace.decision_function(X)
    else:
        states = [trace.states[i] for i in frames]
        thin = [state.t for state in states if state.f is None]
        if thin:
            raise ValueError(
                f"frames must name states that kept their arrays, but those at "
                f"t = {', '.join(map(str, thin))} were recorded thin; choose from "
                f"trace.kept."
            )
        F = trace.model.outputs(states, X)
    return F.reshape(len(F), height, width, *F.shape[2:])


def thin_frames(n_states: int, max_frames: int, keep=()) -> Array:
    """Which states to show when there are too many: dense early, first and last.

    Solvers do most of their visible work in the first iterations, so half of the
    frames cover the first states one by one, or as nearly as fits, and the rest spread
    evenly over what follows.

    Parameters
    ----------
    n_states, max_frames : int
    keep : sequence of int
        States that are shown in any case, such as those with events; they come on
        top of ``max_frames``.

    Returns
    -------
    frames : ndarray of int, increasing
    """
    if max_frames < 2:
        raise ValueError(f"max_frames must be >= 2, got {max_frames}.")
    if n_states <= max_frames:
        return np.arange(n_states)
    early = np.arange(max_frames // 2)
    late = np.linspace(max_frames // 2, n_states - 1, max_frames - len(early)).round()
    kept = [i for i in keep if 0 <= i < n_states]
    return np.unique(np.concatenate([early, late, kept]).astype(int))
