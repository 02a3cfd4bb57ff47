"""The whole screen: a setting, the methods that solve it, and how it is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any
from urllib.parse import urlencode

from halfmoon.scenario import file, link
from halfmoon.scenario.limits import MAX_CHAIN, MAX_EARLIER, MAX_METHODS
from halfmoon.scenario.method import Method, Start
from halfmoon.scenario.setting import Setting
from halfmoon.scenario.values import (
    BEGUN,
    FIRST_ALGORITHM,
    FIRST_DATA,
    Drawing,
    Labels,
    Upload,
    View,
)


@dataclass(frozen=True, slots=True)
class Scenario:
    """The whole screen.

    Parameters
    ----------
    setting : Setting
        Data, labels, points held out: what all methods are given.
    methods : tuple of Method
        One to four, side by side. Pages that show one show the first.
    view : View
    hidden : tuple of str
        Controls that a teacher's link hides.
    """

    setting: Setting = field(default_factory=Setting)
    methods: tuple[Method, ...] = (Method(),)
    view: View = field(default_factory=View)
    hidden: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= len(self.methods) <= MAX_METHODS:
            raise ValueError(
                f"methods must be 1 to {MAX_METHODS}, got {len(self.methods)}."
            )
        earlier = [run.setting for m in self.methods for run in m.earlier]
        sizes = {
            "labels": sum(len(s.labels.hand) for s in earlier),
            "points": sum(len(s.drawing.moved + s.drawing.added) for s in earlier),
        }
        for what, size in sizes.items():
            if size > MAX_EARLIER[what]:
                raise ValueError(
                    f"The runs before these hold {size:,} {what} made by hand, and "
                    f"{MAX_EARLIER[what]:,} is the limit; start a method again."
                )

    @classmethod
    def of(
        cls,
        data: str = FIRST_DATA,
        *algorithms: str,
        upload: Upload | None = None,
    ) -> Scenario:
        """Data and algorithms with all that suits them.

        >>> Scenario.of("digits", "svm", "lapsvm_pcg").data
        'digits'
        """
        algorithms = algorithms or (FIRST_ALGORITHM,)
        methods = tuple(Method.of(name, data) for name in algorithms)
        return cls(Setting.of(data, upload), methods)

    # What most pages read: the setting, and the first method.

    method = property(lambda self: self.methods[0])
    data = property(attrgetter("setting.data"))
    data_knobs = property(attrgetter("setting.data_knobs"))
    knobs = property(attrgetter("setting.knobs"))
    seed = property(attrgetter("setting.seed"))
    labels = property(attrgetter("setting.labels"))
    drawing = property(attrgetter("setting.drawing"))
    upload = property(attrgetter("setting.upload"))
    n_val = property(attrgetter("setting.n_val"))
    n_test = property(attrgetter("setting.n_test"))
    algorithm = property(attrgetter("method.algorithm"))
    parameters = property(attrgetter("method.parameters"))
    params = property(attrgetter("method.params"))
    start = property(attrgetter("method.start"))
    chain = property(attrgetter("method.chain"))

    def alone(self, index: int) -> Scenario:
        """One of the methods by itself, on the same screen."""
        return replace(self, methods=(self.methods[self._index(index)],))

    @property
    def solving(self) -> Scenario:
        """The part that decides the run: the key under which it is kept.

        The run is that of the first method; ``alone(i).solving`` is the key of another
        one, and the same key as in a scenario that has no other.
        """
        return Scenario(self.setting, self.methods[:1])

    @property
    def usual(self) -> Scenario:
        """What a link need not say about the screen."""
        return Scenario(self.setting, self.methods)

    # What a person does to a scenario. Each gives a new one that makes sense.

    def with_data(self, name: str, upload: Upload | None = None) -> Scenario:
        """Other data, with what suits them: labels and parameters start again."""
        return replace(
            self,
            setting=self.setting.with_data(name, upload),
            methods=tuple(Method.of(m.algorithm, name) for m in self.methods),
            view=View(),
        )

    def with_data_knob(self, name: str, value: Any) -> Scenario:
        """Turn a knob of the data; edits and hand labels of the old points go."""
        setting, old = self.setting.with_knob(name, value), self.knobs
        methods = tuple(
            m.following(self.data, old, setting.knobs) for m in self.methods
        )
        return replace(self, setting=setting, methods=methods).from_start()

    def with_seed(self, seed: int) -> Scenario:
        return self._on(self.setting.with_seed(seed)).from_start()

    def with_held_out(self, n_val: int, n_test: int) -> Scenario:
        return self._on(self.setting.with_held_out(n_val, n_test)).from_start()

    def with_labels(self, labels: Labels) -> Scenario:
        return self._on(replace(self.setting, labels=labels))

    def with_drawing(self, drawing: Drawing) -> Scenario:
        """Points moved, removed or added.

        Runs go on only as long as the points are the same; see `from_start`.
        """
        return self._on(replace(self.setting, drawing=drawing))

    def with_algorithm(
        self,
        name: str,
        remembered: Mapping[str, Any] | None = None,
        index: int = 0,
    ) -> Scenario:
        """Another algorithm; what travels between both keeps its value.

        Parameters
        ----------
        name : str
        remembered : mapping, optional
            Parameters that were set for it before.
        index : int
            Of the method that changes.
        """
        method = self.methods[self._index(index)]
        return self.with_method(
            method.with_algorithm(name, self.data, remembered, self.knobs), index
        )

    def with_parameter(self, name: str, value: Any, index: int = 0) -> Scenario:
        return self.with_parameters({name: value}, index)

    def with_parameters(self, values: Mapping[str, Any], index: int = 0) -> Scenario:
        method = self.methods[self._index(index)]
        return self.with_method(method.with_parameters(values), index)

    def with_method(self, method: Method, index: int | None = None) -> Scenario:
        """A method in the place of another, or one more after the last."""
        methods = list(self.methods)
        if index is None:
            methods.append(method)
        else:
            methods[self._index(index)] = method
        return replace(self, methods=tuple(methods))

    def without_method(self, index: int) -> Scenario:
        index = self._index(index)
        methods = self.methods[:index] + self.methods[index + 1 :]
        return replace(self, methods=methods)

    def with_view(self, **changes) -> Scenario:
        return replace(self, view=replace(self.view, **changes))

    def going_on(self, t: int, index: int = 0) -> Scenario:
        """Continue a method's run from its iteration ``t``."""
        alone = self.alone(index).solving
        if alone.chain >= MAX_CHAIN:
            raise ValueError(
                f"A run can be continued {MAX_CHAIN} times in a row; start it again."
            )
        method = replace(alone.method, start=Start(alone, BEGUN.check(t)))
        return self.with_method(method, index)

    def from_start(self, index: int | None = None) -> Scenario:
        """A method, or every one, from its own beginning and no earlier run."""
        if index is not None:
            return self.with_method(
                self.methods[self._index(index)].from_start(), index
            )
        return replace(self, methods=tuple(m.from_start() for m in self.methods))

    def _on(self, setting: Setting) -> Scenario:
        return replace(self, setting=setting)

    def _index(self, index: int) -> int:
        if index not in range(len(self.methods)):
            raise ValueError(
                f"index must be that of a method, 0 to {len(self.methods) - 1}, "
                f"got {index!r}."
            )
        return index

    # Links and files.

    def to_url(self) -> dict[str, str]:
        """Parameters of a link; none for the scenario a new visitor meets."""
        return {} if self == default() else link.to_url(self)

    def to_query(self) -> str:
        """The link's part after the question mark."""
        return urlencode(self.to_url(), safe=",")

    @staticmethod
    def from_url(url: Mapping[str, str]) -> tuple[Scenario, list[str]]:
        """Read a link; rubbish gives defaults and remarks, never an exception.

        Returns
        -------
        scenario : Scenario
        remarks : list of str
            One sentence for each thing that was not understood.
        """
        return link.from_url(url, default()) if url else (default(), [])

    def to_json(self, files: Mapping[str, str] | None = None) -> str:
        """The scenario as a file to keep.

        Parameters
        ----------
        files : mapping of digest to base64 text, optional
            Content of an uploaded file, to go along.
        """
        return file.to_json(self, files)

    @staticmethod
    def from_json(text: str | bytes) -> tuple[Scenario, list[str], dict[str, str]]:
        """Read a saved file, as `from_url` reads a link; with the files in it."""
        return file.from_json(text, default())


def default() -> Scenario:
    """What a new visitor meets: two moons, two labels, the Laplacian SVM."""
    return Scenario.of()
