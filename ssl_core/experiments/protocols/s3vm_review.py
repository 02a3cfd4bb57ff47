"""[CSK08] Tables 1, 2, 3, 8, 11, 12, 13 and 15.

Protocol of the paper: Table 5's sigma and C, the original ten splits where they are
known, r the true share of each class among the unlabelled points and met exactly, error
on the unlabelled points. The objective is that of an SVM retrained on the predicted
labels, the mean over the one-vs-rest machines.
"""

import time
from dataclasses import dataclass

import numpy as np
from sklearn.preprocessing import normalize

from halfmoon.datasets import Split, load, original_split
from halfmoon.datasets import split as divide
from ssl_core import Retraining, balanced_labels, make
from ssl_core.experiments.cell import Cell
from ssl_core.experiments.notes import note
from ssl_core.experiments.posed import Posed, data, matrix
from ssl_core.experiments.table import CAPPED, Entry, Protocol, Scene, Table
from ssl_core.trace import Status, decide

KEY = "s3vm_review"
N_SPLITS = 10


@dataclass(frozen=True)
class ReviewBenchmark:
    """One data set: its name here, sigma and C of [CSK08] Table 5.

    Table 15's kernel is LapSVM's: neighbours, degree p, sigma, gamma_I / gamma_A and
    C = 1 / (2 gamma_A) as [MB11] Tables 9 and 10 have them. The review took its own
    from an earlier paper and prints none.
    """

    title: str
    sigma: float
    C: float
    graph: tuple[int, int, float, float, float] | None = None
    data: str = ""  # name in `datasets`, where it is another
    noise: float | None = None  # of the two moons; the paper prints none
    rank: int | None = None  # see LOW_RANK

    @property
    def pixels(self) -> bool:
        """Coil: pixels in [0, 1], where the paper's and its sigma's are in 0..255."""
        return self.data.startswith("coil")


