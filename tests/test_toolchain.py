"""The JavaScript: bundles as its sources make them, formatted, checked and tested.

The tools are those of package.json; `make lint` installs them.
"""

import json
import re

import pytest

from tests.javascript import ROOT, run, succeeded

TOOLS = ROOT / "node_modules"
OWN = [p for top in ("stage", "pages", "tests") for p in (ROOT / top).rglob("*.js")]
SOURCES = [path for path in OWN if "dist" not in path.parts]


@pytest.fixture(scope="module")
def tools():
    if not TOOLS.exists():
        pytest.fail("the tools of package.json are missing: run make lint once")


@pytest.mark.usefixtures("tools")
def test_bundles_formats_and_types_are_in_order():
    succeeded("npm", "run", "--silent", "lint")


@pytest.mark.usefixtures("tools")
def test_a_bundle_that_is_not_what_its_sources_make_is_found():
    bundle = ROOT / "stage/dist/link.js"
    kept = bundle.read_bytes()
    try:
        bundle.write_bytes(kept + b"\n")
        done = run("build.js", "--check", capture_output=True, encoding="utf-8")
    finally:
        bundle.write_bytes(kept)
    assert done.returncode == 1
    assert "stage/dist/link.js" in done.stderr


def test_the_unit_tests_pass():
    told = succeeded("--test", "--test-reporter=tap", "tests/js/*.test.js")
    passed = int(re.search(r"^# pass (\d+)$", told, flags=re.MULTILINE)[1])
    assert passed > 60


def test_every_bundle_has_a_source_and_the_other_way_round():
    made = {p.stem for p in OWN if "dist" in p.parts and "pages" in p.parts}
    ours = [path for path in SOURCES if "pages" in path.parts]
    assert made == {p.stem for p in ours if "\nexport default " in p.read_text("utf-8")}


def test_the_lock_file_names_versions_and_no_registry():
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: p for name, p in lock["packages"].items() if name}
    assert all(p["integrity"] and "resolved" not in p for p in packages.values())
    # Also for other machines: npm installs nothing where one of these is missing.
    others = (p.get("optionalDependencies", {}) for p in packages.values())
    assert {
        f"node_modules/{name}" for some in others for name in some
    } <= packages.keys()
    wanted = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    assert all(
        packages[f"node_modules/{name}"]["version"] == version
        for name, version in wanted["devDependencies"].items()
    )


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_no_module_is_too_long_to_read(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 550
    assert not re.search(r"@ts-nocheck|@ts-ignore", text)


def test_the_types_know_every_part_of_the_markup():
    types = (ROOT / "stage/js/types.d.ts").read_text(encoding="utf-8")
    body = re.search(r"type Parts = \{(.*?)\n\};", types, flags=re.DOTALL)[1]
    markup = "".join(p.read_text("utf-8") for p in (ROOT / "stage/html").iterdir())
    assert set(re.findall(r"(\w+):", body)) == set(
        re.findall(r'data-role="(\w+)"', markup)
    )
