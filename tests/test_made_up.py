"""One entry is enough: algorithms that only this module knows, found everywhere.

Three shapes that the real ones have or will have: an outer and an inner loop with a
schedule and probabilities, a tree of nodes with an incumbent, and a path in a
continuous parameter. Each is a state, a solver, an estimator and a catalogue entry
(and the looks of its own kinds of events); no other file knows of them.
"""

from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, pairwise, product

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks
from streamlit.testing.v1 import AppTest

from halfmoon import plugins
from halfmoon.pages._parts.export.script import script
from halfmoon.pages._parts.pictures.stage_views import run_view
from halfmoon.pages._parts.running.projection import project
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import View, default
from ssl_core import ALGORITHMS, Event, Status, make
from ssl_core.__main__ import algorithm_table
from ssl_core.driver import GO_ON
from ssl_core.estimators import KernelClassifier
from ssl_core.estimators.groups import Stopping
from ssl_core.looks import Look
from ssl_core.quantities import (
    LOWER,
    NODE,
    PARENT,
    PROBABILITY,
    SCHEDULE,
    UPPER,
    quantity,
)
from ssl_core.registry import Algorithm, Curve, Family, register_algorithm
from ssl_core.settings import number, shared
from ssl_core.trace import Array, ExpansionState
from ssl_core.viz.narrate import narrate
from tests.pages.finding import APP, menus, shown_on_stage
from tests.small_problems import BY_NAME, MULTICLASS

INVENTED = Family("invented", "made up", 9)
BINARY = BY_NAME["two_moons"]


# -- an outer and an inner loop -------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteState(ExpansionState):
    """Snapshot after a vote."""

    heat: float = quantity("heat of the vote", symbol="h", role=SCHEDULE, merge="mean")
    q: Array | None = quantity(role=PROBABILITY)
    unrest: float = quantity("unrest", merge="max")
    round: int = quantity("rounds at this heat", merge="same")


def soft_vote(K, y, *, heat, rounds, tol, start=None):
    """Unlabelled points vote by kernel, ever more decidedly as the heat falls."""
    n, unlabeled = len(y), y == 0
    belief = y.copy() if start is None else np.where(unlabeled, np.tanh(start.f), y)
    t, unrest, events = 0, 1.0, ()
    while True:
        text = f"The vote cools to {heat:.3g}."
        events = (Event("cooled", text, {"heat": heat}),)
        for inner in range(rounds):
            alpha = belief / n
            f = K @ alpha
            state = VoteState(
                t=t,
                objective=float(unrest - belief @ f),
                f=f,
                alpha=alpha,
                b=0.0,
                heat=heat,
                q=(1 + belief[unlabeled]) / 2,
                unrest=unrest,
                round=inner,
                status=Status.FINISHED if unrest <= tol else Status.RUNNING,
                events=events,
            )
            orders = (yield state) or GO_ON
            if not state.status.running:
                return
            before, events = belief, ()
            belief = np.where(unlabeled, np.tanh(f / heat), y)
            unrest = float(np.abs(belief - before).max())
            t += 1
            if orders.last:
                text = "The last vote is counted."
                events = (Event("counted", text),)
        heat /= 2


class SoftVoteClassifier(KernelClassifier):
    """Points vote."""

    _state = VoteState

    heat: float = number(
        0.5, "First heat.", above=0, title="First heat h", slider=(1e-3, 10.0), log=True
    )
    rounds: int = number(3, "Votes at one heat.", integer=True, at_least=1)
    tol: float = number(1e-6, "Unrest that ends the vote.", at_least=0)
    max_iter: int = shared(Stopping, default=40, doc="Most votes.", slider=(1, 90))

    def _machine(self, K, y, start):
        options = {"heat": self.heat, "rounds": self.rounds, "tol": self.tol}
        return soft_vote(K, y, **options, start=start)


SOFT_VOTE = {
    "id": "soft_vote",
    "estimator": SoftVoteClassifier,
    "title": "Soft vote",
    "family": INVENTED,
    "idea": "Points vote for their neighbours.",
    "objective": r"\sum_i q_i",
    "curves": (
        Curve("Objective", ("objective",)),
        Curve("Heat and unrest", ("heat", "unrest"), log=True),
    ),
    "max_n": 2000,
    "looks": {"cooled": Look("bad")},
}


# -- a tree with an incumbent ---------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeState(ExpansionState):
    """The incumbent is the model; the node is the one that is being looked at."""

    node: int = quantity(role=NODE, merge="max")
    parent: int = quantity(role=PARENT, merge="max")
    depth: int = quantity(merge="max")
    lower: float = quantity(
        "lower bound",
        role=LOWER,
        sentence="The best value lies between {lower} and {upper}.",
    )
    upper: float = quantity("incumbent", role=UPPER)
    branch: tuple | None = quantity(keep=True)  # labels decided at the node


