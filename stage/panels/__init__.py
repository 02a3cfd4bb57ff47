"""What stands beside the stage; each kind of panel has a module of its own."""

from stage.panels.base import Panel
from stage.panels.curves import Bundle, Curves, Series
from stage.panels.heat import Heat
from stage.panels.loss import Losses
from stage.panels.search import Search, Searches
from stage.panels.stopping import Norms, Rules, StoppingRecord
from stage.panels.tree import NEVER, Tree, TreeKind

__all__ = [
    "NEVER",
    "Bundle",
    "Curves",
    "Heat",
    "Losses",
    "Norms",
    "Panel",
    "Rules",
    "Search",
    "Searches",
    "Series",
    "StoppingRecord",
    "Tree",
    "TreeKind",
]
