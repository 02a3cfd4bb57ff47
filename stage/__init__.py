"""The stage: a view of a run becomes bytes, and a browser plays them.

`StageView` says in plain arrays what is shown, `payload` packs it, `apply_edits` reads
what people did with it. The browser's part is in ``js/``, ``css/`` and ``html/``.
Nothing here knows Streamlit or the pages: an adapter puts the stage on a page, as
``pages/_parts/stage_component.py`` does.
"""

from halfmoon.stage.axis import Axis
from halfmoon.stage.edits import Seen, apply_edits
from halfmoon.stage.pack import MAX_POINTS, payload
from halfmoon.stage.panels.base import Panel
from halfmoon.stage.panels.curves import Bundle, Curves, Series
from halfmoon.stage.panels.heat import Heat
from halfmoon.stage.panels.loss import Losses
from halfmoon.stage.panels.search import Search, Searches
from halfmoon.stage.panels.stopping import Norms, Rules, StoppingRecord
from halfmoon.stage.panels.tree import NEVER, Tree, TreeKind
from halfmoon.stage.view import Ghost, Prompt, StageView, Tile, TileChange, TimeMark

__all__ = [
    "MAX_POINTS",
    "NEVER",
    "Axis",
    "Bundle",
    "Curves",
    "Ghost",
    "Heat",
    "Losses",
    "Norms",
    "Panel",
    "Prompt",
    "Rules",
    "Search",
    "Searches",
    "Seen",
    "Series",
    "StageView",
    "StoppingRecord",
    "Tile",
    "TileChange",
    "TimeMark",
    "Tree",
    "TreeKind",
    "apply_edits",
    "payload",
]
