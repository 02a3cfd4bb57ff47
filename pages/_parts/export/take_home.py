"""Take it home: link, script, notebook, table, file."""

from __future__ import annotations

import base64
import zlib
from dataclasses import replace

import streamlit as st

from pages._parts import session, stage
from pages._parts.export.script import notebook, script
from pages._parts.running import runs
from pages._parts.running.learning_problem import Problem
from pages._parts.running.server import MAX_FILE, Solved, digest_of
from pages._parts.scenario import MAX_URL, Scenario, data_knobs, default
from pages._parts.widgets import own_data
from pages._parts.widgets.callbacks import moved, picking, whole
from ssl_core import ALGORITHMS
from ssl_core.viz.measures import error_rates

MAX_SAVED = 3_000_000  # bytes of an uploaded file that a saved scenario may carry
MAX_OPENED = 8_000_000
GROUPS = {
    "presets": "Examples",
    "data": "Data",
    "seed": "Draw of the data",
    "split": "Validation and test points",
    "view": "Projection",
    "labels": "Labels",
    "algorithm": "Algorithm",
    "more": "More parameters",
    "tools": "Editing on the stage",
}


def actions(problem: Problem | None, solved: Solved | None) -> None:
    """Code, Save and Share, side by side; before them, what the run offers.

    Each menu is made when it is opened: script, notebook and table take longer to
    write than everything else on the page.
    """
    with st.container(horizontal=True, key="actions", horizontal_alignment="right"):
        session.ways_out(solved)
        if problem is not None and solved is not None:
            with menu("Code", ":material/code:") as code:
                if code.open:
                    code_controls(problem, solved)
        with menu("Save", ":material/download:") as save:
            if save.open:
                save_controls(solved)
        with menu("Share", ":material/link:", type="primary") as share:
            if share.open:
                share_controls()


def menu(name: str, icon: str, **look):
    """A popover that tells whether it is open."""
    key = f"menu_{name.lower()}"
    return st.popover(name, icon=icon, key=key, on_change="rerun", **look)


def code_controls(problem: Problem, solved: Solved) -> None:
    scenario = session.current()
    text = script(scenario, problem)
    st.markdown("This script runs as it is and gives the same numbers.")
    with st.container(height=320):
        st.code(text, language="python")
    with st.container(horizontal=True):
        st.download_button(
            "Script",
            text,
            "halfmoon_run.py",
            "text/x-python",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            "Notebook",
            notebook(scenario, problem),
            "halfmoon_run.ipynb",
            "application/x-ipynb+json",
            on_click="ignore",
            icon=":material/download:",
        )


def save_controls(solved: Solved | None) -> None:
    scenario = session.current()
    with st.container(horizontal=True):
        st.download_button(
            "Scenario (JSON)",
            saved(scenario),
            "halfmoon.json",
            "application/json",
            on_click="ignore",
            icon=":material/download:",
        )
        if solved is not None:
            st.download_button(
                "Trace (CSV)",
                trace_table(solved),
                "halfmoon_trace.csv",
                "text/csv",
                on_click="ignore",
                icon=":material/download:",
                help="One row per iteration: objective, norms, errors, events.",
            )
    st.file_uploader("Open a saved scenario", key="opened", on_change=whole(open_file))


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
        content = runs.desk().files.get(scenario.upload.digest)
        packed = zlib.compress(content, 6) if content is not None else b""
        if packed and len(packed) <= MAX_SAVED:
            files[scenario.upload.digest] = base64.b64encode(packed).decode()
    return scenario.to_json(files)


def open_file() -> None:
    file = st.session_state["opened"]
    if file is None:
        return
    scenario, remarks, content = read_saved(file.getvalue())
    if content is not None:
        runs.desk().keep_file(content, own_data.visitor())
    session.open_anew(scenario, remarks)


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


def link(scenario: Scenario) -> str:
    """The whole address, as this visitor's browser has it."""
    here = (st.context.url or "").split("?")[0]
    query = scenario.to_query()
    return f"{here}?{query}" if query else here


def share_controls() -> None:
    """A link to the screen as it is, with controls left out for a class."""
    scenario = session.current()
    names = hideable(scenario)
    hidden = scenario.hidden or session.visitor().hide
    hidden = tuple(sorted(name for name in hidden if name in names))
    query = replace(scenario, hidden=hidden).to_query()
    if len(query) > MAX_URL:
        st.info(
            "There are too many labels or points for a link; use Save and send the "
            "file.",
            icon=":material/info:",
        )
    else:
        st.markdown("This link brings others to the same screen.")
        stage.show_link(query, key="link", of=session.STAGE)
    if scenario.upload is not None:
        st.caption(
            "The link works while this server remembers your file; Save keeps it."
        )
    if not scenario.hidden:
        hide_controls(names, hidden)


def hide_controls(names: dict[str, str], hidden: tuple[str, ...]) -> None:
    """What the link leaves out; the screen it is made on keeps everything."""

    def chosen():
        session.visitor().hide = tuple(moved("hide"))

    st.multiselect(
        "For a class: controls to hide",
        list(names),
        format_func=names.get,
        placeholder="none",
        help="They stay on your screen and are missing on the screen of the link.",
        on_change=whole(chosen),
        **picking("hide", list(hidden)),
    )


def hideable(scenario: Scenario) -> dict[str, str]:
    """Controls that a link can hide, by name."""
    names = dict(GROUPS)
    for knob in data_knobs(scenario.data).values():
        names[f"data.{knob.name}"] = knob.label
    for knob in ALGORITHMS[scenario.algorithm].knobs:
        names[knob.name] = knob.label
    return names
