"""The registry: one entry per data set, and one way to load any of them."""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from halfmoon.common.knobs import Knob
from halfmoon.common.memory import LITTLE, check_room, room
from halfmoon.common.plugins import Registry
from halfmoon.datasets import store
from halfmoon.datasets._base import Dataset

KINDS = ("toy", "bundled", "benchmark")
DATASETS: Registry[DatasetEntry] = Registry("data set")
Generator = TypeVar("Generator", bound=Callable[..., Dataset])


@dataclass(frozen=True, slots=True)
class DatasetEntry:
    """What the app, the tests and the experiment runner know about a data set.

    Parameters
    ----------
    name, title, description : str
        Registry key, heading, and one sentence.
    kind : {"toy", "bundled", "benchmark"}
        Generated, shipped inside an installed package, or read from a file.
    function : callable
        Makes the :class:`Dataset` from its knobs.
    knobs : mapping of str to Knob
        What can be turned.
    n_classes, dims, n_points : int
        Shape at the default knobs.
    defaults : mapping
        Parameters that suit the algorithms on this data, e.g. ``sigma``. ``lam`` is a
        thousandth of the mean of |x|^2, where that is far from 1: the outputs are then
        the same in any unit.
    published : mapping of str to mapping
        Parameters that a paper printed for this data, under the paper's key.
    n_labeled : int
        A sensible number of labels to start with.
    sparse : bool
        Whether X is a CSR matrix.
    image_shape : (int, int) or None
        Shape of one image.
    source, licence, reference : str
        Where it comes from, under which terms, and what to cite.
    file : str or None
        Stem of the npz file of a benchmark.
    fetch : callable or None
        Gets a benchmark from the network; None when only a local file can serve.
    """

    name: str
    title: str
    kind: str
    description: str
    function: Callable[..., Dataset]
    knobs: Mapping[str, Knob]
    n_classes: int
    dims: int
    n_points: int
    n_labeled: int
    defaults: Mapping[str, Any] = field(default_factory=dict)
    published: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    sparse: bool = False
    image_shape: tuple[int, int] | None = None
    source: str = ""
    licence: str = ""
    reference: str = ""
    file: str | None = None
    fetch: Callable | None = None

    def __repr__(self) -> str:
        return f"DatasetEntry({self.name!r}: {self.title})"

    def available(self) -> bool:
        """Whether the data can be loaded now, without a network."""
        return self.file is None or store.at_hand(self.file)

    def absence(self) -> str:
        """A sentence where the data are not on this machine, otherwise nothing."""
        if self.file is None or self.available():
            return ""
        way = store.command(self.file)
        return f"{self.title} is not on this machine; `{way}` downloads it."

    @property
    def is_random(self) -> bool:
        """Whether the seed matters at the default knobs."""
        return self.kind == "toy"

    def check_knobs(self, knobs: Mapping[str, Any]) -> dict[str, Any]:
        """All knobs with defaults filled in, each value checked."""
        unknown = sorted(set(knobs) - set(self.knobs))
        if unknown:
            raise ValueError(
                f"{self.name} has no knob {', '.join(unknown)}; "
                f"it has {', '.join(self.knobs) or 'none'}."
            )
        return {
            name: knob.check(knobs.get(name, knob.default))
            for name, knob in self.knobs.items()
        }


