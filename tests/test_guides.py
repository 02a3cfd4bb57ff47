"""The reference tells the truth: objectives, equations and what knobs do."""

import inspect
import re
import sys
from importlib import import_module
from itertools import pairwise

import numpy as np
import pytest

from ssl_core import ALGORITHMS, make
from ssl_core.catalogue import formulas as tex
from ssl_core.graph import Laplacian, knn_weights
from ssl_core.guide import CORE, Place
from ssl_core.kernels import gram
from ssl_core.losses import Flat
from ssl_core.references import REFERENCES
from tests.small_problems import BY_NAME, moons

algorithms = pytest.mark.parametrize("name", ALGORITHMS)
GLUE = re.compile(r"[\s+-]|\\tfrac12|\\Big[()]?|[()]")
MOONS = BY_NAME["two_moons"]


# -- every algorithm says everything --------------------------------------------------


@algorithms
def test_every_algorithm_has_a_guide_in_whole_sentences(name):
    guide = ALGORITHMS[name].guide
    assert guide is not None, "write a Guide in ssl_core/catalogue/guides/"
    assert guide.terms
    assert guide.places
    told = [guide.story, *guide.good, *guide.bad, *guide.watch]
    told += [term.words for term in guide.terms]
    for text in told:
        assert text.endswith("."), text
        assert "  " not in text, text
    assert guide.good
    assert guide.bad
    assert guide.watch


@algorithms
def test_every_knob_that_has_an_up_says_what_up_means(name):
    for knob in ALGORITHMS[name].knobs:
        if knob.kind == "choice":
            assert len(knob.words or knob.choices) > 1
            continue
        assert knob.up, f"{name}: {knob.name}"
        assert not knob.up.endswith("."), f"{name}: {knob.name}"
        turned = "Switching it on" if knob.kind == "bool" else "Increasing it"
        assert knob.meaning == f"{turned} means {knob.up}."


# -- equations ------------------------------------------------------------------------


@algorithms
def test_the_terms_add_up_to_the_objective(name):
    entry = ALGORITHMS[name]
    rest = entry.objective
    for term in entry.guide.terms:
        assert term.latex in rest, term.latex
        rest = rest.replace(term.latex, "", 1)
    assert GLUE.sub("", rest) == ""


KEY = r"\[(?:" + "|".join(REFERENCES) + r")\](?:'s)?"
NUMBER = r"\(?\d[\d.]*[a-g]?\)?(?:-\(?[\d.]+\)?)?"
KIND = r"(?:[Ee]q\.|[Ss]ections?|Algorithms?|Figures?) "
CITATION = re.compile(KIND + NUMBER)
# Between a key and a citation stand other citations of the same paper, or nothing.
CITED = rf"(?:(?:{KIND})?{NUMBER}(?:,| and| or) )*"
MODULES = [f for f in sorted(CORE.rglob("*.py")) if "experiments" not in f.parts]


def words_of(text: str) -> str:
    """Docstrings and comments of a piece of code, as one line."""
    found = re.findall(r'"""(?:.|\n)*?"""|#.*', text)
    return " ".join(" ".join(found).replace("#", " ").split())


def cites(words: str, equation: str) -> bool:
    """Whether "[MB11] eq. (7)" is cited, alone or as in "[MB11] eq. (3) and (7)"."""
    key, kind, number = equation.split(" ")
    kind = rf"(?:{re.escape(kind)} )" + ("?" if kind == "eq." else "")
    before = rf"{re.escape(key)} {CITED}{kind}"
    return re.search(rf"{before}{re.escape(number)}(?![\d.]*\d)", words)


PLACES = sorted(
    {p for entry in ALGORITHMS.values() if entry.guide for p in entry.guide.places},
    key=lambda place: (place.file, place.name, place.equation),
)


@pytest.mark.parametrize("place", PLACES, ids=lambda p: f"{p.name} {p.equation}")
def test_every_equation_stands_where_it_is_said_to_stand(place):
    assert cites(words_of(place.text), place.equation), words_of(place.text)


