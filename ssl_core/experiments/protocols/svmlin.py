"""[SK06] Tables 2, 3 and 4 on pcmac, [SK07] Tables 1.3, 1.5 and 1.7 on kdd99.

Protocol of the papers: lam = 0.001, lam_u = 1, stratified random splits. On pcmac 1460
documents train, 37 to 220 of them labelled, and 486 test; r is the share of positive
documents in all. kdd99 and the pairs of 20-newsgroups groups, of which nothing is
published, are transductive as in [SK07] section 1.5: all points train, the error is
that on the unlabelled ones, r is their true share.
"""

import time

import numpy as np

from halfmoon.datasets import Split
from halfmoon.datasets.splits import stratified_rows
from ssl_core import make
from ssl_core.experiments.cell import Cell
from ssl_core.experiments.notes import note
from ssl_core.experiments.posed import Posed, data
from ssl_core.experiments.table import CAPPED, DUEL, Entry, Protocol, Scene, Table
from ssl_core.experiments.warm import warm
from ssl_core.trace import Status

KEY = "svmlin"
PCMAC, NEWS, KDD = "text_pcmac", "news20", "kdd99_10pct"
N_TRAIN = 1460
N_LABELED = (37, 73, 110, 146, 183, 220)
N_SPLITS = {PCMAC: 10, NEWS: 3, KDD: 1}
PAIRS = (
    "pc hardware / mac hardware",
    "windows / mac",
    "baseball / hockey",
    "autos / motorcycles",
    "atheism / christian",
    "rec / sci",
    "comp / rec",
)
SCALES = ("max_abs", "log")  # the paper's is not known
PUBLISHED_SCALE = SCALES[0]  # whose row the published numbers stand in
SVM, TSVM, TSVM_MAX, DA = "SVM", "TSVM", "TSVM (S=max)", "DA"
METHODS = {
    SVM: ("l2svm_mfn", {}),
    TSVM: ("tsvm", {"S": 1}),
    TSVM_MAX: ("tsvm", {}),
    DA: ("da", {}),
}
TABLE_2 = {  # it has one line for TSVM, and none for SVM
    TSVM: (0.136, 0.137, 0.138, 0.139, 0.141, 0.142),
    TSVM_MAX: (None,) * 6,
    DA: (0.122, 0.125, 0.128, 0.131, 0.134, 0.136),
}
TABLE_3 = {
    SVM: (18.0, 12.1, 9.7, 8.0, 7.4, 6.7),
    DA: (5.2, 5.0, 4.6, 4.7, 4.4, 4.3),
    TSVM: (7.4, 6.9, 6.0, 5.7, 5.1, 4.7),
    TSVM_MAX: (7.3, 6.8, 6.0, 5.7, 5.1, 4.7),
}
TABLE_4 = {SVM: None, TSVM: 4.0, TSVM_MAX: 2.0, DA: 12.0}  # seconds, first split
KDD_OBJECTIVE = {TSVM_MAX: 0.0066, DA: 0.0063}  # [SK07] Table 1.3
KDD_ERROR = {TSVM_MAX: 0.48, DA: 0.22, SVM: 0.29}  # Table 1.5
KDD_SECONDS = {TSVM_MAX: 15 * 60.0, DA: 143 * 60.0}  # Table 1.7, there in minutes


# -- points and labels ----------------------------------------------------------------


def pose(problem: dict) -> Posed:
    """Stratified split number k with so many labels."""
    found, digest = data(problem["data"], **_knobs(problem))
    rng, n = np.random.default_rng(problem["split"]), problem["labels"]
    train = np.arange(found.n)
    if problem["data"] == PCMAC:
        train = stratified_rows(found.y, N_TRAIN, rng)
    labeled = train[stratified_rows(found.y[train], n, rng)]
    parts = Split(
        labeled,
        np.setdiff1d(train, labeled),
        np.empty(0, dtype=int),
        np.setdiff1d(np.arange(found.n), train),
    )
    return Posed.of(found.X, found.y, parts, digest)


def _knobs(problem: dict) -> dict:
    return {name: problem[name] for name in ("pair", "scale") if name in problem}


# -- a training -----------------------------------------------------------------------


def run(posed: Posed, cell: Cell) -> dict:
    """Error in percent on the test points, else on the unlabelled; CPU seconds.

    The objective is the transductive one where the method has it.
    """
    part, params = posed.split, dict(cell.params)
    rows = np.sort(part.train)
    given = posed.given[rows]
    if cell.algorithm != "l2svm_mfn":
        params["r"] = ratio(posed)
    warm(cell.algorithm, sparse=True)
    est = make(cell.algorithm, **params)
    X = posed.X[rows]
    start = time.thread_time()
    est.fit(X, given)
    seconds = time.thread_time() - start
    judged = part.test if len(part.test) else part.unlabeled
    wrong = est.predict(posed.X[judged]) != posed.y[judged]
    state = est.state_
    return {
        "error": 100.0 * float(wrong.mean()),
        "objective": getattr(state, "transductive_objective", state.objective),
        "seconds": seconds,
        "states": state.t,
        CAPPED: int(state.status is Status.MAX_ITER),
    }


def ratio(posed: Posed) -> float:
    """r: the share of positive points, in all where some test, else of U."""
    hidden = posed.split.unlabeled
    return float(np.mean(posed.y if len(posed.split.test) else posed.y[hidden]))


