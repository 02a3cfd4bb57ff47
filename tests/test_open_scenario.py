"""What the app saved opens in the library: same data, same runs, no Streamlit."""

import io
import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import halfmoon
from halfmoon import SavedScenario, open_scenario
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import (
    UPLOAD,
    Labels,
    Scenario,
    Upload,
    default,
    saved_file,
)
from ssl_core.stopping import StabilityCheck, ValidationCheck
from tests.datasets import bombs

ROOT = Path(__file__).parents[1]
OLD = ROOT / "tests" / "scenario" / "links_of_version_1.json"
LINKS = json.loads(OLD.read_text(encoding="utf-8"))
LONG = ("typed: data only",)  # ten classes to the end: opened, not run
SERVER = RunServer(1)
ROWS = "a,b,kind\n" + "".join(f"{i % 7},{i % 5},{'xy'[i % 2]}\n" for i in range(40))
CSV = ROWS.encode()

# Opens what stands in `old.json`, in an interpreter without Streamlit and the pages.
ALONE = """
import json, sys

class NoApp:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(("streamlit", "halfmoon.pages")):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, NoApp())
import halfmoon
files = json.load(open(sys.argv[1], encoding="utf-8"))
opened = {name: halfmoon.open_scenario(entry["file"]) for name, entry in files.items()}
final = opened[sys.argv[2]].trace().final
print(json.dumps([list(map(repr, opened.values())), final.f.tolist()]))
"""


def own_file():
    upload = Upload(SERVER.keep_file(CSV), "mine.csv", "kind", (), "range")
    return default().with_data(UPLOAD, upload).with_labels(Labels("random", 3))


def app_run(scenario):
    return SERVER.ask(scenario).outcome()


def outcome(make):
    """What was made, or the sentence on why not."""
    try:
        return make(), None
    except ValueError as error:
        return None, str(error)


def same_run(trace, solved):
    """Every state, and to the last bit: both were made by the same code."""
    assert len(trace) == len(solved.trace)
    assert trace.status is solved.trace.status
    np.testing.assert_array_equal(trace.final.f, solved.trace.final.f)
    np.testing.assert_array_equal(
        trace.column("objective"), solved.trace.column("objective")
    )


@pytest.mark.parametrize("name", LINKS)
def test_an_old_file_opens_to_the_run_of_the_app(name):
    document = LINKS[name]["file"]
    scenario, _, _ = Scenario.from_json(json.dumps(document))
    saved = open_scenario(document)
    assert saved.scenario == scenario
    assert (saved.remarks, len(saved)) == ((), 1)
    if name in LONG:
        return
    solved, refusal = outcome(lambda: app_run(scenario))
    trace, ours = outcome(saved.trace)
    if scenario.data == UPLOAD:
        assert "pass data=" in ours
    else:
        assert ours == refusal
    if solved is not None:
        same_run(trace, solved)


