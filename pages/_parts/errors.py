"""One place where whatever goes wrong becomes a sentence in the page."""

import logging
from contextlib import contextmanager

import streamlit as st

from datasets import DatasetUnavailable

LOG = logging.getLogger("halfmoon")


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


def show(error: Exception) -> None:
    """The sentence of an error, as plain text."""
    st.error(plain(str(error)), icon=":material/error:")


def plain(text: str) -> str:
    """Text in which markdown finds nothing to do: file and column names are a
    visitor's own words."""
    for mark in "\\`*_[]<>$:~#|":
        text = text.replace(mark, "\\" + mark)
    return text
