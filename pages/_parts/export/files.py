"""Files: a scenario, saved and opened again, and the table of a run."""

from __future__ import annotations

from halfmoon.pages._parts.running import runs
from halfmoon.scenario import Scenario, default, saved_file
from halfmoon.scenario.solving import Solved
from ssl_core import archive
from ssl_core.viz.measures import error_rates


def trace_file(solved: Solved) -> bytes:
    """A run as the file that `Trace.load` reads."""
    return archive.to_bytes(solved.trace)


def trace_table(solved: Solved) -> str:
    """One row per iteration as CSV, with the errors that the page shows."""
    frame = solved.trace.to_frame()
    rates = error_rates(solved.trace, solved.truth)
    for part, name in (("U", "error_unlabelled"), ("L", "error_labelled")):
        if part in rates:
            frame.insert(2, name, rates[part])
    return frame.to_csv(index=False)


def saved(scenario: Scenario) -> str:
    """A scenario as a file; a small file of the visitor's own goes along."""
    content = None
    if scenario.upload is not None:
        content = runs.server().files.get(scenario.upload.digest)
    return saved_file.to_saved(scenario, content)


def read_saved(saved: bytes) -> tuple[Scenario, list[str], bytes | None]:
    """See `saved_file.read_saved`; the page shows its default where nothing passes."""
    scenario, remarks, content = saved_file.read_saved(saved)
    return default() if scenario is None else scenario, remarks, content
