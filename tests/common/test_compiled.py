"""Compiled code where it cannot be kept, or where what was kept is damaged.

Each case is a process of its own, as a server is, with one small function. Most are
children of one process that has numba imported and has compiled before: nine tenths of
a new process would go into that.
"""

import ast
import ctypes
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from halfmoon import PARTS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "common" / "compiled.py"
MODULE = """
from halfmoon.common.compiled import compiled

@compiled(nogil=True)
def change(x):
    return {factor} * x
"""
CALL = """
import logging
logging.basicConfig(format="log: %(message)s")
import small
print(small.change(21.0), sum(small.change.stats.cache_hits.values()))
"""
# Takes orders, a line each, and answers with the exit code and output of a child.
NURSERY = """
import json, os, resource, signal, sys, tempfile
import numba
numba.njit(lambda x: 2.0 * x)(1.0)

def become(order):
    signal.alarm(120)
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    sys.path[:0] = order["env"]["PYTHONPATH"].split(os.pathsep)
    tempfile.tempdir = None
    numba.config.reload_config()
    if order["largest_file"]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["largest_file"],) * 2)
    exec(order["code"], {"__name__": "__main__"})

for line in sys.stdin:
    out, err = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(out[1], 1)
        os.dup2(err[1], 2)
        code = 1
        try:
            become(json.loads(line))
            code = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    told = []
    for ours, theirs in (out, err):
        os.close(theirs)
        with os.fdopen(ours) as pipe:
            told.append(pipe.read())
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps([status, *told]), flush=True)
"""


