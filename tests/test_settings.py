"""A setting is declared once, and everything else follows from it."""

import pickle
from dataclasses import FrozenInstanceError

import pytest
from sklearn.base import clone

from ssl_core.estimators import LapSVMPCGClassifier, S3VMLightClassifier
from ssl_core.estimators.spaces import Graph, Kernel
from ssl_core.settings import (
    Settings,
    anything,
    choice,
    number,
    settings_of,
    shared,
    switch,
)


class Oven(Settings):
    """An oven."""

    heat: float = number(
        180.0,
        "Degrees.",
        above=0,
        at_most=300,
        title="Heat",
        slider=(50, 250),
        step=5,
        up="a darker crust",
    )
    minutes: int | None = number(None, "None: until done.", integer=True, also=(None,))
    shelf: str = choice("middle", ("top", "middle"), "Where.", title="Shelf")
    fan: bool = switch(False, "Whether air moves.", title="Fan")
    dough: object = anything(None, "What is baked.")


class Stove(Settings):
    """Another that takes the heat over."""

    heat: float = shared(Oven, default=90.0, doc="Degrees of the plate.", at_most=200)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"heat": 0}, "heat must be a number > 0 and <= 300, got 0."),
        ({"heat": "hot"}, "heat must be a number > 0 and <= 300, got 'hot'."),
        ({"minutes": 2.5}, "minutes must be an integer, got 2.5."),
        ({"shelf": "floor"}, "shelf must be one of 'top', 'middle', got 'floor'."),
        ({"fan": 1}, "fan must be True or False, got 1."),
    ],
)
def test_a_group_checks_its_values_when_it_is_made(values, message):
    with pytest.raises(ValueError, match=message.replace(".", r"\.")):
        Oven(**values)


def test_a_group_is_a_frozen_value_with_its_words():
    oven = Oven(minutes=20)
    assert oven == Oven(minutes=20) == pickle.loads(pickle.dumps(oven))
    assert oven.values == {
        "heat": 180.0,
        "minutes": 20,
        "shelf": "middle",
        "fan": False,
        "dough": None,
    }
    with pytest.raises(FrozenInstanceError):
        oven.heat = 200.0
    assert "heat : float, default=180.0\n    Degrees." in Oven.__doc__
    assert "minutes : int or None, default=None" in Oven.__doc__
    assert "shelf : {'top', 'middle'}, default='middle'" in Oven.__doc__


def test_a_field_that_is_taken_over_may_differ_in_what_is_said():
    assert Stove().heat == Stove.heat == 90.0
    assert settings_of(Stove)["heat"].doc == "Degrees of the plate."
    assert settings_of(Stove)["heat"].title == "Heat"
    with pytest.raises(ValueError, match="<= 200"):
        Stove(heat=250)
    assert Oven(heat=250).heat == 250  # the group itself is as it was


def test_the_knob_says_what_the_setting_says():
    heat = settings_of(Oven)["heat"].knob("heat", 180.0)
    assert (heat.low, heat.high, heat.step, heat.default) == (50, 250, 5, 180.0)
    assert (heat.help, heat.meaning) == (
        "Degrees.",
        "Increasing it means a darker crust.",
    )
    assert settings_of(Oven)["fan"].knob("fan", False).kind == "bool"
    minutes = settings_of(Oven)["minutes"]
    assert minutes.title == ""  # and hence no knob
    sigma = settings_of(Kernel)["sigma"].knob("sigma", "auto")
    assert (sigma.kind, sigma.also, sigma.needs) == (
        "log",
        ("auto",),
        ("kernel", "rbf"),
    )


def test_a_group_is_made_of_what_an_estimator_has():
    est = S3VMLightClassifier(sigma=0.4, kernel="rbf")
    assert Kernel.of(est) == Kernel(sigma=0.4)
    assert Kernel.of(est).dtype == "float64"  # which it does not have
    assert Graph.of(LapSVMPCGClassifier(n_neighbors=9)).n_neighbors == 9


def test_a_subclass_may_override_and_is_cloned_and_pickled():
    class Patient(LapSVMPCGClassifier):
        """With more iterations."""

        max_iter: int = number(9_000, "Many.", integer=True, at_least=0)

    est = Patient(sigma=0.35, stop="stability")
    assert est.max_iter == 9_000
    assert clone(est).get_params() == est.get_params()
    assert repr(est) == "Patient(sigma=0.35, stop='stability')"
    assert LapSVMPCGClassifier().max_iter == 500
    twin = pickle.loads(pickle.dumps(LapSVMPCGClassifier(sigma=0.35)))
    assert twin.get_params() == LapSVMPCGClassifier(sigma=0.35).get_params()


def test_a_subclass_may_change_a_default_by_a_plain_value():
    class Sharp(S3VMLightClassifier):
        """Labels switched in a narrow kernel."""

        sigma: float | str = 0.25

    est = clone(Sharp(C=3.0))
    assert (est.sigma, est.C, est.kernel) == (0.25, 3.0, "rbf")
    assert est.get_params().keys() == S3VMLightClassifier().get_params().keys()
    assert "sigma : float or 'auto', default=0.25" in Sharp.__doc__
    with pytest.raises(ValueError, match="sigma must be a number > 0"):
        Sharp(sigma=-1.0).fit([[0.0], [1.0]], [0, 1])


def test_a_field_that_is_no_setting_is_refused_where_it_is_declared():
    with pytest.raises(TypeError, match=r"extra of Wide must be declared by number"):

        class Wide(S3VMLightClassifier):
            extra: int = 3
