"""The stage: a view of a run becomes bytes, and a browser plays them.

`StageView` says in plain arrays what is shown, `payload` packs it, `apply_edits` reads
what people did with it. The browser's part is in ``js/``, ``css/`` and ``html/``.
Nothing here knows Streamlit or the pages: an adapter puts the stage on a page, as
``pages/_parts/stage_component.py`` does.
"""

from stage.axis import Axis
from stage.edits import Edited, Seen, apply_edits
from stage.pack import MAX_POINTS, payload, payload_bytes
from stage.panels import (
    NEVER,
    Bundle,
    Curves,
    Heat,
    Losses,
    Norms,
    Panel,
    Rules,
    Search,
    Searches,
    Series,
    StoppingRecord,
    Tree,
    TreeKind,
)
from stage.view import (
    MAX_CLASSES,
    TOOLS,
    Ghost,
    Prompt,
    StageView,
    Tile,
    TileChange,
    TimeMark,
)

__all__ = [
    "MAX_CLASSES",
    "MAX_POINTS",
    "NEVER",
    "TOOLS",
    "Axis",
    "Bundle",
    "Curves",
    "Edited",
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
    "payload_bytes",
]