@pytest.mark.parametrize("file", MODULES, ids=lambda f: str(f.relative_to(CORE)))
def test_every_citation_names_its_paper(file):
    """An equation number without the key of its paper may mean two equations.

    A protocol of the experiments reproduces one paper, which its first line names.
    """
    words = words_of(file.read_text(encoding="utf-8"))
    for hit in CITATION.finditer(words):
        before = words[max(0, hit.start() - 120) : hit.start()]
        assert re.search(rf"{KEY} {CITED}$", before), before + hit.group()


def executed_by(name: str, needs: tuple | None, monkeypatch) -> set:
    """Code of every Python function that a small run of an algorithm calls.

    Calls of compiled functions cannot be seen; those that are places run as Python.
    """
    for place in ALGORITHMS[name].guide.places:
        function = _found(place)
        if hasattr(function, "py_func"):
            for module in list(sys.modules.values()):
                if getattr(module, function.__name__, None) is function:
                    twin = function.py_func
                    monkeypatch.setattr(module, function.__name__, twin)
    X, truth = moons(16, noise=0.15, seed=1)
    y = np.where(np.arange(16) < 3, truth, -1)
    est = make(name, **dict([needs] if needs else []))
    if "sigma" in est.get_params():
        est.set_params(sigma=1.0)  # wide enough for the path to jump
    seen = set()
    sys.setprofile(lambda frame, event, _: seen.add(frame.f_code))
    try:
        est.fit(X, y, X, truth)  # the last two for the validation check
    finally:
        sys.setprofile(None)
    return seen


def _found(place: Place):
    """The function, method or compiled function that a place names."""
    module = place.file.removesuffix(".py").replace("/", ".")
    found = import_module(f"ssl_core.{module}")
    for part in place.name.split("."):
        found = inspect.getattr_static(found, part)
    return getattr(found, "__func__", found)


@algorithms
def test_every_place_is_executed_by_its_algorithm(name, monkeypatch):
    places = ALGORITHMS[name].guide.places
    codes = {place: _found(place) for place in places}
    codes = {p: getattr(f, "py_func", f).__code__ for p, f in codes.items()}
    for needs in {place.needs for place in places}:
        seen = executed_by(name, needs, monkeypatch)
        for place in places:
            assert place.needs != needs or codes[place] in seen, place


def test_a_place_that_does_not_exist_raises():
    with pytest.raises(ValueError, match=r"pcg\.py defines no _PCGRun\.fly"):
        Place("[MB11] eq. (7)", "", "solvers/pcg.py", "_PCGRun.fly").lines()


# -- objectives -----------------------------------------------------------------------


class Machine:
    """A solved problem in the symbols of the objectives, nothing taken from it."""

    def __init__(self, name, **params):
        self.est = make(name, **params)
        X, y = MOONS.X, MOONS.y
        self.trace = self.est.trace(X, y)
        self.state = self.trace.final
        self.f, self.y = self.state.f, self.trace.y
        self.p = vars(self.est)
        self.L, self.U = self.y != 0, self.y == 0
        self.l, self.u = self.L.sum(), self.U.sum()
        self.X = X

    @property
    def margins(self):
        return self.y[self.L] * self.f[self.L]

    @property
    def K(self):
        return gram(self.X, sigma=self.est.sigma_)

    @property
    def laplacian(self):
        W = knn_weights(self.X, self.p["n_neighbors"])
        return Laplacian(
            W, normalized=self.p["normalized"], degree=self.p["laplacian_degree"]
        )

    @property
    def ambient(self):
        """|w|^2, the norm of f less its constant."""
        return self.state.alpha @ self.K @ self.state.alpha

    def squared_hinge(self, m):
        return np.maximum(0.0, 1.0 - m) ** 2

    def deformed_norm(self):
        """Of f without its constant, in the norm that the graph deforms."""
        g = self.K @ self.state.alpha
        ratio = self.p["gamma_I"] / self.p["gamma_A"]
        return self.ambient + ratio * float(g @ (self.laplacian @ g))


