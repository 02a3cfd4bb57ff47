"""Colours by meaning, light and dark: ``theme.json``, which the stage reads too.

A meaning has one colour everywhere. Lines that share a panel differ in dash as well,
and marks in shape, so that no reading depends on colour alone.
"""

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

LEAN = 0.35  # how far the second ten class colours lean towards ink


@dataclass(frozen=True, slots=True)
class Theme:
    """One palette; the roles are those of the stage.

    Attributes
    ----------
    ink : str
        Text and the decision boundary f = 0.
    soft, muted : str
        Secondary text; unlabelled points.
    accent : str
        The cursor and the active control.
    good, warn, bad : str
        Stopped or converged; a change of course; a failure or a jump.
    background, panel, line : str
        Surfaces, and the hairlines between them.
    classes : tuple of str
        Ten class colours; class 0 is the -1 and class 1 the +1 of two classes.
    strength : float
        Share of a class's colour in the strongest field behind the points.
    """

    name: str
    ink: str
    soft: str
    muted: str
    accent: str
    good: str
    warn: str
    bad: str
    background: str
    panel: str
    line: str
    classes: tuple[str, ...]
    strength: float

    @property
    def negative(self) -> str:
        return self.classes[0]

    @property
    def positive(self) -> str:
        return self.classes[1]

    def class_colour(self, index: int) -> str:
        """Colour of a class; from the eleventh on the first ten, leaning to ink."""
        colour = self.classes[index % len(self.classes)]
        if index < len(self.classes):
            return colour
        return mix(colour, self.ink, LEAN)

    def role_colour(self, role: str) -> str:
        """Colour by meaning: "accent", "ink", "class3", ... as the stage knows it."""
        if role.startswith("class"):
            return self.class_colour(int(role.removeprefix("class")))
        return getattr(self, role)


def _read(name: str, palette: dict[str, Any]) -> Theme:
    values = {"name": name, **palette, "classes": tuple(palette["classes"])}
    return Theme(**{field.name: values[field.name] for field in fields(Theme)})


_PALETTES = json.loads(Path(__file__).with_name("theme.json").read_text("utf-8"))
LIGHT, DARK = (_read(name, _PALETTES[name]) for name in ("light", "dark"))


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of ``"#rrggbb"``."""
    value = int(colour.removeprefix("#"), 16)
    return value >> 16, (value >> 8) & 255, value & 255


def mix(colour: str, other: str, share: float) -> str:
    """``share`` of the way from one colour to another."""
    mixed = (
        round(a + (b - a) * share) for a, b in zip(rgb(colour), rgb(other), strict=True)
    )
    return "#{:02x}{:02x}{:02x}".format(*mixed)
