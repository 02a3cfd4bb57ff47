"""Figures of a trace: what they draw is what the stage shows of it."""

import json
import re
import sys
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from halfmoon import hide_labels, load, stage
from halfmoon.views import trace_view
from halfmoon.views.drawn_curves import DASHES
from halfmoon.views.drawn_plane import SYMBOLS
from halfmoon.views.drawn_view import animation, figure
from halfmoon.views.figures import FINE
from halfmoon.views.stage_view import GRID
from ssl_core import ALGORITHMS, make
from ssl_core.viz.fields import fit_extent
from ssl_core.viz.shading import lead, region_shades, shades, winners
from ssl_core.viz.theme import DARK, LIGHT
from tests.small_problems import moons as small_moons
from tests.viz.runs import arcs, moons

FIELDS = ("heatmap", "contour")
JS = Path(__file__).parents[2] / "stage/js"


def of_type(data, *types):
    return [item for item in data if item.type in types]


def curves_of(picture):
    return [i for i in of_type(picture.data, "scatter") if i.legend]


def marks_of(picture):
    return [i for i in of_type(picture.data, "scatter") if not i.legend]


def rings_of(layout):
    return [shape for shape in layout.shapes if shape.type == "circle"]


def cursors_of(layout):
    return [shape.x0 for shape in layout.shapes if shape.type == "line"]


def on_grid(item, trace, places):
    """The outputs of states where a drawn field has its numbers, point by point."""
    x, y = np.asarray(item.x), np.asarray(item.y)
    points = np.array([(a, b) for b in y for a in x])
    F = trace.decision_function(points)[places]
    return F.reshape(len(F), len(y), len(x), *F.shape[2:])


def colours_at(heat, z):
    """What Plotly makes of values: its scale is linear between the stops."""
    at, texts = zip(*heat.colorscale, strict=True)
    stops = np.array([[int(v) for v in re.findall(r"\d+", text)] for text in texts])
    share = (np.clip(z, heat.zmin, heat.zmax) - heat.zmin) / (heat.zmax - heat.zmin)
    return np.stack([np.interp(share, at, stops[:, i]) for i in range(3)], axis=-1)


@cache
def many_features():
    rng = np.random.default_rng(0)
    X, truth = small_moons(30, noise=0.1, seed=0)
    y = np.where(np.arange(30) < 10, truth, -1)
    X = np.column_stack([X, rng.normal(size=30)])
    return make("tsvm").trace(X, y)


# -- as on the stage ------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["lapsvm_pcg", "lapsvm_newton", "svm", "da", "tsvm", "branch_and_bound"]
)
def test_curves_are_those_of_the_stage_to_the_last_digit(name):
    example = moons(name)
    truth = (example.truth > 0).astype(int)
    view = trace_view(example.trace, truth=truth)
    panels = [panel for panel in view.panels if isinstance(panel, stage.Curves)]
    lines = [(panel, j) for panel in panels for j in range(len(panel.series))]
    for picture in (example.trace.plot(truth=truth), figure(view)):
        curves = curves_of(picture)
        assert len(curves) == len(lines)
        titles = [note.text for note in picture.layout.annotations]
        assert [f"<b>{panel.title}</b>" in titles for panel in panels] == [True] * len(
            panels
        )
        for curve, (panel, j) in zip(curves, lines, strict=True):
            line = panel.series[j]
            assert curve.name == line.name
            assert curve.line.color == LIGHT.role_colour(line.role)
            assert curve.line.dash == DASHES[j]
            values = dict(zip(curve.x, curve.y, strict=True))
            expected = np.asarray(line.values, dtype=float)
            if panel.log:
                expected = np.where(expected > 0, expected, np.nan)
            drawn = [values[t] for t in view.frame_t]
            np.testing.assert_array_equal(drawn, expected)
            y = picture.layout["yaxis" + curve.yaxis[1:]]
            assert (y.type == "log") == panel.log
            assert (y.tickformat == "~%") == panel.percent


def test_curves_of_few_states_go_through_all_of_them():
    trace = moons().trace
    frame = trace.to_frame()
    curves = {curve.name: curve for curve in curves_of(trace.plot(4))}
    np.testing.assert_array_equal(curves["gradient"].x, frame["t"])
    relative = frame["grad_norm"].to_numpy() / frame["grad_norm"][0]
    np.testing.assert_array_equal(curves["gradient"].y, relative)
    np.testing.assert_array_equal(curves["test"].y, frame["error_test"])
    thin = replace(
        trace, states=[trace[0], *(s.thin() for s in trace[1:-1]), trace[-1]]
    )
    curves = {curve.name: curve for curve in curves_of(thin.plot())}
    np.testing.assert_array_equal(curves["gradient"].y, relative)


