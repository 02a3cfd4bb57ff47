"""Data of a visitor's own: a file in, with its columns chosen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from halfmoon.datasets import Dataset
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.run_server import digest_of
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.shell import door, errors
from halfmoon.pages._parts.shell.callbacks import whole
from halfmoon.pages._parts.shell.visit import visit
from halfmoon.scenario import UPLOAD, Labels, Scenario, Upload
from ssl_core import ALGORITHMS
from ssl_core.kernels import kernel_width

UPLOADER = "upload"
SCALES = {"standard": "Mean 0, deviation 1", "range": "0 to 1", "none": "As they are"}


def accept(
    content: bytes, name: str, scenario: Scenario, visitor: str = ""
) -> Scenario:
    """The scenario with a new file; raises a sentence when it cannot be used.

    Labels and kernel width are chosen to suit the file.
    """
    upload = Upload(digest_of(content), _short(name))
    data = runs.server().table(upload, content)
    runs.server().keep_file(content, visitor)
    return suit(scenario.with_data(UPLOAD, upload), data)


def suit(scenario: Scenario, data: Dataset) -> Scenario:
    """Labels and kernel width for a file that was just read."""
    known = data.y >= 0
    if not known.any():
        labels = Labels("hand")
    elif not known.all():
        labels = Labels("file", 3)
    else:
        labels = Labels("random", 3)
    scenario = scenario.with_labels(labels)
    width = None
    for index, method in enumerate(scenario.methods):
        if "sigma" in method.params:
            base = runs.server().base(scenario)
            width = width or float(f"{kernel_width(base.X):.2g}")
            knob = ALGORITHMS[method.algorithm].knob("sigma")
            own = float(np.clip(width, knob.low, knob.high))
            scenario = scenario.with_parameter("sigma", own, index)
    return scenario


def receive(screen: Screen, content: bytes, name: str, visitor: str) -> Screen:
    """With a file that was given, or with what is wrong with it."""
    try:
        scenario = accept(content, name, screen.scenario, visitor)
    except ValueError as error:
        return replace(screen, mistake=str(error))
    return replace(screen.changed(scenario), mistake="", awaits_file=False)


def reread(screen: Screen, **options) -> Screen:
    """Read the same file another way; what goes wrong is told, not done."""
    if screen.scenario.upload is None:  # other data were chosen meanwhile
        return screen
    upload = replace(screen.scenario.upload, **options)
    try:
        data = runs.server().table(upload)
        scenario = suit(screen.scenario.with_data(UPLOAD, upload), data)
    except ValueError as error:
        return replace(screen, mistake=str(error))
    return replace(screen.changed(scenario), mistake="")


def upload_controls(desk: Desk[Screen]) -> None:
    """The uploader and, for a file that is here, its columns."""

    def received():
        file = door.given(UPLOADER)
        if file is None:
            desk.page.tell(lambda screen: replace(screen, mistake=""))
            return
        content, name, visitor = file.getvalue(), file.name, visit().token
        desk.page.tell(lambda screen: receive(screen, content, name, visitor))

    st.file_uploader(
        "CSV, Parquet or svmlight, up to 25 MB",
        key=UPLOADER,
        on_change=whole(received),
        help=(
            "A table with a header: numeric columns are features, one column may hold "
            "the labels, where empty or ? means unknown. The file stays in this "
            "server's memory for a while and is not saved to disk; when the memory is "
            "full, your older files are dropped first."
        ),
    )
    if desk.screen.mistake:
        st.error(errors.plain(desk.screen.mistake), icon=":material/error:")
    if desk.scenario.upload is not None:
        column_controls(desk)


def column_controls(desk: Desk[Screen]) -> None:
    """Which column holds the labels, which are features, and how they are scaled."""
    upload = desk.scenario.upload
    if runs.server().files.get(upload.digest) is None:
        return
    try:
        everything = runs.server().table(Upload(upload.digest, upload.name))
        data = runs.server().table(upload)
    except ValueError as error:
        errors.show_error(error)
        return
    for note in data.meta.get("notes", ()):
        st.caption(errors.plain(note))
    if not everything.is_sparse and everything.meta["label_column"] != "(first field)":
        _columns(desk, everything, data)
    if not data.is_sparse:

        def scaled(screen: Screen, scale: str) -> Screen:
            return reread(screen, scale=scale)

        st.selectbox(
            "Scaling of the columns",
            SCALES,
            **desk.choosing("upload_scale", upload.scale, SCALES),
            format_func=SCALES.get,
            on_change=desk.on(scaled, "upload_scale"),
        )


def _columns(desk: Desk[Screen], everything: Dataset, data: Dataset) -> None:
    label = data.meta["label_column"]
    features = [str(name) for name in everything.feature_names]
    names = sorted({*features, *([label] if label else [])})

    def relabelled(screen: Screen, label: str | None) -> Screen:
        return reread(screen, label_column=label, feature_columns=())

    st.selectbox(
        "Label column",
        names,
        **desk.choosing("upload_label", label, names),
        placeholder="no labels",
        on_change=desk.on(relabelled, "upload_label"),
    )
    shown = [str(name) for name in data.feature_names]
    if len(names) > 100:
        st.caption(f"{len(shown)} numeric columns are used.")
        return

    def chosen(screen: Screen, columns: list[str]) -> Screen:
        return reread(screen, feature_columns=tuple(columns))

    st.multiselect(
        "Features",
        [name for name in names if name != label],
        **desk.picking("upload_features", shown),
        on_change=desk.on(chosen, "upload_features"),
    )


def _short(name: str) -> str:
    return name if len(name) <= 120 else name[-120:]
