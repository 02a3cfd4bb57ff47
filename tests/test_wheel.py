"""The package as a stranger installs it: what it holds, where it runs, beside whom.

The wheel is built and unpacked here as an installer does it. Real virtual environments,
other people's packages and the command are the slow tests: they need a package index.
"""

import csv
import os
import shutil
import subprocess
import sys
import tarfile
import time
import venv
import zipfile
from base64 import urlsafe_b64encode
from hashlib import sha256
from importlib.metadata import Distribution
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from halfmoon import PARTS, __version__
from tests.browser.serving import free_port

ROOT = Path(__file__).parents[1]
LEFT_OUT = (".*", "node_modules", "tests", "images", "__pycache__", "*.egg-info")
BUILD = "import sys; from setuptools import build_meta as b; b.build_{}(sys.argv[1])"
# Imports and trains without Streamlit and says where it is; no module has two names.
TRAINS = """
import sys

class Barred:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("streamlit", "starlette", "distributed"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Barred())
import halfmoon
from halfmoon import datasets, hide_labels, load, make

moons = load("two_moons", random_state=0)
y = hide_labels(moons, n_labeled=2, random_state=0)
est = make("lapsvm_pcg", sigma=0.35).fit(moons.X, y)
assert (est.predict(moons.X) == moons.y).mean() > 0.9
names = {}
for name, module in list(sys.modules.items()):
    names.setdefault(getattr(module, "__file__", None), []).append(name)
ours = {f: n for f, n in names.items() if f and "halfmoon" in n[0]}
assert all(len(n) == 1 for n in ours.values()), ours
assert not {*halfmoon.PARTS} & sys.modules.keys()
print(halfmoon.__file__)
"""
IMPORTED = """
import sys
before = set(sys.modules)
import halfmoon
later = {name.split(".")[0] for name in set(sys.modules) - before}
print(*sorted(later - sys.stdlib_module_names - {"halfmoon"}))
"""


