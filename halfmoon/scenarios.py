"""What the app saves, opened without the app: data, classifiers, and the same runs.

>>> saved = open_scenario("halfmoon.json")  # doctest: +SKIP
>>> saved.X.shape, saved.estimators  # doctest: +SKIP
>>> trace = saved.trace()  # doctest: +SKIP

A file is read, posed and solved by the code that the app itself uses; none of it needs
Streamlit.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from halfmoon.datasets import Dataset
from halfmoon.scenario import UPLOAD, Scenario, Setting, saved_file
from halfmoon.scenario.headlines import subtitle
from halfmoon.scenario.learning_problem import (
    Problem,
    check_posed,
    pose,
    read_data,
)
from halfmoon.scenario.solving import Solved, solve_posed
from ssl_core import Trace, make
from ssl_core.estimators import SemiSupervisedClassifier
from ssl_core.stopping import Rule


class Readable(Protocol):
    """A file that is open for reading, as text or as bytes."""

    def read(self, size: int = ..., /) -> str | bytes: ...


Matrix: TypeAlias = "np.ndarray | csr_array"
Source: TypeAlias = "str | bytes | PathLike[str] | Readable | Mapping[str, Any]"


@dataclass(frozen=True, eq=False)
class SavedScenario:
    """A screen of the app: data, hidden labels, one to four classifiers, their runs.

    Parameters
    ----------
    scenario : Scenario
        The screen as the app knows it.
    remarks : tuple of str
        One sentence for each thing of the file that was not understood and was
        replaced by its default; the app shows the same ones.
    content : bytes or None
        The visitor's own data file, where the scenario is about one.
    """

    scenario: Scenario
    remarks: tuple[str, ...] = ()
    content: bytes | None = field(default=None, repr=False)
    _problems: dict[Setting, Problem] = field(
        default_factory=dict, init=False, repr=False
    )
    _solved: dict[Scenario, Solved] = field(
        default_factory=dict, init=False, repr=False
    )

    def __repr__(self) -> str:
        every = range(len(self))
        titles = (subtitle(self.scenario.alone(number)) for number in every)
        return f"SavedScenario({', '.join(titles)})"

    def __len__(self) -> int:
        """How many methods it has."""
        return len(self.scenario.methods)

    # The data.

    @property
    def problem(self) -> Problem:
        """Everything that a run is given: training points, held-out points, labels."""
        return self._posed(self.scenario)

    @property
    def dataset(self) -> Dataset:
        """All points, those held out included, as edited; -1 = class unknown."""
        return self.problem.data

    @property
    def X(self) -> Matrix:
        """Training points."""
        return self.problem.X

    @property
    def y(self) -> np.ndarray:
        """Class of each training point as a run gets it; -1 = unlabelled."""
        return self.problem.given

    @property
    def hidden(self) -> np.ndarray:
        """True class of each training point; -1 where nobody knows it."""
        return self.problem.truth

    def part(self, name: str) -> tuple[Matrix, np.ndarray]:
        """X and y of the held-out points "val" or "test" whose class is known."""
        if name not in ("val", "test"):
            raise ValueError(f'name must be "val" or "test", got {name!r}.')
        return self.problem.part(name)

    # The methods.

    @property
    def estimators(self) -> tuple[SemiSupervisedClassifier, ...]:
        """A classifier for each method, with its settings; none of them is fitted."""
        return tuple(make(m.algorithm, **m.params) for m in self.scenario.methods)

    @property
    def rules(self) -> tuple[Rule | None, ...]:
        """What ends each run early; None where only the method itself does."""
        return tuple(estimator._rule() for estimator in self.estimators)

    # The runs.

    def trace(self, method: int = 0) -> Trace:
        """The run of a method, as the app makes it; made once.

        Parameters
        ----------
        method : int
            Its place, from 0.

        Raises
        ------
        ValueError
            The sentence that the app shows where no run is possible.
        """
        return self._run(method).trace

    def fit(self, method: int = 0) -> SemiSupervisedClassifier:
        """The classifier of a method after its run; see `trace`."""
        machine: SemiSupervisedClassifier = self._run(method).machine
        return machine

    def run(self) -> tuple[Trace, ...]:
        """The runs of all methods, in their order."""
        return tuple(self.trace(method) for method in range(len(self)))

    def _run(self, method: int) -> Solved:
        if method not in range(len(self)):
            raise ValueError(
                f"method must be the place of one, 0 to {len(self) - 1}, got "
                f"{method!r}."
            )
        return self._of(self.scenario.alone(method).solving)

    def _of(self, scenario: Scenario) -> Solved:
        """A run, and before it those that it goes on from."""
        if scenario not in self._solved:
            problem = self._posed(scenario)
            check_posed(problem, scenario)
            start = scenario.start
            origin = None if start is None else self._of(start.origin)
            self._solved[scenario] = solve_posed(scenario, problem, origin)
        return self._solved[scenario]

    def _posed(self, scenario: Scenario) -> Problem:
        about = scenario.setting  # the method makes no difference
        if about not in self._problems:
            base = read_data(scenario, self._own_file)
            self._problems[about] = pose(scenario, base)
        return self._problems[about]

    def _own_file(self, scenario: Scenario) -> Dataset:
        upload = scenario.upload
        if upload is None or self.content is None:
            name = "" if upload is None else f" {upload.name!r}"
            raise ValueError(
                f"The scenario is about the file{name}, which was not saved with it; "
                "pass data=path_of_the_file to open_scenario."
            )
        return saved_file.read_upload(self.content, upload)

    # Back to the app.

    def to_json(self) -> str:
        """The text of a file that the app opens."""
        return saved_file.to_saved(self.scenario, self.content)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file that the app opens (Save, Open a saved scenario)."""
        Path(path).write_text(self.to_json(), encoding="utf-8")


