"""What CONTRIBUTING.md shows works as it stands."""

import re
import sys
import types
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from halfmoon import plugins
from ssl_core import ALGORITHMS, estimators, make
from ssl_core.estimators.s3vm_graph import METHODS
from ssl_core.experiments import PROTOCOLS, Store, plan, run
from ssl_core.settings import number
from ssl_core.stopping import rules_for
from tests.small_problems import BY_NAME

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture
def added(monkeypatch):
    """All blocks run in one module; what they register is taken away again."""
    module = types.ModuleType("spreading")
    monkeypatch.setitem(sys.modules, "spreading", module)
    with plugins.temporarily():
        for block in BLOCKS:
            exec(compile(block, "CONTRIBUTING.md", "exec"), vars(module))
        yield module


def test_every_example_runs(added):
    assert len(BLOCKS) == 8
    assert ALGORITHMS["spreading"].estimator is added.SpreadingClassifier


def test_the_example_of_an_algorithm_is_whole(added):
    est = make("spreading", sigma=0.5)
    names = {knob.name: knob.help for knob in ALGORITHMS["spreading"].knobs}
    assert names["share"] == "Share of an output that comes from the neighbours."
    assert {"kernel", "sigma", "tol", "stop", "max_iter"} <= names.keys()
    with pytest.raises(ValueError, match=r"share must be a number > 0 and <= 0.999"):
        clone(est).set_params(share=1).fit(added.X, added.y)
    three = np.concatenate([added.X, added.X[:20] + 5])
    y = np.concatenate([added.y, np.where(np.arange(20) < 2, 2, -1)])
    trace = est.trace(three, y)
    np.testing.assert_allclose(est.decision_function(three), trace.final.f, atol=1e-12)
    assert (est.predict(three) == np.repeat([0, 1, 2], 20)).all()


def test_the_example_of_a_protocol_is_run_by_the_runner(added, tmp_path):
    cells = PROTOCOLS["squares"].cells
    with Store(tmp_path / "store.sqlite") as store:
        made = list(run(plan(cells, store).work, store))
    assert [outcome.error for outcome in made] == [""] * 6
    assert all(outcome.result["error"] < 20 for outcome in made)


def test_any_rule_by_name_is_offered_where_it_can_watch(added):
    assert "low" in rules_for(added.SpreadingState)
    assert "gradient" not in rules_for(added.SpreadingState)
    for name in ("spreading", "svm"):
        assert "low" in ALGORITHMS[name].knob("stop").choices


def test_a_new_kernel_s3vm_works_in_the_graphs_kernel_without_more():
    class Twin(estimators.CCCPClassifier):
        """The concave-convex procedure under another name."""

        class Procedure(estimators.CCCPClassifier._solver):
            """Its settings."""

        _solver = Procedure

    class Patient(estimators.CCCPClassifier):
        """The same solver with another default, which replaces nothing."""

        steps: int = number(20, "Values of C_u.", integer=True, at_least=1)

    name, cccp = Twin._solver.name, METHODS["cccp"]
    problem = BY_NAME["two_moons"]
    try:
        assert METHODS[name] is Twin
        assert cccp is estimators.CCCPClassifier
        ours, theirs = (
            make("lapsvm_s3vm", method=method, sigma=0.5).fit(problem.X, problem.y)
            for method in (name, "cccp")
        )
        np.testing.assert_array_equal(ours.state_.f, theirs.state_.f)
    finally:
        del METHODS[name]


def test_every_base_in_the_table_is_exported():
    for name in re.findall(r"^\| `(\w+Classifier)` \|", GUIDE, re.MULTILINE):
        assert hasattr(estimators, name)


def test_the_architectures_rooms_are_those_of_the_house():
    text = (ROOT / "docs" / "architecture.md").read_text()
    rooms = {p.name for p in (ROOT / "ssl_core").iterdir() if p.suffix == ".py"}
    rooms |= {f"{p.name}/" for p in (ROOT / "ssl_core").iterdir() if p.is_dir()}
    rooms -= {"__init__.py", "__main__.py", "__pycache__/"}
    assert {room for room in rooms if f"`{room}`" not in text} == set()
