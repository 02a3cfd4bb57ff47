"""The README says what is there."""

import re
from pathlib import Path

from halfmoon.pages._parts.lessons.plans import LESSONS
from ssl_core.__main__ import algorithm_table
from ssl_core.viz.words import spelled

README = Path(__file__).parents[1] / "README.md"


def test_algorithm_table_is_the_registrys():
    found = re.search(
        r"<!-- algorithms.*?-->\n(.*?)\n<!-- end -->", README.read_text(), re.DOTALL
    )
    assert found.group(1).strip() == algorithm_table()


def blocks():
    """The pieces of Python, in order."""
    return re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


def test_library_examples_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    library, traces, anywhere, choosing = blocks()
    for code in (library, choosing):
        names = {}
        exec(compile(code, "README.md", "exec"), names)
        printed = capsys.readouterr().out.strip().splitlines()
        assert float(printed[-1]) > 0.9
        if code == library:
            check_traces(traces, names, tmp_path)
            check_files(anywhere, names, tmp_path)


def check_traces(code, names, folder):
    """The lines on traces go on from the library's."""
    exec(compile(code, "README.md", "exec"), names)
    trace = names["trace"]
    assert trace[-1] is names["est"].state_
    assert type(trace).load(folder / "moons.npz") == trace
    assert len(names["first"]) == 10
    assert names["figure"].layout.title.text.count("Iteration 5.") == 1


def test_lessons_are_counted():
    assert f"{spelled(len(LESSONS))} short lessons" in README.read_text()


def test_every_picture_is_there():
    for name in re.findall(r"!\[.*?\]\((.*?)\)", README.read_text()):
        assert (README.parent / name).exists(), name


def check_files(code, names, folder):
    """So do those on notebooks and files."""
    exec(compile(code, "README.md", "exec"), names)
    assert "halfmoon+json" in (folder / "moons.html").read_text(encoding="utf-8")
    assert (folder / "moons.pdf").read_bytes().startswith(b"%PDF")
    assert (names["stage"].y == names["y"]).all()
