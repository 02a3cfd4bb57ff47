"""Saved scenarios: what of one is a visitor's own file, and reading both again.

The app and `halfmoon.open_scenario` read them here. No streamlit here.
"""

from __future__ import annotations

import base64
import hashlib
import zlib

from halfmoon.datasets import Dataset, read_table
from halfmoon.datasets.upload import shown
from halfmoon.scenario import Scenario, Upload, default, file
from halfmoon.stage.view import MAX_CLASSES

MAX_FILE = 25_000_000  # bytes of one uploaded file
MAX_SAVED = 3_000_000  # bytes of an uploaded file that a saved scenario may carry
MAX_OPENED = 8_000_000
TOO_LARGE = f"A saved scenario has at most {MAX_OPENED / 1e6:g} MB; this is larger."
Read = tuple[Scenario | None, list[str], bytes | None]


def digest_of(content: bytes) -> str:
    """The name of a file's content."""
    return hashlib.sha256(content).hexdigest()[:32]


def to_saved(scenario: Scenario, content: bytes | None = None) -> str:
    """A scenario as a file; a small file of the visitor's own goes along."""
    files = {}
    if scenario.upload is not None and content is not None:
        packed = zlib.compress(content, 6)
        if len(packed) <= MAX_SAVED:
            files[scenario.upload.digest] = base64.b64encode(packed).decode()
    return scenario.to_json(files)


def read_saved(saved: bytes) -> Read:
    """A saved scenario and the one file it needs; others inside stay packed.

    Returns
    -------
    scenario : Scenario or None
        None where nothing of the file could be used.
    remarks : list of str
        One sentence for each thing that was not understood.
    content : bytes or None
        The visitor's own file; its digest is the one that the scenario names.
    """
    if len(saved) > MAX_OPENED:
        return None, [TOO_LARGE], None
    usual = default()
    scenario, remarks, files = file.from_json(saved, usual)
    if scenario is usual:
        return None, remarks, None
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


def read_upload(content: bytes, upload: Upload) -> Dataset:
    """The file as a data set that the stage can show; raises a sentence."""
    data = read_table(
        content,
        upload.name,
        label_column=upload.label_column,
        feature_columns=upload.feature_columns or None,
        max_bytes=MAX_FILE,
    )
    if data.n_classes > MAX_CLASSES:
        raise ValueError(
            f"{shown(upload.name)} has {data.n_classes} classes, and the stage can "
            f"show {MAX_CLASSES} at most; choose another label column or group rare "
            f"classes."
        )
    return data
