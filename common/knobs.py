"""A knob: one adjustable value with its range, default and help text.

Data sets and algorithms describe what can be turned with the same class, so that
one slider, one URL decoder and one test serve both registries.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

KINDS = ("float", "int", "log", "choice", "bool")
PLACES = ("front", "stopping", "more")
MOST_PLACES = 200  # steps of a slider; a longer range has round numbers alone
MANY, FEW = (1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8), (1, 2, 5)  # of a decade
MANY_DECADES = 10**6  # high / low, beyond which there are few in each
_WORDS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


@dataclass(frozen=True, slots=True)
class Knob:
    """One adjustable value.

    Parameters
    ----------
    name : str
        The keyword it sets.
    kind : {"float", "int", "log", "choice", "bool"}
        ``"log"`` is a positive float best moved on a logarithmic scale.
    low, high : float or None
        Range, both ends included; None leaves that end open. A knob's range is
        what a visitor may ask of a server; the functions behind it take more.
    default : object
        Value before anyone touches it. It passes :meth:`check`.
    step : float or None
        Natural increment of a slider, 1 for an int; not a rule of :meth:`check`.
    choices : tuple
        Allowed values of a ``"choice"``.
    help : str
        One sentence for a tooltip.
    up : str
        What more of it means, or a switch that is on, to end the sentence "Increasing
        it means": ``"a smoother boundary"``.
    unit : str
        Unit shown after the value, such as ``"points"``.
    also : tuple
        Values allowed besides the range, such as ``(None,)`` for "estimate it"
        or ``(0,)`` for a tolerance that may be switched off.
    title : str
        Words on its widget; the name where it is empty.
    words : tuple of str
        What a visitor reads for each of ``choices``, in their order.
    place : {"front", "stopping", "more"}
        Where its widget stands: in sight, among the stopping rules, or under "More".
    needs : tuple of (str, object)
        Name and value of another knob without which this one has no effect.
    travels : bool
        Whether its value goes along when another algorithm with a knob of this name
        is chosen. Limits, stopping rules and schedules are each algorithm's own.

    Examples
    --------
    >>> Knob("noise", "float", 0.0, 0.5, default=0.08).check(0.1)
    0.1
    """

    name: str
    kind: str
    low: float | None = None
    high: float | None = None
    default: Any = None
    step: float | None = None
    choices: tuple = ()
    help: str = ""
    up: str = ""
    unit: str = ""
    also: tuple = ()
    title: str = ""
    words: tuple[str, ...] = ()
    place: str = "front"
    needs: tuple[str, Any] | None = None
    travels: bool = True

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(
                f"kind of knob {self.name} must be one of {', '.join(KINDS)}, "
                f"got {self.kind!r}."
            )
        if self.place not in PLACES:
            raise ValueError(
                f"place of knob {self.name} must be one of {', '.join(PLACES)}, "
                f"got {self.place!r}."
            )
        if self.words and len(self.words) != len(self.choices):
            raise ValueError(
                f"words of knob {self.name} must be one for each of its "
                f"{len(self.choices)} choices, got {len(self.words)}."
            )
        if self.kind == "choice" and not self.choices:
            raise ValueError(f"choices of knob {self.name} must not be empty.")
        if self.kind == "log" and (self.low is None or self.low <= 0):
            raise ValueError(
                f"low of log knob {self.name} must be > 0, got {self.low}."
            )
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(
                f"low of knob {self.name} must be <= high, "
                f"got {self.low} > {self.high}."
            )
        if self.default is not None:
            object.__setattr__(self, "default", self.check(self.default))

    @property
    def rule(self) -> str:
        """What a value has to satisfy, in words: ``"a number in [0, 0.5]"``."""
        if self.kind == "choice":
            text = "one of " + ", ".join(map(repr, self.choices))
        elif self.kind == "bool":
            text = "True or False"
        else:
            noun = "an integer" if self.kind == "int" else "a number"
            if self.low is not None and self.high is not None:
                text = f"{noun} in [{self.low:g}, {self.high:g}]"
            elif self.low is not None:
                text = f"{noun} >= {self.low:g}"
            elif self.high is not None:
                text = f"{noun} <= {self.high:g}"
            else:
                text = noun
        extras = " or ".join(map(repr, self.also))
        return f"{text} or {extras}" if extras else text

    @property
    def label(self) -> str:
        """Words on its widget."""
        return self.title or self.name.replace("_", " ").capitalize()

    @property
    def meaning(self) -> str:
        """ "Increasing it means a smoother boundary.", or "" where ``up`` is empty."""
        turned = "Switching it on" if self.kind == "bool" else "Increasing it"
        return f"{turned} means {self.up}." if self.up else ""

    def word(self, choice: Any) -> str:
        """What a visitor reads for one of the choices."""
        if self.words:
            return self.words[self.choices.index(choice)]
        return str(choice).replace("_", " ").capitalize()

    def idle(self, values: Mapping[str, Any]) -> bool:
        """Whether it has no effect beside these values of the other knobs."""
        if self.needs is None:
            return False
        name, value = self.needs
        return values.get(name, value) != value

    def places(self, value: Any) -> list[Any]:
        """Values that a slider stops at: round ones, and those that are in use.

        A word such as "auto", or None, stands before all numbers. A value that only a
        link or a program has gets its own place, so that no slider moves it.
        """
        if self.kind == "bool":
            return [False, True]
        if self.kind == "choice":
            return list(self.choices)
        extras = {*self.also, self.default, value}
        words = [v for v in (None, "auto") if v in extras]
        words += sorted(v for v in extras if isinstance(v, str) and v != "auto")
        numbers = {v for v in extras if isinstance(v, int | float)}
        return [*words, *sorted(numbers | self._round(value))]

    def _round(self, value: Any) -> set[float]:
        """Round values over the range; an end that is left open is not far off."""
        kind = int if self.kind == "int" else float
        known = (v for v in (value, self.default) if isinstance(v, int | float))
        start = next(known, 1)
        low = self.low if self.low is not None else min(start, 0)
        high = self.high if self.high is not None else max(10 * start, 10)
        step = self.step or (1 if kind is int else (high - low) / 100)
        if self.kind != "log" and high - low <= MOST_PLACES * step:
            count = math.floor((high - low) / step + 1e-9)
            return {kind(round(low + i * step, 10)) for i in range(count + 1)}
        low = max(low, 1 if kind is int else 1e-9)
        mantissas = FEW if high / low > MANY_DECADES else MANY
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        values = (float(f"{m}e{e}") for e in decades for m in mantissas)
        return {kind(v) for v in values if low <= v <= high and kind(v) == v}

    def check(self, value: Any) -> Any:
        """Return ``value`` as the plain Python type of this knob.

        Raises
        ------
        ValueError
            One sentence with the knob's name, its rule and what it got.
        """
        for extra in self.also:
            same_type = isinstance(value, bool) == isinstance(extra, bool)
            if value is extra or (same_type and _equal(value, extra)):
                return extra
        if value is None and None in self.choices:  # else None means "refused" below
            return None
        cast = getattr(self, f"_as_{self.kind}")(value)
        if cast is None:
            raise ValueError(f"{self.name} must be {self.rule}, got {value!r}.")
        return cast

    def parse(self, text: str) -> Any:
        """Read a value from text, as a URL has it, and :meth:`check` it."""
        for extra in self.also:
            if text == str(extra):
                return extra
        if self.kind == "bool":
            return self.check(_WORDS.get(text.strip().lower(), text))
        if self.kind == "choice":
            by_text = {str(choice): choice for choice in self.choices}
            return self.check(by_text.get(text, text))
        try:
            return self.check(int(text) if self.kind == "int" else float(text))
        except ValueError:
            raise ValueError(
                f"{self.name} must be {self.rule}, got {text!r}."
            ) from None

    # Each cast returns None when the value breaks the rule.

    def _as_float(self, value: Any) -> float | None:
        if isinstance(value, bool) or not isinstance(value, Real):
            return None
        value = float(value)
        return value if math.isfinite(value) and self._inside(value) else None

    _as_log = _as_float

    def _as_int(self, value: Any) -> int | None:
        if isinstance(value, bool) or not isinstance(value, Real):
            return None
        if not isinstance(value, Integral) and not float(value).is_integer():
            return None
        value = int(value)
        return value if self._inside(value) else None

    def _as_bool(self, value: Any) -> bool | None:
        # numpy's bool is no subclass of Python's, but a page may well hand one over.
        return bool(value) if type(value).__name__ in ("bool", "bool_") else None

    def _as_choice(self, value: Any) -> Any:
        for choice in self.choices:
            if isinstance(value, bool) == isinstance(choice, bool) and _equal(
                value, choice
            ):
                return choice
        return None

    def _inside(self, value: float) -> bool:
        return not (
            (self.low is not None and value < self.low)
            or (self.high is not None and value > self.high)
        )


def _equal(a: Any, b: Any) -> bool:
    """Equality of two scalars; an array or other stranger is just unequal."""
    try:
        return bool(a == b)
    except (TypeError, ValueError):
        return False
