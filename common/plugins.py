"""What comes from outside the tree: packages and scripts that extend Halfmoon.

An installed package names its module in the entry point group ``halfmoon.plugins``; a
script is listed in the environment variable ``HALFMOON_PLUGINS`` or with ``halfmoon
--plugin``. Either is imported once, with the core, and calls `register_algorithm`,
`register_dataset`, `register_rule` or `register_protocol` while it is imported.

A plug-in is taken in as a whole or not at all: where its import fails, what it had
registered is removed, and one sentence says why.

Imports nothing of the registries: each of them is a `Registry` or is tracked here.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, TypeVar

GROUP = "halfmoon.plugins"
VARIABLE = "HALFMOON_PLUGINS"
MEANS = f"--plugin or {VARIABLE}"  # by which a user lists scripts
NAME = re.compile(r"[A-Za-z][\w.-]*", re.ASCII)  # it is part of links and of files


class PluginWarning(UserWarning):
    """A plug-in cannot be used; the message is a sentence that names it."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """Something that extends Halfmoon.

    Attributes
    ----------
    name : str
        Of the entry point, or of the module of a script.
    module : str
    distribution : str
        The package it was installed with, as "name==version"; "" for a script.
    source : str
        The text of a script that is one file; "" for a package.
    error : str
        Why it cannot be used, in a sentence; "" where it can.
    """

    name: str
    module: str
    distribution: str = ""
    source: str = ""
    error: str = ""


PLUGINS: dict[str, Plugin] = {}  # by name, those that cannot be used included
_tracked: list[dict] = [PLUGINS]
_state: dict[str, Any] = {"looked": False, "taking in": None}
_loading = threading.Lock()
ELSE = " Everything else works."
CORE = ("halfmoon.datasets", "ssl_core")  # what is there before any plug-in


# -- registries -----------------------------------------------------------------------


Value = TypeVar("Value")


class Registry(dict[str, Value]):
    """Things by their names, and which plug-in brought each.

    Parameters
    ----------
    kind : str
        What it holds, as a sentence calls it: "algorithm".
    """

    def __init__(self, kind: str):
        super().__init__()
        self.kind = kind
        self.brought: dict[str, str] = {}  # name -> plug-in
        track(self)
        track(self.brought)

    def check_name(self, name: object) -> None:
        """Refuse what is no name, and what is taken."""
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise ValueError(
                f"The name of a new {self.kind} must be made of letters, digits, '_', "
                f"'-' and '.', with a letter first, got {name!r:.60}."
            )
        if name in self:
            raise ValueError(
                f"The name of a new {self.kind} must be free, and {name} is registered "
                f"already{_by(self.brought.get(name))}; choose another."
            )

    def enter(self, name: str, value: Value) -> None:
        """Add something under a new name."""
        self.check_name(name)
        self[name] = value
        if _state["taking in"]:
            self.brought[name] = _state["taking in"]


def _by(plugin: str | None) -> str:
    return f" by the plug-in {plugin}" if plugin else ""


def track(registry: dict) -> dict:
    """Have a dict restored with the registries: `temporarily`, and a failed import."""
    _tracked.append(registry)
    return registry


@contextmanager
def temporarily() -> Iterator[None]:
    """What is registered within the block is removed when it ends.

    >>> from halfmoon import plugins, register_rule
    >>> with plugins.temporarily():
    ...     ...  # register_rule(...), and use it
    """
    for home in (*CORE, "ssl_core.experiments"):
        import_module(home)
    before = [dict(one) for one in _tracked]
    try:
        yield
    finally:
        _restore(before)


def _restore(before: list[dict]) -> None:
    for one, old in zip(_tracked, before, strict=False):
        one.clear()
        one.update(old)
    for late in _tracked[len(before) :]:  # of a module that was imported meanwhile
        if isinstance(late, Registry):
            for name in late.brought:
                late.pop(name, None)
            late.brought.clear()


def brought_by(plugin: str) -> dict[str, list[str]]:
    """Names that a plug-in registered, by what they are."""
    registries = [one for one in _tracked if isinstance(one, Registry)]
    found = {
        one.kind: [name for name, whose in one.brought.items() if whose == plugin]
        for one in registries
    }
    return {kind: names for kind, names in found.items() if names}


def forget(name: str) -> None:
    """Remove a plug-in with all that it registered."""
    plugin = PLUGINS.pop(name)
    for one in [one for one in _tracked if isinstance(one, Registry)]:
        for mine in [n for n, whose in one.brought.items() if whose == name]:
            one.pop(mine, None)
            del one.brought[mine]
    sys.modules.pop(plugin.module, None)


# -- taking in ------------------------------------------------------------------------


def load(*, again: bool = False) -> None:
    """Import what is installed or listed, each once.

    The core and the data sets call this when they are imported.

    Parameters
    ----------
    again : bool
        Look again: for what was listed or installed since.
    """
    # Nobody waits: the import of a plug-in waits for locks of its own, and imports the
    # core, which calls this. A thread that comes in between goes on without.
    if not _loading.acquire(blocking=False):
        return
    try:
        if _state["looked"] and not again:
            return
        _state["looked"] = True
        points, words = tuple(entry_points(group=GROUP)), listed()
        if points or words:
            for home in CORE:
                import_module(home)
        for point in points:
            add_installed(point)
        for word in words:
            add_script(word)
    finally:
        _loading.release()


def listed() -> list[str]:
    """Modules and files that ``HALFMOON_PLUGINS`` lists, separated by commas."""
    words = os.environ.get(VARIABLE, "").split(",")
    return [word.strip() for word in words if word.strip()]


def list_also(words: list[str]) -> None:
    """Extend ``HALFMOON_PLUGINS``, for this process and those that it starts."""
    os.environ[VARIABLE] = ",".join(dict.fromkeys([*listed(), *words]))


def add_installed(point: EntryPoint) -> None:
    """Import what an entry point names, and call it where it is a function."""
    version = f"{point.dist.name}=={point.dist.version}" if point.dist else ""

    def start() -> None:
        found = point.load()
        if point.attr:
            found()

    _take_in(Plugin(point.name, point.module, version), start)


def add_script(word: str) -> None:
    """Import a module by its name, or a file of Python by its path."""
    if word.endswith(".py"):
        path = Path(word).expanduser().resolve()
        plugin = Plugin(path.stem, path.stem)
        _take_in(plugin, lambda: import_file(path.stem, path))
        return
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # a command does not look there by itself
    _take_in(Plugin(word, word), lambda: import_module(word))


def import_file(name: str, path: Path) -> None:
    """A file as the module of that name; its neighbours can be imported by it."""
    known = sys.modules.get(name)
    if known is not None:
        if Path(getattr(known, "__file__", None) or "") == path:
            return
        raise ImportError(f"there is another module {name}; rename the file")
    if not path.is_file():
        raise ImportError(f"there is no file {path}")
    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    sys.modules[name] = module
    spec.loader.exec_module(module)


def _take_in(plugin: Plugin, start: Callable[[], None]) -> None:
    """Run what registers, all or nothing."""
    if plugin.module in {p.module for p in PLUGINS.values()}:
        return
    if plugin.name in PLUGINS:
        other = PLUGINS[plugin.name].distribution or "a script"
        plugin = replace(plugin, name=f"{plugin.name} ({plugin.module})")
        start = partial(_refuse, f"its name is that of one from {other}")
    before = [dict(one) for one in _tracked]
    known = plugin.module in sys.modules
    _state["taking in"] = plugin.name
    try:
        start()
    except (Exception, SystemExit) as error:
        _restore(before)
        if not known:
            sys.modules.pop(plugin.module, None)
        plugin = replace(plugin, error=_sentence(plugin, error))
    finally:
        _state["taking in"] = None
    PLUGINS[plugin.name] = plugin if plugin.error else described(plugin)
    if plugin.error:
        warnings.warn(plugin.error, PluginWarning, stacklevel=2)


def _refuse(words: str) -> None:
    raise ValueError(words)


def described(plugin: Plugin) -> Plugin:
    """With its source, where it is a script of one file that was not installed."""
    module = sys.modules.get(plugin.module)
    file = Path(getattr(module, "__file__", None) or "")
    package = plugin.distribution or "." in plugin.module or hasattr(module, "__path__")
    if package or file.suffix != ".py" or _installed(file):
        return plugin
    # A file may declare another encoding than UTF-8, and may be in a ZIP.
    return replace(plugin, source=module.__loader__.get_source(plugin.module))


def _installed(file: Path) -> bool:
    return any(part in ("site-packages", "dist-packages") for part in file.parts)


def _sentence(plugin: Plugin, error: BaseException) -> str:
    words = " ".join(str(error).split()) or "no reason given"
    whose = f" ({plugin.distribution})" if plugin.distribution else ""
    where = "fix or uninstall it" if whose else f"fix it or leave it out of {MEANS}"
    if isinstance(error, ModuleNotFoundError) and error.name == plugin.module:
        where = (
            "start in the folder of the file, give its path (my_module.py), or install "
            "it"
        )
    return (
        f"The plug-in {plugin.name}{whose} cannot be used: {type(error).__name__}: "
        f"{words.rstrip('.')}; {where}.{ELSE}"
    )


@contextmanager
def excused(plugin: str | None) -> Iterator[None]:
    """An error in what a plug-in brought is noted; one of our own is raised."""
    try:
        yield
    except Exception as error:
        if plugin is None:
            raise
        found = PLUGINS[plugin]
        if not found.error:
            PLUGINS[plugin] = replace(found, error=_sentence(found, error))


def troubles() -> list[str]:
    """A sentence for each plug-in that cannot be used."""
    return [plugin.error for plugin in PLUGINS.values() if plugin.error]
