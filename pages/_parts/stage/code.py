"""The stage's JavaScript: ES modules beside this file, one topic each.

The app must work without a build step and without the network, so `bundle` joins them
in the order below into the one inline module that Streamlit takes.
"""

import hashlib
import json
import re
from pathlib import Path

HERE = Path(__file__).parent
MODULES = (  # each file imports only from those before it
    "theme.js",
    "unpack.js",
    "track.js",
    "contour.js",
    "axes.js",
    "field.js",
    "edits.js",
    "points.js",
    "strokes.js",
    "group.js",
    "ink.js",
    "curves.js",
    "search.js",
    "heat.js",
    "loss.js",
    "tree.js",
    "numbers.js",
    "stopping.js",
    "verdict.js",
    "handles.js",
    "norms.js",
    "rules.js",
    "panels.js",
    "present.js",
    "veil.js",
    "transport.js",
    "legend.js",
    "hover.js",
    "pointer.js",
    "keys.js",
    "terms.js",
    "controls.js",
    "hand.js",
    "place.js",
    "time.js",
    "prompts.js",
    "render.js",
    "apng.js",
    "export.js",
    "deck.js",
    "stage.js",
)
STYLES = ("stage.css", "terms.css", "stopping.css", "present.css", "deck.css")
# What goes with every message: nothing is seen before the code has dressed it. One line
# alone would be the name of a file to Streamlit.
UNDRESSED = ".hm-stage:not([data-ready]) {\n  visibility: hidden;\n}"


def bundle(modules=MODULES):
    """All modules as one: imports dropped, ``export`` taken off except the last.

    Parameters
    ----------
    modules : sequence of str or Path
        Files of the stage, or others by their whole path.

    Returns
    -------
    source : str
        One ES module whose default export is ``mount`` of the last of them.
    """
    parts = []
    for name in modules:
        text = (HERE / name).read_text(encoding="utf-8")
        text = re.sub(r"^import [^;]*;\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"^export (?!default)", "", text, flags=re.MULTILINE)
        parts.append(f"// ---- {name} ----\n{light(text)}")
    return "\n".join(parts)


def light(text):
    """Code without its comment lines and indents: a third less to send and to read."""
    lines = (line.lstrip(" ") for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def code_and_loader():
    """The stage's code as a component of its own, and what waits for it.

    Streamlit sends a component's JavaScript and style sheet along with its data, each
    time. A message that is equal to an earlier one it sends by name only; so the code,
    with the style sheet in it, is an element beside the stage that never changes, and
    with the data goes a loader of a few lines.

    Returns
    -------
    code, loader : str
        ES modules that find each other by the digest of the code.
    """
    source = f"{bundle()}\n{_dressing()}"
    version = hashlib.blake2b(source.encode(), digest_size=9).hexdigest()
    loader = (HERE / "load.js").read_text(encoding="utf-8").replace("VERSION", version)
    waiting, _, _ = loader.partition("export default")
    plain = source.replace("export default function mount", "function mount")
    tell = "export default function tell() { code.resolve(dressed); }"
    return "\n".join([plain, waiting, tell]), loader


def _dressing():
    """Code that puts the style sheet on a component before it is mounted."""
    sheets = ((HERE / name).read_text(encoding="utf-8") for name in STYLES)
    return f"""const STYLE = new CSSStyleSheet();
STYLE.replaceSync({json.dumps("".join(sheets))});
function dressed(component) {{
const home = component.parentElement.getRootNode();
if (!home.adoptedStyleSheets.includes(STYLE)) home.adoptedStyleSheets.push(STYLE);
return mount(component);
}}"""