def test_every_file_opens_where_streamlit_is_not_installed():
    name = "three runs in a row"
    found = subprocess.run(
        [sys.executable, "-W", "error", "-c", ALONE, str(OLD), name],
        env={"PYTHONPATH": str(ROOT), "PATH": "", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert found.returncode == 0, found.stderr
    titles, f = json.loads(found.stdout)
    assert len(titles) == len(LINKS)
    assert "SavedScenario(Laplacian SVM, dual on two moons)" in titles
    scenario, _, _ = Scenario.from_json(json.dumps(LINKS[name]["file"]))
    np.testing.assert_allclose(f, app_run(scenario).trace.final.f, rtol=1e-9)


def test_it_has_the_data_the_labels_the_methods_and_their_rules():
    methods = "lapsvm_pcg", "svm"
    scenario = Scenario.of("two_moons", *methods).with_held_out(20, 30)
    scenario = scenario.with_parameters({"stop": "stability", "check_every": 7})
    saved = open_scenario(io.StringIO(scenario.to_json()))
    problem = SERVER.pose(scenario)
    np.testing.assert_array_equal(saved.X, problem.X)
    np.testing.assert_array_equal(saved.y, problem.given)
    np.testing.assert_array_equal(saved.hidden, problem.truth)
    assert (saved.hidden[saved.y >= 0] == saved.y[saved.y >= 0]).all()
    assert [len(saved.part(part)[1]) for part in ("val", "test")] == [20, 30]
    assert saved.dataset.n == len(saved.y) + 50
    first, _ = saved.estimators
    assert first.get_params().items() >= scenario.params.items()
    assert not hasattr(first, "classes_")
    rule, none = saved.rules
    assert rule.rules[0] == StabilityCheck(every=7, tol=rule.rules[0].tol)
    assert none is None
    assert len(saved.run()) == 2
    same_run(saved.trace(1), app_run(scenario.alone(1)))
    assert saved.trace(1) is saved.run()[1]
    error = (saved.fit().predict(saved.X) != saved.hidden)[saved.y < 0].mean()
    expected = app_run(scenario)
    assert error == expected.trace.error(expected.truth, problem.given < 0)[-1]
    with pytest.raises(ValueError, match="method must be the place of one, 0 to 1"):
        saved.trace(2)
    with pytest.raises(ValueError, match='"val" or "test", got'):
        saved.part("train")


def test_a_rule_on_validation_points_is_among_the_rules():
    document = LINKS["validation stop"]["file"]
    assert isinstance(open_scenario(document).rules[0].rules[0], ValidationCheck)


@pytest.mark.parametrize("kind", ["path", "str", "bytes", "text", "file", "dict"])
def test_whatever_it_is_given_as_it_is_the_same_and_goes_back_to_the_app(
    kind, tmp_path
):
    scenario = default().with_parameter("sigma", 0.4)
    path = tmp_path / "halfmoon.json"
    open_scenario(scenario.to_json()).save(path)
    text = path.read_text(encoding="utf-8")
    source = {
        "path": path,
        "str": str(path),
        "bytes": text.encode(),
        "text": text,
        "file": io.BytesIO(text.encode()),
        "dict": json.loads(text),
    }[kind]
    saved = open_scenario(source)
    assert isinstance(saved, SavedScenario)
    assert saved.scenario == scenario
    assert Scenario.from_json(saved.to_json()) == (scenario, [], {})


def test_a_file_of_ones_own_comes_along_or_is_named(tmp_path):
    scenario = own_file()
    saved = open_scenario(saved_file.to_saved(scenario, CSV))
    same_run(saved.trace(), app_run(scenario))
    again, remarks, content = saved_file.read_saved(saved.to_json().encode())
    assert (again, remarks, content) == (scenario, [], CSV)
    path = tmp_path / "elsewhere.csv"
    path.write_bytes(CSV)
    beside = open_scenario(scenario.to_json(), data=path)
    np.testing.assert_array_equal(beside.X, saved.X)
    path.write_bytes(CSV + b"1,2,x\n")
    with pytest.raises(ValueError, match=r"data must be .* 'mine.csv'; .* is another"):
        open_scenario(scenario.to_json(), data=path)
    with pytest.raises(ValueError, match="data must be left out"):
        open_scenario(default().to_json(), data=path)
    with pytest.raises(ValueError, match=r"'mine.csv', which was not saved with it"):
        open_scenario(scenario.to_json()).trace()


def changed(**changes):
    document = json.loads(default().to_json())
    document["scenario"] |= changes
    return document


@pytest.mark.parametrize(
    "source",
    [
        b"",
        "{}",
        b"no json",
        {"scenario": 3},
        changed(v=99),
        changed(data="nowhere"),
        bombs.too_large()[0],
        b"[" * 100_000,
        b"\xff\xfe{",
    ],
    ids=["empty", "dict", "text", "shape", "newer", "data", "large", "deep", "bytes"],
)
def test_what_is_no_scenario_is_refused_in_the_words_of_the_app(source):
    given = json.dumps(source) if isinstance(source, dict) else source
    given = given.encode() if isinstance(given, str) else given
    _, (remark, *_), _ = saved_file.read_saved(given)
    with pytest.raises(ValueError, match="source must be a scenario") as told:
        open_scenario(source)
    assert str(told.value).endswith(remark)


def test_what_is_not_understood_is_told_and_has_its_default():
    parameters = {"sigma": -3, "nothing": 1}
    document = changed(parameters=parameters, seed="x")
    scenario, remarks, _ = Scenario.from_json(json.dumps(document))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        saved = open_scenario(document)
    assert [str(warning.message) for warning in told] == remarks == list(saved.remarks)
    assert len(remarks) == 3
    assert {warning.category for warning in told} == {UserWarning}
    assert saved.scenario == scenario


def test_what_cannot_be_read_at_all_says_what_can():
    with pytest.raises(TypeError, match=r"a path, an open file, .* got int"):
        open_scenario(3)
    with pytest.raises(FileNotFoundError):
        open_scenario("no_such_file.json")


def test_both_names_are_public():
    assert {"open_scenario", "SavedScenario"} <= set(halfmoon.__all__)
