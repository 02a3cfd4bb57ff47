"""Settings, declared once: default, limits and words.

A solver, a kernel, a graph: each has a group of settings, a frozen dataclass whose
fields are made by `number`, `choice`, `switch` or `anything`:

    class Newton(Settings):
        tol: float = number(1e-6, "Share of points ...", at_least=0, title="Tolerance")

A group checks its values when it is made. An estimator takes a field over by name, and
may change what is said of it:

    class SVMClassifier(SemiSupervisedClassifier):
        tol: float = shared(Newton)

From these fields follow its ``__init__``, its checks, the section "Parameters" of its
docstring, and the knobs of the app.
"""

import inspect
import math
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from typing import Any, Self, dataclass_transform

import numpy as np

from halfmoon.common.knobs import Knob

# What a person can wait for: a step is a training, which takes 1 ms at the least.
MAX_STEPS = 5_000  # of a schedule that a rate makes
MAX_VALUES = 1_000  # of a schedule that is given by their number
LIGHTEST, HEAVIEST = 1e-9, 1e6  # weights of losses; beyond them rounding decides
# Of schedules and limits, which are each algorithm's own: see `Knob`.
OWN = {"place": "more", "travels": False}
_KEY = "setting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is known of one setting besides its name, type and default.

    Attributes
    ----------
    kind : {"float", "int", "choice", "bool", "object"}
    doc : str
        Of the docstring.
    above, at_least, at_most : float or None
        Limits of a number.
    also : tuple
        Values that are allowed besides: None, "auto".
    options : tuple
        Allowed values of a choice.
    rule : callable or None
        Called with name and value instead of the usual check; raises a ValueError that
        names argument and rule.
    values : str
        For the docstring: "float or None"; made of the rest where it is empty.
    title : str
        Words on its widget; a setting without a title has none.
    slider : (low, high) or None
        What a visitor may ask of a server; the limits above allow more.
    log : bool
        Whether the slider is logarithmic.
    extra : tuple
        Values that a visitor may choose outside the slider, besides ``also``: 0 on a
        logarithmic scale.
    offered : tuple
        Options that a visitor may choose; all where it is empty.
    order : int
        Knobs of a higher order come later among those of their place.
    step, help, up, unit, words, place, needs, travels
        As in `Knob`; ``doc`` serves as help where there is none.
    """

    kind: str
    doc: str
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    also: tuple = ()
    options: tuple = ()
    rule: Callable[[str, Any], None] | None = None
    values: str = ""
    title: str = ""
    slider: tuple[float, float] | None = None
    log: bool = False
    extra: tuple = ()
    offered: tuple = ()
    order: int = 0
    step: float | None = None
    help: str = ""
    up: str = ""
    unit: str = ""
    words: tuple[str, ...] = ()
    place: str = "front"
    needs: tuple[str, Any] | None = None
    travels: bool = True

    def check(self, name: str, value: Any) -> None:
        """Raise a ValueError that names argument and rule, or do nothing."""
        if self.rule is not None:
            self.rule(name, value)
        elif self.kind == "choice":
            check_choice(name, value, self.options)
        elif self.kind == "bool":
            check_switch(name, value)
        elif self.kind in ("float", "int") and not any(value is v for v in self.also):
            check_number(
                name,
                value,
                above=self.above,
                at_least=self.at_least,
                at_most=self.at_most,
                integer=self.kind == "int",
            )

    @property
    def type_words(self) -> str:
        """Its values as a docstring names them."""
        if self.values:
            return self.values
        if self.kind == "choice":
            return "{" + ", ".join(map(repr, self.options)) + "}"
        return " or ".join([self.kind, *map(repr, self.also)])

    def knob(self, name: str, default: Any) -> Knob:
        """The knob of the app; a setting without a title has none."""
        low, high = self.slider or (None, None)
        return Knob(
            name,
            "log" if self.log else self.kind,
            low,
            high,
            default=default,
            step=self.step,
            choices=self.offered or self.options,
            help=self.help or self.doc,
            up=self.up,
            unit=self.unit,
            also=(*self.also, *self.extra),
            title=self.title,
            words=self.words,
            place=self.place,
            needs=self.needs,
            travels=self.travels,
        )


# -- declarations --------------------------------------------------------------------


def number(default, doc: str, *, integer: bool = False, **known) -> Any:
    """A finite number, or one of the values ``also``."""
    kind = "int" if integer else "float"
    return _declared(default, Setting(kind=kind, doc=doc, **known))


def choice(default, options: tuple, doc: str, **known) -> Any:
    return _declared(default, Setting(kind="choice", doc=doc, options=options, **known))


def switch(default: bool, doc: str, **known) -> Any:
    return _declared(default, Setting(kind="bool", doc=doc, **known))


def anything(default, doc: str, **known) -> Any:
    """A value that ``rule`` checks, or that its user does."""
    return _declared(default, Setting(kind="object", doc=doc, **known))


def _declared(default, setting: Setting) -> Any:
    return field(default=default, metadata={_KEY: setting})


class _Shared:
    """The place of a field that is taken over from a group."""

    def __init__(self, group: type, changes: Mapping[str, Any]):
        self.group, self.changes = group, changes

    def field(self, name: str) -> Any:
        declared = {f.name: f for f in fields(self.group)}[name]
        changes = dict(self.changes)
        default = changes.pop("default", declared.default)
        return _declared(default, replace(declared.metadata[_KEY], **changes))


def shared(group: type, **changes) -> Any:
    """The field of the same name of a group; ``changes`` of its default or `Setting`.

    A change of ``doc`` without ``help`` is one of both.
    """
    if "doc" in changes:
        changes.setdefault("help", "")
    return _Shared(group, changes)


def settings_of(kind: type) -> dict[str, Setting]:
    """The settings of a group or an estimator by name."""
    return {f.name: f.metadata[_KEY] for f in fields(kind)}


def declare(kind: type, **options) -> None:
    """Make a class a dataclass of its settings; ``options`` as of `dataclass`."""
    inherited = settings_of(kind) if is_dataclass(kind) else {}
    for name, value in list(vars(kind).items()):
        if isinstance(value, _Shared):
            setattr(kind, name, value.field(name))
        elif name in inherited and name in kind.__annotations__:
            if not isinstance(value, Field):  # another default, and all else as it was
                setattr(kind, name, _declared(value, inherited[name]))
        elif name in inherited:
            raise TypeError(
                f"{name} of {kind.__name__} must be declared with its type, such as "
                f"{name}: {type(value).__name__} = {value!r}; a value without one "
                f"would change nothing."
            )
    doc = inspect.getdoc(kind) or ""
    dataclass(kw_only=True, **options)(kind)
    for item in fields(kind):
        if _KEY not in item.metadata:
            raise TypeError(
                f"{item.name} of {kind.__name__} must be declared by number, choice, "
                f"switch or anything, such as {item.name}: Any = anything(None, ...); "
                f"what is no setting is a ClassVar."
            )
    kind.__doc__ = _documented(doc, kind)


def _documented(doc: str, kind: type) -> str:
    """A docstring with the section "Parameters" that the settings make."""
    text, _, _ = doc.partition("\nParameters\n----------\n")
    lines = [text.rstrip(), "", "Parameters", "----------"]
    for item in fields(kind):
        setting = item.metadata[_KEY]
        lines.append(f"{item.name} : {setting.type_words}, default={item.default!r}")
        lines += textwrap.wrap(
            setting.doc, 76, initial_indent=" " * 4, subsequent_indent=" " * 4
        )
    return "\n".join(lines) + "\n"


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Settings:
    """Base of all groups: frozen dataclasses whose values are checked."""

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        declare(cls, frozen=True)

    def __post_init__(self) -> None:
        for name, setting in settings_of(type(self)).items():
            setting.check(name, getattr(self, name))

    @classmethod
    def of(cls, owner: Any) -> Self:
        """The group with the values of an estimator, and defaults for the rest."""
        known = {n: getattr(owner, n) for n in settings_of(cls) if hasattr(owner, n)}
        return cls(**known)

    @property
    def values(self) -> dict[str, Any]:
        """All settings by name."""
        return {name: getattr(self, name) for name in settings_of(type(self))}


# -- checks --------------------------------------------------------------------------


def check_number(
    name, value, *, above=None, at_least=None, at_most=None, integer=False
):
    """A finite number in range, or a ValueError that names argument and rule."""
    kind = "an integer" if integer else "a number"
    types = (int, np.integer) if integer else (int, float, np.integer, np.floating)
    rule = f"{name} must be {kind}"
    if above is not None:
        rule += f" > {above:g}"
    if at_least is not None:
        rule += f" >= {at_least:g}"
    if at_most is not None:
        rule += f" and <= {at_most:g}"
    good = isinstance(value, types) and not isinstance(value, bool | np.bool_)
    if good and isinstance(value, int) and value.bit_length() >= 64:
        way_out = "choose a smaller one" if integer else "write it as a float"
        raise ValueError(
            f"{rule} of at most 64 bits, got one of {value.bit_length()}; {way_out}."
        )
    good = good and bool(np.isfinite(value))
    good = good and (above is None or value > above)
    good = good and (at_least is None or value >= at_least)
    good = good and (at_most is None or value <= at_most)
    if not good:
        raise ValueError(f"{rule}, got {value!r}.")


def check_schedule(name, rate, low, high, *, what):
    """A schedule from ``low`` to ``high``, each ``rate`` times the last, has an end."""
    if not low < high:
        return
    steps = math.log(high / low) / math.log(rate)
    if steps > MAX_STEPS:
        least = math.ceil(1e4 * math.exp(math.log(high / low) / MAX_STEPS)) / 1e4
        raise ValueError(
            f"{name} must lead {what} from {low:g} to {high:g} in at most "
            f"{MAX_STEPS:,} steps, got {rate!r}, which takes {steps:,.0f}; choose "
            f"{name} >= {least:g}."
        )


def check_choice(name, value, choices):
    if not isinstance(value, str) or value not in choices:
        raise ValueError(
            f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}."
        )


def check_switch(name, value):
    """True or False; any word would count as True."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {value!r}.")


def check_function(name, value, *arguments):
    """A function that can be called with so many arguments, as far as it tells."""
    try:
        inspect.signature(value).bind(*arguments)
    except TypeError as error:
        count = "one argument" if len(arguments) == 1 else f"{len(arguments)} arguments"
        raise ValueError(
            f"{name} must be a function of {count}, {name}({', '.join(arguments)}), "
            f"got one that does not take them: {error}."
        ) from None
    except ValueError:  # a function that does not tell its arguments
        pass
