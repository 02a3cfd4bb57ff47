"""What workers need of the runner's plug-ins, and how they get it.

The text of a script travels with the work, and a worker imports it from a folder of its
own. A package does not travel; a worker that lacks one says so.
"""

import io
import sys
import tempfile
import threading
import tokenize
import warnings
from dataclasses import dataclass
from pathlib import Path

from halfmoon.common import plugins
from halfmoon.common.plugins import PLUGINS, Plugin, PluginWarning
from halfmoon.datasets import DATASETS
from ssl_core.experiments import posed
from ssl_core.experiments.cell import Cell
from ssl_core.experiments.protocols import PROTOCOLS, drop_own, known, protocol_of
from ssl_core.experiments.work import RunError
from ssl_core.registry import ALGORITHMS

_unpacking = threading.Lock()
_folders: dict[str, tempfile.TemporaryDirectory] = {}


@dataclass(frozen=True, slots=True)
class Luggage:
    """What goes with a cell to a worker.

    Attributes
    ----------
    parcels : tuple of Plugin
        All that the runner has.
    needed : tuple of str
        Names of those without which this cell cannot be computed.
    """

    parcels: tuple[Plugin, ...] = ()
    needed: tuple[str, ...] = ()


def luggage_of(cell: Cell) -> Luggage:
    """What a cell needs: its protocol, its algorithm and its data may be brought."""
    parcels = {p.name: p for p in PLUGINS.values() if not p.error}
    brought = {
        PROTOCOLS.brought.get(cell.protocol),
        ALGORITHMS.brought.get(cell.algorithm),
        DATASETS.brought.get(str(dict(cell.problem).get("data"))),
    }
    module, _, name = cell.protocol.partition(":")
    if name and module not in {p.module for p in parcels.values()}:
        parcel = plugins.described(Plugin(module, module))
        if parcel.source:
            parcels[module] = parcel
    return Luggage(tuple(parcels.values()), tuple(sorted(brought & parcels.keys())))


def unpack(luggage: Luggage, cell: Cell, worker: str) -> None:
    """Import what has come along; RunError says what a cell needs and is not here."""
    with _unpacking:
        for parcel in luggage.parcels:
            if parcel.source and _source_here(parcel) != parcel.source:
                _import(parcel)
            elif not parcel.distribution and parcel.name not in PLUGINS:
                _add(parcel.module)  # a package that was not installed: it may be here
    for parcel in luggage.parcels:
        if parcel.name in luggage.needed:
            _check(parcel, worker)
    if ":" in cell.protocol:
        try:
            protocol_of(cell.protocol)
        except ValueError as error:
            raise RunError(
                f"{worker} cannot import it: {error} A module of one file is sent to "
                f"workers; install a package on every machine."
            ) from error
    elif known(cell.protocol) is None:
        raise RunError(
            f"{worker} does not know the protocol {cell.protocol}, which no plug-in "
            f"registers; put its registration into a module, and run with `halfmoon "
            f"--plugin my_module` or {plugins.VARIABLE}=my_module."
        )


def _source_here(parcel: Plugin) -> str:
    """The text of the module as it is imported in this process; "" where it is not."""
    if parcel.name in PLUGINS:
        return PLUGINS[parcel.name].source
    if parcel.module not in sys.modules:
        return ""
    return plugins.described(Plugin(parcel.module, parcel.module)).source


def _import(parcel: Plugin) -> None:
    """The script of the runner instead of what was here under its name."""
    if parcel.name in PLUGINS:
        plugins.forget(parcel.name)
    sys.modules.pop(parcel.module, None)
    folder = tempfile.TemporaryDirectory(prefix="halfmoon-")
    _folders[parcel.module] = folder  # it lasts as long as the process
    path = Path(folder.name) / f"{parcel.module}.py"
    first_lines = io.BytesIO(parcel.source.encode()).readline
    path.write_text(parcel.source, encoding=tokenize.detect_encoding(first_lines)[0])
    _add(str(path))
    drop_own(parcel.module)
    posed.forget()  # data of the same names may be others now


def _add(script: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PluginWarning)  # `_check` says it
        plugins.add_script(script)


def _check(parcel: Plugin, worker: str) -> None:
    """Refuse to compute without a plug-in, or with another one of its name."""
    mine = PLUGINS.get(parcel.name)
    install = f"install {parcel.distribution} there, and start the worker again"
    if mine is None:
        raise RunError(f"{worker} has no plug-in {parcel.name}; {install}.")
    if mine.error:
        words = mine.error.removesuffix(plugins.ELSE)
        raise RunError(
            f"{worker} has trouble: {words} A script of one file is sent to workers, "
            f"and nothing that it imports; install that on every machine."
        )
    if mine.distribution != parcel.distribution:
        raise RunError(
            f"{worker} has {mine.distribution or 'a file'} as the plug-in "
            f"{parcel.name}, and the runner has {parcel.distribution}; {install}."
        )