def register_dataset(
    name: str | None = None,
    *,
    title: str,
    kind: str,
    knobs: Iterable[Knob] = (),
    defaults: Mapping[str, Any] = MappingProxyType({}),
    published: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    peak_bytes: Callable[[Mapping[str, Any]], float] | None = None,
    **facts: Any,
) -> Callable[[Generator], Generator]:
    """Register the decorated function in :data:`DATASETS`.

    The default of each knob is read from the function's signature, as is the number of
    points of a toy; the description is the first paragraph of its docstring, which gets
    a section "Parameters" from the knobs. So each fact has one home.

    Parameters
    ----------
    name, title, kind, knobs, defaults, published, **facts
        As in :class:`DatasetEntry`. The name is the function's where none is given,
        and the file of a benchmark has it too.
    peak_bytes : callable, optional
        Bytes at the peak, from all knobs; a toy with a knob n that says nothing takes
        those of `peak_of`. What does not fit into memory is refused.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}.")

    def enter(function: Generator) -> Generator:
        key = name or function.__name__
        DATASETS.check_name(key)
        signature = inspect.signature(function).parameters
        turned = {k.name: replace(k, default=signature[k.name].default) for k in knobs}
        _check_turned(key, set(signature) - set(turned))
        if kind == "benchmark":
            facts.setdefault("file", key)
        made = function
        if kind == "toy" and "n" in signature:
            facts.setdefault("n_points", signature["n"].default)
            need = peak_bytes or (lambda at: peak_of(at["n"], facts.get("dims", 2)))
            made = _asked(key, function, turned, need)
        entry = DatasetEntry(
            name=key,
            title=title,
            kind=kind,
            description=_first_paragraph(function),
            function=made,
            knobs=MappingProxyType(turned),
            defaults=MappingProxyType(dict(defaults)),
            published=MappingProxyType({k: dict(v) for k, v in published.items()}),
            **facts,
        )
        DATASETS.enter(key, entry)
        made.__doc__ = _documented(function, turned)
        return made

    return enter


register = register_dataset  # as the modules beside this one call it


def peak_of(n: int, dims: int) -> float:
    """Bytes while n points are made, noise and shuffled copy included."""
    return 8.0 * (3 * n * dims + 6 * n + 16 * dims)


def _asked(
    key: str,
    function: Generator,
    knobs: Mapping[str, Knob],
    peak_bytes: Callable[[Mapping[str, Any]], float],
) -> Generator:
    """The function, which first looks at its numbers and at the memory they need.

    The ranges of the knobs are a server's; a caller may leave them.
    """
    signature = inspect.signature(function)

    @wraps(function)
    def made(*args: Any, **keywords: Any) -> Dataset:
        given = signature.bind(*args, **keywords)
        given.apply_defaults()
        for name, knob in knobs.items():
            free = replace(knob, low=None, high=None, default=None)
            given.arguments[name] = free.check(given.arguments[name])
        rng = given.arguments.get("rng")
        if "rng" in signature.parameters and not isinstance(rng, np.random.Generator):
            raise ValueError(
                f"rng must be a numpy Generator, np.random.default_rng(0) say, got "
                f"{rng!r}."
            )
        at = {name: given.arguments[name] for name in knobs}
        if peak_bytes(at) > LITTLE:
            ways = _ways_out(knobs, lambda less: peak_bytes(at | less) <= room())
            check_room(key, lambda n: peak_bytes(at | {"n": n}), at["n"], f"use {ways}")
        return function(*given.args, **given.kwargs)

    return made  # type: ignore[return-value]  # the same signature


def _check_turned(key: str, left: set[str]) -> None:
    if left := left - {"rng", "progress"}:
        raise ValueError(
            f"every argument of {key} needs a knob, and there is none for "
            f"{', '.join(sorted(left))}."
        )


def _ways_out(knobs: Mapping[str, Knob], fits: Callable[[dict[str, Any]], bool]) -> str:
    """What to ask for instead: whichever number alone can make it fit."""
    ways = ["fewer points"] if fits({"n": 1}) else []
    for name, knob in knobs.items():
        if name != "n" and knob.kind == "int" and fits({name: knob.low}):
            ways.append(f"a smaller {name}")
    return " or ".join(ways) or "smaller numbers"


def suited(
    sigma: float, n_neighbors: int, gamma_A: float, gamma_I: float, **more: Any
) -> dict[str, Any]:
    """Parameters that suit the algorithms on a data set; C = 10 unless given."""
    graph = {"n_neighbors": n_neighbors, "gamma_A": gamma_A, "gamma_I": gamma_I}
    return {"sigma": sigma, **graph, "C": 10.0, **more}


def load(
    name: str,
    *,
    random_state: int | np.random.Generator = 0,
    progress: Callable[[float | None, str], None] | None = None,
    **knobs: Any,
) -> Dataset:
    """Load a data set by name.

    Parameters
    ----------
    name : str
        Key of :data:`DATASETS`.
    random_state : int or Generator, default 0
        Seed of a toy, or of the subset when a large file is thinned.
    progress : callable, optional
        ``progress(fraction, text)`` while a file is fetched; ``fraction`` is
        None as long as the size is unknown.
    **knobs
        Checked against the entry's knobs. To go beyond a knob's range, call the
        generator itself, e.g. ``datasets.two_moons(n=12_000, rng=rng)``.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        Unknown name or knob, or a value outside the knob's range.
    DatasetUnavailable
        The file is not at hand and cannot be fetched.
    """
    if name not in DATASETS:
        raise ValueError(
            f"name must be one of {', '.join(sorted(DATASETS))}, got {name!r}."
        )
    entry = DATASETS[name]
    arguments = entry.check_knobs(knobs)
    rng = as_rng(random_state)
    takes = inspect.signature(entry.function).parameters
    extras = {"rng": rng, "progress": progress}
    data = entry.function(
        **arguments, **{k: v for k, v in extras.items() if k in takes}
    )
    facts = {
        "kind": entry.kind,
        "knobs": arguments,
        "source": entry.source,
        "licence": entry.licence,
        "reference": entry.reference,
    }
    return replace(
        data,
        name=name,
        description=data.description or entry.description,
        meta={**facts, **data.meta},
    )


def as_rng(random_state: int | np.random.Generator) -> np.random.Generator:
    """A Generator from a seed; a Generator passes through."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    whole = isinstance(random_state, int | np.integer)
    if not whole or isinstance(random_state, bool) or random_state < 0:
        raise ValueError(
            f"random_state must be an integer >= 0 or a numpy Generator, "
            f"got {random_state!r}."
        )
    return np.random.default_rng(int(random_state))


def _first_paragraph(function: Callable) -> str:
    text = inspect.getdoc(function) or ""
    paragraph = " ".join(text.split("\n\n")[0].split())
    if not paragraph and sys.flags.optimize < 2:  # python -OO has no docstrings
        raise ValueError(
            f"{function.__name__} needs a docstring: it is shown to users."
        )
    return paragraph


def _documented(function: Callable, knobs: Mapping[str, Knob]) -> str:
    """The docstring with a section "Parameters" that the knobs make."""
    text = inspect.getdoc(function) or ""
    words, *rest = re.split(r"\n\n(?=(?:Returns|Notes)\n---)", text, maxsplit=1)
    lines = ["Parameters", "----------"]
    for name, knob in knobs.items():
        kind = "str" if knob.kind == "choice" else knob.kind
        lines.append(f"{name} : {kind}, default={knob.default!r}")
        lines += textwrap.wrap(
            knob.help, 80, initial_indent=" " * 4, subsequent_indent=" " * 4
        )
    if "rng" in inspect.signature(function).parameters:
        lines += ["rng : Generator", "    Source of randomness."]
    return "\n\n".join([words, "\n".join(lines), *rest]) + "\n"