def labelled(m):
    return m.squared_hinge(m.margins).sum()


def unlabelled(m, loss):
    return m.p["C_u"] * loss(m.f[m.U]).sum()


def hat(o):
    return np.maximum(0.0, 1.0 - np.abs(o)) ** 2


def s3vm(loss):
    """The formula of `formulas.s3vm` with a loss of the unlabelled outputs."""

    def value(m):
        return 0.5 * m.ambient + m.p["C"] * labelled(m) + unlabelled(m, loss)

    return value


def guessed(m):
    y_u = m.state.y_u
    return (
        0.5 * m.ambient
        + m.p["C"] * labelled(m)
        + m.p["C_u"] * m.squared_hinge(y_u * m.f[m.U]).sum()
    )


def entropy(p):
    p = np.clip(p, 1e-300, 1 - 1e-16)
    return -(p * np.log(p) + (1 - p) * np.log1p(-p)).sum()


def expected(m):
    o, p = m.f[m.U], m.state.p
    losses = p * m.squared_hinge(o) + (1 - p) * m.squared_hinge(-o)
    norm, fit = 0.5 * m.ambient, m.p["C"] * labelled(m)
    return norm + fit + m.p["C_u"] * losses.sum() - m.state.T * entropy(p)


def linear(m):
    w, b = m.state.w, m.state.b
    return 0.5 * m.p["lam"] * (w @ w + b * b) + labelled(m) / (2 * m.l)


def linear_guessed(m):
    losses = m.squared_hinge(m.state.y_u * m.f[m.U]).sum()
    return linear(m) + m.p["lam_u"] / (2 * m.u) * losses


def linear_expected(m):
    o, p = m.f[m.U], m.state.p
    losses = p * m.squared_hinge(o) + (1 - p) * m.squared_hinge(-o)
    doubt = -m.state.T / (2 * m.u) * entropy(p)
    return linear(m) + m.p["lam_u"] / (2 * m.u) * losses.sum() + doubt


def intrinsic(m):
    return m.p["gamma_I"] * m.f @ (m.laplacian @ m.f)


def dual(m):
    g = m.K @ m.state.alpha
    hinge = np.maximum(0.0, 1.0 - m.margins).sum()
    return hinge + m.p["gamma_A"] * m.ambient + m.p["gamma_I"] * g @ (m.laplacian @ g)


def squares(m):
    return ((m.y[m.L] - m.f[m.L]) ** 2).sum()


def path(m):
    hinge = np.maximum(0.0, 1.0 - m.margins).sum()
    away = np.maximum(0.0, 1.0 - np.abs(m.f[m.U])).sum()
    return 0.5 * m.ambient + m.p["C"] * hinge + m.state.C_u * away


def edges(m):
    W = knn_weights(m.X, m.p["n_neighbors"]).toarray()
    return (W * (m.f[:, None] - m.f) ** 2).sum()


def spread(m):
    W, F = knn_weights(m.X, m.p["n_neighbors"]).toarray(), m.f * m.state.mass
    root = np.sqrt(W.sum(axis=1))
    smooth = F @ F - F @ (W / np.outer(root, root)) @ F
    return 0.5 * (smooth + (1 / m.p["share"] - 1) * ((F - m.y) ** 2).sum())


def flow(m):
    sources = m.y[m.L] - m.y[m.L].mean()
    return edges(m) / 4 - (sources * m.f[m.L]).sum()


def taught(m):
    """All points have labels at the end: given, or the signs that were guessed."""
    guessed_in = m.state.taught
    assert (guessed_in >= 0).all()
    y = m.y.astype(float)
    for t in range(1, guessed_in.max() + 1):
        f, new = m.trace.states[t - 1].f, guessed_in == t
        y[new] = np.sign(f[new])
    return 0.5 * (m.squared_hinge(y * m.f).sum() + m.p["gamma_A"] * m.ambient)


def bell(o):
    return np.exp(-5.0 * o**2)


