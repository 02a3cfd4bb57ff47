"""Figures of a trace: they show the fields, the curves and the states of the run."""

import json
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from ssl_core import ALGORITHMS, make
from ssl_core.viz.fields import field_frames
from ssl_core.viz.figures import RESOLUTION, RESOLUTION_PLAYED, lead, panels
from ssl_core.viz.theme import DARK, LIGHT
from tests.small_problems import moons as small_moons
from tests.viz.runs import arcs, moons

FIELDS = ("heatmap", "contour")


def of_type(data, *types):
    return [item for item in data if item.type in types]


def on_grid(item, trace, places):
    """The outputs of states where a drawn field has its numbers, point by point."""
    x, y = np.asarray(item.x), np.asarray(item.y)
    points = np.array([(a, b) for b in y for a in x])
    F = trace.decision_function(points)[places]
    return F.reshape(len(F), len(y), len(x), *F.shape[2:])


@cache
def many_features():
    rng = np.random.default_rng(0)
    X, truth = small_moons(30, noise=0.1, seed=0)
    y = np.where(np.arange(30) < 10, truth, -1)
    X = np.column_stack([X, rng.normal(size=30)])
    return make("tsvm").trace(X, y)


def test_the_field_is_the_decision_function_on_its_grid():
    trace = moons().trace
    for t in (0, 3, -1, None):
        place = len(trace) - 1 if t is None else t
        heat, margin, boundary = of_type(trace.plot(t).data, *FIELDS)
        (F,) = on_grid(heat, trace, [place])
        assert F.shape == (RESOLUTION, RESOLUTION)
        for item in (heat, margin, boundary):
            np.testing.assert_allclose(item.z, F, rtol=1e-6, atol=1e-7)
        assert (boundary.contours.start, boundary.contours.end) == (0, 0)
        assert (margin.contours.start, margin.contours.end) == (-1, 1)
        assert margin.contours.size == 2
        assert (min(heat.x) < trace.X[:, 0]).all()
        assert (max(heat.y) > trace.X[:, 1]).all()


