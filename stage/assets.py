"""What the browser needs of the stage: bundles from `npm run build`, markup, styles."""

import hashlib
from pathlib import Path

HERE = Path(__file__).parent
# What goes with every message: nothing is seen before the code has come. One line
# alone would be the name of a file to Streamlit.
UNSTYLED = """.hm-stage:not([data-ready]) {
  visibility: hidden; height: 0; overflow: hidden;
}"""


def asset(name):
    """The text of a file of this package, as ``html/stage.html``."""
    return (HERE / name).read_text(encoding="utf-8")


def digest(text):
    """Tells one version of a text from another."""
    return hashlib.blake2b(text.encode(), digest_size=9).hexdigest()


def code_and_loader():
    """The stage's code as a component of its own, and what waits for it.

    Streamlit sends a component's JavaScript and style sheet along with its data, each
    time. A message that is equal to an earlier one it sends by name only; so the code,
    with the style sheets in it, is an element beside the stage that never changes, and
    with the data goes a loader of a few lines.

    Returns
    -------
    code, loader : str
        ES modules that find each other by the digest of the code.
    """
    code, loader = asset("dist/code.js"), asset("dist/load.js")
    name = f"halfmoon-{digest(code)}"
    return tuple(text.replace("halfmoon-VERSION", name) for text in (code, loader))
