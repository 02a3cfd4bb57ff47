"""One place where whatever goes wrong becomes a sentence in the page."""

import logging
import re
from contextlib import contextmanager

import streamlit as st

from halfmoon.common import plugins
from halfmoon.datasets import DatasetUnavailable
from halfmoon.pages._parts.shell.visit import visit
from halfmoon.scenario import visible

LOG = logging.getLogger("halfmoon")


@contextmanager
def as_sentences():
    """Show errors as sentences; what nobody foresaw is logged with its traceback."""
    try:
        yield
    except (ValueError, DatasetUnavailable) as error:
        show_error(error)
    except MemoryError:
        st.error("This needs more memory than is free; choose fewer points.")
    except Exception:
        LOG.exception("A page ended with an unexpected error.")
        st.error(
            "Something went wrong here, and it is not your fault. Reload the page to "
            "start again; the people who run this server find the details in its log."
        )


@contextmanager
def as_sentences_later():
    """As `as_sentences`, where nothing can be shown yet: before the page is drawn."""
    try:
        yield
    except (ValueError, DatasetUnavailable) as error:
        later(str(error))
    except MemoryError:
        later("This needs more memory than is free; choose fewer points.")
    except Exception:
        LOG.exception("A callback ended with an unexpected error.")
        later("Something went wrong there, and nothing was changed.")


def later(sentence: str) -> None:
    """Keep a sentence until the page is drawn."""
    visit().later.append(sentence)


def note_plugins() -> None:
    """Tell a visitor once of each plug-in that cannot be used."""
    for sentence in plugins.troubles():
        if sentence not in visit().noted:
            visit().noted.add(sentence)
            later(sentence)


def show_later() -> None:
    """Show what was kept, beside the page: nothing moves under a visitor's hand."""
    sentences = visit().later
    while sentences:
        st.toast(plain(sentences[0]), icon=":material/info:", duration="long")
        sentences.popleft()


def show_error(error: Exception) -> None:
    """The sentence of an error, as plain text."""
    st.error(plain(str(error)), icon=":material/error:")
    if command := getattr(error, "command", ""):
        st.code(command, language="bash")


_MARKS = re.compile(r"[\\`*_\[\]<>$~#|&]|^[-+=]|^\d+[.)]")
# Links, mail addresses, emoji, icons, colours and arrows are found in a text after its
# marks were read, so no backslash helps: an unseen joiner goes between their letters.
_FOUND = re.compile(
    r"(?<=:)(?=\S)|(?=@)|(?<=www)(?=\.)|(?<=-)(?=[->])|(?<=<)(?=-)", re.IGNORECASE
)
_JOINER = "\u2060"


def plain(text: str) -> str:
    """Text on one line in which Streamlit's Markdown finds nothing to do.

    Whatever holds a visitor's own words (names of files, columns and classes, values
    of a link) is shown through this. Options of select boxes need it not: those are
    no Markdown.
    """
    text = _FOUND.sub(_JOINER, visible(" ".join(text.split())))
    return _MARKS.sub(lambda mark: mark[0][:-1] + "\\" + mark[0][-1], text)
