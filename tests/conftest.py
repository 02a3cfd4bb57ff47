"""Settings of the whole suite, the order of its tests, a word on a missing browser."""

import gc
from pathlib import Path

import pytest
from hypothesis import settings

# Fixed seeds: the same examples on every run, and no deadline on a busy machine.
settings.register_profile("halfmoon", derandomize=True, deadline=None, database=None)
settings.load_profile("halfmoon")

# The order for several workers (`--dist worksteal`): each gets a part of the list, and
# one that is done takes from the end of another's. The first worker has the browser,
# which waits half of the time, while the others compute. In the browser, pages that
# run no solver come first: the others compile in the meantime. What is long stands in
# the last rooms, so that small tests are left for the end and all workers end together.
ORDER = (
    "browser/test_words.py",
    "browser/test_stage.py",
    "browser",
    "viz",
    "problems",
    "solvers",
    "",
    "common",
    "datasets",
    "estimators",
    "linalg",
    "scenario",
    "stage",
    "pages",
    "experiments",
    "fuzz",
    "load",
)
NO_BROWSER = "no browser found"


def place_in_order(path: Path) -> int:
    """Where the tests of a file stand; a file or room that is not named goes last."""
    file = path.relative_to(Path(__file__).parent)
    room = file.parts[0] if len(file.parts) > 1 else ""
    for name in (file.as_posix(), room):
        if name in ORDER:
            return ORDER.index(name)
    return len(ORDER)


def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: place_in_order(item.path))


def pytest_collection_finish():
    """Modules and 16,000 tests stay to the end: no collection looks at them again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter):
    """A missing browser is told last, where it is not lost among the skips."""
    yield
    skipped = terminalreporter.stats.get("skipped", [])
    without = [report for report in skipped if NO_BROWSER in str(report.longrepr)]
    if without:
        terminalreporter.section("The browser was not tested", sep="!", red=True)
        reason = without[0].longrepr[-1].removeprefix("Skipped: ")
        terminalreporter.line(f"{len(without)} tests were skipped. {reason}")
