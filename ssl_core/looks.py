"""How events look: the colour of a tick, and whether a caption repeats its sentence.

A state says what happened; its `Event` has a kind, a sentence and data. How a kind is
shown is decided here, in one table. An algorithm with kinds of its own has their looks
in its catalogue entry:

    register(Algorithm(id="soft_vote", ..., looks={"cooled": Look("bad")}))
"""

from collections.abc import Mapping
from dataclasses import dataclass

from halfmoon.common.plugins import track
from ssl_core.trace import Event

TONES = ("ink", "good", "warn", "bad", "accent", "muted")


@dataclass(frozen=True, slots=True)
class Look:
    """How events of one kind are shown.

    Attributes
    ----------
    tone : {"ink", "good", "warn", "bad", "accent", "muted"}
        Colour of the tick on the scrubber, by its name in `ssl_core.viz.theme`.
    tick : bool
        False for what happens at nearly every iteration: it gets no tick.
    narrated : bool
        False where the caption of the iteration says the same without it.
    """

    tone: str = "ink"
    tick: bool = True
    narrated: bool = True

    def __post_init__(self) -> None:
        if self.tone not in TONES:
            raise ValueError(f"tone must be one of {TONES}, got {self.tone!r}.")


DEFAULT = Look()  # of a kind that is not in the table

LOOKS: dict[str, Look] = {
    # a stopping rule
    "check": Look("muted"),
    "stop": Look("good"),
    # a schedule: the head of the caption has the new value
    "C_u": Look(narrated=False),
    "lam_u": Look(narrated=False),
    "smoothing": Look("warn", narrated=False),
    "temperature": Look("warn", narrated=False),
    # labels of unlabelled points, and the best model
    "best": Look("good"),
    "search": Look("accent"),
    "switch": Look("accent"),
    # Newton's method and conjugate gradients
    "error_vectors": Look(tick=False, narrated=False),
    "restart": Look("warn"),
    # branch and bound
    "fixed": Look(tick=False),
    "incumbent": Look("good"),
    "limit": Look("warn"),
    "proved": Look("good"),
    # the convex relaxation
    "rounded": Look("good"),
    "tight": Look("good"),
    # a path
    "jump": Look("accent"),
    "margin": Look("muted", tick=False),
    "stuck": Look("bad"),
}


track(LOOKS)


def look_of(event: Event) -> Look:
    """How an event is shown."""
    return LOOKS.get(event.kind, DEFAULT)


def register_looks(looks: Mapping[str, Look]) -> None:
    """Say how new kinds of events are shown.

    Kinds are shared by all algorithms: one that has a look already may be named again
    with the same look only.
    """
    for kind, look in looks.items():
        if LOOKS.get(kind, look) != look:
            raise ValueError(
                f"events of kind {kind} are shown as {LOOKS[kind]} already, got {look}."
            )
    LOOKS.update(looks)
