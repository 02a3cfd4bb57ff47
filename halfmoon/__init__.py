"""Halfmoon: semi-supervised learning that can be watched, iteration by iteration.

>>> from halfmoon import hide_labels, load, make
>>> moons = load("two_moons", n=200, noise=0.08)
>>> y = hide_labels(moons, n_labeled=2)  # -1 = unlabelled
>>> trace = make("lapsvm_pcg", sigma=0.35).trace(moons.X, y)

Names are imported when they are first used, so ``import halfmoon`` is quick; where each
of them comes from is in ``__init__.pyi``, which type checkers read, too.

In a checkout the folders ``common``, ``datasets``, ``notebook``, ``pages``,
``scenario``, ``stage`` and ``views`` are beside this one, in an installation inside of
it. Either way they are imported as ``halfmoon.datasets`` and so on: no package of that
name is at the top level, where others have theirs. The solvers are the package
``ssl_core``.
"""

import ast
import sys
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path

__version__ = "0.2.0.dev0"

HERE = Path(__file__).resolve().parent
INSTALLED = (HERE / "datasets").is_dir()
HOME = HERE if INSTALLED else HERE.parent  # the folder that holds `datasets`
PARTS = ("common", "datasets", "notebook", "pages", "scenario", "stage", "views")


class _Checkout:
    """Finds the parts of Halfmoon beside this folder."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        package, _, part = name.rpartition(".")
        if package == __name__ and part in PARTS:
            return PathFinder.find_spec(name, [str(HOME)])
        return None


if not INSTALLED:
    sys.meta_path.append(_Checkout)


def _homes() -> dict[str, str]:
    """Public name -> its module, as ``__init__.pyi`` declares them."""
    found = {}
    for node in ast.parse((HERE / "__init__.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            found |= {name.asname: node.module for name in node.names if name.asname}
        elif isinstance(node, ast.Import):
            found |= {name.asname: "" for name in node.names if name.asname}
    return found


_HOMES = _homes()
__all__ = sorted(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES[name]
    if home in ("", __name__):  # a module
        value = import_module(f"{home}.{name}" if home else name)
    else:
        value = getattr(import_module(home), name, None)
        value = import_module(f"{home}.{name}") if value is None else value
    globals()[name] = value
    return value


def __dir__():
    special = (name for name in globals() if name[:2] == "__")
    return sorted({*special, *__all__})