# Many classes and 1,440 to 2,007 points: 400 eigenvectors stand for the kernel where
# the work is on features (they leave out 6 % of the trace on Uspst, 1 % on Coil20). On
# the first split of Uspst the error of ∇S3VM is 10.5 with them and 10.1 without.
LOW_RANK = 400
BENCHES = {
    "g50c": ReviewBenchmark(
        "g50c", 38.0, 19.0, (50, 5, 17.5, 100.0, 5.0), "g50c_original"
    ),
    "text": ReviewBenchmark("Text", 3.5, 31.0, (50, 5, 2.7, 1e6, 5e5), "text_pcmac"),
    "uspst": ReviewBenchmark(
        "Uspst", 7.4, 38.0, (10, 2, 9.4, 1e4, 5e5), "uspst", rank=LOW_RANK
    ),
    "coil20": ReviewBenchmark(
        "Coil20", 2900 / 255, 37.0, (2, 1, 0.6, 1e6, 5e5), "coil20", rank=LOW_RANK
    ),
    "coil3": ReviewBenchmark(
        "Coil3", 3000 / 255, 100.0, (2, 1, 0.6, 1e6, 5e5), "coil3"
    ),
    "2moons": ReviewBenchmark("2moons", 0.5, 10.0, (6, 1, 0.5, 100.0, 5.0), noise=0.03),
    "2moons_noisy": ReviewBenchmark("2moons, noise 0.05", 0.5, 10.0, noise=0.05),
}
MOONS = "two_moons_noise"
# Where the labelled points stand, in radians from the end of each moon that lies inside
# the other. The paper prints neither this nor the noise. One number chooses it, the
# plain SVM's error in Table 13, published as 44.4: here it is 64 at 0.3, 52 at 0.5 and
# 44.4 at 0.6. Of the other numbers some would come nearer at 0.3.
LABEL_ANGLE = 0.6
SMALL = ("coil3", "2moons", "2moons_noisy")  # Table 1
BB_SECONDS = 60.0  # for one binary problem
# Column -> algorithm, its own parameters; balance is the protocol's.
METHODS = {
    "∇S3VM": ("nabla_s3vm", {}),
    "cS3VM": ("cs3vm", {}),
    "CCCP": ("cccp", {}),
    "S3VM-light": ("s3vm_light", {}),
    "∇DA": ("nabla_da", {}),
    "Newton": ("newton_s3vm", {}),
    "SVM": ("s3vm_light", {"C_u": 0.0}),
    "DA": ("da_kernel", {}),
    "CCCP, no annealing": ("cccp", {"steps": 1}),
    "Newton, quadratic": ("newton_s3vm", {"loss": "quadratic"}),
    "S3VM-light, all pairs": ("s3vm_light", {"S": None}),
    "cS3VM, all smoothed": ("cs3vm", {"smooth_labeled": True}),
    "BB": (
        "branch_and_bound",
        {
            "order": "best",
            "spread": True,
            "max_nodes": 10**7,  # the clock ends it
            "max_iter": 10**7,
            "max_seconds": BB_SECONDS,
        },
    ),
    "LapSVM": ("lapsvm_s3vm", {"C_u": 0.0}),
    "LapSVM-S3VM-light": ("lapsvm_s3vm", {}),
}
CONTINUOUS = {"nabla_s3vm", "cs3vm", "cccp", "newton_s3vm"}
ON_FEATURES = {"nabla_s3vm", "cs3vm", "cccp", "nabla_da", "da_kernel"}
SEVEN = ("∇S3VM", "cS3VM", "CCCP", "S3VM-light", "∇DA", "Newton", "SVM")
EXACT, HUNDREDTH, ESTIMATED = "exact", "hundredth", "estimated"  # Tables 8, 11, 13
TABLE_8 = {  # and 1
    "g50c": (6.7, 6.4, 6.3, 6.2, 7.0, 6.1, 8.2),
    "text": (5.1, 5.3, 8.3, 8.1, 5.7, 5.4, 14.8),
    "uspst": (15.6, 36.2, 16.4, 15.5, 27.2, 18.6, 20.7),
    "coil20": (25.6, 30.7, 26.6, 25.3, 12.3, 24.1, 24.1),
    "coil3": (61.6, 61.0, 56.6, 56.7, 61.6, 61.5, None),
    "2moons": (61.0, 37.7, 63.1, 68.8, 22.5, 11.0, None),
    "2moons_noisy": (None,) * 7,
}
TABLE_11 = {
    "g50c": (8.3, 8.3, 8.5, 8.4, 6.7, 7.5),
    "text": (5.7, 5.8, 8.5, 8.1, 6.5, 14.5),
    "uspst": (14.1, 15.6, 14.9, 14.5, 11.0, 19.2),
    "coil20": (23.9, 23.6, 23.6, 21.8, 18.9, 24.6),
    "coil3": (60.8, 55.0, 56.3, 59.2, 60.6, 60.5),
    "2moons": (65.0, 49.8, 66.3, 68.7, 30.0, 33.5),
}
TABLE_13 = {
    "g50c": (7.2, 6.6, 6.7, 7.5, 8.4, 5.8, 9.1),
    "text": (6.8, 5.0, 12.8, 9.2, 8.1, 6.1, 23.1),
    "uspst": (24.1, 41.5, 24.3, 24.4, 29.8, 25.0, 24.2),
    "coil20": (35.4, 51.5, 34.5, 25.3, 12.3, 25.4, 26.2),
    "coil3": (64.4, 59.7, 59.4, 56.7, 61.7, 62.9, 51.8),
    "2moons": (62.2, 33.7, 55.6, 68.8, 22.5, 8.9, 44.4),
}
TABLE_2 = {  # DA and ∇DA at C, then at C / 100
    "g50c": (6.5, 7.0, 8.3, 6.7),
    "text": (13.6, 5.7, 6.2, 6.5),
    "uspst": (22.5, 27.2, 11.0, 11.0),
    "coil20": (3.0, 12.3, 19.2, 18.9),
    "coil3": (49.1, 61.6, 60.3, 60.6),
    "2moons": (36.8, 22.5, 62.1, 30.0),
}
TABLE_3 = {  # flat and quadratic
    "g50c": (6.1, 5.3),
    "text": (5.4, 7.7),
    "uspst": (18.6, 15.9),
    "coil20": (24.1, 24.7),
    "coil3": (61.5, 58.4),
    "2moons": (11.0, 66.4),
}
TABLE_3_SECONDS = {
    "g50c": (15, 39),
    "text": (2180, 2165),
    "uspst": (233, 2152),
    "coil20": (152, 1244),
    "coil3": (6, 8),
    "2moons": (1.7, 1.2),
}
TABLE_12 = {  # CCCP without and with annealing
    "g50c": (7.9, 6.3),
    "text": (14.7, 8.3),
    "uspst": (21.3, 16.4),
    "coil20": (26.1, 26.6),
    "coil3": (49.3, 56.6),
    "2moons": (67.1, 63.1),
}
TABLE_15 = {  # LapSVM, S3VM-light, hybrid at the exact r; S3VM-light, hybrid estimated
    "g50c": (6.4, 6.2, 4.6, 7.5, 6.1),
    "text": (11.0, 8.1, 8.3, 9.2, 9.0),
    "uspst": (11.4, 15.5, 8.8, 24.4, 19.6),
    "coil20": (11.9, 25.3, 12.5, 25.3, 12.5),
    "coil3": (20.6, 56.7, 17.9, 56.7, 17.9),
    "2moons": (7.8, 68.8, 5.1, 68.8, 5.1),
}


