"""A warning where scikit-learn would count the mark of unlabelled points as a class.

Scikit-learn's cross-validation clones its estimator once for every fold, in a loop over
`train` and `test` of which y is known: at that moment, before any training and in the
caller's process, the test fold can be looked at. That is one look at the stack for each
clone; nothing is looked at while an estimator is trained or used. The names below are
scikit-learn's own: tests/estimators/test_judged.py fails where they change.
"""

import sys
import warnings
from collections.abc import Iterator
from types import FrameType
from typing import Any
from weakref import WeakSet

import numpy as np

from ssl_core.estimators._inputs import is_unlabeled, plain

LOOP = "<genexpr>"  # over the folds, with `train`, `test`, `y` and what judges
FIT = "fit"  # of a calibration without such a loop: ensemble=False
SCORERS = ("scorers", "scorer", "fit_and_score_kwargs")
OWN_SCORE = "_PassthroughScorer"  # calls `score`, which leaves unlabelled points out
SEVERAL = "_scorers"  # of one scorer that stands for some of them
CALIBRATION = "sklearn.calibration"
QUIET = ("sklearn", "joblib", "ssl_core.estimators")  # the user called none of these
SPLITTERS = "SemiSupervisedKFold or SemiSupervisedShuffleSplit"

_told: WeakSet = WeakSet()  # loops, by their `Parallel`: one warning for each


def warn_of_judged_marks(unlabeled: Any) -> None:
    """One warning if this clone is for a fold whose marks would be judged as labels."""
    for frame in _frames(sys._getframe(1)):
        if frame.f_code.co_name not in (LOOP, FIT) or not _is_of_interest(frame):
            continue
        if frame.f_code.co_name == LOOP:
            parallel = _nearest(frame, "parallel")
            if parallel is None or parallel in _told:  # a later part of a loop
                return
        sentence = _sentence(_module(frame), frame.f_locals, unlabeled)
        if sentence:
            if frame.f_code.co_name == LOOP:
                _told.add(parallel)
            warnings.warn(sentence, UserWarning, stacklevel=_level())
        return


def _is_of_interest(frame: FrameType) -> bool:
    """Whether it is scikit-learn's, with labels whose folds can be looked at."""
    if frame.f_code.co_name == FIT:
        known = _module(frame) == CALIBRATION
    else:
        known = _module(frame).startswith("sklearn.")
        known = known and {"train", "test"} <= frame.f_locals.keys()
    return known and np.ndim(frame.f_locals.get("y")) == 1


def _sentence(module: str, found: dict, unlabeled: Any) -> str:
    """What is wrong with the fold, or nothing."""
    y = plain(found["y"])
    if module == CALIBRATION:
        hidden = is_unlabeled(y, unlabeled)
        several = len(set(y[~hidden].tolist())) > 2
        tested = hidden[found.get("test", slice(None))]
        if not hidden.any() or (several and not tested.any()):
            return ""
        return (
            f"y marks unlabelled points by {unlabeled!r}, which CalibratedClassifierCV "
            f"takes for a class, so that its probabilities are wrong; use "
            f"SemiSupervisedCalibratedClassifierCV of halfmoon.model_selection"
            f"{_with(unlabeled)}."
        )
    if not _counts_marks(found) or not is_unlabeled(y[found["test"]], unlabeled).any():
        return ""
    return (
        f"the test folds hold unlabelled points, whose mark {unlabeled!r} scoring "
        f"takes for a class, so that scores are wrong; use cv={SPLITTERS} "
        f"of halfmoon.model_selection{_with(unlabeled)}."
    )


def _with(unlabeled: Any) -> str:
    """The argument that tells of a mark other than the usual one."""
    usual = is_unlabeled(np.array([-1]), unlabeled).all()
    return "" if usual else f", with unlabeled={unlabeled!r}"


def _counts_marks(found: dict) -> bool:
    """Whether a scorer sees the labels of the fold; `score` alone knows the mark."""
    judge = next((found[name] for name in SCORERS if name in found), None)
    if isinstance(judge, dict):
        judge = judge.get("scorer", judge)
    several = getattr(judge, SEVERAL, {"": judge}).values()
    return any(j is not None and type(j).__name__ != OWN_SCORE for j in several)


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _nearest(frame: FrameType, name: str) -> Any:
    """A variable of that name in the first frame that has one."""
    return next((f.f_locals[name] for f in _frames(frame) if name in f.f_locals), None)


def _level() -> int:
    """``stacklevel`` of the caller's own line, for `warn` two frames above this one."""
    frames = _frames(sys._getframe(1))
    names = [_module(frame) for frame in frames]
    own = (i for i, name in enumerate(names) if not name.startswith(QUIET))
    return next(own, len(names) - 1) + 1
