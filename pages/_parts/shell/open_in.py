"""Take a run along: the setting and the method of one page, opened in another.

A page says what it can take by the function that opens links there: what comes out of
it for this page's link is what the visitor would see. Data that it does not keep are
not offered; a method that it does not keep is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from urllib.parse import urlencode

import streamlit as st

from halfmoon.pages._parts.bundles import bundle
from halfmoon.pages._parts.shell import navigation, style
from halfmoon.pages._parts.shell.navigation import PageEntry
from halfmoon.scenario import MAX_URL, Scenario, View
from halfmoon.scenario.link import to_url
from ssl_core import ALGORITHMS

# Streamlit's own page links lead nowhere from a new tab where the page is the first
# one, and take every click for a plain one.
_ways = st.components.v2.component(
    "halfmoon_ways",
    html='<ul class="hm-ways"></ul>',
    css=style.asset("ways.css"),
    js=bundle("ways"),
)


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link that leads to another page.

    Parameters
    ----------
    entry : PageEntry
        The page.
    url : dict
        Parameters of the link.
    remark : str
        What the page shows in another way; empty where nothing is lost.
    """

    entry: PageEntry
    url: dict[str, str]
    remark: str = ""

    @property
    def row(self) -> dict[str, str]:
        """What the browser needs to draw it; the first page has no name there."""
        name, title = self.entry.name, self.entry.title
        path = "" if name == navigation.FIRST else name
        about = {"name": name, "title": title, "remark": self.remark}
        return {**about, "path": path, "query": urlencode(self.url, safe=",")}


def ways(scenario: Scenario, page: str) -> Iterator[PageLink]:
    """The pages that can take a scenario along from ``page``."""
    here = navigation.entry(page)
    view = View(scenario.view.projection, scenario.view.features)
    taken = replace(scenario, view=view, hidden=())
    url = to_url(taken)
    for entry in navigation.entries():
        if not entry.takes or entry == here:
            continue
        opened, _ = resolve_name(entry.takes)(url)
        if opened.data == scenario.data:
            yield PageLink(entry, url, _remark(scenario, opened))


def _remark(scenario: Scenario, opened: Scenario) -> str:
    """What becomes of the method."""
    if opened.algorithm == scenario.algorithm:
        return ""
    theirs, ours = ALGORITHMS[opened.algorithm], ALGORITHMS[scenario.algorithm]
    return f"Shows {theirs.title}, not {ours.title}."


def show_ways(scenario: Scenario, page: str) -> None:
    """The menu; it looks for ways only while it is open."""
    look = {"icon": ":material/open_in_new:", "on_change": "rerun"}
    with st.popover("Open in", key=f"open_in_{page}", **look) as box:
        if box.open:
            offer(scenario, page)


def offer(scenario: Scenario, page: str) -> None:
    """One link for every page that can take the scenario."""
    if len(scenario.to_query()) > MAX_URL:
        st.info(
            "There are too many labels or points for a link; use Save and open the "
            "file on the playground.",
            icon=":material/info:",
        )
        return
    found = {way.entry.name: way for way in ways(scenario, page)}
    if not found:
        st.caption("No other page can show these data.")
        return
    rows = [way.row for way in found.values()]
    answer = _ways(key=f"ways_{page}", data={"ways": rows}, on_chosen_change=_nothing)
    way = found.get(str(answer.chosen))
    if way is not None:
        st.switch_page(way.entry.path, query_params=way.url)


def _nothing() -> None:
    """The choice is read where the links are drawn."""
