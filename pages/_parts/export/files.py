"""Files: a scenario, saved and opened again, and the table of a run."""

from __future__ import annotations

import base64
import zlib

from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.job import Solved
from halfmoon.pages._parts.running.run_server import MAX_FILE, digest_of
from halfmoon.pages._parts.scenario import Scenario, default
from ssl_core.viz.measures import error_rates

MAX_SAVED = 3_000_000  # bytes of an uploaded file that a saved scenario may carry
MAX_OPENED = 8_000_000


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
    files = {}
    if scenario.upload is not None:
        content = runs.server().files.get(scenario.upload.digest)
        packed = zlib.compress(content, 6) if content is not None else b""
        if packed and len(packed) <= MAX_SAVED:
            files[scenario.upload.digest] = base64.b64encode(packed).decode()
    return scenario.to_json(files)


def read_saved(saved: bytes) -> tuple[Scenario, list[str], bytes | None]:
    """A saved scenario and the one file it needs; others inside stay packed.

    Returns
    -------
    scenario : Scenario
    remarks : list of str
        One sentence for each thing that was not understood.
    content : bytes or None
        The visitor's own file; its digest is the one that the scenario names.
    """
    if len(saved) > MAX_OPENED:
        most = f"{MAX_OPENED / 1e6:g} MB"
        return (
            default(),
            [f"A saved scenario has at most {most}; this is larger."],
            None,
        )
    scenario, remarks, files = Scenario.from_json(saved)
    digest = scenario.upload.digest if scenario.upload is not None else None
    if digest not in files:
        return scenario, remarks, None
    content = _unpacked(files[digest])
    if content is None or digest_of(content) != digest:
        return scenario, [*remarks, "The data inside the file are damaged."], None
    return scenario, remarks, content


def _unpacked(text: str) -> bytes | None:
    """A packed file of no more bytes than an upload may have; None if damaged."""
    try:
        inflate = zlib.decompressobj()
        packed = base64.b64decode(text, validate=True)
        content = inflate.decompress(packed, MAX_FILE + 1)
    except (ValueError, zlib.error):
        return None
    whole = inflate.eof and not inflate.unused_data and len(content) <= MAX_FILE
    return content if whole else None
