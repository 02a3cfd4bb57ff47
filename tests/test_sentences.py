"""Claims of guides, texts and the glossary, computed where they can be."""

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from halfmoon.pages._parts import texts
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import default
from halfmoon.views import glossary
from ssl_core import ALGORITHMS, make
from ssl_core.kernels import gram
from ssl_core.losses import Hat, SmoothedBell, Squared, Tangent
from ssl_core.problems.laplacian import LaplacianProblem
from ssl_core.problems.linear import LinearSVM
from tests.small_problems import BY_NAME, moons

TEXTS = Path(texts.__file__).parent


def text_of(name: str) -> str:
    """A text without its line breaks."""
    return " ".join((TEXTS / f"{name}.md").read_text(encoding="utf-8").split())


def guide_of(name: str) -> str:
    guide = ALGORITHMS[name].guide
    terms = (term.words for term in guide.terms)
    return " ".join((guide.story, *terms, *guide.good, *guide.bad, *guide.watch))


def few_labels(n: int):
    """Two moons, and their labels at the first three points of each class."""
    X, truth = moons(n, noise=0.2, seed=3)
    rows = np.concatenate([np.flatnonzero(truth == c)[:3] for c in (0, 1)])
    y = np.full(n, -1)
    y[rows] = truth[rows]
    return X, truth, y


# -- words ----------------------------------------------------------------------------

ROOT = Path(__file__).parents[1]
REPLACED = re.compile(
    r"\b(?:anew|afresh|haunt|Draw of the data|Up means|At first:|Run before"
    r"|Beside Newton|Most (?:iterations|nodes|seconds|temperatures|features|pairs)"
    r"|(?:is|are|a) told|whole course|takes? sides|machine of the labels"
    r"|[Ll]abels are dear|a coin (?:here|any more)|of no use here"
    r"|all labels away|next to nothing|nobody foresaw|no promise|promise of"
    r"|[Ww]rong guess(?:es)?|no guess|[Ee]pilogue|[Bb]eliefs?|(?:this|another) hollow"
    r"|the foot of|has? the say|(?:[Kk]nows?|says?) nothing of|one's own"
    r"|on (?:its|their) way|[Pp]ick a|[Tt]elling (?:ones|points)|to blame"
    r"|as far as it matters|[Rr]uns as it is"
    r"|(?:supervised|linear|best|binary) machines?|[Mm]achines? per class"
    r"|[Mm]ore knobs|[Kk]nobs turned|goe?s? on (?:where|from)"
    r"|reward (?:for|of) doubt)\b"
)


def strings_of(file: Path) -> Iterator[str]:
    """Strings of a module that are no docstrings, or a whole text."""
    source = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        yield " ".join(source.split())
    if file.suffix != ".py" or not REPLACED.search(source):  # a parse takes its time
        return
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr):  # a docstring
                statement.value = ast.Constant(0)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


# Values by which earlier pickles name a status; nobody reads them.
KEPT = {"Finished: the method has run its whole course."}


ROOMS = ("pages", "scenario", "ssl_core", "datasets", "common", "stage")
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "docs/deployment.md",
)


@pytest.mark.parametrize("place", [*ROOMS, *DOCUMENTS])
def test_the_interface_has_none_of_the_words_that_the_style_guide_replaces(place):
    inside = (ROOT / place).rglob("*")
    for file in [ROOT / place] if place in DOCUMENTS else inside:
        for text in strings_of(file) if file.suffix in (".py", ".md", ".html") else ():
            found = REPLACED.search(text) if " " in text else None
            found = None if text in KEPT else found
            assert not found, f"{file.relative_to(ROOT)}: {found[0]!r} in {text}"


# -- assumptions ----------------------------------------------------------------------


def test_laplacian_methods_are_explained_by_the_manifold_assumption():
    words = {word.term: word.text for word in glossary.words()}
    assert "change little along the manifold" in words["manifold assumption"]
    assert "where points are few" in words["cluster assumption"]
    for said in (guide_of("lapsvm_newton"), guide_of("laprlsc")):
        assert "manifold assumption" in said
    lesson = text_of("../lessons/plans/two_labels")
    assert "This is the *manifold assumption*." in lesson
    assert "This is the *cluster assumption*." not in lesson


# -- local minima ---------------------------------------------------------------------


def test_a_labelling_has_a_local_minimum_where_its_best_solution_has_no_output_0():
    """[OITS13] Theorem 4, on all ways to label five points."""
    assert "if and only if all of these outputs differ from 0" in text_of("path")
    X, truth = moons(7, noise=0.1, seed=0)
    rows = [np.flatnonzero(truth == c)[0] for c in (0, 1)]
    y = np.zeros(7)
    y[rows] = -1.0, 1.0
    U, K, C = np.flatnonzero(y == 0), gram(X, sigma=1.0), np.where(y == 0, 0.5, 1.0)
    rng = np.random.default_rng(0)

    def objective(alpha, signs):
        f = K @ alpha
        return alpha @ f / 2 + C @ np.maximum(0, 1 - signs * f)

    def s3vm(alpha):
        f = K @ alpha
        return objective(alpha, np.where(y == 0, np.where(f < 0, -1, 1), y))

    inside = 0
    for labels in product((-1.0, 1.0), repeat=len(U)):
        signs = y.copy()
        signs[U] = labels
        Q = signs[:, None] * K * signs

        def dual(beta, Q=Q):
            return beta @ Q @ beta / 2 - beta.sum(), Q @ beta - 1

        box = [(0, c) for c in C]
        start = np.zeros(len(y))
        best = minimize(dual, start, jac=True, bounds=box, options={"ftol": 1e-15})
        alpha = signs * best.x
        f = (K @ alpha)[U]
        if (f * labels > 1e-6).all():  # strictly inside: a local minimum
            inside += 1
            steps = 1e-4 * rng.normal(size=(50, len(y)))
            near = [s3vm(alpha + step) for step in steps]
            assert min(near) >= s3vm(alpha) - 1e-9
    assert 1 <= inside < 2 ** len(U)


