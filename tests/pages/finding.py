"""Find the app's widgets by name, however often the server has made them anew."""

from pathlib import Path

from pages._parts.scenario import default
from pages._parts.stage.pack import unpack
from pages._parts.widgets.callbacks import TURN

FEW = 60
APP = str(Path(__file__).resolve().parents[2] / "app.py")


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
    return default().with_data(data).with_algorithm(algorithm).with_data_knob("n", FEW)
