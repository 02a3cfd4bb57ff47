"""Streamlit's inner parts: where `inside` expects them, and used only there."""

import ast
import inspect
import re
from functools import cache
from pathlib import Path

import pytest
import streamlit
from streamlit.runtime import Runtime
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.runtime import AsyncObjects
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SafeSessionState, SessionState, session_state
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from halfmoon.pages._parts.shell import inside
from tests.rows import each
from tests.test_imports import MODULES, imports, parsed

ROOT = Path(__file__).parents[2]
HERE = "halfmoon.pages._parts.shell.inside"
SENT = Path(streamlit.__file__).parent / "static/static/js"  # what browsers are given
TESTID = re.compile(r"""data-testid\^?=["']?(st[A-Za-z-]+)""")
LOOK_AT = ("css", "js", "html", "py")
# What a page may take from Streamlit's folders below the public ones.
PUBLIC = {"streamlit", "streamlit.components.v2", "streamlit.delta_generator"}


@each("name", [m for m in MODULES if m.startswith("halfmoon.pages")])
def test_only_one_module_imports_inner_parts(name):
    met = {m for m in imports(name) if m.partition(".")[0] == "streamlit"}
    assert name == HERE or met <= PUBLIC


@each("name", [m for m in MODULES if m.startswith("halfmoon.pages")])
def test_only_one_module_says_the_names_of_inner_parts(name):
    names = {inside.BREAK, inside.BY_HISTORY, *inside.STORAGE[:3]}
    words = {n.value for n in ast.walk(parsed(name)) if isinstance(n, ast.Constant)}
    words |= {n.attr for n in ast.walk(parsed(name)) if isinstance(n, ast.Attribute)}
    assert name == HERE or not words & names


def test_a_session_looks_for_newer_messages_by_this_name():
    asked = []
    state = SafeSessionState(SessionState(), lambda: asked.append(1))
    assert hasattr(state, inside.BREAK)
    assert "key" not in state
    assert asked


def test_a_run_tells_whether_the_history_started_it():
    assert inside.BY_HISTORY in ScriptRunContext.__dataclass_fields__


def test_a_runtime_has_its_sessions_where_they_are_looked_for():
    manager, storage, cache, expire = inside.STORAGE
    assert f"self.{manager} =" in inspect.getsource(Runtime.__init__)
    assert f"self.{storage} =" in inspect.getsource(WebsocketSessionManager.__init__)
    assert callable(getattr(getattr(MemorySessionStorage(), cache), expire))
    objects, loop = inside.LOOP
    assert f"self.{objects}" in inspect.getsource(Runtime)
    assert loop in AsyncObjects._fields
    assert callable(Runtime.is_active_session)


def test_widgets_are_read_where_they_are_checked():
    inside.check_widgets()
    assert session_state.WStates.__getitem__.checked
    fields = session_state.WStates.__dataclass_fields__
    assert {"states", "widget_metadata"} <= fields.keys()


def test_a_newer_message_does_not_swallow_the_callbacks_of_an_older_one():
    """Streamlit would look for one before it calls them, and end the run."""
    inside.answer_before_looking()
    called = []

    class State:
        def on_script_will_rerun(self, *messages, **named):
            called.append(safe.filtered_state)

        filtered_state = "all of it"

    def newer_message():
        raise RerunException(RerunData())

    safe = SafeSessionState(State(), newer_message)
    safe.on_script_will_rerun(None)
    assert called == ["all of it"]
    with pytest.raises(RerunException):
        safe["key"]  # afterwards it looks as before


@cache
def sent():
    return "".join(p.read_text(encoding="utf-8") for p in SENT.glob("*.js"))


@pytest.mark.parametrize("name", [*inside.ELEMENTS, inside.THEME])
def test_streamlit_has_the_elements_that_style_sheets_name(name):
    assert name.removesuffix("theme-") in sent()  # which is put together there


def test_style_sheets_and_scripts_name_no_other_elements():
    found = {}
    for ending in LOOK_AT:
        paths = [*(ROOT / "pages").rglob(f"*.{ending}"), *(ROOT / "stage").rglob("*")]
        for path in paths:
            if path.suffix != f".{ending}" or "dist" in path.parts:  # made of the rest
                continue
            for name in TESTID.findall(path.read_text(encoding="utf-8")):
                found.setdefault(name, path.name)
    assert found.keys() == set(inside.ELEMENTS)


def test_the_minor_version_is_bounded():
    text = (ROOT / "requirements" / "app.txt").read_text(encoding="utf-8")
    low, high = re.search(r"streamlit>=1\.(\d+),<1\.(\d+)", text).groups()
    assert int(high) == int(low) + 1
    assert streamlit.__version__.split(".")[:2] == ["1", low]
