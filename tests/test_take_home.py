"""`pip install -e` works, and an exported script runs from any folder after it."""

import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from halfmoon import PARTS, __version__
from halfmoon.pages._parts.export.notebook import notebook
from halfmoon.pages._parts.export.script import script
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import default

ROOT = Path(__file__).parents[1]
PIP = [sys.executable, "-m", "pip", "--quiet", "--no-input"]
ALONE = ["--no-deps", "--no-build-isolation", "--no-index"]  # no network is needed
ENV = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
ENV.pop("PYTHONPATH", None)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The project's folder as pip sees it; what a build leaves stays in here."""
    folder = tmp_path_factory.mktemp("halfmoon")
    for path in ROOT.iterdir():
        if path.name not in (".git", ".venv") and not path.name.startswith(".pytest"):
            (folder / path.name).symlink_to(path)
    for name in ("build", "halfmoon.egg-info"):  # of an installation by hand
        (folder / name).unlink(missing_ok=True)
    return folder


@pytest.fixture(scope="module")
def wheel(project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [*PIP, "wheel", *ALONE, "-w", str(folder), str(project)]
    subprocess.run(command, check=True, env=ENV, cwd=folder)
    (path,) = folder.glob("halfmoon-*.whl")
    return zipfile.ZipFile(path)


def requirements(name):
    lines = (ROOT / "requirements" / f"{name}.txt").read_text().splitlines()
    named = (line.partition("#")[0].strip() for line in lines)
    return {Requirement(name).name for name in named if name}


def test_the_package_holds_two_names_and_all_that_is_below_them(wheel):
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert {name.partition("/")[0] for name in held} == {"halfmoon", "ssl_core"}
    places = {"halfmoon": "halfmoon", "ssl_core": "ssl_core"}
    places |= {part: f"halfmoon/{part}" for part in PARTS}
    places["docs/tables/cells"] = "halfmoon/docs/tables/cells"
    ours = {
        f"{place}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, place in places.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    served = {"app.py", ".streamlit/config.toml"}
    assert held == ours | {f"halfmoon/served/{name}" for name in served}


def test_the_package_needs_what_requirements_name(wheel):
    (name,) = (n for n in wheel.namelist() if n.endswith("METADATA"))
    metadata = Parser().parsestr(wheel.read(name).decode())
    assert metadata["Name"] == "halfmoon"
    assert metadata["Requires-Python"] == ">=3.11"
    needs = {}
    for need in map(Requirement, metadata.get_all("Requires-Dist")):
        extra = re.search(r'extra == "(\w+)"', str(need.marker))
        needs.setdefault(extra[1] if extra else "library", set()).add(need.name)
    parts = ("library", "app", "dask", "notebook", "pictures")
    assert needs == {name: requirements(name) for name in parts}
    assert "numpy" in needs["library"]
    assert "streamlit" not in needs["library"]
    assert metadata["Version"] == __version__
    assert len(metadata.get_all("Project-URL")) >= 4
    assert "Typing :: Typed" in metadata.get_all("Classifier")


def test_an_exported_script_runs_from_any_folder_once_halfmoon_is_installed(
    project, tmp_path
):
    """In an environment of its own; only what Halfmoon needs is borrowed from ours."""
    venv.create(tmp_path / "env", with_pip=False)
    python = tmp_path / "env" / "bin" / "python"
    # Packages on a .pth line come after the environment's own.
    own = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
        env=ENV,
    ).stdout.strip()
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(own, "borrowed.pth").write_text("\n".join(sorted(borrowed)) + "\n")
    run = RunServer(1).ask(default()).outcome()
    text = script(default(), run.problem)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.py").write_text(text, encoding="utf-8")
    ask = {"cwd": elsewhere, "env": ENV, "capture_output": True, "text": True}
    before = subprocess.run([python, "mine.py"], **ask)
    assert "No module named" in before.stderr
    pip = [*PIP, "--python", str(python), "install", *ALONE, "-e", str(project)]
    subprocess.run(pip, check=True, env=ENV, cwd=elsewhere)
    done = subprocess.run([python, "mine.py"], **ask)
    assert done.returncode == 0, done.stderr
    objective = float(re.search(r"objective: (\S+)", done.stdout).group(1))
    assert objective == pytest.approx(run.trace.final.objective, rel=1e-7)


@pytest.mark.parametrize("made", [script, notebook])
def test_what_is_taken_home_says_how_to_install(made):
    problem = RunServer(1).pose(default())
    head = made(default(), problem)[:1500]
    assert "pip install halfmoon" in head
    assert f"Made with Halfmoon {__version__}" in head
    assert "from any folder" in head
