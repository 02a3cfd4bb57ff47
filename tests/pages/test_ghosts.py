"""The run before: what is kept of it, and true sentences about what changed."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from halfmoon import stage
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.pages._parts.pictures.ghosts import ghost_of
from halfmoon.pages._parts.pictures.kept import Earlier, keep
from halfmoon.pages._parts.playground import scene
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.running.stage_edits import edit
from halfmoon.scenario import DRAWN, Labels, default
from halfmoon.stage.levels import field_outputs
from halfmoon.stage.pack import payload, unpack
from ssl_core import ALGORITHMS
from tests.pages.finding import menus, named
from tests.pages.test_playground import move, open_app, scenario_of, shown_on_stage

SERVER = RunServer()
HARD = default().with_data_knob("noise", 0.22)  # errors to count


@cache
def shown(scenario):
    """A scenario's run and what the stage shows of it."""
    solved = SERVER.ask(scenario).outcome()
    return solved, stage_views.run_view(solved, scenario, SERVER.picture(scenario))


def kept(scenario, about="moons", under_way=False):
    return keep(*shown(scenario), about, under_way)


def edited(scenario, *edits):
    return edit(scenario, SERVER.pose(scenario), list(edits))


LABEL = edited(HARD, {"op": "label", "i": 40, "class": 1})
CHANGES = {
    "One more label": (HARD, LABEL),
    "One label fewer": (LABEL, HARD),
    "One label changed": (LABEL, edited(LABEL, {"op": "label", "i": 40, "class": 0})),
    "Other labels": (HARD, HARD.with_labels(Labels("random", 1, 5))),
    "Kernel width σ from 0.35 to 0.5": (HARD, HARD.with_parameter("sigma", 0.5)),
    "Supervised SVM instead of Laplacian SVM, PCG": (HARD, HARD.with_algorithm("svm")),
    "One point moved": (HARD, edited(HARD, {"op": "move", "i": 7, "x": 1, "y": 1})),
    "Two points added": (
        HARD,
        edited(HARD, {"op": "add_many", "idx": [200, 201], "x": [0, 1], "y": [1, 1]}),
    ),
    "One point removed": (HARD, edited(HARD, {"op": "remove", "i": 3})),
    "Continued from t = 4": (HARD, HARD.going_on(4)),
    "Started from the beginning": (HARD.going_on(4), HARD),
    "Stop when from “Tolerance is met” to “Decision is stable”": (
        HARD,
        HARD.with_parameter("stop", "stability"),
    ),
    "Three settings changed": (
        HARD,
        HARD.with_parameters({"sigma": 0.5, "gamma_A": 0.1, "n_neighbors": 9}),
    ),
    "Kernel width σ from 0.35 to 0.5, one more label": (
        HARD,
        LABEL.with_parameter("sigma", 0.5),
    ),
}


def guesses(scenario):
    """Class of every unlabelled point, as the run itself says, by number; and truth."""
    solved, _ = shown(scenario)
    problem = solved.problem
    found = solved.classes[(solved.trace.final.f > 0).astype(int)]
    rows = problem.row[problem.train].tolist()
    both = zip(rows, problem.given, found, problem.truth, strict=True)
    return {r: (int(c), int(t)) for r, given, c, t in both if given < 0}


@pytest.mark.parametrize("words", CHANGES)
def test_the_sentence_says_what_changed_and_counts_right(words):
    before, now = CHANGES[words]
    ghost = ghost_of(kept(before), kept(now))
    head, _, came = ghost.words.partition(": ")
    assert head == words
    old, new = guesses(before), guesses(now)
    common = sorted(old.keys() & new.keys())
    flipped = [r for r in common if old[r][0] != new[r][0]]
    wrong = [sum(g[r][0] != g[r][1] for r in common) for g in (old, new)]
    assert sorted(np.asarray(ghost.flipped).tolist()) == flipped
    told = f"{len(flipped)} prediction" if flipped else "no prediction flipped"
    assert told in came
    if wrong[0] == wrong[1]:
        assert came.startswith(f"{wrong[0]} errors")
        assert "as before" in came
    else:
        assert came.startswith(f"{wrong[0]} errors before, {wrong[1]} now")
    alike = len(old) == len(new) == len(common)
    assert (f"on the same {len(common)} points" in came) is not alike


def test_one_more_label_in_the_wrong_place_is_counted_and_coloured():
    """The words and the tiles of one run that a reader may check by hand."""
    ghost = ghost_of(kept(HARD), kept(LABEL))
    rates = [k.figures["unlabelled error"] for k in (kept(HARD), kept(LABEL))]
    change = next(c for c in ghost.changes if c.label == "unlabelled error")
    worse = rates[1] > rates[0]
    assert change.tone == ("bad" if worse else "good")
    assert change.text == f"{'+' if worse else '−'}{100 * abs(rates[1] - rates[0]):.1f}"
    back = ghost_of(kept(LABEL), kept(HARD))
    reverse = next(c for c in back.changes if c.label == "unlabelled error")
    assert {change.tone, reverse.tone} == {"good", "bad"}
    assert change.text[0] != reverse.text[0]


def test_objectives_of_two_methods_are_not_compared():
    labels = {c.label for c in ghost_of(*map(kept, CHANGES["One more label"])).changes}
    assert "objective" in labels
    before, now = HARD, HARD.with_algorithm("svm")
    labels = {c.label for c in ghost_of(kept(before), kept(now)).changes}
    assert labels == {"labelled error", "unlabelled error"}