def test_the_title_says_what_the_stage_says():
    example = moons()
    truth = (example.truth > 0).astype(int)
    view = trace_view(example.trace, truth=truth, data="Two moons")
    plain = [re.sub(r"\s+", " ", caption) for caption in view.captions]
    for t in (0, 5, -1):
        title = example.trace.plot(t, truth=truth).layout.title.text
        said = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", title))
        assert said.startswith(f" {view.title} {plain[t]} ")
        for tile in view.tiles:
            assert f"{tile.label} {tile.values[t]}" in said
    picture = example.trace.plot(data="Two moons")
    assert picture.layout.annotations[-1].text == view.about
    without = example.trace.plot(data="Two moons", caption=False)
    assert len(without.layout.annotations) == len(picture.layout.annotations) - 1
    assert example.trace.plot(title="<b> & c").layout.title.text.startswith(
        "<b>&lt;b&gt; &amp; c</b>"
    )


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_colour_is_that_of_the_stage_at_the_same_output(theme):
    """`test_shading` compares these with the stage's own table."""
    (heat,) = of_type(moons().trace.plot(theme=theme.name).data, "heatmap")
    f = np.linspace(-3, 3, 1001)
    assert np.abs(colours_at(heat, f) - shades(f, theme).astype(float)).max() < 1
    trace = arcs().trace
    (heat,) = of_type(trace.plot(theme=theme.name).data, "heatmap")
    (F,) = on_grid(heat, trace, [-1])
    expected = region_shades(F, theme).astype(float)
    assert np.abs(colours_at(heat, np.asarray(heat.z)) - expected).max() < 1


def test_symbols_and_dashes_are_those_of_the_stage():
    def listed(name, file):
        found = re.search(rf"const {name} = (\[.*\]);", (JS / file).read_text("utf-8"))
        return json.loads(found.group(1))

    plotly = {"up": "triangle-up", "down": "triangle-down"}
    plotly |= {"plus": "cross", "cross": "x"}
    shapes = [plotly.get(shape, shape) for shape in listed("SHAPES", "points.js")]
    assert [symbol for symbol, _ in SYMBOLS] == shapes
    dashes = [",".join(f"{v}px" for v in d) for d in listed("DASHES", "curves.js")]
    assert [dash or "solid" for dash in dashes] == [*DASHES]


# -- the plane ------------------------------------------------------------------------


def test_the_field_is_the_decision_function_on_its_grid():
    trace = moons("da").trace
    for t in (0, 3, -1, None):
        place = len(trace) - 1 if t is None else t
        picture = trace.plot(t)
        heat, boundary, *margins = of_type(picture.data, *FIELDS)
        (F,) = on_grid(heat, trace, [place])
        assert F.shape == FINE[::-1]
        for item in (heat, boundary, *margins):
            np.testing.assert_allclose(item.z, F, rtol=1e-6, atol=1e-7)
        assert (boundary.contours.start, boundary.contours.end) == (0, 0)
        assert [m.contours.start for m in margins] == [1, -1]
        assert (min(heat.x) < trace.X[:, 0]).all()
        assert (max(heat.y) > trace.X[:, 1]).all()
        extent = fit_extent(trace.X)
        assert (*picture.layout.xaxis.range, *picture.layout.yaxis.range) == extent


@pytest.mark.parametrize("run", [moons, arcs])
def test_the_field_of_an_animation_is_that_of_the_stage(run):
    trace = run().trace[:6]
    view = trace_view(trace)
    assert view.field.shape[1:3] == GRID[::-1]
    for frame, f in zip(trace.animate().frames, view.field, strict=True):
        heat, *lines = of_type(frame.data, *FIELDS)
        if f.ndim == 2:
            for item in (heat, *lines):
                np.testing.assert_array_equal(item.z, f.astype(np.float32))
        else:
            np.testing.assert_array_equal(np.floor(heat.z), f.argmax(axis=2))
            for j, item in enumerate(lines):
                np.testing.assert_array_equal(item.z, lead(f, j).astype(np.float32))


def test_a_method_whose_margins_mean_nothing_has_none():
    trace = moons("harmonic").trace
    assert not trace_view(trace).margins
    names = [item.name for item in of_type(trace.plot().data, "contour")]
    assert names == ["boundary, f = 0"]


