"""Python and JavaScript mean the same by an edit; see also tests/js/edits.test.js."""

import json
from pathlib import Path

import numpy as np
import pytest

from halfmoon.stage import apply_edits
from tests.javascript import evaluate

CASES = json.loads(Path(__file__).with_name("edits.json").read_text(encoding="utf-8"))
POINTS = np.array([[0.0, 0.0], [1.0, 10.0], [2.0, 20.0]])
GIVEN = np.array([0, -1, -1])
START = {"n": 3, "x": [0, 1, 2], "y": [0, 10, 20], "number": [0, 1, 2], "next": 3}
MODEL = json.dumps(START | {"given": GIVEN.tolist(), "source": [0, 1, 2]})
APPLY = f"""data.map((ops) => {{
  const model = structuredClone({MODEL});
  for (const op of ops) applyOp(model, op);
  const {{ number, given, x, y, next }} = model;
  return {{ number, given, x, y, next }};
}})"""


def after(ops):
    edited = apply_edits(POINTS, GIVEN, ops, refused=[])
    return {
        "number": edited.number.tolist(),
        "given": edited.given.tolist(),
        "x": edited.points[:, 0].tolist(),
        "y": edited.points[:, 1].tolist(),
        "next": edited.next_number,
    }


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_python_does_what_the_table_says(case):
    assert after(case["ops"]) == case["end"]


def random_ops(rng):
    """Edits as a browser can send them: a new point has the next number."""
    ops, end = [], 3
    for _ in range(rng.integers(1, 12)):
        i, label = int(rng.integers(end)), int(rng.integers(-1, 2))
        x, y = (int(v) for v in rng.integers(-50, 50, 2))
        some = [int(v) for v in rng.integers(end, size=3)]
        kind = rng.choice(["label", "erase", "move", "remove", "add", "many", "new"])
        if kind == "label":
            ops.append({"op": "label", "i": i, "class": label})
        elif kind in ("erase", "remove"):
            ops.append({"op": str(kind), "i": i})
        elif kind == "move":
            ops.append({"op": "move", "i": i, "x": x, "y": y})
        elif kind == "add":
            ops.append({"op": "add", "i": i, "x": x, "y": y, "class": label})
        elif kind == "many":
            ops.append({"op": "label_many", "idx": some, "class": label})
            ops.append({"op": "remove_many", "idx": some[:1]})
        else:
            idx = [end, end + 1]
            ops.append(
                {"op": "add_many", "idx": idx, "x": [x, y], "y": [y, x], "class": label}
            )
            end += 2
    return ops


def test_python_and_javascript_agree_on_edits_at_random():
    rng = np.random.default_rng(0)
    many = [random_ops(rng) for _ in range(500)]
    assert evaluate(("edits.js",), APPLY, many) == [after(ops) for ops in many]
