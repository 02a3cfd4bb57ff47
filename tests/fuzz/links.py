"""Links and saved files that nobody meant: changed at random, and bombs made by hand.

    python -m tests.fuzz.links

tries the bombs, each in a process of its own, and writes docs/tables/bombs_links.md.
"""

import base64
import json
import random
import subprocess
import sys
import time
import zlib
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

from halfmoon.datasets import DATASETS, DatasetUnavailable
from halfmoon.pages._parts.export.notebook import notebook
from halfmoon.pages._parts.export.script import script
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import (
    DRAWN,
    MAX_DRAWN,
    MAX_HAND,
    RESERVED,
    UPLOAD,
    Drawing,
    Labels,
    Method,
    Scenario,
    Upload,
    View,
    data_knobs,
    default,
)
from halfmoon.scenario.fields import to_tree
from halfmoon.scenario.limits import MAX_CHAIN, MAX_LINK
from ssl_core import ALGORITHMS
from tests.hostile import HOSTILE

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "tables" / "bombs_links.md"
# For each, beyond its own honest size; of CPU, since wall time tells of neighbours.
MAX_SECONDS, MAX_BYTES = 2.0, 300e6
OPENED = 8_000_000  # bytes of a saved file that a page opens
CHEAP = 1_000  # points up to which a random scenario is also posed

# -- at random -----------------------------------------------------------------------

ODD = (
    *("", " ", "0", "-1", "1e400", "-1e400", "nan", "inf", "1e-400", "9" * 5_000),
    *("true", "None", "null", "[]", "{}", "٣", "1_000", "0x10", "\0", "\ud800"),
    *("two_moons", "upload", "drawn", "hand", "svm", "da", "pca", "1,2", "3,,4"),
    *("999999999", "2147483648", "200", "2", "0.5", "1e9", "validation"),
    *HOSTILE,
)
THINGS = (
    *(None, True, False, 0, -1, 1, 2**31, 10**400, -(10**30), 0.5, 1e308, -1e308),
    *(float("nan"), float("inf"), "", "x", "1", [], {}, [[]], [1], [1, 2], [1, 2, 3]),
    *([[1], [0]], [[1, 2], [0]], [0.5, 0.5, 1], {"t": 1}, {"v": 1}, "\ud800"),
)
PACKS = ("s", "m2.s", "m3.s", "m4.s")
FURTHER = (
    *("m2.algorithm", "m3.algorithm", "m4.algorithm", "m2.lam", "m3.sigma", "m2.seed"),
    *("m2", "m2.", "m1.lam", "m5.algorithm", "m2.m3.lam", "m2.v", *PACKS),
)


def seeds(rng: random.Random) -> Scenario:
    """A scenario that makes sense, with something of everything."""
    data = rng.choice([*DATASETS, DRAWN, DRAWN, UPLOAD, "two_moons", "two_moons"])
    upload = (
        Upload("ab12", rng.choice(HOSTILE), "y", ("a", "b")) if data == UPLOAD else None
    )
    scenario = default().with_data(data, upload)
    scenario = scenario.with_algorithm(rng.choice([*ALGORITHMS]))
    for knob in data_knobs(data).values():
        if knob.kind in ("int", "float") and knob.high is not None:
            value = rng.uniform(knob.low, min(knob.high, 300))
            value = round(value) if knob.kind == "int" else value
            scenario = scenario.with_data_knob(knob.name, value)
    if rng.random() < 0.6:
        hand = {rng.randrange(200): rng.randrange(-1, 3) for _ in range(20)}
        hand = tuple(sorted(hand.items()))
        scenario = scenario.with_labels(Labels("hand", hand=hand))
    if rng.random() < 0.5:
        added = tuple((rng.gauss(0, 1), rng.gauss(0, 1), i % 2) for i in range(20))
        drawing = Drawing(((3, 0.5, 0.5),), (5, 6), added)
        scenario = scenario.with_drawing(drawing)
    if rng.random() < 0.3:
        scenario = scenario.with_held_out(rng.randrange(50), rng.randrange(50))
    if rng.random() < 0.3:
        view = View("features", (rng.randrange(5), 1), 7, (("eta", 0.01),))
        scenario = replace(scenario, view=view, hidden=("sigma", "data"))
    if rng.random() < 0.3:
        scenario = scenario.going_on(rng.randrange(20))
    for _ in range(rng.choice((0, 0, 0, 1, 2, 3))):
        method = Method.of(rng.choice([*ALGORITHMS]), data)
        scenario = scenario.with_method(method)
        if rng.random() < 0.3:
            last = len(scenario.methods) - 1
            scenario = scenario.going_on(rng.randrange(20), last)
    return scenario