# -- points and labels ----------------------------------------------------------------


def pose(problem: dict) -> Posed:
    """Split number k of a data set."""
    bench, k = BENCHES[problem["data"]], problem["split"]
    if bench.noise is not None:
        return _moons(bench.noise, k)
    found, digest = data(bench.data, **_knobs(bench))
    if found.splits is not None:
        return Posed.of(found.X, found.y, original_split(found, k), digest)
    drawn = divide(found.y, per_class=2, random_state=k)
    return Posed.of(found.X, found.y, drawn, digest)


def _knobs(bench: ReviewBenchmark) -> dict:
    return {"unit_norm": False} if bench.pixels else {}


def _moons(noise: float, k: int) -> Posed:
    """The labelled points stay, the unlabelled are drawn again: section 5.1."""
    drawn = load(MOONS, random_state=100 + k, noise_scale=noise)
    X, y = drawn.X.copy(), drawn.y.copy()
    rows = np.array([np.flatnonzero(y == c)[0] for c in (0, 1)])
    across, up = np.cos(LABEL_ANGLE), np.sin(LABEL_ANGLE)
    X[rows, :2] = (across, up), (1.0 - across, 0.5 - up)  # upper and lower moon
    X[rows, 2:] = noise * np.random.default_rng(0).standard_normal((2, X.shape[1] - 2))
    rest, none = np.setdiff1d(np.arange(len(y)), rows), np.empty(0, dtype=int)
    return Posed.of(X, y, Split(rows, rest, none, none))


# -- a training -----------------------------------------------------------------------


def run(posed: Posed, cell: Cell) -> dict:
    """Error in percent, objective after retraining, CPU seconds of a machine."""
    bench = BENCHES[dict(cell.problem)["data"]]
    params, given = dict(cell.params), posed.given
    hidden, k = given < 0, int(posed.y.max()) + 1
    known = dict(cell.setting)["r"] == "true"
    if known:
        shares = np.bincount(posed.y[hidden], minlength=k) / hidden.sum()
        params["r"] = float(shares[1]) if k == 2 else shares
    if cell.algorithm == "lapsvm_s3vm":
        # [MB11]'s sigma for Coil is that of rows of length 1.
        points = normalize(posed.X) if bench.pixels else posed.X
    else:
        points = matrix(posed, params.pop("sigma"))
        params["kernel"] = "precomputed"
    est = make(cell.algorithm, **params)
    start = time.thread_time()  # one thread: others of this process do not count
    for state in est.iterate(points, given):  # noqa: B007 - the last one counts
        pass
    seconds = time.thread_time() - start
    predicted = _classes(state.f[hidden], params["r"] if known else None)
    labels = given.copy()
    labels[hidden] = predicted
    judge = Retraining.of(
        matrix(posed, bench.sigma), given, C=bench.C, C_u=bench.C, kernel="precomputed"
    )
    return {
        "error": 100.0 * float((predicted != posed.y[hidden]).mean()),
        "objective": judge.objective(labels),
        "seconds": seconds / k if k > 2 else seconds,
        "states": state.t,
        CAPPED: int(state.status is Status.MAX_ITER),
        **_bounds(state),
    }