# The formula of every objective that the catalogue shows, as one would read it.
VALUES = {
    tex.half(tex.SQUARED_HINGE, tex.AMBIENT): lambda m: (
        0.5 * (labelled(m) + m.p["gamma_A"] * m.ambient)
    ),
    tex.half(tex.SQUARED, tex.AMBIENT): lambda m: (
        0.5 * (squares(m) + m.p["gamma_A"] * m.ambient)
    ),
    tex.half(tex.SQUARED_HINGE, tex.AMBIENT, tex.INTRINSIC): lambda m: (
        0.5 * (labelled(m) + m.p["gamma_A"] * m.ambient + intrinsic(m))
    ),
    tex.half(tex.SQUARED, tex.AMBIENT, tex.INTRINSIC): lambda m: (
        0.5 * (squares(m) + m.p["gamma_A"] * m.ambient + intrinsic(m))
    ),
    " + ".join((tex.HINGE, tex.AMBIENT, tex.INTRINSIC_WITHOUT_BIAS)): dual,
    f"{tex.LINEAR_NORM} + {tex.LINEAR_LOSS}": linear,
    f"{tex.LINEAR_NORM} + {tex.LINEAR_LOSS} + {tex.LINEAR_GUESSED}": linear_guessed,
    f"{tex.LINEAR_NORM} + {tex.LINEAR_LOSS} + {tex.LINEAR_EXPECTED} + "
    f"{tex.LINEAR_DOUBT}": linear_expected,
    tex.s3vm(tex.GUESSED): guessed,
    tex.s3vm(tex.EXPECTED) + " - " + tex.DOUBT: expected,
    tex.s3vm(tex.HAT): s3vm(hat),
    tex.s3vm(tex.BELL): s3vm(bell),
    tex.s3vm(tex.PSI): s3vm(Flat().value),
    " + ".join((tex.NORM, tex.PLAIN_LABELED, tex.PLAIN_HAT)): path,
    tex.ENERGY + tex.KEPT: lambda m: edges(m) / 2,
    tex.half(tex.SPREAD, tex.FITTED): spread,
    f"{tex.HALF_ENERGY} - {tex.SOURCES}": flow,
    tex.half(tex.TAUGHT, tex.AMBIENT): taught,
}
CENTRED = {"balance": "fixed"}  # b is then the constant of f, and |w| is alpha'K alpha
SETTINGS = {
    "cccp": CENTRED,
    "nabla_s3vm": CENTRED,
    "cs3vm": CENTRED,
    "newton_s3vm": CENTRED,
    "s3vm_path": {"centered": False},
    "lapsvm_s3vm": {"method": "cccp", **CENTRED},
}


@algorithms
def test_the_objective_that_is_shown_is_the_one_that_is_minimised(name):
    """Its value, computed as one reads it, is the objective of the last state."""
    entry = ALGORITHMS[name]
    m = Machine(name, **SETTINGS.get(name, {}))
    if name == "convex_relaxation":  # a bound on what is minimised by its labels
        assert m.state.bound <= guessed(m) * (1 + 1e-9)
        assert guessed(m) == pytest.approx(m.state.objective, rel=1e-6)
        return
    if name == "lapsvm_s3vm":
        assert entry.objective == tex.s3vm(tex.HAT, norm=tex.GRAPH_NORM)
        value = 0.5 * m.deformed_norm() + m.p["C"] * labelled(m) + unlabelled(m, hat)
    else:
        value = VALUES[entry.objective](m)
    assert value == pytest.approx(m.state.objective, rel=1e-6, abs=1e-9)


def test_newtons_ridge_is_told_and_kept_as_it_departs_from_the_print():
    """[CSK08] Algorithm 6 prints min(1, lambda / 2): from 16 that would lead to 1."""
    assert "max(1, λ / 2)" in ALGORITHMS["newton_s3vm"].guide.story
    est = make("newton_s3vm", sigma=0.3)
    ridges = [state.ridge for state in est.iterate(MOONS.X, MOONS.y)]
    assert min(ridges) == 1.0
    assert max(ridges) >= 8.0
    assert all(after >= before / 2 for before, after in pairwise(ridges))
