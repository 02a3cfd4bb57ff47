"""Find the app's widgets by name, however often the server has made them anew."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from streamlit.testing.v1.element_tree import UnknownElement

from halfmoon.pages._parts.screen.page import TURN
from halfmoon.scenario import default
from halfmoon.stage.pack import unpack

EVENTS_OF = "$$STREAMLIT_INTERNAL_KEY_"  # before the id of a component
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


@dataclass
class Menu:
    """One of the app's menus, `pages/_parts/widgets/menu.py`."""

    element: UnknownElement

    @property
    def data(self):
        return json.loads(self.element.proto.json)

    @property
    def groups(self):
        """Titles of the options, by the title of their group."""
        return {
            group["title"]: [option["title"] for option in group["options"]]
            for group in self.data["groups"]
        }

    @property
    def options(self):
        """Ids of the options."""
        return [o["id"] for group in self.data["groups"] for o in group["options"]]

    @property
    def value(self):
        return self.data["chosen"]

    def select(self, option):
        """Choose an option; what the browser says of it goes with the next run.

        Any text may come, also one that is not offered.
        """
        tree = self.element.root
        read = tree.get_widget_states

        def with_choice():
            states = read()
            said = states.widgets.add(id=f"{EVENTS_OF}{self.element.proto.id}__events")
            said.json_trigger_value = json.dumps([{"event": "chosen", "value": option}])
            return states

        tree.get_widget_states = with_choice
        return self


def menus(app):
    """The app's menus by name."""
    found = (
        e
        for e in app.get("bidi_component")
        if e.proto.component_name == "halfmoon_menu"
    )
    return {e.key: Menu(e) for e in found}


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