def link(rng: random.Random) -> dict[str, str]:
    """A link with a few things changed, and now and then all of it."""
    url = seeds(rng).to_url()
    for _ in range(rng.choice((0, 1, 1, 2, 3, 8))):
        names = [*url] or ["v"]
        what = rng.randrange(6)
        if what == 0:
            url[rng.choice(names)] = rng.choice(ODD)
        elif what == 1:
            url.pop(rng.choice(names), None)
        elif what == 2:
            name = rng.choice((*RESERVED, "sigma", "data.n", "at.eta", *FURTHER, *ODD))
            url[name] = rng.choice(ODD)
        elif what == 3 and (packs := [n for n in PACKS if url.get(n)]):
            name = rng.choice(packs)
            text, at = url[name], rng.randrange(len(url[name]))
            rest = text[at + rng.randrange(3) :]
            url[name] = text[:at] + rng.choice("AZ-_=!é") + rest
        elif what == 4:
            bulk = tree(rng)
            names = ("hand", "moved", "removed", "added", "upload", "from")
            bulk = {n: bulk[n] for n in names if n in bulk}
            url[rng.choice(("s", *PACKS))] = packed(json.dumps(bulk))
        else:
            name = rng.choice(names)
            url[name] = "".join(rng.choices(url.get(name, "1") + "0é,.e-", k=9))
    return url


def tree(rng: random.Random) -> dict:
    """What a saved file holds, with a few values changed anywhere in it."""
    found = to_tree(seeds(rng))
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = found
        while isinstance(at, dict | list) and at:
            keys = list(at) if isinstance(at, dict) else range(len(at))
            key = rng.choice(list(keys))
            if not isinstance(at[key], dict | list) or rng.random() < 0.4:
                at[key] = deepcopy(rng.choice(THINGS))
                break
            at = at[key]
    return found


def packed(text: str) -> str:
    """Any text in the packed part of a link."""
    raw = zlib.compress(text.encode("utf-8", "surrogatepass"), 9)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


# -- what is done with them ----------------------------------------------------------


def is_cheap(scenario: Scenario) -> bool:
    if scenario.data == DRAWN:
        return True
    entry = DATASETS.get(scenario.data)
    return (
        entry is not None
        and entry.kind == "toy"
        and scenario.knobs.get("n", 0) <= CHEAP
        and scenario.knobs.get("n_features", 0) <= CHEAP
    )


def use(scenario: Scenario, remarks: list[str], server: RunServer) -> bool:
    """Take the steps of a page up to the run; True when the data could be posed."""
    hash(scenario)
    assert all(isinstance(r, str) and len(r) < 400 for r in remarks), remarks
    url = scenario.to_url()
    if sum(map(len, [*url, *url.values()])) <= MAX_LINK:
        assert Scenario.from_url(url) == (scenario, []), url
    assert Scenario.from_json(scenario.to_json()) == (scenario, [], {})
    for index in range(1, len(scenario.methods)):
        run = scenario.alone(index).solving
        assert Scenario.from_json(run.to_json()) == (run, [], {})
    scenario.to_json().encode()
    if not is_cheap(scenario):
        return False
    try:
        problem = server.pose(scenario)
        server.picture(scenario)
    except (ValueError, DatasetUnavailable) as error:
        if not str(error).endswith("."):  # no sentence of ours
            raise
        return False
    compile(script(scenario, problem), "script", "exec")
    json.loads(notebook(scenario, problem))
    return True


def follow(number: int, server: RunServer) -> tuple[float, bool]:
    """Read fuzzed link or file ``number``; CPU seconds, and whether it was posed."""
    rng = random.Random(number)
    if number % 4 == 3:
        text = json.dumps({"scenario": tree(rng)})
        if rng.random() < 0.2:
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice('{}[],:"0\\') + text[at + 1 :]
        start = time.process_time()
        scenario, remarks, _ = Scenario.from_json(text)
    else:
        url = link(rng)
        start = time.process_time()
        scenario, remarks = Scenario.from_url(url)
    was_posed = use(scenario, remarks, server)
    return time.process_time() - start, was_posed


