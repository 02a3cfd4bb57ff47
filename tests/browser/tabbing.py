"""A walk over a page with Tab, and the sizes of what can be pressed on it."""

from itertools import pairwise

MOST = 150  # stops of a page
# Parts of a page that are read one after the other, each from its top left; the columns
# of a part are parts of their own.
PARTS = (
    ".hm-skip",
    ".hm-tools",
    ".hm-area",
    ".hm-transport",
    ".hm-caption",
    ".hm-say",
    ".hm-evidence",
    ".hm-below",
    ".hm-stage",
    ".st-key-shell_bar",
    ".st-key-actions",
    ".st-key-stage-choices",
    "[data-testid=stTopNav]",
    "[data-testid=stColumn]",
    "[data-testid=stSidebarHeader]",
    "[data-testid=stSidebarUserContent]",
    "[data-testid=stApp]",
)
# Tab goes on from where the last focus was, also when that is gone.
FROM_TOP = """() => {
    const first = document.createElement("span");
    first.tabIndex = -1;
    document.body.prepend(first);
    first.focus();
    first.remove();
}"""
# Where the focus is: its name, its part, its place there, and whether it is marked, on
# the element itself or on what stands for it.
STOP = """(parts) => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    if (!at || at === document.body) return null;
    const chain = [];
    for (let e = at; e; e = e.parentElement ?? e.getRootNode().host) chain.push(e);
    const isPart = (e) => parts.some((selector) => e.matches(selector));
    const part = chain.find(isPart) ?? document.body;
    const scrolled = chain.reduce((sum, e) => sum + e.scrollTop, 0);
    const aside = chain.reduce((sum, e) => sum + e.scrollLeft, 0);
    const { left, top, height, width } = at.getBoundingClientRect();
    const marked = chain.slice(0, 5).some((e) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(e);
        return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    });
    const by = at.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const others = by.map((id) => document.getElementById(id)?.innerText);
    const names = [at.ariaLabel, ...others, at.labels?.[0]?.innerText,
        at.innerText, at.title];
    const name = names.find((words) => words?.trim()) ?? "";
    const key = `${part.className} ${Math.round(part.getBoundingClientRect().left)}`;
    return { name, tag: at.outerHTML.slice(0, 120), part: key, width, marked, height,
        left: left + aside, right: left + width, top: top + scrolled };
}"""
# What can be pressed and is smaller than 24 pixels a side. A hidden input is pressed
# through its label or its track; a link in a sentence is as high as its line.
SMALL = """() => {
    const found = [], pressed = "button, a[href], select, summary, input, textarea,"
        + "[role=button], [role=radio], [role=slider], [role=tab], [tabindex='0']";
    const left = ":is(p, li, td, dd) a, .hm-skip, [data-testid=stSkipToContent]";
    const standing = "label, [data-testid=stSlider]";
    const look = (root) => {
        for (const e of root.querySelectorAll("*")) {
            if (e.shadowRoot) look(e.shadowRoot);
            if (!e.matches(pressed) || e.closest(left)) continue;
            if (!e.checkVisibility({ visibilityProperty: true })) continue;
            const stands = e.matches("input") && e.closest(standing);
            const { width, height, right } = (stands || e).getBoundingClientRect();
            if (right > 0 && width && Math.min(width, height) < 23.5) {
                const name = e.ariaLabel ?? e.textContent.trim();
                found.push(`${width} x ${height}: ${name}`);
            }
        }
    };
    look(document);
    return found;
}"""


def walk(page):
    """What Tab reaches from the top of the page, one after the other."""
    page.evaluate(FROM_TOP)
    stops = []
    while len(stops) < MOST:
        page.keyboard.press("Tab")
        if (stop := page.evaluate(STOP, list(PARTS))) is None:
            break
        stops.append(stop)
    return stops


def faults(stops):
    """Stops without a name, a mark or a place, and those out of the eye's order."""
    found = [f"no name: {stop['tag']}" for stop in stops if not stop["name"].strip()]
    found += [f"not marked: {stop['tag']}" for stop in stops if not stop["marked"]]
    off = (stop for stop in stops if stop["right"] <= 0)
    found += [f"out of sight: {stop['name']}" for stop in off]
    for a, b in pairwise(stops):
        if a["part"] == b["part"] and _is_before(b, a):
            found.append(f"{b['name']} comes after {a['name']}")
    return found


def _is_before(one, other):
    """Whether the eye meets `one` before `other`: left in one row, or higher."""
    bottom = min(one["top"] + one["height"], other["top"] + other["height"])
    common = bottom - max(one["top"], other["top"])
    if common > min(one["height"], other["height"]) / 4:
        return one["left"] < other["left"] - 1
    return one["top"] < other["top"]
