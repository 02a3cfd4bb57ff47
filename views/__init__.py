"""From runs to what the stage shows: a `Trace` becomes a `StageView`.

`trace_view` makes one of a trace alone, as notebooks and files show it; the app's pages
add what only a screen has: numbers for edits, tools, the reader's place.
"""

from halfmoon.views.page import Page, page_of
from halfmoon.views.stage_view import Budget, trace_view

__all__ = ["Budget", "Page", "page_of", "trace_view"]
