"""A scenario as a program that runs as it is: a script, or the cells of a notebook.

The program takes the same steps as `learning_problem` and `solving`, in lines that
a student can change; a test runs it and compares the final objective.

People run what they are given here, and a scenario may be a stranger's. So values enter
the code through `source.literal` and in no other way, and comments, docstring and the
notebook's prose are our own words: they name no file, no column and no class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halfmoon import __version__
from halfmoon.pages._parts.export.imported import chain, imports
from halfmoon.pages._parts.export.source import call, list_lines, literal
from halfmoon.scenario import DRAWN, UPLOAD, Drawing, Labels, Scenario
from halfmoon.scenario.headlines import headline, subtitle
from halfmoon.scenario.learning_problem import Problem
from ssl_core import ALGORITHMS

INSTALL = f"""Made with Halfmoon {__version__}. With that it runs from any folder:

    pip install halfmoon

or, from its source, pip install path/to/halfmoon."""


@dataclass(frozen=True)
class Cell:
    """A step: what it does, and the lines that do it."""

    heading: str
    lines: tuple[str, ...]


# Said and no more: with another version it may run, and have other numbers.
VERSION = Cell(
    "The version that this was made with; another major one may give other numbers.",
    (
        f'made_with, here = "{__version__}", halfmoon.__version__',
        'if here.split(".")[0] != made_with.split(".")[0]:',
        '    print(f"# Made with Halfmoon {made_with}; this is {here}.")',
    ),
)

# A notebook ends with it.


@dataclass(frozen=True)
class Program:
    """What a page does, as code; `as_script` and `notebook.as_notebook` write it.

    Parameters
    ----------
    headline, subject : str
        How the problem is posed, and what is run on what.
    imports : tuple of str
    cells : tuple of Cell
    about : tuple of str
        Markdown that explains it, for a notebook.
    picture : tuple of str
        Lines that draw every iteration, for a notebook.
    """

    headline: str
    subject: str
    imports: tuple[str, ...]
    cells: tuple[Cell, ...]
    about: tuple[str, ...] = ()
    picture: tuple[str, ...] = ("trace.plot()",)


def program(
    scenario: Scenario,
    problem: Problem,
    more: Sequence[Cell] = (),
    core: Sequence[str] = ("make",),
) -> Program:
    """The run of a scenario's first method, for anyone who has installed Halfmoon.

    Parameters
    ----------
    scenario : Scenario
    problem : Problem
    more : sequence of Cell
        What a page does with the run, after its steps.
    core : sequence of str
        Names of the solvers' part that are imported.
    """
    entry = ALGORITHMS[scenario.algorithm]
    return Program(
        headline(problem),
        subject(scenario),
        tuple(imports(scenario, core)),
        (*cells(scenario, problem), *more),
        (entry.idea, f"$${entry.objective}$$", *filter(None, [entry.source])),
        (f"trace.plot({_truth(problem)})",),
    )


def _truth(problem: Problem) -> str:
    """The true classes for a figure, which counts errors where they are known."""
    if not judged(problem):
        return ""
    unknown = (problem.truth < 0).any()
    return f"truth={'np.where(truth < 0, None, truth)' if unknown else 'truth'}"


def as_script(made: Program) -> str:
    """A Python file that runs from any folder, once Halfmoon is installed."""
    head = f'"""{made.headline}: {made.subject}.\n\n{INSTALL}\n"""'
    parts = [head, "\n".join(made.imports)]
    for cell in (VERSION, *made.cells):
        parts.append("\n".join([f"# {cell.heading}", *cell.lines]))
    return "\n\n".join(parts) + "\n"


def script(
    scenario: Scenario,
    problem: Problem,
    more: Sequence[Cell] = (),
    core: Sequence[str] = ("make",),
) -> str:
    """The Python file of a run; see `program`."""
    return as_script(program(scenario, problem, more, core))


def subject(scenario: Scenario) -> str:
    """What is run on what, in our words: a file's name is its owner's."""
    if scenario.data == UPLOAD:
        return f"{ALGORITHMS[scenario.algorithm].title} on an uploaded file"
    return subtitle(scenario)


def cells(scenario: Scenario, problem: Problem) -> list[Cell]:
    """The steps of a scenario in order; runs that it continues come first."""
    steps = [Cell("The data, every label included.", tuple(_data(scenario)))]
    if scenario.drawing != Drawing():
        heading = "Points that were moved, removed or drawn by hand."
        steps.append(Cell(heading, tuple(_drawing(scenario.drawing))))
    heading = "Held-out and labelled points: -1 marks unlabelled points."
    steps.append(Cell(heading, tuple(_labels(scenario, problem))))
    chain: list[Scenario] = []
    earlier = scenario
    while earlier.start is not None:
        earlier = earlier.start.origin
        chain.insert(0, earlier)
    for number, run in enumerate(chain):
        name, given = f"earlier{number}", f"y{number}"
        lines = [*_given(run.labels, given), *_run(run, name, given)]
        heading = f"Earlier run {number + 1}, which the next one continues."
        steps.append(Cell(heading, tuple(lines)))
    run = _run(scenario, "trace", "y")
    steps.append(Cell("The run, every iteration of it.", tuple(run)))
    steps.append(Cell("The result.", tuple(_report(problem))))
    return steps


def another(scenario: Scenario, name: str) -> list[str]:
    """Lines for one more run on the same points and labels, kept as ``name``."""
    return _run(scenario, name, "y")


def judged(problem: Problem) -> bool:
    """Whether the script knows which unlabelled points are ``judged``."""
    return bool((problem.truth[problem.given < 0] >= 0).any())


def error_of(problem: Problem, predicted: str = "est.predict(X)") -> str:
    """What a script's sentence adds on the error, for the inside of an f-string."""
    if not judged(problem):
        return ""
    return f", error {{({predicted} != truth)[judged].mean():.2%}}"


