"""The stage's view: what is refused, what is sent, and with what accuracy."""

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon import stage
from halfmoon.stage.assets import code_and_loader
from halfmoon.stage.levels import (
    HALF,
    dequantise,
    field_levels,
    field_outputs,
    quantise,
    winner_and_margin,
)
from halfmoon.stage.pack import payload, shown_points, unpack
from halfmoon.stage.view import TOGGLES
from tests.javascript import evaluate

MEGABYTE = 1_000_000
outputs = st.lists(st.floats(-50, 50, allow_nan=False), min_size=1, max_size=40)


def make_view(n=200, T=100, k=2, side=60, **changes):
    rng = np.random.default_rng(0)
    last = (k,) if k > 2 else ()
    settings = {
        "points": rng.standard_normal((n, 2)),
        "given": rng.integers(-1, k, n),
        "class_names": tuple(f"class {c}" for c in range(k)),
        "extent": (-3.0, 3.0, -2.0, 2.0),
        "frame_t": np.arange(T),
        "field": rng.standard_normal((T, side, side, *last)),
        "f_per_frame": rng.standard_normal((T, n, *last)),
        "marks_per_frame": rng.random((T, n)) < 0.3,
        "truth": rng.integers(0, k, n),
        "captions": ("Something happened that takes one sentence to say.",) * T,
        "tiles": tuple(stage.Tile(f"tile {i}", ("0.123",) * T) for i in range(4)),
        "panels": tuple(
            stage.Curves(
                f"panel {i}", tuple(stage.Series(str(j), np.ones(T)) for j in range(4))
            )
            for i in range(3)
        ),
    }
    return stage.StageView(**settings | changes)


@given(values=outputs, limit=st.floats(0.1, 60))
def test_quantised_outputs_keep_their_sign_and_are_close(values, limit):
    f = np.array(values)
    back = dequantise(quantise(f, limit), limit)
    assert np.array_equal(back >= 0, f >= 0)
    clipped = np.clip(f, -limit, limit)
    # One step of s = (|f| / limit)^(1/3) is 1 / HALF, and d|f| = 3 limit s^2 ds.
    bound = 3 * limit * (np.cbrt(np.abs(clipped) / limit) + 1 / HALF) ** 2 / HALF
    assert np.all(np.abs(back - clipped) <= bound)


sizes = st.floats(-36, 9).map(lambda power: 10**power)


@given(size=sizes, sign=st.sampled_from([-1, 1]))
def test_a_field_keeps_signs_ratios_near_zero_and_differences_near_one(size, sign):
    """Half a step: 0.5 % below 0.01, 5e-5 up to 2, 0.3 % beyond."""
    back = field_outputs(field_levels(sign * size))
    assert (back >= 0) == (sign > 0)
    bound = 0.0051 * size if size < 0.01 else 5.1e-5 if size < 2 else 0.003 * size
    assert abs(back - sign * size) <= bound


@given(below=st.floats(2e-10, 1e-3))
def test_a_field_never_crosses_its_margins_by_rounding(below):
    back = field_outputs(field_levels(np.array([1.0, 1.0 + below, 1.0 - below])))
    assert back[0] >= 1
    assert back[1] >= 1
    assert back[2] < 1


def test_levels_of_a_field_are_known_at_its_ends():
    f = np.array([0.0, -0.0, 1e-300, -1e-300, 1e300, -1e300, np.nan])
    q = [0, 0, 0, -1, 32767, -32768, 0]
    np.testing.assert_array_equal(field_levels(f), q)


def test_nan_outputs_are_sent_as_zero():
    assert dequantise(quantise(np.array([np.nan]), 2.0), 2.0) == pytest.approx(
        0, abs=1e-4
    )