def _classes(f, r: float | None):
    """Classes of outputs; two of them in the ratio r where it is known."""
    if f.ndim > 1:
        return f.argmax(axis=1)
    if r is None:
        return (decide(f) > 0).astype(int)
    n_positive = int(np.floor(r * len(f) + 0.5))
    return (balanced_labels(f, n_positive) > 0).astype(int)


def _bounds(state) -> dict:
    """Of branch and bound, in percent: machines proved optimal, and the largest gap."""
    if not hasattr(state, "upper"):
        return {}
    each = state.per_class or {"lower": [state.lower], "upper": [state.upper]}
    gaps = 1.0 - np.asarray(each["lower"]) / np.asarray(each["upper"])
    return {
        "proved": 100.0 * float((gaps <= 1e-8).mean()),
        "gap": 100.0 * float(gaps.max()),
    }


def scene(cell: Cell) -> Scene | str:
    """The run for the playground, or why it cannot be opened there."""
    problem, params = dict(cell.problem), dict(cell.params)
    bench = BENCHES[problem["data"]]
    if bench.noise is not None:
        return "The points of 2moons mix two draws, which the playground cannot."
    posed = pose(problem)
    hidden = posed.given < 0
    remark = ""
    if dict(cell.setting)["r"] == "true" and posed.y.max() == 1:
        params["r"] = float(posed.y[hidden].mean())
    elif dict(cell.setting)["r"] == "true":
        remark = "Here r of each class is the true one, there it comes from the labels."
    if bench.pixels and cell.algorithm == "lapsvm_s3vm":
        knobs = {"unit_norm": True}
    else:
        knobs = _knobs(bench)
    labeled = tuple(int(row) for row in posed.split.labeled)
    return Scene(bench.data, labeled, cell.algorithm, knobs, params, remark)


# -- declarations ---------------------------------------------------------------------


def cells(name: str, method: str, way: str) -> tuple[Cell, ...]:
    """The ten splits of a method on a data set, in one of the three ways."""
    bench = BENCHES[name]
    algorithm, own = METHODS[method]
    params = {"C": bench.C, "C_u": bench.C} | own
    if way == HUNDREDTH and "C_u" not in own:
        params["C_u"] = bench.C / 100.0
    if algorithm in CONTINUOUS:
        params["balance"] = "linear" if way == ESTIMATED else "exact"
    if bench.rank is not None and algorithm in ON_FEATURES:
        params |= {"rank": bench.rank, "factor": "eigen"}
    params["sigma"] = float(bench.sigma)
    if algorithm == "lapsvm_s3vm":
        neighbors, degree, sigma, ratio, C = bench.graph
        params |= {
            "C": C,
            "C_u": own.get("C_u", C),
            "n_neighbors": neighbors,
            "laplacian_degree": degree,
            "gamma_A": 1.0,
            "gamma_I": ratio,
            "sigma": float(sigma),
        }
    setting = {"r": "estimated" if way == ESTIMATED else "true"}
    return tuple(
        Cell.of(KEY, {"data": name, "split": k}, algorithm, params, setting)
        for k in range(N_SPLITS)
    )


def _entries(published: dict, columns) -> dict:
    """Entries of a table whose columns are (heading, method, way)."""
    found = {}
    for name, numbers in published.items():
        for (heading, method, way), number in zip(columns, numbers, strict=True):
            found[BENCHES[name].title, heading] = Entry(
                cells(name, method, way), number
            )
    return found


def _seven(published: dict, way: str, methods=SEVEN) -> dict:
    return _entries(published, [(m, m, way) for m in methods])


def _measured(metric: str, names, methods) -> dict:
    """Entries with nothing published: another number of the same cells."""
    return {
        (BENCHES[name].title, method): Entry(cells(name, method, EXACT), metric=metric)
        for name in names
        for method in methods
    }


