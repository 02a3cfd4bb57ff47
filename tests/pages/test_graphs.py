"""Settings of the graph in the app: knobs, links, scripts and the edges drawn."""

import contextlib
import io
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts.export.script import script
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import Scenario, default
from ssl_core import ALGORITHMS
from ssl_core.estimators import spaces
from tests.pages.finding import APP

CHOSEN = {"metric": "manhattan", "join": "mutual", "weights": "local"}
GRAPH = [n for n, a in ALGORITHMS.items() if "metric" in a.defaults]


def on_moons(name="lapsvm_pcg", **values):
    scenario = default().with_algorithm(name)
    return scenario.with_parameters({"n_neighbors": 4} | values)


@pytest.fixture
def solvers_graph(monkeypatch):
    """The weights that the Laplacian of a run was made of."""
    seen = []

    class Watched(spaces.Laplacian):
        def __init__(self, W, **options):
            seen.append(W.toarray())
            super().__init__(W, **options)

    monkeypatch.setattr(spaces, "Laplacian", Watched)
    return seen


@pytest.mark.parametrize(
    "values", [{}, CHOSEN, {"metric": "cosine"}, {"join": "mutual"}], ids=str
)
def test_the_stage_draws_the_edges_of_the_solvers_graph(values, solvers_graph):
    solved = RunServer().ask(on_moons(**values)).outcome()
    (W,) = solvers_graph
    i, j = np.nonzero(np.triu(W))
    drawn = stage_views.edges(solved)
    assert {tuple(e) for e in drawn} == set(zip(i, j, strict=True))
    assert len(drawn) > 100
    np.testing.assert_array_equal(stage_views.data_graph(solved).toarray(), W)


def test_every_choice_draws_other_edges():
    server = RunServer()
    runs = [
        server.ask(on_moons(**values)).outcome()
        for values in ({}, {"metric": "cosine"}, {"join": "mutual"})
    ]
    assert len({stage_views.edges(run).tobytes() for run in runs}) == len(runs)


@pytest.mark.parametrize("name", GRAPH)
def test_knobs_stand_under_more_and_links_carry_them(name):
    entry = ALGORITHMS[name]
    for knob in ("metric", "join", "weights"):
        assert entry.knob(knob).place == "more"
        assert len(entry.knob(knob).words) == len(entry.knob(knob).choices)
    scenario = on_moons(name, **CHOSEN)
    url = scenario.to_url()
    assert {key: url[key] for key in CHOSEN} == CHOSEN
    opened, remarks = Scenario.from_url(url)
    assert (opened, remarks) == (scenario, [])
    assert not CHOSEN.keys() & on_moons(name).to_url().keys()  # old links stay short


def test_the_script_has_the_graph_and_finds_the_same_objective():
    scenario = on_moons(**CHOSEN)
    solved = RunServer().ask(scenario).outcome()
    text, out = script(scenario, solved.problem), io.StringIO()
    for name, value in CHOSEN.items():
        assert re.search(rf"{name}=.{value}.", text)
    with contextlib.redirect_stdout(out):
        exec(compile(text, "exported.py", "exec"), {"__name__": "__main__"})
    found = float(re.search(r"objective: (\S+)", out.getvalue()).group(1))
    assert found == pytest.approx(solved.trace.final.objective, rel=1e-7)


def test_the_playground_opens_with_a_graph_by_the_angle():
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params.update(on_moons(metric="cosine", join="mutual").to_url())
    app.run()
    assert not app.exception
    assert not app.error
    shown = {box.label: box.value for box in app.selectbox}
    shown |= {box.label: box.value for box in app.radio}
    shown |= {box.label: box.value for box in app.get("button_group")}
    assert shown["Distance of points"] == "cosine"
    assert shown["Join points that are"] == "mutual"
    boxes = {box.label: box.options for box in app.selectbox}
    for title in ("Distance of points", "Join points that are", "Edge weights"):
        heads = [option[:13] for option in boxes[title]]  # beside Reset, no more fits
        assert len(set(heads)) == len(heads), title