@given(
    scores=st.lists(st.lists(outputs.map(lambda v: v[0]), min_size=4, max_size=4)).map(
        lambda rows: np.array(rows).reshape(-1, 4)
    )
)
def test_winner_is_the_largest_score_and_the_margin_its_lead(scores):
    winner, margin = winner_and_margin(scores, 100.0)
    assert np.array_equal(winner, scores.argmax(axis=1))
    ordered = np.sort(scores, axis=1)
    lead = ordered[:, -1] - ordered[:, -2]
    back = 100 * ((margin + 0.5) / 256) ** 3
    assert np.all(np.abs(back - lead) <= 3 * 100 / 256)


def test_a_noisy_field_of_60_x_60_over_100_frames_stays_below_a_megabyte():
    """No two numbers alike: nothing that a solver gives is as hard to pack."""
    assert len(payload(make_view())) <= MEGABYTE


def test_arrays_come_back_from_the_payload():
    view = make_view(n=23, T=5, side=7)
    header, arrays = unpack(payload(view, client="abc", seq_seen=4))
    assert (header["client"], header["seq_seen"]) == ("abc", 4)
    np.testing.assert_allclose(arrays["points"], view.points, rtol=1e-6)
    np.testing.assert_array_equal(arrays["given"], view.given)
    np.testing.assert_array_equal(arrays["truth"], view.truth)
    bits = np.unpackbits(arrays["marks"], axis=1, bitorder="little")[:, :23]
    np.testing.assert_array_equal(bits.astype(bool), view.marks_per_frame)
    f = dequantise(arrays["f"], header["limits"]["f"])
    np.testing.assert_allclose(f, view.f_per_frame, atol=1e-3)
    assert arrays["field"].shape == (5, 1, 7, 7)
    field = field_outputs(arrays["field"][:, 0])
    np.testing.assert_allclose(field, view.field, rtol=0.006, atol=6e-5)


def test_line_searches_and_ghosts_are_packed_with_their_frames():
    search = stage.Search([0, 1, 3], [-1, 0, 4], 1.0)
    ghost_panel = stage.Curves("panel 0", (stage.Series("0", np.arange(9.0)),))
    view = make_view(
        n=4,
        T=3,
        side=5,
        panels=(stage.Searches("search", (None, search, None)),),
        ghost=stage.Ghost("before", np.ones((5, 5)), (ghost_panel,)),
    )
    header, arrays = unpack(payload(view))
    assert header["panels"][0]["starts"] == [0, 0, 3, 3]
    np.testing.assert_array_equal(arrays["panel0_psi"], [-1, 0, 4])
    assert np.isnan(arrays["panel0_star"][[0, 2]]).all()
    assert header["ghost"]["curves"][0]["title"] == "panel 0"
    assert len(arrays["ghost0_0"]) == 9
    np.testing.assert_allclose(
        field_outputs(arrays["ghost_field"]), np.ones((1, 1, 5, 5)), atol=6e-5
    )


def test_many_classes_send_a_field_each_and_winners_of_points():
    view = make_view(n=30, T=4, k=5, side=6)
    _, arrays = unpack(payload(view))
    field = np.moveaxis(field_outputs(arrays["field"]), 1, -1)
    leads = view.field - view.field.mean(axis=-1, keepdims=True)
    np.testing.assert_allclose(field, leads, rtol=0.006, atol=6e-5)
    np.testing.assert_array_equal(arrays["f"], view.f_per_frame.argmax(axis=-1))


def test_the_same_run_has_the_same_id_whatever_the_labels():
    view = make_view(n=10, T=3, side=5)
    relabelled = make_view(n=10, T=3, side=5, given=np.full(10, -1))
    other = make_view(n=10, T=3, side=5, field=np.zeros((3, 5, 5)))
    run = [unpack(payload(v))[0]["run_id"] for v in (view, relabelled, other)]
    assert run[0] == run[1] != run[2]