# -- bombs ---------------------------------------------------------------------------


def _saved(**parts) -> str:
    return json.dumps({"scenario": {"v": 1, "data": DRAWN, "labels": "hand", **parts}})


def _points(n: int) -> list:
    return [[i % 997 / 100, i % 991 / 100, i % 2] for i in range(n)]


def _hand(n: int) -> list:
    return [list(range(n)), [i % 2 for i in range(n)]]


def _chain(depth: int, n: int = MAX_DRAWN) -> dict:
    parts = {"added": _points(n), "hand": _hand(n), "v": 1}
    made = {"data": DRAWN, "labels": "hand", **parts}
    for _ in range(depth):
        made = {**made, "from": {"t": 1, "scenario": made}}
    return made


def _further(origin) -> dict:
    method = {"algorithm": "lapsvm_pcg", "from": origin}
    return {f"m{number}": method for number in (2, 3, 4)}


def _branching(depth: int) -> dict:
    made = {"v": 1, "data": DRAWN, "added": _points(20)}
    for _ in range(depth):
        origin = {"t": 1, "scenario": made}
        made = {**made, "from": origin, **_further(origin)}
    return made


def _four_packs(text: str) -> dict[str, str]:
    methods = {f"m{number}.algorithm": "svm" for number in (2, 3, 4)}
    return {"v": "1", "data": DRAWN, **methods, **dict.fromkeys(PACKS, packed(text))}


def _nested(depth: int) -> str:
    return (
        '{"scenario":'
        + '{"from":{"t":1,"scenario":' * depth
        + "{"
        + "}" * (2 * depth + 2)
    )


def _s(text: str) -> dict[str, str]:
    return {"v": "1", "data": DRAWN, "s": packed(text)}


def _listed(name: str, item: str, times: int) -> str:
    """A saved file with the same item many times."""
    return f'{{"scenario":{{"{name}":[' + item * times + "0]}}"


def _upload(**parts) -> str:
    upload = {"digest": "ab", "name": "a.csv", **parts}
    return json.dumps({"scenario": {"data": UPLOAD, "upload": upload}})


MANY = 100_000
LINKS = {
    "499,000 drawn points": lambda: _s(json.dumps({"added": _points(499_000)})),
    "2,000,000 labels": lambda: _s(json.dumps({"hand": _hand(2_000_000)})),
    "packed part of 200 MB": lambda: _s(" " * 200_000_000),
    "largest swelling that is short enough": lambda: _s("0," * 4_500_000),
    "as many empty lists as fit": lambda: _s('{"hand":[' + "[]," * 130_000 + "0]}"),
    "100,000 brackets": lambda: _s('{"hand":' + "[" * MANY),
    "number of 399,000 digits": lambda: _s('{"removed":[' + "9" * 399_000 + "]}"),
    "place of 4,000 digits": lambda: _s('{"added":[[' + "9" * 4_000 + ",0,1]]}"),
    "100,000 names": lambda: {f"x{i}": "1" for i in range(MANY)},
    "100,000 thresholds": lambda: {f"at.x{i}": "1" for i in range(MANY)},
    "name of 10 MB": lambda: {"x" * 10_000_000: "1"},
    "value of 10 MB": lambda: {"sigma": "9" * 10_000_000},
    "hides 1,000,000 controls": lambda: {"hide": "a," * 1_000_000},
    "1,000,000 axes": lambda: {"axes": "1," * 1_000_000},
    "1,000,000,000 points": lambda: {"data": "two_moons", "data.n": "1e9"},
    "four methods, each with all that fits packed": lambda: _four_packs(
        '{"from":{"scenario":{"hand":[' + "[]," * 130_000 + "0]}}}"
    ),
    "four methods, a packed part of 50 MB each": lambda: _four_packs(" " * 50_000_000),
    "90,000 methods": lambda: {f"m{i}.algorithm": "da" for i in range(90_000)},
    "numbers that are none": lambda: {"sigma": "1e400", "tol": "nan", "seed": "inf"},
}
FILES = {
    "as many points and labels as allowed": lambda: _saved(
        added=_points(MAX_DRAWN), hand=_hand(MAX_HAND)
    ),
    "one point too many": lambda: _saved(added=_points(MAX_DRAWN + 1)),
    "200,000 points": lambda: _saved(added=_points(200_000)),
    "700,000 labels": lambda: _saved(hand=_hand(700_000)),
    "five runs in a row, 5,000 points each": lambda: json.dumps(
        {"scenario": _chain(MAX_CHAIN)}
    ),
    "four methods, five runs each, 5,000 points each": lambda: json.dumps(
        {"scenario": {**_chain(MAX_CHAIN), **_further(_chain(MAX_CHAIN)["from"])}}
    ),
    "four methods, five runs each, 1,000 points each": lambda: json.dumps(
        {"scenario": {**_chain(4, 1_000), **_further(_chain(4, 1_000)["from"])}}
    ),
    "methods inside earlier runs, 4 to the power of 4": lambda: json.dumps(
        {"scenario": _branching(MAX_CHAIN)}
    ),
    "300 runs in a row": lambda: _nested(300),
    "100,000 runs in a row": lambda: _nested(MANY),
    "8 MB of empty dicts": lambda: _listed("hand", "{},", 2_600_000),
    "8 MB of small dicts": lambda: _listed("hand", '{"":0},', 1_100_000),
    "8 MB of fractions": lambda: _listed("removed", "1.5,", 1_990_000),
    "8 MB of names": lambda: json.dumps(
        {"scenario": {"knobs": {f"k{i}": 0 for i in range(560_000)}}}
    ),
    "500,000 columns": lambda: _upload(features=["abcdefgh"] * 500_000),
    "file name of 7 MB": lambda: _upload(name="a" * 7_000_000),
}
BOMBS = {
    **{f"link: {name}": make for name, make in LINKS.items()},
    **{f"file: {name}": make for name, make in FILES.items()},
}


