"""An algorithm whose numbers change raises its version: finished cells carry it.

The table has the numbers of every version on one small problem.
``python -m tests.test_versions`` adds those of versions that are new.
"""

import json
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from ssl_core import make
from ssl_core.registry import ALGORITHMS
from ssl_core.threads import capped
from tests.small_problems import moons

TABLE = Path(__file__).with_name("versions.json")
# Wide enough for another machine's rounding: a run stops at a tolerance of its own.
# That of lapsvm_dual, 1e-6 on its conditions, leaves 2.1e-6 of its objective between
# processors with and without AVX-512.
OBJECTIVE = 5e-6  # relative
OUTPUTS = 5e-3
KNOBS = {
    "sigma": 0.5,
    "gamma_I": 1e-3,
    "share": 0.5,
}  # so that no method has all points in one class
RENEW = "run `python -m tests.test_versions` to renew the table"


def numbers(name: str) -> dict:
    """What an algorithm makes of two noisy moons, a wrong label among the given."""
    X, truth = moons(24, noise=0.25, seed=3)
    given = np.full(len(truth), -1)
    for label in (0, 1):
        rows = np.flatnonzero(truth == label)[:4]
        given[rows] = label
    given[rows[0]] = 0
    estimator = make(name)
    own = estimator.get_params()
    estimator.set_params(**{k: v for k, v in KNOBS.items() if k in own})
    with capped(blas=1, loops=1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for state in estimator.iterate(X, given):  # noqa: B007 - the last one counts
            pass
    return {
        "objective": float(f"{state.objective:.9g}"),
        "outputs": float(f"{np.abs(state.f).mean():.6g}"),
        "labels": "".join("+" if f > 0 else "-" for f in np.ravel(state.f)),
    }


def same(ours: dict, table: dict) -> bool:
    return (
        ours["labels"] == table["labels"]
        and ours["objective"] == pytest.approx(table["objective"], rel=OBJECTIVE)
        and ours["outputs"] == pytest.approx(table["outputs"], rel=OUTPUTS)
    )


def table() -> dict:
    return json.loads(TABLE.read_text()) if TABLE.exists() else {}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_numbers_of_a_version_stay_as_they_are(name):
    if name == "convex_relaxation" and find_spec("scs") is None:
        pytest.skip("convex_relaxation needs scs, which this machine has no wheel for")
    version, ours = str(ALGORITHMS[name].version), numbers(name)
    known = table().get(name, {})
    assert version in known, f"{name} has version {version}, which is new: {RENEW}"
    assert same(ours, known[version]), (
        f"numbers of {name} changed: raise its version in the catalogue and {RENEW}\n"
        f"{ours} is not\n{known[version]}"
    )


def test_a_version_is_never_lowered():
    for name, known in table().items():
        if name in ALGORITHMS:
            assert ALGORITHMS[name].version == max(map(int, known)), name


@pytest.mark.parametrize(
    "change",
    [
        {"objective": 1.00001},
        {"outputs": 1.02},
        {"labels": "+-"},
    ],
)
def test_a_change_is_seen(change):
    before = {"objective": 1.0, "outputs": 1.0, "labels": "++"}
    assert same(before | {"objective": 1.0 + 1e-8, "outputs": 1.0001}, before)
    assert not same(before | change, before)


def renew() -> None:
    """Add the versions that are new; numbers of an old one are not overwritten."""
    known = table()
    for name, entry in ALGORITHMS.items():
        versions, ours = known.setdefault(name, {}), numbers(name)
        if not same(ours, versions.setdefault(str(entry.version), ours)):
            sys.exit(
                f"numbers of {name} changed: raise its version in the catalogue first."
            )
    TABLE.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    renew()