def test_more_than_5000_points_are_thinned_but_no_label_is_lost():
    n = 7000
    given = np.full(n, -1)
    given[::100] = 1
    view = make_view(n=n, T=2, side=5, given=given, edges=[[0, 100], [0, 1], [1, 2]])
    shown = shown_points(view)
    assert len(shown) == stage.MAX_POINTS
    assert np.isin(np.flatnonzero(given >= 0), shown).all()
    header, arrays = unpack(payload(view))
    assert "5,000 of 7,000 points" in header["note"]
    assert "add" not in header["tools"]
    np.testing.assert_array_equal(arrays["number"], shown)
    ends = shown[arrays["edges"]]
    assert [0, 100] in ends.tolist()


WRONG = {
    "class_names must hold 2 to 20": {"class_names": ("one",), "truth": None},
    "frame_t must increase": {"frame_t": np.array([0, 2, 1])},
    "extent must be finite": {"extent": (1.0, 1.0, 0.0, 2.0)},
    "points must be finite": {"points": np.full((10, 2), np.nan)},
    "given must hold class indices 0 to 1": {"given": np.full(10, 2)},
    r"field must have shape \(3, any, any\)": {"field": np.zeros((2, 5, 5))},
    "captions must hold one value for each of the 3": {"captions": ("a",)},
    "tile 'x' must hold one value": {"tiles": (stage.Tile("x", ("1",)),)},
    "tools must come from": {"tools": ("paint",)},
    "start_frame must lie in 0 to 2": {"start_frame": 3},
}


@pytest.mark.parametrize(("message", "change"), WRONG.items(), ids=WRONG)
def test_a_wrong_view_is_refused_with_one_sentence(message, change):
    with pytest.raises(ValueError, match=message):
        make_view(**{"n": 10, "T": 3, "side": 5} | change)


def test_no_text_can_become_markup_and_nothing_is_fetched():
    code, loader = code_and_loader()
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "fetch("):
        assert word not in code
    assert "http" not in code
    assert "url(" not in code  # style sheets are in it
    assert len(loader) < 500


@pytest.mark.parametrize("classes", [2, 4])
def test_the_browser_reads_what_python_packs(classes):
    block = payload(make_view(n=10, T=3, side=5, k=classes))
    header, arrays = unpack(block)
    ask = """(async () => {
      const view = await unpack(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)));
      for (const array of Object.values(view.arrays)) array.data = [...array.data];
      return view;
    })()"""
    view = evaluate(("unpack.js",), ask, base64.b64encode(block).decode())
    assert {name: array["shape"] for name, array in view["arrays"].items()} == {
        name: list(array.shape) for name, array in arrays.items()
    }
    for name, array in arrays.items():
        np.testing.assert_array_equal(view["arrays"][name]["data"], array.ravel())
    assert (view["n"], view["k"], view["T"]) == (10, classes, 3)
    assert all(view[name] == header[name] for name in header.keys() - {"arrays"})


def test_python_and_the_browser_have_the_same_switches():
    assert evaluate(("place.js",), "TOGGLES") == list(TOGGLES)


@pytest.mark.parametrize("classes", [2, 4])
def test_python_and_the_browser_read_the_same_outputs(classes):
    view = make_view(n=10, T=3, side=5, k=classes)
    block = payload(view)
    header, arrays = unpack(block)
    ask = """(async () => {
      const view = await unpack(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)));
      const rows = [...Array(view.n).keys()];
      return [0, 1, 2].map((frame) => rows.map((row) => outputAt(view, frame, row)));
    })()"""
    found = evaluate(("unpack.js",), ask, base64.b64encode(block).decode())
    guessed = [[point["predicted"] for point in frame] for frame in found]
    if classes > 2:
        np.testing.assert_array_equal(guessed, view.f_per_frame.argmax(axis=-1))
    else:
        values = [[point["value"] for point in frame] for frame in found]
        exact = dequantise(arrays["f"], header["limits"]["f"])
        np.testing.assert_allclose(values, exact, rtol=1e-12)
        np.testing.assert_array_equal(guessed, view.f_per_frame >= 0)
