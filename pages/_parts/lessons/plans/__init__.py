"""The lessons: each is a module here and its prose beside it, ``name.md``.

A lesson is added by these two files and found by itself.
"""

from importlib import import_module
from pkgutil import iter_modules

from halfmoon.pages._parts.lessons.lesson import Lesson


def found() -> dict[str, Lesson]:
    """By name, in the order in which they are best taken."""
    modules = (import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__))
    lessons = (m.LESSON for m in modules if hasattr(m, "LESSON"))
    return {each.name: each for each in sorted(lessons, key=lambda each: each.order)}


LESSONS = found()