def _table_1() -> dict:
    """Branch and bound: what it found, and what it proved."""
    found = {}
    for name in SMALL:
        title, ten = BENCHES[name].title, cells(name, "BB", EXACT)
        published = None if name == "2moons_noisy" else 0.0
        found[title, "error, %"] = Entry(ten, published)
        found[title, "proved, %"] = Entry(ten, metric="proved", better="higher")
        found[title, "largest gap, %"] = Entry(ten, metric="gap")
        found[title, "CPU s"] = Entry(ten, metric="seconds")
    return found


HYBRID = "LapSVM-S3VM-light"
WORDS = (*SEVEN[:-1], "DA", "SVM")
TABLES = (
    Table(
        "csk08-8",
        "Tables 8 and 1: error with C* = C, r known and met exactly",
        _seven(TABLE_8, EXACT),
    ),
    Table(
        "csk08-11",
        "Table 11: error with C* = C / 100, r known and met exactly",
        _seven(TABLE_11, HUNDREDTH, SEVEN[:-1]),
    ),
    Table(
        "csk08-13",
        "Table 13: error with r from the labels, linear constraint (12)",
        _seven(TABLE_13, ESTIMATED),
    ),
    Table(
        "csk08-1", "Table 1: branch and bound, its error and what it proved", _table_1()
    ),
    Table(
        "csk08-2",
        "Table 2: error of annealing in turns and by gradient",
        _entries(
            TABLE_2,
            [
                ("DA, C* = C", "DA", EXACT),
                ("∇DA, C* = C", "∇DA", EXACT),
                ("DA, C / 100", "DA", HUNDREDTH),
                ("∇DA, C / 100", "∇DA", HUNDREDTH),
            ],
        ),
    ),
    Table(
        "csk08-3",
        "Table 3: error of Newton's method with two losses",
        _entries(
            TABLE_3,
            [("flat", "Newton", EXACT), ("quadratic", "Newton, quadratic", EXACT)],
        ),
    ),
    Table(
        "csk08-3-seconds",
        "Table 3: seconds of one binary training",
        {
            (BENCHES[name].title, heading): Entry(
                cells(name, method, EXACT), number, metric="seconds"
            )
            for name, numbers in TABLE_3_SECONDS.items()
            for heading, method, number in zip(
                ("flat", "quadratic"),
                ("Newton", "Newton, quadratic"),
                numbers,
                strict=True,
            )
        },
        unit="s",
        graded=False,
        note="The paper's seconds are those of a computer of 2007, ours CPU seconds.",
    ),
    Table(
        "csk08-12",
        "Table 12: error of CCCP with and without annealing",
        _entries(
            TABLE_12,
            [
                ("no annealing", "CCCP, no annealing", EXACT),
                ("annealing", "CCCP", EXACT),
            ],
        ),
    ),
    Table(
        "csk08-15",
        "Table 15: error of S3VMs in the graph's kernel",
        _entries(
            TABLE_15,
            [
                ("LapSVM", "LapSVM", EXACT),
                ("S3VM-light", "S3VM-light", EXACT),
                ("hybrid", HYBRID, EXACT),
                ("S3VM-light, r est.", "S3VM-light", ESTIMATED),
                ("hybrid, r est.", HYBRID, ESTIMATED),
            ],
        ),
    ),
    Table(
        "csk08-variants",
        "Error of variants that the paper leaves open",
        _measured(
            "error",
            ("g50c", "coil3", "2moons", "2moons_noisy"),
            ("S3VM-light, all pairs", "cS3VM, all smoothed"),
        ),
    ),
    Table(
        "csk08-objective",
        "Objective after retraining, C* = C",
        _measured("objective", BENCHES, WORDS),
        unit="",
    ),
    Table(
        "csk08-seconds",
        "CPU seconds of one binary training, search included",
        _measured("seconds", BENCHES, WORDS),
        unit="s",
    ),
)
PROTOCOL = Protocol(
    key=KEY,
    title="The S3VM review's tables",
    paper="CSK08",
    pose=pose,
    run=run,
    tables=TABLES,
    head="Error on the unlabelled points in percent, mean over ten splits.",
    notes=note(KEY),
    scene=scene,
)
