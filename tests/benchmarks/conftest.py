"""After the benchmarks of a run, all or some: one table, kept for the next run."""

from tests.benchmarks.measure import ROWS
from tests.benchmarks.results import finish


def pytest_terminal_summary(terminalreporter):
    lines = finish(ROWS)
    if lines:
        terminalreporter.section("Benchmarks")
        for line in lines:
            terminalreporter.line(line)