def test_without_a_known_truth_only_flips_are_told():
    drawn = default().with_data(DRAWN).with_parameter("sigma", 1.0)
    x = np.linspace(-1.5, 1.5, 12).round(3).tolist()
    drawn = edited(
        drawn,
        {"op": "add_many", "idx": list(range(12)), "x": x, "y": [0] * 12},
        {"op": "label", "i": 0, "class": 0},
        {"op": "label", "i": 11, "class": 1},
    )
    other = edited(drawn, {"op": "label", "i": 3, "class": 1})
    words = ghost_of(kept(drawn), kept(other)).words
    assert words.startswith("One more label: ")
    assert "error" not in words
    assert "flipped" in words


def test_a_run_that_goes_on_has_the_rest_of_the_other_beside_it():
    ghost = ghost_of(kept(HARD), kept(HARD.going_on(4)))
    assert ghost.curves[0].x[0] == -4
    assert ghost_of(kept(HARD), kept(LABEL)).curves[0].x[0] == 0


def test_little_is_kept_of_a_large_run():
    scenario = default().with_data("blobs").with_data_knob("n", 2000)
    scenario = scenario.with_data_knob("n_classes", 5)
    solved, view = shown(scenario)
    small = keep(solved, view, "blobs")
    assert small.nbytes < 120_000 < view.field.nbytes / 10
    assert small.field.base is None  # no view of the large array
    assert max(len(s.values) for c in small.curves for s in c.series) <= 60


def test_only_other_finished_steps_on_the_same_points_become_the_run_before():
    first, second, third = kept(HARD), kept(LABEL), kept(HARD.with_algorithm("svm"))
    earlier = Earlier().after(first)
    assert (earlier.now, earlier.before) == (first, None)
    earlier = earlier.after(second)
    assert (earlier.now, earlier.before) == (second, first)
    assert earlier.shows(second.scenario, "moons", False)
    earlier = earlier.after(kept(LABEL))  # the same again: the run before stays
    assert earlier.before is first
    earlier = earlier.after(third)
    assert earlier.before is not first
    assert earlier.after(kept(HARD, "other points")).before is None


def test_a_drag_is_compared_with_the_run_before_it():
    first = kept(HARD)
    places = [edited(HARD, {"op": "move", "i": 7, "x": x, "y": 1}) for x in (0, 1, 2)]
    earlier = Earlier().after(first)
    for place in places:
        earlier = earlier.after(kept(place, under_way=True))
        assert earlier.before is first
    earlier = earlier.after(kept(places[-1]))
    assert earlier.before is first
    assert not earlier.now.under_way
    assert earlier.after(kept(LABEL)).before.scenario == places[-1].solving


def test_a_ghost_of_many_classes_travels_with_its_borders():
    arcs = default().with_data("three_arcs")
    more = edited(arcs, {"op": "label", "i": 5, "class": 0})
    ghost = ghost_of(kept(arcs), kept(more))
    header, arrays = unpack(payload(replace(shown(more)[1], ghost=ghost)))
    winner = kept(arcs).field.argmax(axis=-1)
    sent = field_outputs(arrays["ghost_field"])[0].argmax(axis=0)
    assert np.mean(sent == winner) > 0.999  # but where two classes tie
    assert header["ghost"]["words"] == ghost.words
    assert arrays["ghost_flipped"].tolist() == list(ghost.flipped)


# -- on the page -----------------------------------------------------------------------


def test_the_ghost_is_a_visitors_own():
    """Somebody else on the same screen has no run before, nor has the shared view."""
    before = set(runs.server().views._items)
    app = open_app()
    assert shown_on_stage(app)["ghost"] is None
    move(app, "select_slider", "param.sigma")
    ghost = shown_on_stage(app)["ghost"]
    assert ghost["words"].startswith("Kernel width σ from 0.35 to ")
    assert {c["title"] for c in ghost["curves"]} >= {"Errors"}
    other = open_app(scenario_of(app))
    assert shown_on_stage(other)["ghost"] is None
    held = runs.server().views._items.items()
    assert all(item.value.ghost is None for key, item in held if key not in before)
    move(app, "slider", "param.n_neighbors")
    assert shown_on_stage(app)["ghost"]["words"].startswith("Neighbours from 6 to ")


def test_runs_are_not_compared_across_projections():
    """A kept run holds places in the plane: in another one, all points have moved."""
    app = open_app(default().with_data("wine").with_algorithm("svm"))
    move(app, "select_slider", "param.sigma")
    assert shown_on_stage(app)["ghost"] is not None
    named(app.selectbox, "projection").set_value("features")
    app.run()
    move(app, "select_slider", "param.sigma")
    assert "moved" not in shown_on_stage(app)["ghost"]["words"]


def test_another_algorithm_is_compared_and_other_data_are_not():
    app = open_app()
    menus(app)["algorithm"].select("svm")
    app.run()
    titles = ALGORITHMS["svm"].title, ALGORITHMS["lapsvm_pcg"].title
    words = shown_on_stage(app)["ghost"]["words"]
    assert words.startswith(f"{titles[0]} instead of {titles[1]}: ")
    move(app, "slider", "data.noise")
    assert shown_on_stage(app)["ghost"] is None


def test_who_opens_a_run_that_goes_on_meets_the_one_it_goes_on_from():
    app = open_app(default().going_on(4))
    ghost = shown_on_stage(app)["ghost"]
    assert ghost["words"].startswith("Continued from t = 4: ")
    kept = app.session_state["page:playground"].made[scene.EARLIER][1]
    assert kept.before.scenario == default().solving


def test_every_tile_that_changes_is_a_tile_of_the_view():
    _, view = shown(LABEL)
    ghost = ghost_of(kept(HARD), kept(LABEL))
    assert {c.label for c in ghost.changes} <= {tile.label for tile in view.tiles}
    assert isinstance(ghost, stage.Ghost)