# -- losses ---------------------------------------------------------------------------


def test_least_squares_punish_a_point_far_on_the_right_side():
    assert "y f = 3, costs as much as a misclassified one at y f = -1" in guide_of(
        "rlsc"
    )
    loss = Squared()
    assert loss.value(3.0) == loss.value(-1.0) > 0
    assert loss.slope(3.0) > 0  # a smaller output costs less: it pulls the boundary


@pytest.mark.parametrize(("p", "share"), [(2, 2.0), (1, 1.0)])
def test_the_hat_plus_a_multiple_of_f_is_convex_and_the_tangent_bounds_it(p, share):
    assert "the hat plus 2|f|, and a concave part, -2|f|" in guide_of("cccp")
    o = np.linspace(-3, 3, 601)
    convex = Hat(p=p).value(o) + share * np.abs(o)
    assert (np.diff(convex, 2) >= -1e-12).all()
    bound = convex - share * o  # the tangent of -share |o| at a positive output
    np.testing.assert_allclose(Tangent(p=p).value(o), bound, atol=1e-12)
    assert (bound >= Hat(p=p).value(o) - 1e-12).all()
    np.testing.assert_allclose(bound[o >= 0], Hat(p=p).value(o[o >= 0]), atol=1e-12)


def test_smoothing_flattens_the_bell_while_its_deviation_is_far_above_the_margin():
    assert "a standard deviation of √(γ/2)‖z‖" in guide_of("cs3vm")

    def fall(deviation):
        """From the boundary to the margin, as a share of the value there."""
        at, margin = SmoothedBell(deviation**2).value(np.array([0.0, 1.0]))
        return (at - margin) / at

    assert fall(5.0) < 0.05
    assert fall(0.2) > 0.9


def test_the_linear_loss_is_half_a_mean_where_the_paper_has_half_a_sum():
    assert "its λ is l times this one" in guide_of("l2svm_mfn")
    X, truth = moons(12, noise=0.2, seed=0)
    y, v = np.where(truth > 0, 1.0, -1.0), np.array([0.3, -0.2, 0.1])
    ours = LinearSVM.from_labels(X, y, lam=0.05)
    paper = LinearSVM.from_labels(X, y, lam=12 * 0.05, cost=1.0)
    assert paper.value(v) == pytest.approx(12 * ours.value(v))


# -- solvers --------------------------------------------------------------------------


def test_newton_factors_one_matrix_for_all_its_steps(monkeypatch):
    assert "One factorisation of an n × n matrix serves all" in guide_of(
        "lapsvm_newton"
    )
    reduce, calls = LaplacianProblem.reduce, []

    def counted(self):
        calls.append(1)
        return reduce(self)

    monkeypatch.setattr(LaplacianProblem, "reduce", counted)
    X, truth = moons(60, noise=0.3, seed=1)
    y = np.where(np.arange(60) < 30, truth, -1)
    steps = make("lapsvm_newton", gamma_A=1e-4, gamma_I=1e-4).fit(X, y).n_iter_
    assert steps > 2
    assert len(calls) == 1


def test_in_a_laplacian_svm_only_labelled_points_have_a_dual_variable():
    assert "The expansion of f uses all points" in guide_of("lapsvm_dual")
    problem = BY_NAME["two_moons"]
    state = make("lapsvm_dual").fit(problem.X, problem.y).state_
    unlabelled = problem.y < 0
    assert not state.beta[unlabelled].any()
    assert (np.abs(state.alpha[unlabelled]) > 0).all()


def test_pcg_stops_by_its_tolerance_unless_the_stability_check_is_chosen():
    """The sentence under its name must not promise what the default does not do."""
    entry = ALGORITHMS["lapsvm_pcg"]
    stop = entry.knob("stop")
    assert entry.idea.endswith("can stop as soon as the decision is stable.")
    assert stop.default is None
    chosen = f"set “{stop.label}” to “{stop.word('stability')}”"
    assert chosen in guide_of("lapsvm_pcg")
    server, first = RunServer(1), default()
    assert entry.id == first.algorithm
    usual, early = (
        server.ask(first.with_parameter("stop", rule)).outcome().trace
        for rule in (None, "stability")
    )
    assert early.final.t < usual.final.t / 2
    np.testing.assert_array_equal(early.labels[-1], usual.labels[-1])


def test_a_transductive_svm_classifies_points_that_come_later():
    known = glossary.word("transductive").text
    assert "its boundary also classifies new points" in known
    _, truth, y = few_labels(40)
    X = np.random.default_rng(0).normal(size=(40, 2)) + 6.0 * truth[:, None]
    guess = make("tsvm").fit(X[:30], y[:30]).predict(X[30:])
    np.testing.assert_array_equal(guess, truth[30:])


@pytest.mark.parametrize("name", ["da", "da_kernel", "nabla_da"])
def test_annealing_returns_the_lowest_objective_of_its_path(name):
    assert "lowest" in guide_of(name)
    assert "as in [SK07] section 1.4" in guide_of(name)
    X, _, y = few_labels(24)
    trace = make(name).trace(X, y)
    values = [state.transductive_objective for state in trace.states[1:]]
    assert values[-1] <= min(values) + 1e-9 * abs(min(values))