def small_tree(K, y, *, width, lam):
    """Kernel least squares over the labels of the first few unlabelled points."""
    free = np.flatnonzero(y == 0)[:width]

    def fit(labels):
        rows = np.concatenate([np.flatnonzero(y), free[: len(labels)]]).astype(int)
        target = np.concatenate([y[y != 0], labels])
        A = K[np.ix_(rows, rows)] + lam * np.eye(len(rows))
        alpha = np.zeros(len(y))
        alpha[rows] = np.linalg.solve(A, target)
        return alpha, float(target @ alpha[rows]) / 2

    names = count()
    root = ((), -1, next(names), *fit(()))
    open_nodes, incumbent, upper = [root], root[3], np.inf
    for t in count():
        # The root is looked at twice: as the start, and to branch.
        labels, parent, node, alpha, value = open_nodes.pop() if t else root
        events = ()
        if t and len(labels) == len(free) and value < upper:
            incumbent, upper = alpha, value
            text = f"A better labelling is found: {value:.3g}."
            events = (Event("incumbent", text, {"node": node}),)
        elif t and len(labels) < len(free) and value < upper:
            for side in (-1.0, 1.0):
                child = (*labels, side)
                open_nodes.append((child, node, next(names), *fit(np.array(child))))
        bound = min((n[4] for n in open_nodes), default=upper)
        yield TreeState(
            t=t,
            objective=value,
            f=K @ incumbent,
            alpha=incumbent,
            b=0.0,
            node=node,
            parent=parent,
            depth=len(labels),
            lower=float(min(bound, upper)),
            upper=float(upper),
            branch=labels,
            status=Status.RUNNING if open_nodes else Status.FINISHED,
            events=events,
        )
        if not open_nodes:
            return


class SmallTreeClassifier(KernelClassifier):
    """All labellings of a few points, by branch and bound."""

    _state = TreeState

    width: int = number(
        4, "Points to decide.", integer=True, at_least=1, title="Width", slider=(1, 6)
    )
    lam: float = number(0.1, "Ridge.", above=0)

    def _machine(self, K, y, start):
        return small_tree(K, y, width=self.width, lam=self.lam)


SMALL_TREE = SOFT_VOTE | {
    "id": "small_tree",
    "estimator": SmallTreeClassifier,
    "title": "Small tree",
    "looks": {},  # an incumbent has one
    "idea": "Try the labels of a few points, and prune.",
    "curves": (Curve("Bounds", ("lower", "upper")),),
}


# -- a path in a continuous parameter -------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkState(ExpansionState):
    """A break point of a path that is linear in between."""

    reach: float = quantity("reach", symbol="ρ", role=SCHEDULE, merge="same")
    turned: tuple | None = quantity(keep=True)  # points that changed sides here


def walk_on(K, y, *, stations):
    """f moves from the labels' vote to one step of its own spreading."""
    ends = y / len(y), K @ y / len(y) ** 2
    before = None
    for t, reach in enumerate(np.linspace(0.0, 1.0, stations)):
        alpha = (1 - reach) * ends[0] + reach * ends[1]
        f = K @ alpha
        turned = () if before is None else np.flatnonzero((f > 0) != (before > 0))
        before = f
        events = ()
        if len(turned):
            text = f"{len(turned)} points turned at reach {reach:.3g}."
            events = (Event("turn", text, {"points": turned}),)
        yield WalkState(
            t=t,
            objective=float(-y @ f),
            f=f,
            alpha=alpha,
            b=0.0,
            reach=float(reach),
            turned=tuple(int(i) for i in turned),
            status=Status.FINISHED if t == stations - 1 else Status.RUNNING,
            events=events,
        )


class WalkClassifier(KernelClassifier):
    """A path whose every point is a model."""

    _state = WalkState

    stations: int = number(
        9, "Break points.", integer=True, at_least=2, title="Stations", slider=(2, 30)
    )

    def _machine(self, K, y, start):
        return walk_on(K, y, stations=self.stations)

    def _solve(self, task):
        self.path_ = []
        for state in super()._solve(task):
            self.path_.append(state)
            yield state

    def at(self, reach):
        """alpha at any point of the path, exactly: linear between break points."""
        places = [s.reach for s in self.path_]
        i = min(np.searchsorted(places, reach, side="right"), len(places) - 1) - 1
        share = (reach - places[i]) / (places[i + 1] - places[i])
        left, right = self.path_[i].alpha, self.path_[i + 1].alpha
        return (1 - share) * left + share * right


