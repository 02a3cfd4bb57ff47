"""What a notebook shows at once, and what stays of it in a saved one."""

from __future__ import annotations

import sys
from typing import Any

from halfmoon.views.page import Page


def show(page: Page) -> Page | None:
    """Display a page in a notebook of IPython; elsewhere the page itself.

    marimo shows it as the last line of a cell; in a script it can be saved.
    """
    if not in_ipython():
        return page
    from IPython.display import display

    display(page)
    return None


def in_ipython() -> bool:
    """Whether an IPython kernel runs this code."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


class Still:
    """The output below a live stage, which hides it: for a notebook without a kernel.

    Parameters
    ----------
    mark : str
        The name by which the stage knows it.
    """

    def __init__(self, mark: str):
        self.mark = mark

    def bundle(self, page: Page) -> dict[str, Any]:
        return page.bundle(self.mark)

    def show(self, page: Page) -> None:
        from IPython.display import display

        display(self.bundle(page), raw=True, display_id=self.mark)

    def update(self, bundle: dict[str, Any]) -> None:
        from IPython.display import update_display

        update_display(bundle, raw=True, display_id=self.mark)
