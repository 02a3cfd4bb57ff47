"""The setting: which data, which labels, which points are held out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from halfmoon.common.knobs import Knob
from halfmoon.datasets import DATASETS
from halfmoon.scenario.values import (
    DRAWN,
    FIRST_DATA,
    N_DRAWN,
    N_TEST,
    N_VAL,
    SEED,
    UPLOAD,
    Drawing,
    Labels,
    Pairs,
    Upload,
    pairs,
)


@dataclass(frozen=True, slots=True)
class Setting:
    """What all methods of a scenario are given.

    Parameters
    ----------
    data : str
        Key of `datasets.DATASETS`, "drawn" or "upload".
    data_knobs : tuple of (name, value)
        All knobs of the data.
    seed : int
        Draw of the data and of the points held out.
    labels, drawing, upload : Labels, Drawing, Upload or None
    n_val, n_test : int
        Points held out.
    """

    data: str = FIRST_DATA
    data_knobs: Pairs = ()
    seed: int = 0
    labels: Labels = field(default_factory=Labels)
    drawing: Drawing = field(default_factory=Drawing)
    upload: Upload | None = None
    n_val: int = 0
    n_test: int = 0

    @classmethod
    def of(cls, data: str, upload: Upload | None = None) -> Setting:
        """Data as a visitor meets them: knobs at their defaults, labels that suit."""
        knobs = pairs({k.name: k.default for k in data_knobs(data).values()})
        return cls(data, knobs, labels=default_labels(data), upload=upload)

    @property
    def knobs(self) -> dict[str, Any]:
        return dict(self.data_knobs)

    @property
    def usual(self) -> Setting:
        """What a link need not say once it has named the data."""
        return Setting.of(self.data)

    def with_data(self, name: str, upload: Upload | None = None) -> Setting:
        """Other data; labels and edits start again."""
        kept = {"seed": self.seed, "n_val": self.n_val, "n_test": self.n_test}
        return replace(Setting.of(name, upload), **kept)

    def with_knob(self, name: str, value: Any) -> Setting:
        """Turn a knob of the data; edits and hand labels of the old points go."""
        knobs = data_knobs(self.data)
        if name not in knobs:
            raise ValueError(f"These data have no setting {name!r:.40}.")
        value = knobs[name].check(value)
        changed = self._other_points(data_knobs=pairs({**self.knobs, name: value}))
        labels = changed.labels
        if name == "n_classes" and labels.how == "telling" and labels.count < value:
            labels = replace(labels, count=value)  # one label per class at least
        return replace(changed, labels=labels)

    def with_seed(self, seed: int) -> Setting:
        return self._other_points(seed=SEED.check(seed))

    def _other_points(self, **changes) -> Setting:
        if self.data == DRAWN:  # a drawing has no other draw: only its classes change
            return replace(self, **changes)
        by_hand = self.labels.how == "hand"
        labels = default_labels(self.data) if by_hand else self.labels
        return replace(self, **changes, labels=labels, drawing=Drawing())

    def with_held_out(self, n_val: int, n_test: int) -> Setting:
        return replace(self, n_val=N_VAL.check(n_val), n_test=N_TEST.check(n_test))


def data_knobs(name: str) -> Mapping[str, Knob]:
    """Knobs of a data set, own data included."""
    if name == DRAWN:
        return {"n_classes": N_DRAWN}
    return {} if name == UPLOAD else DATASETS[name].knobs


def data_title(setting) -> str:
    """What the data of a setting, or of a scenario, are called on the page."""
    if setting.data == DRAWN:
        return "Drawn points"
    if setting.data == UPLOAD:
        return setting.upload.name if setting.upload else "Uploaded file"
    return DATASETS[setting.data].title


def default_labels(name: str) -> Labels:
    """Labels to begin with: telling ones where the eye can judge, else at random."""
    if name == DRAWN:
        return Labels("hand")
    if name == UPLOAD:
        return Labels("random", 3)
    entry = DATASETS[name]
    if entry.kind == "toy" and entry.dims == 2:
        return Labels("telling", max(entry.n_labeled, 2))
    return Labels("random", max(1, -(-entry.n_labeled // entry.n_classes)))
