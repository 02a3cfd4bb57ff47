"""The documentation names all that is public; `make docs` builds it."""

import ast
import re
from pathlib import Path

import halfmoon

DOCS = Path(__file__).parents[1] / "docs"
EXAMPLES = sorted((DOCS / "examples").glob("plot_*.py"))


def test_every_public_name_is_in_the_library_page():
    text = (DOCS / "source" / "api.rst").read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", text))
    assert not set(halfmoon.__all__) - words


def test_ten_examples_have_a_title_and_a_figure():
    assert len(EXAMPLES) >= 10
    for path in EXAMPLES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        title, rule, *_ = ast.get_docstring(tree).split("\n")
        assert rule == "=" * len(title), path.name
        calls = [ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.Call)]
        drawn = {"plt.show()"} & {*calls}
        assert drawn or re.search(r"^figure = ", path.read_text(), re.M), path.name