WALK = SOFT_VOTE | {
    "id": "walk",
    "estimator": WalkClassifier,
    "title": "Walk",
    "looks": {"turn": Look("accent")},
    "idea": "Follow a solution from one end to the other.",
    "curves": (Curve("Objective", ("objective",)), Curve("Reach", ("reach",))),
}
ENTRIES = {entry["id"]: entry for entry in (SOFT_VOTE, SMALL_TREE, WALK)}
names = pytest.mark.parametrize("name", ENTRIES)


@contextmanager
def known(*names):
    """These of the entries are algorithms like any other, until the block ends."""
    with plugins.temporarily():
        for name in names:
            register_algorithm(Algorithm(**ENTRIES[name]))
        yield


@pytest.fixture(autouse=True)
def registered():
    """The three entries, for as long as a test of this module lasts."""
    with known(*ENTRIES):
        yield


# -- found by the core ----------------------------------------------------------------


@parametrize_with_checks(
    [entry["estimator"]() for entry in ENTRIES.values()],
    expected_failed_checks=lambda estimator: {
        "check_classifiers_classes": "uses -1 as a class, as for the real ones",
    },
)
def test_they_pass_scikit_learns_checks(estimator, check):
    check(estimator)


@names
def test_the_readmes_table_has_a_row_for_them(name):
    title = ENTRIES[name]["title"]
    assert f"| `{name}` | {title} |" in algorithm_table()


@names
def test_they_are_made_by_name_with_the_estimators_defaults(name):
    entry = ALGORITHMS[name]
    known = make(name).get_params()
    assert entry.defaults == {knob.name: known[knob.name] for knob in entry.knobs}
    assert "Parameters" in entry.estimator.__doc__
    assert "stop : None, str or rule" in entry.estimator.__doc__


def test_bad_parameters_are_refused_in_the_words_of_their_declaration():
    for parameters, words in (
        ({"heat": -1}, "heat must be a number > 0, got -1"),
        ({"rounds": 1.5}, "rounds must be an integer >= 1, got 1.5"),
        ({"sigma": 0}, "sigma must be a number > 0"),
    ):
        with pytest.raises(ValueError, match=words):
            make("soft_vote", **parameters).fit(BINARY.X, BINARY.y)


@names
@pytest.mark.parametrize("problem", [BINARY, MULTICLASS], ids=["two", "several"])
def test_runs_are_driven_recorded_and_merged(name, problem):
    est = make(name, sigma=problem.knobs["sigma"], max_iter=12)
    trace = est.trace(problem.X, problem.y, record_states="metrics")
    assert trace.final.t <= 12
    assert not trace.status.running
    assert len(trace.decision_function(problem.X)) == len(trace.kept)
    if problem is not MULTICLASS:
        return
    k = problem.n_classes
    assert trace.final.f.shape == (problem.n, k)
    for state in trace.states:
        assert state.per_class["objective"].shape == (k,)
        if name == "soft_vote":
            each = state.per_class
            assert state.heat == pytest.approx(each["heat"].mean())
            assert state.unrest == each["unrest"].max()


def test_what_is_declared_to_survives_thinning():
    est = make("walk", sigma=BINARY.knobs["sigma"])
    trace = est.trace(BINARY.X, BINARY.y, record_states="metrics")
    thin = trace.states[1]
    assert thin.f is None
    assert thin.alpha is None
    assert isinstance(thin.turned, tuple)
    assert thin.reach == pytest.approx(1 / 8)


def test_the_path_can_be_evaluated_anywhere():
    est = make("walk", sigma=BINARY.knobs["sigma"], stations=5)
    est.fit(BINARY.X, BINARY.y)
    fine = make("walk", sigma=BINARY.knobs["sigma"], stations=13)
    fine.fit(BINARY.X, BINARY.y)
    for state in fine.path_:
        np.testing.assert_allclose(est.at(state.reach), state.alpha, atol=1e-15)


def test_the_model_of_the_tree_is_its_incumbent_while_nodes_are_looked_at():
    est = make("small_tree", sigma=BINARY.knobs["sigma"], width=3)
    states = list(est.iterate(BINARY.X, BINARY.y))
    assert states[-1].status is Status.FINISHED
    uppers = [s.upper for s in states]
    assert all(a >= b for a, b in pairwise(uppers))
    assert all(s.lower <= uppers[-1] + 1e-12 for s in states)
    assert {s.node for s in states} >= {s.parent for s in states if s.parent >= 0}
    # Brute force: the incumbent is the best of all labellings.
    K = np.exp(-((BINARY.X[:, None] - BINARY.X) ** 2).sum(2) / 2 / est.sigma**2)
    y = np.where(BINARY.y < 0, 0, 2.0 * BINARY.y - 1)
    free = np.flatnonzero(y == 0)[:3]
    rows = np.concatenate([np.flatnonzero(y), free])
    A = K[np.ix_(rows, rows)] + 0.1 * np.eye(len(rows))
    best = min(
        (t := np.concatenate([y[y != 0], labels])) @ np.linalg.solve(A, t) / 2
        for labels in product((-1.0, 1.0), repeat=3)
    )
    assert uppers[-1] == pytest.approx(best, rel=1e-9)


