"""Find the app's widgets by name, however often the server has made them anew."""

from dataclasses import replace
from pathlib import Path

from pages._parts.scenario import default
from pages._parts.screen.page import TURN
from stage.pack import unpack

FEW, FEWER = 60, 30
LONG = ("branch_and_bound", "convex_relaxation")  # these take long with more points
LABELS = 6  # enough for all classes among few points
APP = str(Path(__file__).resolve().parents[2] / "pages" / "_parts" / "main.py")


def name_of(key):
    return (key or "").split(TURN)[0]


def named(widgets, name):
    """The widget called `name` among those of one kind."""
    (found,) = (w for w in widgets if name_of(w.key) == name_of(name))
    return found


def shown_on_stage(app):
    """Header of what the stage was sent."""
    (element,) = (
        e
        for e in app.main
        if e.type == "bidi_component" and e.proto.component_name == "halfmoon_stage"
    )
    return unpack(element.proto.bytes)[0]


def played(algorithm, data="two_moons"):
    """The scenario of a data set with an algorithm; few points: all of them take it."""
    scenario = default().with_data(data).with_algorithm(algorithm)
    if algorithm not in LONG:
        return scenario.with_data_knob("n", FEW)
    scenario = scenario.with_data_knob("n", FEWER)
    return scenario.with_labels(replace(scenario.labels, count=LABELS))
