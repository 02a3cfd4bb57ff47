"""What stands beside the stage; each kind of panel has a module of its own."""

from pages._parts.stage.panels.base import Panel
from pages._parts.stage.panels.curves import Bundle, Curves, Series
from pages._parts.stage.panels.heat import Heat
from pages._parts.stage.panels.loss import Losses
from pages._parts.stage.panels.search import LineSearch, Searches
from pages._parts.stage.panels.stopping import Norms, Rules, StoppingRecord
from pages._parts.stage.panels.tree import NEVER, Tree, TreeKind

__all__ = [
    "NEVER",
    "Bundle",
    "Curves",
    "Heat",
    "LineSearch",
    "Losses",
    "Norms",
    "Panel",
    "Rules",
    "Searches",
    "Series",
    "StoppingRecord",
    "Tree",
    "TreeKind",
]
