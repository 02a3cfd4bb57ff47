"""What all panels beside the stage have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class Panel:
    """A picture beside or below the stage, drawn at the common cursor.

    A kind of panel is a subclass here and a class of the same ``kind`` in
    ``panels.js``: this one checks and packs, that one draws.

    Parameters
    ----------
    title : str
    below : bool or None
        Whether it stands below the stage. None: where there is room.
    answer : bool
        Whether it gives an answer away: a view that asks first shows it later.
    """

    kind: ClassVar[str]

    title: str
    below: bool | None = field(default=None, kw_only=True)
    answer: bool = field(default=False, kw_only=True)

    def per_frame(self) -> dict[str, Any]:
        """Sequences that must hold one value for each frame, or None, by name."""
        return {}

    def check(self, view) -> None:
        """Raise a sentence where a view lacks what this panel shows of it."""

    def packed(self, pack, name: str) -> dict[str, Any]:
        """What the browser is told; arrays go to ``pack`` under names with ``name``."""
        return {
            "kind": self.kind,
            "title": self.title,
            "below": self.below,
            "answer": self.answer,
        }