def scene(cell: Cell) -> Scene | str:
    """The run for the playground."""
    problem, params = dict(cell.problem), dict(cell.params)
    if problem["data"] == KDD:
        return "kdd99 has 494,021 points, more than the playground draws."
    posed = pose(problem)
    if cell.algorithm != "l2svm_mfn":
        params["r"] = ratio(posed)
    return Scene(
        problem["data"],
        tuple(int(row) for row in posed.split.labeled),
        cell.algorithm,
        _knobs(problem),
        params,
        remark="There the test points are unlabelled points as well."
        if len(posed.split.test)
        else "",
    )


# -- declarations ---------------------------------------------------------------------


def cells(method: str, name: str, labels: int, **knobs) -> tuple[Cell, ...]:
    """All splits of a method on a data set."""
    algorithm, own = METHODS[method]
    params = {"lam": 1e-3} | own
    if algorithm != "l2svm_mfn":
        params["lam_u"] = 1.0
    return tuple(
        Cell.of(
            KEY, {"data": name, "split": k, "labels": labels} | knobs, algorithm, params
        )
        for k in range(N_SPLITS[name])
    )


def _pcmac(published: dict, metric: str) -> dict:
    return {
        (method, f"l = {n}"): Entry(cells(method, PCMAC, n), number, metric)
        for method, numbers in published.items()
        for n, number in zip(N_LABELED, numbers, strict=True)
    }


def _duels() -> dict:
    """What ends lower: DA than TSVM, many switches than one."""
    pairs = ((DA, TSVM_MAX), (DA, TSVM), (TSVM_MAX, TSVM))
    return {
        (f"{one} against {other}", f"l = {n}"): Entry(
            cells(one, PCMAC, n),
            metric="objective",
            against=cells(other, PCMAC, n),
            show=DUEL,
        )
        for one, other in pairs
        for n in N_LABELED
    }


def _news() -> dict:
    found = {}
    for pair in PAIRS:
        for method in (SVM, TSVM_MAX, DA):
            three = cells(method, NEWS, 40, pair=pair)
            found[pair, f"{method}, %"] = Entry(three, digits=2)
            found[pair, f"{method}, s"] = Entry(three, metric="seconds", digits=3)
    return found


def _kdd(published: dict, metric: str) -> dict:
    return {
        (f"kdd99, 10 percent, {scale}", method): Entry(
            cells(method, KDD, 1000, scale=scale),
            number if scale == PUBLISHED_SCALE else None,
            metric,
        )
        for scale in SCALES
        for method, number in published.items()
    }


KDD_NOTE = (
    "The paper has the whole file, 4,898,431 rows with 127 or 128 features; the 10 "
    "percent file (494,021 rows, 118 features that vary) stands for it. The scaling of "
    "the features is not printed: the published numbers stand beside the first of two."
)
TABLES = (
    Table("sk06-3", "[SK06] Table 3: test error on pcmac", _pcmac(TABLE_3, "error")),
    Table(
        "sk06-2",
        "[SK06] Table 2: objective on pcmac",
        _pcmac(TABLE_2, "objective"),
        unit="",
        digits=4,
        tolerance=0.05,
        relative=True,
    ),
    Table(
        "sk06-duel",
        "Splits of pcmac on which the objective ends lower / at the same value / "
        "higher",
        _duels(),
        unit="splits",
    ),
    Table(
        "sk06-4",
        "[SK06] Table 4: seconds of a training on pcmac",
        {
            (method, f"l = {n}"): Entry(
                cells(method, PCMAC, n),
                number if n == N_LABELED[0] else None,
                "seconds",
            )
            for method, number in TABLE_4.items()
            for n in N_LABELED
        },
        unit="s",
        digits=3,
        graded=False,
        note=(
            "The paper's seconds are those of a MATLAB program on a computer of 2006 "
            "and its first split, ours CPU seconds on one thread."
        ),
    ),
    Table(
        "sk07-news",
        "Pairs of 20-newsgroups groups, 40 labels: error and seconds",
        _news(),
        note="Nothing is published of these.",
        paper="SK07",
    ),
    Table(
        "sk07-1.3",
        "[SK07] Table 1.3: objective on kdd99",
        _kdd(KDD_OBJECTIVE, "objective"),
        unit="",
        digits=4,
        tolerance=0.05,
        relative=True,
        note=KDD_NOTE,
        paper="SK07",
    ),
    Table(
        "sk07-1.5",
        "[SK07] Table 1.5: error on kdd99, 1000 labels",
        _kdd(KDD_ERROR, "error"),
        digits=2,
        tolerance=0.1,
        note=KDD_NOTE,
        paper="SK07",
    ),
    Table(
        "sk07-1.7",
        "[SK07] Table 1.7: seconds on kdd99",
        _kdd(KDD_SECONDS, "seconds"),
        unit="s",
        graded=False,
        note="A tenth of the paper's rows, and a computer many years newer.",
        paper="SK07",
    ),
)
PROTOCOL = Protocol(
    key=KEY,
    title="Linear SVMs for sparse data: the papers' tables",
    paper="SK06",
    pose=pose,
    run=run,
    tables=TABLES,
    head="pcmac: mean over ten stratified splits. 20 newsgroups: three; kdd99: one.",
    notes=note(KEY),
    scene=scene,
)