def test_their_sentences_are_made_of_what_they_declare():
    vote = make("soft_vote", sigma=0.5).trace(BINARY.X, BINARY.y)
    first_outer = next(i for i, s in enumerate(vote.states) if s.t > 0 and s.events)
    text = narrate(vote, first_outer)
    assert ", h = 0.25." in text  # the schedule is in the head
    assert "The vote cools to 0.25." in text
    assert "unlabelled points are at least 90 % certain" in text
    tree = make("small_tree", sigma=0.5).trace(BINARY.X, BINARY.y)
    told = [narrate(tree, i) for i in range(len(tree))]
    assert any("The best value lies between" in text for text in told)
    assert any("A better labelling is found" in text for text in told)
    walk = make("walk", sigma=0.5).trace(BINARY.X, BINARY.y)
    assert ", ρ = 0.125." in narrate(walk, 1)


# -- found by the app -----------------------------------------------------------------


def scenario_with(name):
    return default().with_algorithm(name)


@names
def test_the_playground_offers_trains_and_shows_them(name):
    entry = ALGORITHMS[name]
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params.update(scenario_with(name).to_url())
    app.run()
    assert not app.exception
    assert not app.error
    menu = menus(app)["algorithm"]
    assert menu.value == name
    assert menu.options[-3:] == list(ENTRIES)
    for knob in entry.knobs:
        if knob.place == "front":
            widgets = [*app.select_slider, *app.slider, *app.number_input]
            assert knob.label in [w.label for w in widgets]
    shown = shown_on_stage(app)
    assert len(shown["frame_t"]) > 2
    kinds = {event["kind"]: event["tone"] for event in shown["events"]}
    own = {"soft_vote": "cooled", "small_tree": "incumbent", "walk": "turn"}[name]
    if name != "walk" or "turn" in kinds:
        tones = {"cooled": "bad", "incumbent": "good", "turn": "accent"}
        assert kinds[own] == tones[own]
    panels = [panel for panel in shown["panels"] if panel["kind"] == "curves"]
    titles = [panel["title"] for panel in panels]
    assert set(titles) >= {curve.title for curve in entry.curves}
    legends = [line["name"] for panel in panels for line in panel["series"]]
    expected = {
        "soft_vote": {"heat of the vote", "unrest"},
        "small_tree": {"lower bound", "incumbent"},
        "walk": {"reach"},
    }[name]
    assert set(legends) >= expected
    captions = " ".join(shown["captions"])
    said = {
        "soft_vote": "Start, h = 0.5. The vote cools to 0.5.",
        "small_tree": "The best value lies between",
        "walk": "Iteration 1, ρ = 0.125.",
    }[name]
    assert said in captions


def test_the_tree_grows_beside_the_stage_because_its_roles_are_declared():
    solved = RunServer(1).ask(scenario_with("small_tree")).outcome()
    view = run_view(solved, solved.scenario, project(solved.problem.data, View()))
    (tree,) = (panel for panel in view.panels if panel.kind == "tree")
    states = solved.trace.states
    assert [p.title for p in view.panels if p.below] == [tree.title]  # alone in its row
    assert len(tree.parent) == len({state.node for state in states})
    (branched,) = tree.kinds  # it declares no fates
    assert branched.counts[-1] == len(tree.parent)
    better = sum(b.upper < a.upper for a, b in pairwise(states))
    assert tree.improved.counts[-1] == tree.better.sum() == better > 0
    np.testing.assert_array_equal(tree.depth[tree.now], [s.depth for s in states])


def test_probabilities_of_the_vote_reach_the_stage():
    solved = RunServer(1).ask(scenario_with("soft_vote")).outcome()
    view = run_view(solved, solved.scenario, project(solved.problem.data, View()))
    p = view.p_per_frame
    assert p.shape == (len(view.frame_t), len(solved.problem.train))
    np.testing.assert_allclose(
        p[-1][solved.problem.given < 0], solved.trace.final.q, atol=1e-12
    )


@names
def test_the_exported_script_runs_and_finds_the_same(name, capsys):
    scenario = scenario_with(name).with_parameter("max_iter", 9)
    solved = RunServer(1).ask(scenario).outcome()
    code = script(scenario, solved.problem)
    assert repr(name) in code
    names = {}
    exec(compile(code, "script.py", "exec"), names)
    assert names["trace"].final.objective == pytest.approx(
        solved.trace.final.objective, rel=1e-9
    )
