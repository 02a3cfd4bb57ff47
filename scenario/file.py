"""Saved files: a scenario as JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from halfmoon.scenario.fields import VERSION, to_tree
from halfmoon.scenario.limits import MAX_LISTS
from halfmoon.scenario.reading import Reading

NO_FILE = "This file was not saved by Halfmoon, or it holds too much."


def to_json(scenario, files: Mapping[str, str] | None = None) -> str:
    """The text of a saved file; see `Scenario.to_json`."""
    document = {"halfmoon": VERSION, "scenario": to_tree(scenario)}
    if files:
        document["files"] = dict(files)
    return json.dumps(document, indent=1, ensure_ascii=False)


def from_json(text: str | bytes, default) -> tuple[Any, list[str], dict[str, str]]:
    """The scenario of a saved file, with remarks and the files in it."""
    document = parsed(text)
    if not isinstance(document, dict) or "scenario" not in document:
        return default, [NO_FILE], {}
    reader = Reading(default)
    scenario = reader.scenario(document["scenario"])
    files = document.get("files")
    files = files if isinstance(files, dict) else {}
    kept = {k: v for k, v in files.items() if isinstance(v, str)}
    return scenario, reader.remarks, kept


def parsed(text: str | bytes) -> Any:
    """JSON from outside, or None; many small lists would take a hundredfold."""
    if n_lists(text) > MAX_LISTS:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def n_lists(text: str | bytes) -> int:
    """How many lists and dicts some JSON can open, at most."""
    opening = (b"[", b"{") if isinstance(text, bytes) else ("[", "{")
    return sum(map(text.count, opening))
