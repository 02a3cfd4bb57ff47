"""The command ``halfmoon``, and ``python -m halfmoon``.

halfmoon                     start the app; options as in "streamlit run"
halfmoon --server.port 8080
halfmoon experiments ...     the papers' tables, or tables of one's own
halfmoon data ...            benchmark files: list, fetch, convert
halfmoon --plugin my_module ...    app or experiments with a script that extends them:
                             a module, or a file of Python; may be given several times
halfmoon --version
"""

import sys
import warnings
from collections.abc import Sequence
from importlib.util import find_spec

from halfmoon import HERE, HOME, INSTALLED, __version__
from halfmoon.common import plugins

APP = (HERE / "served" if INSTALLED else HOME) / "app.py"


def main(words: Sequence[str] | None = None) -> int:
    """The command; 0 where all went well."""
    words = sys.argv[1:] if words is None else list(words)
    try:
        extra, words = without_plugins(words)
    except ValueError as error:
        print(f"halfmoon: {error}", file=sys.stderr)
        return 2
    plugins.list_also(extra)
    first = words[0] if words else "app"
    if first in ("--version", "-V"):
        print(f"halfmoon {__version__}")
        return 0
    if first in ("--help", "-h", "help"):
        print(__doc__)
        return 0
    if first == "experiments":
        return start_experiments(words[1:])
    if first == "data":
        from halfmoon.datasets.__main__ import main as data

        return data(words[1:])
    if first == "app" or first.startswith("--"):
        return start_app(words[1:] if first == "app" else words)
    print(f"halfmoon: there is no command {first!r}.\n{__doc__}", file=sys.stderr)
    return 2


def without_plugins(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """What ``--plugin`` names, and the other words; ValueError where it names none."""
    named: list[str] = []
    rest: list[str] = []
    left = iter(words)
    for word in left:
        option, given, value = word.partition("=")
        if option != "--plugin":
            rest.append(word)
            continue
        value = value if given else next(left, "")
        if not value or value.startswith("-"):
            raise ValueError("--plugin needs a module, as in --plugin my_module.")
        named.append(value)
    return named, rest


def start_experiments(words: Sequence[str]) -> int:
    """The command ``experiments``; plug-ins that cannot be used are named first."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", plugins.PluginWarning)
        from ssl_core.experiments.__main__ import main as experiments

        plugins.load(again=True)
    for sentence in plugins.troubles():
        print(sentence, file=sys.stderr)
    return experiments(list(words))


def start_app(options: Sequence[str]) -> int:
    """Serve the app until it is stopped."""
    if find_spec("streamlit") is None:
        sentence = 'The app needs Streamlit: pip install "halfmoon[app]".'
        print(sentence, file=sys.stderr)
        return 1
    from streamlit.web.cli import main as streamlit

    return streamlit(["run", str(APP), *options], prog_name="streamlit")


if __name__ == "__main__":
    sys.exit(main())
