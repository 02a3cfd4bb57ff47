"""Data of a visitor's own: a file in, with its columns chosen."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace

import numpy as np
import streamlit as st
from sklearn.neighbors import NearestNeighbors

from datasets import Dataset
from pages._parts.playground import session
from pages._parts.running import runs
from pages._parts.running.run_server import digest_of
from pages._parts.scenario import UPLOAD, Labels, Scenario, Upload
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import choosing, moved, picking, whole
from ssl_core import ALGORITHMS

KEPT = "_own_data"
UPLOADER = "upload"
REACH = 1.7  # widths that suit the known data sets are about this many 10-NN radii
SCALES = {"standard": "Mean 0, deviation 1", "range": "0 to 1", "none": "As they are"}


def accept(content: bytes, name: str, scenario: Scenario) -> Scenario:
    """The scenario with a new file; raises a sentence when it cannot be used.

    Labels and kernel width are chosen to suit the file.
    """
    upload = Upload(digest_of(content), _short(name))
    data = runs.server().table(upload, content)
    runs.server().keep_file(content, kept().visitor)
    return suit(scenario.with_data(UPLOAD, upload), data)


@dataclass
class Kept:
    """What a session keeps about files; one object, changed in place.

    Parameters
    ----------
    visitor : str
        Who brings a file: no name, only told apart from other visitors.
    waiting : bool
        "A file" was chosen and none has been given yet.
    mistake : str
        What was wrong with the last file or its columns.
    """

    visitor: str = field(default_factory=lambda: secrets.token_hex(8))
    waiting: bool = False
    mistake: str = ""


def kept() -> Kept:
    if KEPT not in st.session_state:
        st.session_state[KEPT] = Kept()
    return st.session_state[KEPT]


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
            width = width or suggested_width(runs.server().base(scenario))
            knob = ALGORITHMS[method.algorithm].knob("sigma")
            own = float(np.clip(width, knob.low, knob.high))
            scenario = scenario.with_parameter("sigma", own, index)
    return scenario


def suggested_width(data: Dataset) -> float:
    """A kernel width from the distance to the tenth neighbour, two digits."""
    rows = np.random.default_rng(0).permutation(data.n)[:1000]
    k = min(10, len(rows) - 1)
    if k < 1:
        return 1.0
    distances = NearestNeighbors(n_neighbors=k).fit(data.X[rows]).kneighbors()[0]
    width = REACH * float(np.median(distances[:, -1]))
    return float(f"{width:.2g}") if width > 0 else 1.0


def upload_controls(change) -> None:
    """The uploader and, for a file that is here, its columns."""

    def received():
        file = st.session_state[UPLOADER]
        kept().mistake = ""
        if file is None:
            return
        try:
            scenario = accept(file.getvalue(), file.name, session.current())
        except ValueError as error:
            kept().mistake = str(error)
        else:
            kept().waiting = False
            change(scenario)

    st.file_uploader(
        "CSV, Parquet or svmlight, up to 25 MB",
        key=UPLOADER,
        on_change=whole(received),
        help=(
            "A table with a header: numeric columns are features, one column may hold "
            "the labels, where empty or ? means unknown. The file stays in this "
            "server's memory for a while and is written nowhere; when that is full, "
            "your older files go first."
        ),
    )
    if kept().mistake:
        st.error(errors.plain(kept().mistake), icon=":material/error:")
    scenario = session.current()
    if scenario.upload is not None:
        column_controls(scenario, change)


def column_controls(scenario: Scenario, change) -> None:
    """Which column holds the labels, which are features, and how they are scaled."""
    upload = scenario.upload
    if runs.server().files.get(upload.digest) is None:
        return
    try:
        everything = runs.server().table(Upload(upload.digest, upload.name))
        data = runs.server().table(upload)
    except ValueError as error:
        errors.show(error)
        return
    for note in data.meta.get("notes", ()):
        st.caption(errors.plain(note))
    if not everything.is_sparse and everything.meta["label_column"] != "(first field)":
        _columns(everything, data, change)
    if not data.is_sparse:

        def scaled():
            _reread(change, scale=moved("upload_scale"))

        st.selectbox(
            "Scaling of the columns",
            SCALES,
            **choosing("upload_scale", upload.scale, SCALES),
            format_func=SCALES.get,
            on_change=whole(scaled),
        )


def _columns(everything, data, change) -> None:
    label = data.meta["label_column"]
    features = [str(name) for name in everything.feature_names]
    names = sorted({*features, *([label] if label else [])})

    def relabelled():
        label = moved("upload_label")
        _reread(change, label_column=label, feature_columns=())

    st.selectbox(
        "Label column",
        names,
        **choosing("upload_label", label, names),
        placeholder="no labels",
        on_change=whole(relabelled),
    )
    shown = [str(name) for name in data.feature_names]
    if len(names) > 100:
        st.caption(f"{len(shown)} numeric columns are used.")
        return

    def chosen():
        columns = tuple(moved("upload_features"))
        _reread(change, feature_columns=columns)

    st.multiselect(
        "Features",
        [name for name in names if name != label],
        **picking("upload_features", shown),
        on_change=whole(chosen),
    )


def _reread(change, **options) -> None:
    """Read the same file another way; what goes wrong is told, not done."""
    scenario = session.current()
    if scenario.upload is None:  # other data were chosen meanwhile
        return
    upload = replace(scenario.upload, **options)
    kept().mistake = ""
    try:
        data = runs.server().table(upload)
        change(suit(scenario.with_data(UPLOAD, upload), data))
    except ValueError as error:
        kept().mistake = str(error)


def _short(name: str) -> str:
    return name if len(name) <= 120 else name[-120:]