# -- the lines -----------------------------------------------------------------------


def _data(scenario: Scenario) -> list[str]:
    if scenario.data == DRAWN:
        return ["X, truth = np.empty((0, 2)), np.empty(0, dtype=int)"]
    if scenario.data == UPLOAD:
        upload = scenario.upload
        options = {}
        if upload.label_column is not None:
            options["label_column"] = upload.label_column
        if upload.feature_columns:
            options["feature_columns"] = list(upload.feature_columns)
        lines = call("data = read_table", [literal(upload.name)], options)
        lines += ["X, truth = data.X, data.y"]
        if upload.scale != "none":
            lines += [
                "if not data.is_sparse:",
                f"    X = scale_columns(X, {literal(upload.scale)})",
            ]
        return lines
    options = {**scenario.knobs, "random_state": scenario.seed}
    lines = call("data = load", [literal(scenario.data)], options)
    return [*lines, "X, truth = data.X, data.y"]


def _drawing(drawing: Drawing) -> list[str]:
    lines = ["X, truth, n = X.copy(), truth.copy(), len(X)"]
    if drawing.moved:
        rows = [row for row, _, _ in drawing.moved]
        places = [[x, y] for _, x, y in drawing.moved]
        lines += list_lines("X[", rows, "] = ", places)
    if drawing.added:
        lines += list_lines("added = ", [list(p[:2]) for p in drawing.added])
        lines += list_lines("classes = ", [p[2] for p in drawing.added])
        lines.append("X, truth = np.vstack([X, added]), np.append(truth, classes)")
    lines.append("number = np.arange(len(X))")
    if drawing.removed:
        lines += list_lines("removed = ", list(drawing.removed))
        lines += [
            "X, truth = np.delete(X, removed, 0), np.delete(truth, removed)",
            "number = np.delete(number, removed)",
        ]
    return lines


