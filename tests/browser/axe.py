"""An audit of a page by axe-core, which the package axe-playwright-python carries."""

from functools import cache
from importlib.resources import files

GRAVE = ("serious", "critical")
# What Streamlit draws and we cannot mend: rule and selector, with the reason. A finding
# is left out only where all of its elements are listed.
NOT_OURS: dict[str, dict[str, str]] = {}


@cache
def _source():
    return files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


def grave_findings(page):
    """Rule, element and advice of every serious or critical finding on the page."""
    page.evaluate(_source())
    answer = page.evaluate(
        "() => axe.run(document, { resultTypes: ['violations'], elementRef: false })"
    )
    return [
        f"{found['id']}: {node['html'][:200]} | {node['failureSummary']}"
        for found in answer["violations"]
        if found["impact"] in GRAVE
        for node in found["nodes"]
        if not _listed(page, found["id"], node["target"])
    ]


def _listed(page, rule, target):
    """Whether the element is one that `NOT_OURS` has for this rule."""
    path = [target] if isinstance(target, str) else list(target)
    if len(path) != 1 or not isinstance(path[0], str):  # in a shadow root: ours
        return False
    return any(
        page.locator(path[0]).first.evaluate(f"e => e.matches({selector!r})")
        for selector in NOT_OURS.get(rule, {})
    )