def test_regions_of_several_classes_are_those_of_the_largest_output():
    trace = arcs().trace
    picture = trace.plot()
    heat, *borders = of_type(picture.data, *FIELDS)
    (F,) = on_grid(heat, trace, [-1])
    best, _ = winners(F)
    np.testing.assert_array_equal(np.floor(heat.z), best)
    np.testing.assert_array_equal(heat.text, np.array(["0", "1", "2"])[best])
    assert len(borders) == 2  # the third class has no border that is not theirs
    for j, item in enumerate(borders):
        others = np.max([F[..., i] for i in range(3) if i != j], axis=0)
        np.testing.assert_allclose(item.z, F[..., j] - others, rtol=1e-5, atol=1e-6)
    names = [item.name for item in picture.data if item.showlegend is not False]
    assert {"unlabelled", "0", "1", "2", "border between classes"} <= {*names}


def test_points_are_the_training_points_by_their_labels():
    example = moons()
    given, names = example.given, ["healthy", "sick"]
    picture = example.trace.plot(class_names=names)
    found = {p.name: p for p in marks_of(picture)}
    for name, mask in (("unlabelled", -1), ("healthy", 0), ("sick", 1)):
        places = np.column_stack([found[name].x, found[name].y])
        np.testing.assert_array_equal(places, example.X[given == mask])
        np.testing.assert_array_equal(
            found[name].customdata, np.flatnonzero(given == mask)
        )
    kinds = [found[name].marker for name in names]
    assert [kind.symbol for kind in kinds] == ["square", "circle"]
    assert all(kind.line.color == LIGHT.ink for kind in kinds)
    assert found["unlabelled"].marker.size < min(kind.size for kind in kinds)
    assert "point %{customdata}" in found["unlabelled"].hovertemplate


def test_rings_are_around_the_points_that_the_stage_marks():
    trace = moons().trace
    view = trace_view(trace)
    for t in (0, 3, -1):
        marked = trace.X[view.marks_per_frame[t]]
        rings = rings_of(trace.plot(t).layout)
        assert [(r.xanchor, r.yanchor) for r in rings] == [*map(tuple, marked)]
    assert view.marks_name in {mark.name for mark in marks_of(trace.plot())}


def test_points_of_more_features_are_drawn_by_principal_components():
    trace = many_features()
    view = trace_view(trace)
    picture = trace.plot()
    assert not of_type(picture.data, *FIELDS)
    assert picture.layout.xaxis.title.text == "PC 1"
    (predicted,) = (m for m in marks_of(picture) if m.name == "small: predicted")
    unlabelled = view.given < 0
    np.testing.assert_array_equal(predicted.x, view.points[unlabelled, 0])
    sides = (view.f_per_frame[-1][unlabelled] >= 0).astype(int)
    assert [*predicted.marker.color] == [LIGHT.class_colour(c) for c in sides]
    digits = load("digits")
    y = hide_labels(digits.y[:100], per_class=2, random_state=0)
    shown = make("lapsvm_pcg", sigma="auto", max_iter=3).trace(digits.X[:100], y).plot()
    (predicted,) = (m for m in marks_of(shown) if m.name == "small: predicted")
    assert len({*predicted.marker.color}) > 5


# -- the run --------------------------------------------------------------------------


def test_frames_of_an_animation_are_the_states():
    trace = moons().trace[:12]
    view = trace_view(trace)
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
    for i, (frame, state) in enumerate(zip(picture.frames, trace, strict=True)):
        assert all(item.type in FIELDS for item in frame.data)  # see `DrawnPlane`
        for place, item in zip(frame.traces, frame.data, strict=True):
            assert picture.data[place].type == item.type
        assert cursors_of(frame.layout) == [state.t] * 2
        assert len(rings_of(frame.layout)) == view.marks_per_frame[i].sum()
        assert frame.layout.title.text.startswith(f"<b>{view.title}</b><br>")
        assert view.captions[i].split(".")[0] in frame.layout.title.text


def test_frames_without_a_field_name_every_mark():
    picture = many_features().animate()
    for frame in picture.frames:
        assert [*frame.traces] == [*range(len(picture.data))]
        assert frame.data[0].marker.color is not None


def test_a_long_run_has_as_many_frames_as_asked_for_and_both_ends():
    trace = moons().trace
    for wrong in ("all", 1):
        with pytest.raises(ValueError, match="max_frames must be an integer >= 2"):
            trace.animate(max_frames=wrong)
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