def built(kind, tree, folder):
    """The path of a wheel or a source distribution of a tree."""
    folder.mkdir()
    command = [sys.executable, "-c", BUILD.format(kind), str(folder)]
    subprocess.run(command, cwd=tree, check=True, capture_output=True)
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the wheel and the source distribution of a copy of this tree."""
    place = tmp_path_factory.mktemp("made")
    tree = place / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
    shutil.copytree(ROOT / ".streamlit", tree / ".streamlit")
    return {kind: built(kind, tree, place / kind) for kind in ("wheel", "sdist")}


@pytest.fixture(scope="module")
def site(made, tmp_path_factory):
    """A folder of packages with the wheel unpacked."""
    site = tmp_path_factory.mktemp("stranger") / "site"
    with zipfile.ZipFile(made["wheel"]) as archive:
        archive.extractall(site)
    return site


def files_of(folder):
    return {
        p.relative_to(folder).as_posix(): p.stat().st_mtime_ns for p in every(folder)
    }


def every(folder):
    return (path for path in folder.rglob("*") if path.is_file())


def run_beside(site, *words, folder, **more):
    """Run Python in a folder, with the packages of this environment and of `site`."""
    env = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=env | {"HOME": str(folder)} | more,
        capture_output=True,
        text=True,
        timeout=240,
    )


def test_it_installs_two_packages_and_what_the_app_is_made_of(made):
    with zipfile.ZipFile(made["wheel"]) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"halfmoon", "ssl_core", f"halfmoon-{__version__}.dist-info"}
    for name in (
        "halfmoon/__init__.pyi",
        "halfmoon/py.typed",
        "halfmoon/datasets/toy.py",
        "halfmoon/docs/tables/cells/lapsvm.jsonl",
        "halfmoon/pages/_parts/dist/menu.js",
        "halfmoon/pages/_parts/lessons/plans/two_labels.md",
        "halfmoon/served/.streamlit/config.toml",
        "halfmoon/served/app.py",
        "halfmoon/stage/css/stage.css",
        "ssl_core/py.typed",
        "ssl_core/viz/theme.json",
    ):
        assert name in names
    for folder in (*PARTS, "ssl_core"):
        inside = folder if folder == "ssl_core" else f"halfmoon/{folder}"
        there = {n.removeprefix(inside + "/") for n in names if n.startswith(inside)}
        here = {p.relative_to(ROOT / folder) for p in (ROOT / folder).rglob("*.py")}
        assert {path.as_posix() for path in here} <= there


def test_a_source_distribution_makes_the_same_wheel(made, tmp_path):
    with tarfile.open(made["sdist"]) as archive:
        archive.extractall(tmp_path / "tree", filter="data")
    (tree,) = (tmp_path / "tree").iterdir()
    again = built("wheel", tree, tmp_path / "wheel")

    def content(path):
        with zipfile.ZipFile(path) as archive:
            return {i.filename: i.CRC for i in archive.infolist()}

    assert content(again) == content(made["wheel"])


def test_the_library_trains_without_streamlit_and_writes_nothing_into_itself(
    site, tmp_path
):
    before = files_of(site)
    found = run_beside(site, "-c", TRAINS, folder=tmp_path)
    assert found.returncode == 0, found.stderr
    assert found.stdout.strip() == str(site / "halfmoon" / "__init__.py")
    for words in (["--version"], ["experiments", "list"]):
        found = run_beside(site, "-m", "halfmoon", *words, folder=tmp_path)
        assert found.returncode == 0, found.stderr
        assert __version__ in found.stdout or "csk08-8" in found.stdout
    assert files_of(site) == before


def test_its_import_waits_for_the_first_name_that_is_used(site, tmp_path):
    found = run_beside(site, "-c", IMPORTED, folder=tmp_path)
    assert found.stdout.strip() == "", found.stderr


# -- with real environments ----------------------------------------------------------


class Environment:
    """A clean virtual environment."""

    def __init__(self, folder):
        venv.create(folder, with_pip=True)
        self.folder = folder
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        (self.site,) = folder.rglob("site-packages")

    def pip(self, *words):
        command = [self.bin / "python", "-m", "pip", "--quiet", *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr

    def run(self, code, folder):
        command = [self.bin / "python", "-c", code]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True)

    def check_whole(self, name):
        """Every file that the package installed is there, as it was."""
        (info,) = self.site.glob(f"{name}-*.dist-info")
        rows = csv.reader((info / "RECORD").read_text(encoding="utf-8").splitlines())
        for path, digest, _ in rows:
            if digest and not path.endswith(".pyc"):
                content = (self.site / path).read_bytes()
                mark = urlsafe_b64encode(sha256(content).digest()).rstrip(b"=")
                assert digest == f"sha256={mark.decode()}", path

    def files_of(self, name):
        (info,) = self.site.glob(f"{name}-*.dist-info")
        return {str(path) for path in Distribution.at(info).files or ()}


FACE = "import datasets; print(len(datasets.Dataset.from_dict({'a': [1, 2]})))"


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_it_lives_beside_hugging_faces_datasets_in_both_orders(made, tmp_path):
    env, wheel = Environment(tmp_path / "venv"), str(made["wheel"])
    empty = tmp_path / "empty"
    empty.mkdir()

    def both_work():
        for name in ("halfmoon", "datasets"):
            env.check_whole(name)
        assert not env.files_of("halfmoon") & env.files_of("datasets")
        assert env.run(FACE, empty).stdout.strip() == "2"
        assert env.run(TRAINS.replace('"datasets", ', ""), empty).returncode == 0

    env.pip("install", wheel)
    assert env.run("import streamlit", empty).returncode != 0  # not asked for
    assert env.run(TRAINS, empty).returncode == 0
    env.pip("install", "datasets")
    both_work()
    env.pip("uninstall", "-y", "halfmoon")
    env.check_whole("datasets")
    assert env.run(FACE, empty).stdout.strip() == "2"
    assert env.run("import halfmoon", empty).returncode != 0
    env.pip("install", wheel)  # the other order
    both_work()
    env.pip("uninstall", "-y", "datasets")
    env.check_whole("halfmoon")
    assert env.run(TRAINS, empty).returncode == 0
    refused = subprocess.run(
        [env.bin / "halfmoon"], cwd=empty, capture_output=True, text=True
    )
    assert refused.returncode == 1
    assert 'pip install "halfmoon[app]"' in refused.stderr
    env.pip("install", f"{wheel}[app]")
    before = files_of(env.site)
    serves_from(env.bin / "halfmoon", empty)
    shown = env.run(FIRST_PAGE, empty)
    assert shown.returncode == 0, shown.stderr
    assert "component" in shown.stdout
    made_since = files_of(env.site).keys() - before.keys()
    assert not [name for name in made_since if "__pycache__" not in name]
    assert list(empty.iterdir()) == []


# Streamlit's own first page is all that plain HTTP shows; this is what it runs then.
FIRST_PAGE = """
from halfmoon import HERE
from streamlit.testing.v1 import AppTest

app = AppTest.from_file(HERE / "pages" / "_parts" / "main.py", default_timeout=120)
app.run()
assert not app.exception, app.exception
print(*(element.type for element in app.main))
"""


def serves_from(command, folder):
    """The command starts the app and it answers."""
    port = free_port()
    options = [f"--server.port={port}", "--server.headless=true"]
    server = subprocess.Popen(
        [command, *options], cwd=folder, stdout=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}/_stcore/health"
    try:
        end, answer = time.monotonic() + 120, b""
        while time.monotonic() < end and not answer:
            assert server.poll() is None
            try:
                answer = urlopen(address, timeout=5).read()
            except (URLError, OSError):
                time.sleep(0.3)
        assert answer == b"ok"
    finally:
        server.terminate()
        server.wait(timeout=20)
