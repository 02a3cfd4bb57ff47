"""Halfmoon in notebooks: recorded runs that play, and a live stage to label on.

A recorded run needs no kernel, so `show` puts a page into the output that plays by
itself, also in a saved notebook and in its HTML export. `lab` is a widget: what is
clicked there reaches Python, and Python solves again.
"""

from halfmoon.notebook.display import show

__all__ = ["lab", "show"]


def lab(estimator, X, y, **options):
    """A live stage in a notebook: label by click, turn settings, watch it learn.

    Parameters
    ----------
    estimator : classifier of Halfmoon
    X : {array-like, sparse matrix} of shape (n, d)
    y : array-like of shape (n,)
        Labels; the estimator's ``unlabeled`` (-1) marks points without one.
    **options
        ``truth``, ``classes``, ``class_names``, ``points``, ``axis_names``, ``data``,
        ``settings``, ``X_val``, ``y_val``, ``X_test``, ``y_test``: see
        `halfmoon.notebook.live.Lab`.

    Returns
    -------
    lab : Lab
        A widget: the last line of a cell shows it. ``lab.y``, ``lab.X``, ``lab.est``
        and ``lab.trace`` are what is on the screen.
    """
    try:
        from halfmoon.notebook.live import Lab
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("anywidget", "traitlets"):
            raise
        raise ModuleNotFoundError(
            "halfmoon.lab needs anywidget, which is not installed; run "
            "`pip install halfmoon[notebook]`.",
            name=error.name,
        ) from None
    return Lab(estimator, X, y, **options)