def test_colours_are_those_of_the_theme():
    trace = moons().trace
    for name, theme in (("light", LIGHT), ("dark", DARK)):
        for picture in (trace.plot(theme=name), trace[:3].animate(theme=name)):
            assert picture.layout.paper_bgcolor == theme.background
            assert picture.layout.font.color == theme.ink
            boundary = of_type(picture.data, "contour")[0]
            assert boundary.line.color == theme.ink
            markers = {p.name: p.marker.color for p in marks_of(picture)}
            assert markers["0"] == theme.negative
            assert markers["1"] == theme.positive
            assert markers["unlabelled"] == theme.muted
    for theme in ("blue", None, ["dark"]):
        with pytest.raises(ValueError, match='theme must be "light" or "dark", got'):
            trace.plot(theme=theme)


@pytest.mark.parametrize("missing", ["X", "y", "arrays"])
def test_a_trace_that_does_not_know_its_points_has_curves_alone(missing):
    trace = moons().trace
    if missing == "arrays":
        bare = replace(trace, states=[state.thin() for state in trace])
    else:
        bare = replace(trace, **{missing: None})
    for picture in (bare.plot(), bare.plot(3), bare.animate()):
        assert not of_type(picture.data, *FIELDS)
        assert {item.mode for item in picture.data} == {"lines"}
        alone = {curve.name: curve.y for curve in curves_of(picture)}
        for curve in curves_of(trace.plot()):
            np.testing.assert_array_equal(curve.y, alone[curve.name])
    assert {*cursors_of(bare.plot(3).layout)} == {3}
    frames = bare.animate().frames
    assert [frame.name for frame in frames] == [str(state.t) for state in trace]
    assert [cursors_of(frame.layout)[0] for frame in frames] == [s.t for s in trace]


def test_a_precomputed_kernel_is_drawn_where_its_caller_puts_the_points():
    X, truth = small_moons(30, noise=0.1, seed=0)
    y = np.where(np.arange(30) < 10, truth, -1)
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1))
    trace = make("svm", kernel="precomputed").trace(K, y)
    assert {item.mode for item in trace.plot(truth=truth).data} == {"lines"}
    assert "unlabelled" in {curve.name for curve in curves_of(trace.plot(truth=truth))}
    placed = trace.plot(points=X, axis_names=("a", "b"))
    assert placed.layout.yaxis.title.text == "b"
    assert "small: predicted" in {mark.name for mark in marks_of(placed)}
    with pytest.raises(TypeError, match="trut"):
        trace.plot(trut=truth)
    with pytest.raises(ValueError, match="truth needs a trace that has the labels"):
        replace(trace, y=None).plot(truth=truth)


def test_more_classes_than_there_are_symbols_have_curves_alone():
    X = np.random.default_rng(0).normal(size=(66, 2))
    y = np.where(np.arange(66) < 44, np.arange(66) % 22, -1)
    trace = make("rlsc").trace(X, y)
    assert {item.mode for item in trace.plot().data} == {"lines"}


def test_a_state_without_its_arrays_is_refused_and_the_last_with_them_is_the_default():
    trace = moons().trace
    thin = replace(trace, states=[*trace.states[:4], *(s.thin() for s in trace[4:])])
    assert cursors_of(thin.plot().layout) == [3, 3]
    with pytest.raises(ValueError, match=r"at 7 was recorded thin; choose from trace"):
        thin.plot(7)
    with pytest.raises(IndexError, match="t must be from"):
        trace.plot(len(trace))
    assert {*cursors_of(thin[5:].plot(1).layout)} == {6}  # curves alone


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_has_a_figure(name):
    X, truth = small_moons(24, noise=0.2, seed=3)
    y = np.where(np.arange(24) < 12, truth, -1)
    est = make(name)
    if "max_iter" in est.get_params():
        est.set_params(max_iter=12)
    picture = est.trace(X, y).plot(truth=truth)
    assert "boundary, f = 0" in {item.name for item in of_type(picture.data, "contour")}
    assert json.loads(picture.to_json())["layout"]["title"]["text"].startswith(
        "<b>Twelve"
    )


def test_a_view_of_the_stage_is_drawn_at_any_of_its_frames():
    view = trace_view(moons().trace)
    assert cursors_of(figure(view, 2).layout)[0] == view.frame_t[2]
    assert len(animation(view, theme="dark").frames) == view.n_frames


def test_without_plotly_a_sentence_says_what_is_missing(monkeypatch):
    for name in ("figures", "drawn_view", "drawn_curves", "drawn_plane"):
        monkeypatch.delitem(sys.modules, f"halfmoon.views.{name}", raising=False)
        monkeypatch.delattr(f"halfmoon.views.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "plotly", None)
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
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
    trace.plot(3)
    assert asked == [6, 3]  # both ends, for lines that some state reaches


def test_a_figure_takes_well_under_a_second():
    trace = moons().trace
    trace.plot()
    start = time.process_time()
    trace.plot(5)
    assert time.process_time() - start < 1
