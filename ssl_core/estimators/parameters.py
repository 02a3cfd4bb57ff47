"""Parameters of estimators, declared once: default, rule and words.

    class Machine(SemiSupervisedClassifier):
        lam = number(1e-3, "Weight of |w|^2.", above=0)

A class has the parameters of its bases and its own. From these follow ``__init__`` (all
keyword-only, as scikit-learn's ``clone`` and ``get_params`` want it), the checks at the
door and the section "Parameters" of its docstring.
"""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of an estimator.

    Attributes
    ----------
    default : object
    kind : str
        For the docstring: "float", "{'a', 'b'}".
    doc : str
    check : callable or None
        Called with the parameter's name and value; raises a ValueError that names
        argument and rule.
    """

    default: Any
    kind: str
    doc: str
    check: Callable[[str, Any], None] | None = None


def number(default, doc, *, integer=False, optional=False, **limits) -> Parameter:
    """A finite number; ``limits`` as in `check_number`, ``optional`` allows None."""

    def check(name, value):
        if not (optional and value is None):
            check_number(name, value, integer=integer, **limits)

    kind = ("int" if integer else "float") + (" or None" if optional else "")
    return Parameter(default, kind, doc, check)


def choice(default, options, doc) -> Parameter:
    kind = "{" + ", ".join(map(repr, options)) + "}"
    return Parameter(
        default, kind, doc, lambda n, value: check_choice(n, value, options)
    )


def switch(default, doc) -> Parameter:
    return Parameter(default, "bool", doc, check_switch)


def anything(default, doc, *, kind="object", check=None) -> Parameter:
    return Parameter(default, kind, doc, check)


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
    good = good and bool(np.isfinite(value))
    good = good and (above is None or value > above)
    good = good and (at_least is None or value >= at_least)
    good = good and (at_most is None or value <= at_most)
    if not good:
        raise ValueError(f"{rule}, got {value!r}.")


def check_choice(name, value, choices):
    if value not in choices:
        raise ValueError(
            f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}."
        )


def check_switch(name, value):
    """True or False; any word would count as True."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {value!r}.")


def parameters_of(kind: type) -> dict[str, Parameter]:
    """All parameters of a class by name, its own first."""
    found = {}
    for base in kind.__mro__:
        for name, value in vars(base).items():
            if isinstance(value, Parameter):
                found.setdefault(name, value)
    return found


def declare(kind: type) -> None:
    """Give a class the ``__init__`` and the docstring that its parameters make."""
    found = parameters_of(kind)
    _check_declared(kind, found)

    def construct(self, **values):
        unknown = values.keys() - found.keys()
        if unknown:
            raise TypeError(
                f"{kind.__name__} has no parameter {', '.join(sorted(unknown))}; it "
                f"has: {', '.join(found)}."
            )
        for name, parameter in found.items():
            setattr(self, name, values.get(name, parameter.default))

    arguments = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    arguments += [
        inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=p.default)
        for n, p in found.items()
    ]
    construct.__signature__ = inspect.Signature(arguments)
    construct.__name__, construct.__qualname__ = "__init__", f"{kind.__name__}.__init__"
    construct.declared = True
    kind.__init__ = construct
    kind.__doc__ = _documented(inspect.getdoc(kind) or "", found)


def _check_declared(kind: type, found: dict[str, Parameter]) -> None:
    """An ``__init__`` by hand, or a plain value as a default, would be passed over."""
    for base in kind.__mro__[:-1]:
        own = vars(base).get("__init__")
        if own is not None and not hasattr(own, "declared"):
            raise TypeError(
                f"{base.__name__} must declare its parameters (see "
                f"ssl_core.estimators.parameters) instead of having an __init__, which "
                f"{kind.__name__} would not call."
            )
        for name in found.keys() & vars(base).keys():
            value = vars(base)[name]
            if not isinstance(value, Parameter):
                raise TypeError(
                    f"{name} of {base.__name__} must be declared as a parameter, such "
                    f"as {name} = number({value!r}, ...), got {value!r}."
                )


def _documented(doc: str, found: dict[str, Parameter]) -> str:
    text, _, _ = doc.partition("\nParameters\n----------\n")
    lines = [text.rstrip(), "", "Parameters", "----------"]
    for name, parameter in found.items():
        lines.append(f"{name} : {parameter.kind}, default={parameter.default!r}")
        lines += textwrap.wrap(
            parameter.doc, 76, initial_indent=" " * 4, subsequent_indent=" " * 4
        )
    return "\n".join(lines) + "\n"
