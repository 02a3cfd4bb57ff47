"""A cell of a table: one training on one split, named by all that decides its number.

A `Cell` is what a declaration says: protocol, problem, algorithm, parameters. Its
`key` adds what only the machine knows: the checksum of the data, and the versions of
algorithm and protocol. Two cells with one key have one result, so that a finished one
is never computed again; where data or algorithm change, the key does.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np

from ssl_core.registry import ALGORITHMS

Facts = tuple[tuple[str, Any], ...]
OURS = 1  # version of what is no algorithm of the catalogue, such as a peer


def facts(values: Mapping[str, Any]) -> Facts:
    """A mapping as a value: sorted, hashable, the same after a trip through JSON."""
    return tuple((name, _plain(values[name])) for name in sorted(values))


def _plain(value):
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(_plain(v) for v in value)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise ValueError(
        f"A cell is made of numbers, texts and lists of them, got {value!r:.60}."
    )


def measured(values: Mapping[str, Any]) -> dict[str, Any]:
    """A result as JSON keeps it; ValueError where a number is none."""
    if not isinstance(values, Mapping):
        raise ValueError(f"a result must map names to numbers, got {values!r:.60}")
    return {str(name): _finite(name, value) for name, value in values.items()}


def _finite(name, value):
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        return measured(value)
    if isinstance(value, list | tuple):
        return [_finite(name, v) for v in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise ValueError(f"{name} is {value!r:.60}, no finite number")


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One training, as declared. Two are equal when their specs are.

    Attributes
    ----------
    protocol : str
        Key into `ssl_core.experiments.PROTOCOLS`.
    problem : Facts
        Which points and which labels: data set, split and the like.
    algorithm : str
        An id of `ALGORITHMS`, or a peer's name that the protocol knows.
    params : Facts
        Parameters of the estimator.
    setting : Facts
        Choices of the protocol's own.
    spec : str
        All of these as JSON text, one for each cell.
    """

    protocol: str
    problem: Facts
    algorithm: str
    params: Facts = ()
    setting: Facts = ()
    spec: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        content = {
            "protocol": self.protocol,
            "problem": dict(self.problem),
            "algorithm": self.algorithm,
            "params": dict(self.params),
            "setting": dict(self.setting),
        }
        spec = json.dumps(content, sort_keys=True, ensure_ascii=False)
        object.__setattr__(self, "spec", spec)

    @classmethod
    def of(cls, protocol, problem, algorithm, params=None, setting=None) -> "Cell":
        """A cell from plain mappings."""
        return cls(
            protocol,
            facts(problem),
            algorithm,
            facts(params or {}),
            facts(setting or {}),
        )

    def __eq__(self, other) -> bool:
        # Not by value: 1, 1.0 and True are equal, and three results.
        return isinstance(other, Cell) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    @classmethod
    def from_spec(cls, spec: str) -> "Cell":
        """The cell that a `spec` tells of."""
        return cls.of(**json.loads(spec))

    @property
    def version(self) -> int:
        """That of the algorithm, raised whenever its numbers change."""
        entry = ALGORITHMS.get(self.algorithm)
        return OURS if entry is None else entry.version

    def key(
        self, checksum: str, protocol_version: int, version: int | None = None
    ) -> str:
        """The name of the result: the declaration, the data and the versions."""
        version = self.version if version is None else version
        text = "\n".join((self.spec, checksum, f"{version}", f"{protocol_version}"))
        return blake2b(text.encode(), digest_size=16).hexdigest()

    def __str__(self) -> str:
        """All that tells it from the other cells of a protocol, on one line."""
        named = (*self.problem, *self.setting, *self.params)
        return f"{self.algorithm} ({', '.join(f'{n}={_said(v)}' for n, v in named)})"


def _said(value) -> str:
    return f"{value:.6g}" if isinstance(value, float) else f"{value}"
