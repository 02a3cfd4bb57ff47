"""One spelling: people read "unlabelled"; names have `unlabeled`, as scikit-learn has.

Texts are found where they stand: whatever a module writes with a blank in it that is
no docstring, and the pages' prose.
"""

import ast
import re
from pathlib import Path

from halfmoon.datasets import DATASETS
from ssl_core import ALGORITHMS
from tests.rows import each

ROOT = Path(__file__).parents[1]
OTHER_SPELLING = re.compile(r"(?<![\w`.=])(un)?labeled(?![\w`=)])", re.IGNORECASE)
QUOTED = {  # module -> why its texts keep a spelling that is not ours
    "ssl_core/references.py": "titles of papers",
    "datasets/_table.py": "a visitor's file may say it either way",
}
ROOMS = ("pages", "scenario", "datasets", "app.py", "common", "ssl_core")


def modules():
    for room in ROOMS:
        start = ROOT / room
        paths = [start] if start.is_file() else sorted(start.rglob("*.py"))
        for path in paths:
            name = path.relative_to(ROOT).as_posix()
            if name not in QUOTED:
                yield name


def sentences(tree):
    """Texts of a module with a blank in them, docstrings left out."""
    docs = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (
            ast.get_docstring(node) is not None
        ):
            docs.add(id(node.body[0].value))
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and " " in text and id(node) not in docs:
            yield node.lineno, text


def test_the_pattern_finds_prose_and_leaves_names_alone():
    for prose in ("The unlabeled points", "Labeled points only.", "are labeled;"):
        assert OTHER_SPELLING.search(prose), prose
    for names in ("pass unlabeled=0.", "n_labeled must be 2", "`unlabeled` marks"):
        assert not OTHER_SPELLING.search(names), names


@each("name", modules())
def test_texts_of_a_module_say_unlabelled(name):
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    wrong = [
        (line, text) for line, text in sentences(tree) if OTHER_SPELLING.search(text)
    ]
    assert not wrong


@each(
    "path",
    [*(ROOT / "pages").rglob("*.md"), *(ROOT / "docs").rglob("*.md")],
    ids=lambda path: path.name,
)
def test_prose_says_unlabelled(path):
    assert not OTHER_SPELLING.findall(path.read_text(encoding="utf-8"))


@each("name", ALGORITHMS)
def test_words_of_an_algorithm_say_unlabelled(name):
    """Also those that are put together, or inherited, or declared elsewhere."""
    entry = ALGORITHMS[name]
    texts = [entry.title, entry.idea, entry.problem, entry.family.title, entry.marks]
    texts += [curve.title for curve in entry.curves]
    texts += [text for knob in entry.knobs for text in (knob.label, knob.help)]
    assert len(texts) > 10
    assert not [text for text in texts if OTHER_SPELLING.search(text)]


@each("name", DATASETS)
def test_words_of_a_data_set_say_unlabelled(name):
    entry = DATASETS[name]
    texts = [entry.title, entry.description]
    texts += [text for knob in entry.knobs.values() for text in (knob.label, knob.help)]
    assert not [text for text in texts if OTHER_SPELLING.search(text)]
