"""Find the app's widgets by name, however often the server has made them anew."""

from pages._parts.widgets.callbacks import TURN


def name_of(key):
    return (key or "").split(TURN)[0]


def named(widgets, name):
    """The widget called `name` among those of one kind."""
    (found,) = (w for w in widgets if name_of(w.key) == name_of(name))
    return found
