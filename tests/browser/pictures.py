"""The pictures in docs/images: every page, light, dark, on a phone, and presented.

``python -m tests.browser.pictures`` or ``make pictures``; names of pages behind it take
only those. Nothing is judged here: it is for the README and for eyes.
"""

import sys

from playwright.sync_api import sync_playwright

from halfmoon.pages._parts.early_stopping import stopping_runs as early_stopping
from halfmoon.pages._parts.shell import navigation
from tests.browser.serving import (
    FLAGS,
    ROOT,
    find_chromium,
    start_server,
    stop_server,
)

OUT = ROOT / "docs" / "images"
LOOKS = {  # width, height, colours, what the link adds
    "light": (1440, 900, "light", ""),
    "dark": (1440, 900, "dark", ""),
    "phone": (390, 844, "light", ""),
    "present": (1280, 720, "light", "present=1"),
}
OPENED = {"benchmarks": "table=csk08-8"}  # pages whose first screen is a list
SPECIAL = {  # what shows a page best; others open as a visitor meets them
    "annealing": {"loss": "at.guess=1", "switching": "at.view=1&at.pairs=1"},
    "early_stopping": {
        "rules": early_stopping.scenario_for("two_moons").to_query(),
    },
    "lessons": {"lesson": "lesson=two_labels"},
    "reference": {"algorithm": "algorithm=lapsvm_pcg"},
}
PATIENCE = 60_000
SETTLED = """() => {
    const app = document.querySelector("[data-testid=stApp]");
    const stages = [...(window.halfmoonStages ?? [])];
    return app?.dataset.testScriptState === "notRunning"
        && stages.every((stage) => stage.root.dataset.ready === "1");
}"""


def pictures(names):
    """Name of the file, address after the slash, and look, for these pages."""
    for entry in navigation.entries():
        if names and entry.name not in names:
            continue
        address = "" if entry.name == navigation.FIRST else entry.name
        for look, (*size, query) in LOOKS.items():
            if look == "present" and not entry.takes:
                continue
            query = query or OPENED.get(entry.name, "")
            yield f"{entry.name}_{look}", f"{address}?{query}", size
        for what, query in SPECIAL.get(entry.name, {}).items():
            yield f"{entry.name}_{what}", f"{address}?{query}", LOOKS["light"][:3]


def take(browser, address, name, place, size):
    width, height, scheme = size
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",  # a run stands at its end
    )
    page.goto(f"{address}/{place}")
    page.wait_for_function(SETTLED, timeout=PATIENCE)
    page.wait_for_timeout(1500)  # fonts, and what a page does by itself at first
    page.wait_for_function(SETTLED, timeout=PATIENCE)
    page.screenshot(path=OUT / f"{name}.png")
    page.close()


def main(names):
    OUT.mkdir(parents=True, exist_ok=True)
    process, address = start_server("app.py")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_chromium(playwright), args=FLAGS
            )
            for name, place, size in pictures(names):
                take(browser, address, name, place, size)
                print(name)
    finally:
        stop_server(process)


if __name__ == "__main__":
    main(sys.argv[1:])