def size_of(bomb) -> int:
    if isinstance(bomb, str):
        return len(bomb)
    return sum(len(name) + len(text) for name, text in bomb.items())


def burst(bomb) -> tuple[Scenario, list[str]]:
    """Read one as a page does, and go on with what is left of it."""
    if isinstance(bomb, str):
        scenario, remarks, _ = Scenario.from_json(bomb[:OPENED])
    else:
        scenario, remarks = Scenario.from_url(bomb)
    use(scenario, remarks, RunServer(1))
    return scenario, remarks


TRY = """
import time
from tests.fuzz.links import BOMBS, burst, size_of

def peak(name="VmHWM:"):
    lines = open("/proc/self/status").read().splitlines()
    return int(next(x for x in lines if x.startswith(name)).split()[1]) * 1024

burst({"v": "1", "data": "two_moons"})  # imports and compiled code
bomb = BOMBS[NAME]()
with open("/proc/self/clear_refs", "w") as reset:
    reset.write("5")  # the peak starts anew: making the bomb does not count
before, start = peak(), time.process_time()
_, remarks = burst(bomb)
seconds = time.process_time() - start
print(size_of(bomb), peak() - before, seconds, (remarks or ["-"])[0])
"""


def attempt(name: str) -> tuple[int, int, float, str]:
    """Size, bytes of memory, seconds and remark for one bomb, in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", TRY.replace("NAME", repr(name))],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    size, memory, seconds, remark = done.stdout.strip().split(" ", 3)
    return int(size), int(memory), float(seconds), remark


def main() -> None:
    lines = [
        "# Links and saved files made to hurt",
        "",
        "Each is read as a page reads it and, where data are left, posed, drawn and",
        "written as a script, in a process of its own. Memory is what the peak rises",
        "by, beyond the bomb itself. `python -m tests.fuzz.links` writes this file;",
        "`pytest -m slow tests/fuzz` follows 10,000 links and files changed at random.",
        "",
        "| bomb | size, kB | memory, MB | CPU, s | what is said |",
        "| --- | ---: | ---: | ---: | --- |",
    ]
    for name in BOMBS:
        size, memory, seconds, remark = attempt(name)
        remark = remark.replace("|", "·")
        lines.append(
            f"| {name} | {size / 1e3:,.0f} | {memory / 1e6:.1f} | {seconds:.2f} "
            f"| {remark} |"
        )
        print(lines[-1], flush=True)
        assert memory < MAX_BYTES, name
        assert seconds < MAX_SECONDS, name
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
