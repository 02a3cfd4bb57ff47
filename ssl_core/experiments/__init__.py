"""The papers' experiments as declarations, and what runs and reports them.

``halfmoon experiments`` is the command; see `ssl_core.experiments.__main__`.
"""

from ssl_core.experiments.cell import Cell
from ssl_core.experiments.own import labels_only, own_protocol
from ssl_core.experiments.place import open_store
from ssl_core.experiments.protocols import PROTOCOLS, TABLES, register_protocol
from ssl_core.experiments.runner import Plan, plan, run
from ssl_core.experiments.store import Kept, Store, StoreError
from ssl_core.experiments.table import Entry, Protocol, Scene, Table, summarise, tally
from ssl_core.experiments.work import Outcome, RunError, Work

__all__ = [
    "PROTOCOLS",
    "TABLES",
    "Cell",
    "Entry",
    "Kept",
    "Outcome",
    "Plan",
    "Protocol",
    "RunError",
    "Scene",
    "Store",
    "StoreError",
    "Table",
    "Work",
    "labels_only",
    "open_store",
    "own_protocol",
    "plan",
    "register_protocol",
    "run",
    "summarise",
    "tally",
]