@pytest.fixture(scope="module")
def nursery():
    with subprocess.Popen(
        [sys.executable, "-B", "-c", NURSERY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.stdin.close()


class Place:
    """A small project with a home and a folder for temporary files."""

    def __init__(self, folder, nursery):
        self.nursery = nursery
        self.project, self.home, self.tmp = (
            folder / name for name in ("project", "home", "tmp")
        )
        for path in (self.project, self.home, self.tmp):
            path.mkdir()
        self.write(2)

    def write(self, factor):
        text = MODULE.format(factor=factor)
        (self.project / "small.py").write_text(text)

    def run(self, *, env=None, largest_file=None):
        """(result, cache hits, lines of the log) of one process."""
        order = {"env": self.environment(env), "cwd": str(self.project), "code": CALL}
        order["largest_file"] = largest_file
        self.nursery.stdin.write(json.dumps(order) + "\n")
        self.nursery.stdin.flush()
        return self.understood(*json.loads(self.nursery.stdout.readline()))

    def run_anew(self, *, env=None, preexec_fn=None):
        """The same of a new process, which has imported and compiled nothing."""
        done = subprocess.run(
            [sys.executable, "-c", CALL],
            cwd=self.project,
            env=self.environment(env),
            capture_output=True,
            text=True,
            timeout=120,
            preexec_fn=preexec_fn,
        )
        return self.understood(done.returncode, done.stdout, done.stderr)

    def environment(self, changes):
        return {
            "HOME": str(self.home),
            "TMPDIR": str(self.tmp),
            "PYTHONPATH": f"{self.project}{os.pathsep}{ROOT}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PATH": os.environ.get("PATH", ""),
            **(changes or {}),
        }

    @staticmethod
    def understood(code, out, err):
        assert code == 0, err[-2000:]
        result, hits = out.split()
        log = [line for line in err.splitlines() if line.startswith("log:")]
        return float(result), int(hits), log

    @property
    def kept(self):
        return self.project / "__pycache__"

    @property
    def temporary(self):
        return self.tmp / f"halfmoon-compiled-{os.getuid()}"

    def refuse_writing(self):
        """Files where numba would make its folders; root obeys them, too."""
        self.kept.write_text("")
        (self.home / ".cache").write_text("")


@pytest.fixture
def place(tmp_path, nursery):
    return Place(tmp_path, nursery)


@pytest.fixture(scope="module")
def filled(tmp_path_factory, nursery):
    place = Place(tmp_path_factory.mktemp("filled"), nursery)
    assert place.run_anew() == (42.0, 0, [])
    return place


def test_compiled_code_is_kept_and_found_again(filled):
    assert filled.run_anew() == (42.0, 1, [])
    assert filled.run() == (42.0, 1, [])


DAMAGE = {
    "empty": lambda content: b"",
    "cut off": lambda content: content[: len(content) // 2],
    "something else": lambda content: b"not what was written here",
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_damaged_cache_file_is_replaced(place, filled, ending, damage):
    shutil.copytree(filled.kept, place.kept)
    (path,) = place.kept.glob(f"*.{ending}")
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    result, hits, log = place.run()
    assert (result, hits) == (42.0, 0)
    assert len(log) == 1
    assert "damaged" in log[0]
    assert str(place.kept) in log[0]
    assert place.run() == (42.0, 1, [])


def test_cache_file_that_cannot_be_replaced_is_left_for_another_place(place):
    place.run()
    (index,) = place.kept.glob("*.nbi")
    index.unlink()
    index.mkdir()
    result, _, log = place.run()
    assert result == 42.0
    assert f"kept in {place.temporary}" in log[-1]


def test_where_nothing_can_be_written_temporary_files_are_used(place):
    place.refuse_writing()
    result, hits, log = place.run(env={"NUMBA_CACHE_DIR": str(place.kept)})
    assert (result, hits) == (42.0, 0)
    assert len(log) == 1
    assert f"kept in {place.temporary}" in log[0]
    assert place.temporary.stat().st_mode & 0o077 == 0
    assert place.run()[:2] == (42.0, 1)


@pytest.mark.parametrize("obstacle", ["file", "link", "open to all"])
def test_without_a_safe_temporary_folder_every_process_compiles(place, obstacle):
    """Code that others could have put there is not loaded."""
    place.refuse_writing()
    if obstacle == "file":
        place.temporary.write_text("")
    elif obstacle == "link":
        place.temporary.symlink_to(place.project)
    else:
        place.temporary.mkdir()
        place.temporary.chmod(0o777)
    for _ in range(2):
        result, hits, log = place.run()
        assert (result, hits) == (42.0, 0)
        assert len(log) == 1
        assert "nowhere" in log[0]
    assert not list(place.project.rglob("*.nb?"))
    assert not list(place.tmp.rglob("*.nb?"))


PR_CAPBSET_DROP = 24  # of linux/prctl.h


def without_privileges():
    """Drop what lets root write where it may not; needed by nobody else."""
    if os.getuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in range(64):
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


@pytest.mark.parametrize("home", ["none", "read-only"])
def test_read_only_project(place, home):
    """As a server is set up: it may read the project and write temporary files."""
    folders = [place.project, place.home]
    for folder in folders:
        folder.chmod(0o555)
    path = place.home if home == "read-only" else place.home / "none"
    environment = {"HOME": str(path)}
    try:
        for hits in (0, 1):
            result, found, log = place.run_anew(
                env=environment, preexec_fn=without_privileges
            )
            assert (result, found) == (42.0, hits)
            assert len(log) == 1
            assert f"kept in {place.temporary}" in log[0]
    finally:
        for folder in folders:
            folder.chmod(0o755)


# A full disk: files may have so many bytes; enough for an index, not for code.

FULL = 1500


def test_disk_that_is_full_costs_only_the_cache(place):
    result, _, log = place.run(largest_file=FULL)
    assert result == 42.0
    assert "nowhere" in log[-1]
    assert place.run() == (42.0, 0, [])
    assert place.run() == (42.0, 1, [])


def test_disk_that_was_full_leaves_no_index_for_older_code(place):
    """numba writes the index first; it would name the code of the old source."""
    place.run()
    place.write(3)
    assert place.run(largest_file=FULL)[0] == 63.0
    assert list(place.kept.glob("*.nbc"))  # the old code is still there
    assert place.run() == (63.0, 0, [])


def test_real_full_file_system(place):
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(place.home)],
        capture_output=True,
    )
    if mounted.returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        place.kept.write_text("")  # so that numba turns to the home
        result, _, log = place.run()
        assert result == 42.0
        assert f"kept in {place.temporary}" in log[-1]
        assert place.run()[0] == 42.0
    finally:
        subprocess.run(["umount", str(place.home)], check=True)


def test_every_compiled_function_of_the_project_has_this_cache():
    for folder in ("ssl_core", *PARTS):
        for path in (ROOT / folder).rglob("*.py"):
            if path == SOURCE:
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
            names |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
            assert not names & {"njit", "jit", "vectorize", "guvectorize"}, path
