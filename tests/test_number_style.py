"""Numbers on the screen come from `ssl_core.numerals`, not from formats of their own.

Messages of errors name arguments and values as code does, and scripts are code.
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHOWN = ("pages", "scenario", "stage", "views", "ssl_core/viz", "ssl_core/solvers")
SHOWN += ("ssl_core/stopping.py",)
STAGE = ROOT / "stage/js"
OWN = {  # file -> why numbers in it are written in another way
    "pages/_parts/early_stopping/stopping_runs.py": "code",
    "pages/_parts/pictures/ghosts.py": "one place, as the rates beside it",
    "pages/_parts/benchmarks/computing.py": "whole seconds",
    "pages/_parts/path/path_views.py": "whole numbers that come as floats",
    "scenario/saved_file.py": "whole megabytes",
}
FORMAT = re.compile(r"[-+ ,.\d]*[efg%]$")


def modules():
    for place in SHOWN:
        path = ROOT / place
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def formats(tree):
    """Formats of numbers in f-strings, but for those of errors and of values."""
    hidden = set()
    for node in ast.walk(tree):
        is_value = isinstance(node, ast.Call) and ast.unparse(node.func) == "float"
        if isinstance(node, ast.Raise) or is_value:
            hidden |= set(ast.walk(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and node not in hidden:
            spec = ast.unparse(node.format_spec)[2:-1] if node.format_spec else ""
            if FORMAT.match(spec):
                yield f"{ast.unparse(node.value)}:{spec}"


def test_no_module_has_a_number_format_of_its_own():
    found = {
        path.relative_to(ROOT).as_posix(): list(
            formats(ast.parse(path.read_text(encoding="utf-8")))
        )
        for path in modules()
    }
    found = {name: some for name, some in found.items() if some}
    assert found.keys() == OWN.keys(), found


def test_the_stage_writes_numbers_with_numerals_alone():
    """`toFixed` is for pixels and measurements as well, and is not looked for."""
    wild = re.compile(r"toExponential|toPrecision|toLocaleString\(\)")
    found = {
        path.name
        for path in STAGE.glob("*.js")
        if wild.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"numerals.js", "ticks.js"}