def _labels(scenario: Scenario, problem: Problem) -> list[str]:
    drawn = scenario.drawing != Drawing()
    lines = [] if drawn else ["number = np.arange(X.shape[0])"]
    held = len(problem.val) or len(problem.test)
    if held:
        n_val = literal(scenario.n_val)
        both = literal(scenario.n_val + scenario.n_test)
        lines.append(
            f"order = np.random.default_rng({literal(scenario.seed)})"
            ".permutation(len(number))"
        )
        keep = []
        if scenario.labels.how == "hand":
            keep = [row for row, _ in scenario.labels.hand]
        if keep or drawn:
            lines += list_lines("keep = np.isin(number, ", keep, ")")
            if drawn:
                lines.append("keep |= number >= n")
            lines.append("order = order[~keep[order]]")
        lines += [
            "order = order[: len(number) // 2]",
            f"val, test = np.sort(order[:{n_val}]), np.sort(order[{n_val}:{both}])",
            "X_val, y_val, X_test, y_test = X[val], truth[val], X[test], truth[test]",
            f"train = np.setdiff1d(np.arange(len(number)), order[: {both}])",
            "X, truth, number = X[train], truth[train], number[train]",
        ]
    return [*lines, *_given(scenario.labels)]


def _given(labels: Labels, name: str = "y") -> list[str]:
    lines = [f"{name} = np.full(len(number), -1)"]
    count, draw = literal(labels.count), literal(labels.draw)
    if labels.how == "hand":
        hand = [(row, c) for row, c in labels.hand if c >= 0]
        lines += list_lines("hand = ", [list(pair) for pair in hand])
        return [
            *lines,
            "for i, c in hand:",
            f"    {name}[number == i] = c",
        ]
    if labels.how == "file":
        return [f"{name} = truth.copy()"]
    if labels.how == "random":
        return [
            *lines,
            "known = np.flatnonzero(truth >= 0)",
            f"per_class = min({count}, np.unique(truth[known], "
            "return_counts=True)[1].min())",
            f"{name}[known] = hide_labels(truth[known], per_class=per_class, "
            f"random_state={draw})",
        ]
    return [
        *lines,
        f"chosen = telling_points(X, min({count}, len(number)), random_state={draw})",
        f"{name}[chosen] = truth[chosen]",
    ]


def _run(scenario: Scenario, name: str, given: str) -> list[str]:
    """Lines that make one run from the labels ``given``; its origin came before."""
    params = {
        knob.name: scenario.params[knob.name]
        for knob in ALGORITHMS[scenario.algorithm].knobs
        if scenario.params[knob.name] != knob.default
    }
    lines = call("est = make", [literal(scenario.algorithm)], params)
    options: dict[str, str] = {}
    if scenario.n_val:
        options |= {"X_val": "X_val[y_val >= 0]", "y_val": "y_val[y_val >= 0]"}
    if scenario.n_test:
        options |= {"X_test": "X_test[y_test >= 0]", "y_test": "y_test[y_test >= 0]"}
    if scenario.start is not None:
        before = f"earlier{len(list(chain(scenario))) - 1}"
        t = literal(scenario.start.t)
        lines.append(
            f"start = max((s for s in {before}.states if s.t <= {t}), "
            "key=lambda s: s.t)"
        )
        options["start"] = "start"
    return [*lines, *call(f"{name} = est.trace", ["X", given], options, plain=True)]


def _report(problem: Problem) -> list[str]:
    lines = [
        'print(f"{trace.status.value} {len(trace)} states.")',
        'print(f"objective: {trace.final.objective:.12g}")',
    ]
    if judged(problem):
        lines += [
            "judged = (y < 0) & (truth >= 0)",
            "wrong = est.predict(X)[judged] != truth[judged]",
            'print(f"error on unlabelled points: {wrong.mean():.2%}")',
        ]
    for part in ("val", "test"):
        if len(getattr(problem, part)):
            lines.append(
                f'print(f"error on {part} points: '
                f"{{trace.output_error('{part}')[-1]:.2%}}\")"
            )
    return lines