def open_scenario(
    source: Source, *, data: str | PathLike[str] | None = None
) -> SavedScenario:
    """Open what the app saved as JSON.

    Parameters
    ----------
    source : path, file, bytes, str or dict
        The saved file, an open one, its text, or that text as read by `json.load`. A
        str that begins with "{" is taken for the text.
    data : path, optional
        The data file that the scenario is about, where it was too large to be saved
        with it.

    Returns
    -------
    SavedScenario

    Warns
    -----
    UserWarning
        For each part that was not understood and has its default: a setting that is no
        more, say. The sentence is the one that the app shows.

    Raises
    ------
    ValueError
        If nothing of it can be used: it is no saved scenario, is larger than one can
        be, comes from a newer version or names unknown data.
    """
    scenario, remarks, content = saved_file.read_saved(_read(source))
    if scenario is None:
        raise ValueError(
            "source must be a scenario that the app saved and this version reads. Of "
            f"this one the app says: {remarks[0]}"
        )
    if data is not None:
        content = _own_data(scenario, Path(data))
    for remark in remarks:
        warnings.warn(remark, UserWarning, stacklevel=2)
    return SavedScenario(scenario, tuple(remarks), content)


def _read(source: Source) -> bytes:
    """What stands in it, but no more than a saved scenario has."""
    most = saved_file.MAX_OPENED + 1
    if isinstance(source, Mapping):
        source = json.dumps(source)
    if isinstance(source, str) and source.lstrip().startswith("{"):
        source = source.encode(errors="replace")
    if isinstance(source, bytes):
        return source
    if isinstance(source, str | PathLike):
        with open(source, "rb") as opened:
            return opened.read(most)
    if not hasattr(source, "read"):
        raise TypeError(
            "source must be a path, an open file, or the text or dict of a saved "
            f"scenario, got {type(source).__name__}."
        )
    text = source.read(most)
    return text.encode(errors="replace") if isinstance(text, str) else text


def _own_data(scenario: Scenario, path: Path) -> bytes:
    """The content of the data file; it must be the one that was uploaded."""
    if scenario.data != UPLOAD:
        raise ValueError(
            f"data must be left out: this scenario is about {scenario.data!r}, not "
            "about a file."
        )
    content = path.read_bytes()
    if saved_file.digest_of(content) != scenario.upload.digest:
        raise ValueError(
            f"data must be the file that was uploaded, {scenario.upload.name!r}; the "
            f"content of {path.name!r} is another."
        )
    return content