def test_regions_of_several_classes_are_those_of_the_largest_output():
    trace = arcs().trace
    heat, *leads = of_type(trace.plot().data, *FIELDS)
    (F,) = on_grid(heat, trace, [-1])
    np.testing.assert_array_equal(heat.z, F.argmax(axis=2))
    assert len(leads) == 3
    for j, item in enumerate(leads):
        others = np.max([F[..., i] for i in range(3) if i != j], axis=0)
        np.testing.assert_allclose(item.z, F[..., j] - others, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(lead(F, j) > 0, F.argmax(axis=2) == j)
    names = [item.name for item in trace.plot().data]
    assert {"unlabelled", "class 0", "class 1", "class 2"} <= set(names)


def test_frames_of_an_animation_are_the_states():
    trace = moons().trace[:12]
    picture = trace.animate()
    assert [frame.name for frame in picture.frames] == [str(s.t) for s in trace]
    (slider,) = picture.layout.sliders
    assert [step.label for step in slider.steps] == [str(s.t) for s in trace]
    assert all(
        tuple(step.args[0]) == (frame.name,)
        for step, frame in zip(slider.steps, picture.frames, strict=True)
    )
    (menu,) = picture.layout.updatemenus
    assert [button.label for button in menu.buttons] == ["Play", "Pause"]
    F = on_grid(picture.frames[0].data[0], trace, range(12))
    assert F.shape[1:] == (RESOLUTION_PLAYED, RESOLUTION_PLAYED)
    for frame, f, state in zip(picture.frames, F, trace, strict=True):
        assert all(item.type in FIELDS for item in frame.data)  # see `animation`
        for place, item in zip(frame.traces, frame.data, strict=True):
            np.testing.assert_allclose(item.z, f, rtol=1e-6, atol=1e-7)
            assert picture.data[place].type == item.type
        (line,) = frame.layout.shapes
        assert line.x0 == line.x1 == state.t
        assert frame.layout.title.text.startswith(f"t = {state.t}: objective ")
    shown = of_type(picture.data, *FIELDS)
    np.testing.assert_allclose(shown[0].z, F[0], rtol=1e-6, atol=1e-7)


def test_a_long_run_has_as_many_frames_as_asked_for_and_both_ends():
    trace = moons().trace
    with pytest.raises(ValueError, match="max_frames must be an integer >= 2"):
        trace.animate(max_frames="all")
    numbers = [int(f.name) for f in trace.animate(max_frames=10).frames]
    assert numbers[0] == 0
    assert numbers[-1] == trace.final.t
    assert 10 <= len(numbers) <= 20
    assert numbers == sorted(set(numbers))
    thin = replace(
        trace, states=[s if s.t % 5 == 0 else s.thin() for s in trace.states]
    )
    numbers = [int(f.name) for f in thin.animate().frames]
    assert numbers == [int(s.t) for s in trace if s.t % 5 == 0]


def test_curves_are_the_columns_of_the_trace():
    example = moons()
    lines = of_type(example.trace.plot(4).data, "scatter")
    curves = {line.name: line for line in lines if line.mode == "lines"}
    frame = example.trace.to_frame()
    for name, column in (
        ("objective", "objective"),
        ("gradient ‖∇‖", "grad_norm"),
        ("mixed product √(∇ᵀP⁻¹∇)", "mixed_product"),
        ("validation error", "error_val"),
        ("test error", "error_test"),
    ):
        values = frame[column].to_numpy()
        logs = column in ("grad_norm", "mixed_product")
        values = np.where(values > 0, values, np.nan) if logs else values
        np.testing.assert_array_equal(curves[name].y, values)
        np.testing.assert_array_equal(curves[name].x, frame["t"])
    assert len(curves) == 5
    (line,) = example.trace.plot(4).layout.shapes
    assert line.x0 == 4


def test_points_are_the_training_points_by_their_labels():
    example = moons()
    trace = example.trace
    points = [p for p in of_type(trace.plot().data, "scatter") if p.mode == "markers"]
    found = {p.name: np.column_stack([p.x, p.y]) for p in points}
    given = example.given
    for name, mask in (
        ("unlabelled", given < 0),
        ("class −1", given == 0),
        ("class +1", given == 1),
    ):
        np.testing.assert_array_equal(found[name], example.X[mask])
    assert len({(p.marker.symbol, p.marker.size) for p in points}) == 3
    assert "point %{customdata}" in points[0].hovertemplate
    np.testing.assert_array_equal(points[0].customdata, np.flatnonzero(given < 0))


def test_colours_are_those_of_the_theme():
    trace = moons().trace
    for name, theme in (("light", LIGHT), ("dark", DARK)):
        for picture in (trace.plot(theme=name), trace[:3].animate(theme=name)):
            assert picture.layout.paper_bgcolor == theme.background
            assert picture.layout.font.color == theme.ink
            *_, boundary = of_type(picture.data, "contour")
            assert boundary.line.color == theme.ink
            markers = {p.name: p.marker.color for p in of_type(picture.data, "scatter")}
            assert markers["class −1"] == theme.negative
            assert markers["class +1"] == theme.positive
    for theme in ("blue", None, ["dark"]):
        with pytest.raises(ValueError, match='theme must be "light" or "dark", got'):
            trace.plot(theme=theme)


def test_points_that_lie_in_no_plane_have_curves_alone():
    trace = many_features()
    for picture in (trace.plot(), trace.plot(3), trace.animate()):
        assert not of_type(picture.data, *FIELDS)
        assert {item.mode for item in picture.data} == {"lines"}
    frames = trace.animate().frames
    assert [frame.name for frame in frames] == [str(state.t) for state in trace]
    assert [frame.layout.shapes[0].x0 for frame in frames] == [s.t for s in trace]
    bare = replace(moons().trace, X=None)
    assert not of_type(bare.plot().data, *FIELDS)


def test_a_state_without_its_arrays_is_refused_and_the_last_with_them_is_the_default():
    trace = moons().trace
    thin = replace(trace, states=[*trace.states[:4], *(s.thin() for s in trace[4:])])
    assert thin.plot().layout.shapes[0].x0 == 3
    with pytest.raises(ValueError, match=r"at 7 was recorded thin; choose from trace"):
        thin.plot(7)
    with pytest.raises(IndexError, match="t must be from"):
        trace.plot(len(trace))
    assert thin[5:].plot(1).layout.shapes[0].x0 == 6  # curves alone


def test_every_algorithm_has_panels_of_its_own_and_a_figure():
    X, truth = small_moons(24, noise=0.2, seed=3)
    y = np.where(np.arange(24) < 12, truth, -1)
    for name in ALGORITHMS:
        est = make(name)
        if "max_iter" in est.get_params():
            est.set_params(max_iter=12)
        trace = est.trace(X, y)
        titles = [[line.title for line in panel.lines] for panel in panels(trace)]
        assert titles[0] == ["objective"]
        picture = trace.plot()
        assert len(of_type(picture.data, *FIELDS)) == 3, name
        text = picture.to_json()
        assert json.loads(text)["layout"]["title"]["text"].startswith("t = ")
        if "C_u" in trace.scalar_names():
            assert ["C*"] in titles


def test_without_plotly_a_sentence_says_what_is_missing(monkeypatch):
    monkeypatch.delitem(sys.modules, "ssl_core.viz.figures", raising=False)
    monkeypatch.setitem(sys.modules, "plotly", None)
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    monkeypatch.delattr("ssl_core.viz.figures", raising=False)
    for call in (moons().trace.plot, moons().trace.animate):
        with pytest.raises(
            ModuleNotFoundError, match=r"need plotly.*pip install plotly"
        ):
            call()


def test_fields_are_made_by_one_product_for_all_frames(monkeypatch):
    trace = moons().trace[:6]
    asked = []
    kind = type(trace.model)
    outputs = kind.outputs
    monkeypatch.setattr(
        kind, "outputs", lambda *a: asked.append(len(a[1])) or outputs(*a)
    )
    trace.animate()
    assert asked == [6]
    assert field_frames(trace, (0, 1, 0, 1), 4).shape == (6, 4, 4)
