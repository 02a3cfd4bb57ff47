"""One place where whatever goes wrong becomes a sentence in the page."""

import logging
from contextlib import contextmanager

import streamlit as st

from datasets import DatasetUnavailable

LOG = logging.getLogger("halfmoon")
LATER = "_told_later"


@contextmanager
def told():
    """Show errors as sentences; what nobody foresaw is logged with its traceback."""
    try:
        yield
    except (ValueError, DatasetUnavailable) as error:
        show(error)
    except MemoryError:
        st.error("This needs more memory than is free; choose fewer points.")
    except Exception:
        LOG.exception("A page ended with an error nobody foresaw.")
        st.error(
            "Something went wrong here, and it is not your fault. Reload the page to "
            "start again; the people who run this server find the details in its log."
        )


@contextmanager
def told_later():
    """As `told`, where nothing can be shown yet: in a callback, before the page."""
    try:
        yield
    except (ValueError, DatasetUnavailable) as error:
        later(str(error))
    except MemoryError:
        later("This needs more memory than is free; choose fewer points.")
    except Exception:
        LOG.exception("A callback ended with an error nobody foresaw.")
        later("Something went wrong there, and nothing was changed.")


def later(sentence: str) -> None:
    """Keep a sentence until the page is drawn."""
    st.session_state[LATER] = [*st.session_state.get(LATER, ()), sentence][-3:]


def show_later() -> None:
    """Show what was kept, beside the page: nothing moves under a visitor's hand."""
    sentences = st.session_state.get(LATER)
    if sentences:
        st.session_state[LATER] = []
        for sentence in sentences:
            st.toast(plain(sentence), icon=":material/info:", duration="long")


def show(error: Exception) -> None:
    """The sentence of an error, as plain text."""
    st.error(plain(str(error)), icon=":material/error:")


def plain(text: str) -> str:
    """Text in which markdown finds nothing to do: file and column names are a
    visitor's own words."""
    for mark in "\\`*_[]<>$:~#|":
        text = text.replace(mark, "\\" + mark)
    return text
