"""What Streamlit has no public way for: every use of its inner parts stands here.

tests/pages/test_inside.py fails where a new version of Streamlit has other ones; the
requirements bound its minor version for the same reason. Without a part the app still
runs, and what its function promises is missing.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import wraps
from typing import Any

from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import safe_session_state, session_state
from streamlit.runtime.state.common import unpack_widget_state_value

BREAK = "_yield_callback"  # of a session's state: look for newer messages
BY_HISTORY = "is_history_navigation"  # of a run: Back or Forward started it
STORAGE = ("_session_mgr", "_session_storage", "_cache", "expire")  # of the runtime
LOOP = ("_async_objs", "eventloop")
# Elements that our style sheets and scripts name, by their data-testid; what is theirs
# to say of the theme stands in the browser's store under the last one.
ELEMENTS = (
    "stAlert",
    "stAppViewContainer",
    "stCaptionContainer",
    "stApp",
    "stCheckbox",
    "stColumn",
    "stExpandSidebarButton",
    "stHeader",
    "stHeaderActionElements",
    "stHeaderLogo",
    "stHorizontalBlock",
    "stLayoutWrapper",
    "stMain",
    "stMainBlockContainer",
    "stMainMenu",
    "stMainMenuButton",
    "stMainMenuItem-theme-",
    "stMainMenuPopover",
    "stMarkdownContainer",
    "stMultiSelect",
    "stPopoverBody",
    "stProgress",
    "stSelectbox",
    "stSidebar",
    "stSidebarCollapseButton",
    "stSidebarContent",
    "stSidebarHeader",
    "stSidebarUserContent",
    "stSlider",
    "stSpinner",
    "stTable",
    "stTooltipHoverTarget",
    "stTopNav",
    "stTopNavLinkContainer",
    "stVerticalBlock",
)
THEME = "stActiveTheme-"


# -- a session and its messages ------------------------------------------------------


def session_id() -> str:
    """Tells visitors apart; empty where no session is: a plain script or a test."""
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None else context.session_id


def is_here(session: str) -> bool:
    """Whether a visitor is still connected."""
    return not Runtime.exists() or Runtime.instance().is_active_session(session)


def by_history() -> bool:
    """Whether Back or Forward started this run; Streamlit tells its own widgets."""
    return bool(getattr(get_script_run_ctx(), BY_HISTORY, False))


def query() -> str:
    """The address after its question mark. ``st.query_params`` keeps ``embed`` back,
    which Streamlit passes from address to address by itself.
    """
    return getattr(get_script_run_ctx(suppress_warning=True), "query_string", "")


@contextmanager
def without_looking():
    """At every use of ``st.session_state`` Streamlit looks for newer messages, and ends
    the run when one has come. Inside this block it does not look.
    """
    context = get_script_run_ctx(suppress_warning=True)
    with _not_looking(getattr(context, "session_state", None)):
        yield


def answer_before_looking() -> None:
    """Have the callbacks of every message run, in all sessions of this process.

    Streamlit looks for newer messages before it calls them, too. When one has come, the
    run ends and nothing is called: a click that was in the older message is lost.
    """
    kind = safe_session_state.SafeSessionState
    start = kind.on_script_will_rerun
    if getattr(start, "whole", False):
        return

    @wraps(start)
    def whole(self, *messages, **named):
        with _not_looking(self):
            return start(self, *messages, **named)

    whole.whole = True
    kind.on_script_will_rerun = whole


@contextmanager
def _not_looking(state: Any):
    """The state of a session does not look for newer messages for a while."""
    before = getattr(state, BREAK, None)
    if before is None:
        yield
        return
    object.__setattr__(state, BREAK, lambda: None)
    try:
        yield
    finally:
        object.__setattr__(state, BREAK, before)


def forget_sessions() -> None:
    """Let go of visitors who left and can no longer come back.

    Streamlit keeps a session for two minutes after its tab was closed, and then drops
    it only when the next one is closed: the runs of the last visitors would stay in
    memory until then.
    """
    if not Runtime.exists():
        return
    runtime = Runtime.instance()
    expire, loop = _inner(runtime, STORAGE), _inner(runtime, LOOP)
    if expire is not None and loop is not None:
        loop.call_soon_threadsafe(expire)  # the sessions are that thread's


def _inner(thing: Any, names: tuple[str, ...]) -> Any:
    for name in names:
        thing = getattr(thing, name, None)
    return thing


# -- pages ---------------------------------------------------------------------------


def in_section(number: int) -> str:
    """The style sheet's name for the button of a section in the bar, from 0."""
    return f'[data-testid="stTopNav"] > :nth-child({number + 1}) button'


# -- what a browser says of its widgets ----------------------------------------------

# A browser sends a whole number as such, where Streamlit expects a double.
NUMBERS = ("double_value", "int_value")


def check_widgets() -> None:
    """Have every value of every widget checked, in all sessions of this process.

    Where ``means_something`` denies a message, the widget stands at its default.
    """
    states = session_state.WStates
    read = states.__getitem__
    if getattr(read, "checked", False):
        return

    @wraps(read)
    def checked(self, key: str) -> Any:
        state, widget = self.states.get(key), self.widget_metadata.get(key)
        unread = widget is not None and isinstance(state, session_state.Serialized)
        if unread and not means_something(state.value, widget):
            self.states[key] = session_state.Value(widget.deserializer(None))
        return read(self, key)

    checked.checked = True
    states.__getitem__ = checked


def means_something(state, widget) -> bool:
    """Whether a message is a value of its widget.

    Parameters
    ----------
    state : WidgetState
        As it came from the browser.
    widget : WidgetMetadata
        What Streamlit knows of the widget.
    """
    sent = state.WhichOneof("value")
    if sent is None:  # cleared
        return True
    kinds = NUMBERS if widget.value_type in NUMBERS else (widget.value_type,)
    if widget.value_type is not None and sent not in kinds:
        return False
    try:
        value = unpack_widget_state_value(state)
        widget.deserializer(value)
    except Exception:  # of any kind: these are Streamlit's readers, not ours
        return False
    if widget.formatted_options is None:
        return True
    words = value if sent == "string_array_value" else [value]
    return set(words) <= set(widget.formatted_options)
