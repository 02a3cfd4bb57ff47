"""Every algorithm on every toy data set, as a visitor meets it who changes nothing.

``python -m tests.tables.defaults`` (part of ``make tables``) writes
docs/tables/defaults.md: the error on unlabelled points, that of the supervised SVM, and
the sentence the app shows where a method is worse. With ``--more`` also bundled and
benchmark data that are here, printed and not written: some take minutes.
"""

import sys
import warnings
from pathlib import Path

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts.pictures.worse import svm_error, worse_than_svm
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import Scenario
from ssl_core import ALGORITHMS
from ssl_core.registry import in_menu_order
from ssl_core.viz.measures import error_rates
from ssl_core.viz.words import rate

OUT = Path(__file__).parents[2] / "docs" / "tables" / "defaults.md"
HEAD = """# Default settings

Error on the unlabelled points of every algorithm on every toy data set, with the data,
labels and parameters that the app starts with (seed 0). **Bold**: worse than the
supervised SVM on the same labels; the sentences below are the app's. A dash: not
offered for so many points. Made by `python -m tests.tables.defaults`.
"""
TOYS = tuple(name for name, entry in DATASETS.items() if entry.kind == "toy")
GROWING = (200, 400, 1000, 4000)  # points on two moons
MORE = (
    *(("digits", a) for a in ("svm", "lapsvm_pcg", "nabla_s3vm", "s3vm_path", "da")),
    *((d, a) for d in ("iris", "wine", "breast_cancer") for a in in_menu_order()),
    *(("uspst", a) for a in ("svm", "lapsvm_pcg", "da")),
)


def run(scenario):
    """The run of a scenario; a sentence where it is refused."""
    job = RunServer(1).ask(scenario)
    while not job.wait(1.0):  # who does not look loses the run
        pass
    return str(job.result) if isinstance(job.result, Exception) else job.outcome()


def cell(scenario) -> tuple[str, str]:
    """The error as the table shows it, and the app's sentence."""
    solved = run(scenario)
    if isinstance(solved, str):
        return "–", ""
    error = rate(error_rates(solved.trace, solved.truth)["U"][-1])
    sentence = worse_than_svm(solved)
    return (f"**{error}**" if sentence else error), sentence


def table(rows) -> list[str]:
    head, *rest = rows
    lines = [head, ["---"] * len(head), *rest]
    return ["| " + " | ".join(row) + " |" for row in lines]


def written() -> str:
    rows, told = [["", *(DATASETS[name].title for name in TOYS)]], []
    for algorithm in in_menu_order():
        row = [ALGORITHMS[algorithm].title]
        for name in TOYS:
            error, sentence = cell(Scenario.of(name, algorithm))
            row.append(error)
            print(name, algorithm, error, sentence, flush=True)
            if sentence:
                where = f"{ALGORITHMS[algorithm].title}, {DATASETS[name].title}"
                told.append(f"- {where}: {sentence}")
        rows.append(row)
    moons = [["Points", "Laplacian SVM, PCG", "Supervised SVM"]]
    for n in GROWING:
        scenario = Scenario.of("two_moons", "lapsvm_pcg").with_data_knob("n", n)
        svm = svm_error(run(scenario))
        moons.append([f"{n:,}", cell(scenario)[0], rate(svm)])
    parts = [HEAD, *table(rows), "", "## More points on two moons", "", *table(moons)]
    return "\n".join([*parts, "", "## What the app says", "", *told]) + "\n"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if "--more" in sys.argv:
        for name, algorithm in MORE:
            print(name, algorithm, *cell(Scenario.of(name, algorithm)), flush=True)
    else:
        OUT.write_text(written(), encoding="utf-8")
