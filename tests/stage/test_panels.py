"""Panels of beliefs and of losses: what is refused, what is sent."""

import numpy as np
import pytest

from halfmoon import stage
from halfmoon.stage.pack import MAX_POINTS, payload, shown_points, unpack

T, N = 6, 40
OUTPUTS = np.linspace(-2, 2, 41)
RNG = np.random.default_rng(0)


def view_of(panel, n=N):
    return stage.StageView(
        points=RNG.standard_normal((n, 2)),
        given=np.where(np.arange(n) < 2, np.arange(n), -1),
        class_names=("a", "b"),
        extent=(-3.0, 3.0, -2.0, 2.0),
        frame_t=np.arange(T),
        f_per_frame=RNG.standard_normal((T, n)),
        panels=(panel,),
    )


def heat(**changes):
    settings = {"values": RNG.random((T, 12)), "ends": ("a", "b")}
    return stage.Heat("Beliefs", **settings | changes)


def losses(**changes):
    settings = {
        "outputs": OUTPUTS,
        "curves": np.tile(np.maximum(0, 1 - np.abs(OUTPUTS)) ** 2, (T, 1)),
        "notes": tuple(f"T = {t}" for t in range(T)),
    }
    return stage.Losses("Loss", **settings | changes)


def test_a_heat_map_arrives_within_half_a_level_and_what_is_unknown_has_no_colour():
    values = RNG.random((T, 12))
    values[0, 3] = np.nan
    header, arrays = unpack(payload(view_of(heat(values=values))))
    assert arrays["panel0"].dtype == np.uint8
    sent = arrays["panel0"] / 255
    assert np.nanmax(np.abs(sent - values)) <= 0.5 / 255
    assert sent[0, 3] == pytest.approx(0.5, abs=0.003)
    assert header["panels"][0]["kind"] == "heat"


def test_beliefs_that_hardly_change_cost_hardly_a_byte():
    still = np.tile(RNG.random(500), (100, 1))
    view = view_of(heat())
    still_view = stage.StageView(
        **{
            **{name: getattr(view, name) for name in ("points", "given", "extent")},
            "class_names": ("a", "b"),
            "frame_t": np.arange(100),
            "panels": (stage.Heat("Beliefs", still, ("a", "b")),),
        }
    )
    assert len(payload(still_view)) < 5_000  # 50,000 numbers


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"values": np.full((T, 3), 1.5)}, "between 0 and 1"),
        ({"values": np.zeros(T)}, "shape"),
        ({"rows": ("one",)}, "one name for each"),
    ],
)
def test_a_heat_map_that_cannot_be_drawn_is_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        heat(**changes)


def test_the_curves_of_a_loss_arrive_as_they_are_with_their_limits():
    curves = RNG.random((T, len(OUTPUTS)))
    header, arrays = unpack(payload(view_of(losses(curves=curves))))
    row = header["panels"][0]
    sent = row["limits"][0] + row["step"] * arrays["panel0_curves"]
    np.testing.assert_allclose(sent, curves, atol=1e-4)
    assert row["reach"] == 2
    assert row["limits"][1] >= curves.max()
    assert row["notes"][3] == "T = 3"


def test_heights_and_hard_labels_are_those_of_the_points_that_are_drawn():
    n = MAX_POINTS + 500
    heights = RNG.random((T, n))
    heights[2, :5] = 9.0  # above the picture
    positive = RNG.random((T, n)) < 0.5
    hinge = np.maximum(0, 1 - OUTPUTS) ** 2
    panel = losses(heights=heights, labelled=hinge, positive=positive)
    view = view_of(panel, n=n)
    header, arrays = unpack(payload(view))
    shown = shown_points(view)
    low, high = header["panels"][0]["limits"]
    sent = low + arrays["panel0_heights"] / 254 * (high - low)
    inside = heights[:, shown] <= high
    np.testing.assert_allclose(sent[inside], heights[:, shown][inside], atol=0.006)
    assert (arrays["panel0_heights"][~inside] == 255).all()
    bits = np.unpackbits(arrays["panel0_positive"], axis=1, bitorder="little")
    np.testing.assert_array_equal(bits[:, : len(shown)], positive[:, shown])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"outputs": OUTPUTS**3}, "equal steps"),
        ({"outputs": OUTPUTS + 1}, "-reach to reach"),
        ({"labelled": np.zeros(3)}, "labelled must hold one loss for each"),
        ({"positive": np.zeros((T, N), dtype=bool)}, "branches"),
        ({"others": (0, T)}, "numbers of frames"),
    ],
)
def test_a_loss_that_cannot_be_drawn_is_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        losses(**changes)


def test_a_loss_needs_the_outputs_of_two_classes():
    settings = {
        "points": np.zeros((N, 2)),
        "given": np.full(N, -1),
        "extent": (-3.0, 3.0, -2.0, 2.0),
        "frame_t": np.arange(T),
        "panels": (losses(),),
    }
    with pytest.raises(ValueError, match="no f_per_frame"):
        stage.StageView(class_names=("a", "b"), **settings)
    outputs = np.zeros((T, N, 3))
    with pytest.raises(ValueError, match="this one has 3 classes"):
        stage.StageView(class_names=("a", "b", "c"), f_per_frame=outputs, **settings)
    few = losses(heights=np.zeros((T, 3)))
    with pytest.raises(ValueError, match="heights must hold one column for each"):
        view_of(few)


@pytest.mark.parametrize("panel", [heat(values=np.zeros((T + 1, 2))), losses()])
def test_panels_of_another_run_are_refused(panel):
    short = {"notes": ("T = 0",)} if isinstance(panel, stage.Losses) else {}
    panel = losses(**short) if short else panel
    with pytest.raises(ValueError, match=f"each of the {T} frames"):
        view_of(panel)
