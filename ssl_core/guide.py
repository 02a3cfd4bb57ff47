"""The explanation of an algorithm, beside the entry that registers it.

An entry of the catalogue may carry a `Guide`; the reference page shows it, and tests
check it for every registered algorithm: the terms add up to the objective, and every
place cites its equation and is executed when the algorithm runs.
"""

import ast
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

CORE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Term:
    """One term of an objective: its LaTeX as the objective has it, and in words."""

    latex: str
    words: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where an equation of the paper stands in the code.

    Attributes
    ----------
    equation : str
        With the key of the paper, as the code cites it: "[MB11] eq. (7)",
        "[MB11] Algorithm 1", "[MB11] section 3.2.1", "[CSK08] Figure 7".
    what : str
        What it is, in a few words.
    file, name : str
        File below ``ssl_core``, or the dotted name of a module from elsewhere; and the
        function or "Class.method" there.
    needs : tuple of (str, object) or None
        Parameter and value without which the algorithm does not execute it.
    """

    equation: str
    what: str
    file: str
    name: str
    needs: tuple[str, Any] | None = None

    def lines(self) -> tuple[int, int]:
        """First and last line of the definition; ValueError where there is none."""
        body = _tree(self.file).body
        for part in self.name.split("."):
            node = next((n for n in body if getattr(n, "name", None) == part), None)
            if node is None:
                raise ValueError(f"ssl_core/{self.file} defines no {self.name}.")
            body = getattr(node, "body", [])
        return node.lineno, node.end_lineno

    @property
    def text(self) -> str:
        """The definition as it is written, comments included."""
        first, last = self.lines()
        return "\n".join(_source(self.file).splitlines()[first - 1 : last])


@dataclass(frozen=True, slots=True)
class Guide:
    """One algorithm, explained.

    Attributes
    ----------
    story : str
        How it works, in a few plain sentences.
    terms : tuple of Term
        The objective, term by term.
    places : tuple of Place
        The paper's equations in the code.
    good, bad : tuple of str
        What it is good at, and where another method is better.
    watch : tuple of str
        Moments and curves worth watching.
    """

    story: str
    terms: tuple[Term, ...]
    places: tuple[Place, ...]
    good: tuple[str, ...]
    bad: tuple[str, ...]
    watch: tuple[str, ...]


@cache
def _source(file: str) -> str:
    path: Path | str | None = CORE / file
    if not file.endswith(".py"):
        spec = find_spec(file)
        path = spec and spec.origin
    if path is None or not Path(path).is_file():
        raise ValueError(f"There is no source of {file}.")
    return Path(path).read_text(encoding="utf-8")


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(_source(file))
