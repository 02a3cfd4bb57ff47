"""Figures of annealing on their data."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from datasets import hide_labels, load
from ssl_core import make
from ssl_core.problems.probabilities import entropy
from ssl_core.viz import annealing as figures
from ssl_core.viz.theme import THEMES, get_theme
from tests.viz.runs import Example

OUTPUTS = np.linspace(-2.5, 2.5, 101)
RELATIVE = 1e-9
ROUNDING = 1e-15  # of losses of order 1


@cache
def clusters(algorithm="da", **settings) -> Example:
    """120 points of two clusters, one label each."""
    data = load("clusters", n=120, clusters_per_class=1, noise=0.3, random_state=4)
    given = hide_labels(data, per_class=1, random_state=4)
    est = make(algorithm, lam=1e-2, **settings)
    trace = est.trace(data.X, given)
    return Example(data.X, given, est.encode(data.y), trace)


@cache
def texts():
    """200 texts of two topics: the data and a run of annealing."""
    data = load("topic_text", n=200, n_features=300, random_state=0)
    given = hide_labels(data, per_class=5, random_state=0)
    return data, make("da").trace(data.X, given)


def meta(figure, name):
    return [trace for trace in figure.data if trace.meta == name]


def loss(m):
    return np.maximum(0, 1 - m) ** 2


# -- the effective loss --------------------------------------------------------------


def test_at_zero_temperature_the_loss_is_that_of_the_transductive_svm():
    np.testing.assert_array_equal(
        figures.effective_loss(OUTPUTS, 0.0), np.maximum(0, 1 - np.abs(OUTPUTS)) ** 2
    )


@pytest.mark.parametrize("T", [1e-3, 1e-6, 1e-12, 1e-300])
def test_the_loss_tends_to_the_cold_one_as_fast_as_t(T):
    gap = figures.effective_loss(OUTPUTS, T) - figures.effective_loss(OUTPUTS, 0.0)
    assert gap.min() >= 0
    assert gap.max() <= T * np.log(2) + ROUNDING


@pytest.mark.parametrize("T", [1e6, 1e9, 1e15])
def test_a_hot_loss_is_the_mean_of_both_sides(T):
    mean = (loss(OUTPUTS) + loss(-OUTPUTS)) / 2
    # The next term of the expansion in 1/T is (l(o) - l(-o))^2 / (8 T).
    bound = np.max((loss(OUTPUTS) - loss(-OUTPUTS)) ** 2) / (8 * T)
    difference = mean - figures.effective_loss(OUTPUTS, T)
    assert np.abs(difference).max() <= bound + RELATIVE


@pytest.mark.parametrize("T", [0.05, 0.7, 4.0])
@pytest.mark.parametrize("lam_u", [0.3, 1.0, 20.0])
def test_the_loss_is_the_minimum_over_p(T, lam_u):
    p = np.linspace(0, 1, 20_001)[:, None]
    h = np.array([entropy(row) for row in p])[:, None]
    terms = p * loss(OUTPUTS) + (1 - p) * loss(-OUTPUTS) - T / lam_u * (h - np.log(2))
    # A grid of p with step s misses the minimum by at most about s (the slope of p log
    # p is unbounded at the ends, hence not s^2).
    np.testing.assert_allclose(
        figures.effective_loss(OUTPUTS, T, lam_u),
        terms.min(axis=0),
        atol=1e-3 * T / lam_u,
    )


def test_points_without_weight_are_infinitely_hot():
    np.testing.assert_allclose(
        figures.effective_loss(OUTPUTS, 1.0, 0.0),
        figures.effective_loss(OUTPUTS, 1e12),
        atol=1e-9,
    )


@pytest.mark.parametrize(("T", "lam_u"), [(-1.0, 1.0), (1.0, -1.0)])
def test_negative_temperatures_and_weights_are_refused(T, lam_u):
    with pytest.raises(ValueError, match="must be >= 0"):
        figures.effective_loss(OUTPUTS, T, lam_u)


@pytest.mark.parametrize("lam_u", [0.5, 1.0])
def test_the_points_stand_on_the_curve_of_their_temperature(lam_u):
    run = clusters(lam_u=lam_u)
    for i in (0, 7, len(run.trace) // 2, len(run.trace) - 1):
        figure = figures.loss_figure(run.trace, i, lam_u=lam_u)
        state = run.trace.states[i]
        (points,), (curve,) = meta(figure, "points"), meta(figure, "now")
        np.testing.assert_array_equal(points.x, state.f[run.given < 0])
        expected = figures.effective_loss(points.x, state.T, lam_u)
        np.testing.assert_array_equal(points.y, expected)
        inside = np.abs(points.x) < curve.x[-1]
        on_line = np.interp(points.x, curve.x, curve.y)
        # The drawn polyline is a chord of a curve with second derivative of order 2.
        step = curve.x[1] - curve.x[0]
        assert np.abs(points.y - on_line)[inside].max() <= step**2 * (
            1 + 2 * lam_u / max(state.T, step)
        )


def test_the_current_temperature_stands_out_from_its_family():
    trace = clusters().trace
    figure = figures.loss_figure(trace, 20)
    (now,), family = meta(figure, "now"), meta(figure, "family")
    assert 3 <= len(family) <= figures.FAMILY
    assert all(now.line.width > line.line.width for line in family)
    heights = [line.y[-1] for line in family]
    assert heights == sorted(heights, reverse=True)  # hottest first


def test_a_switched_label_stands_on_its_own_side_of_the_loss():
    run = clusters("tsvm")
    state = run.trace.states[5]
    (points,) = meta(figures.loss_figure(run.trace, 5), "points")
    f = state.f[run.given < 0]
    np.testing.assert_array_equal(points.y, loss(state.y_u * f))
    above = points.y > figures.effective_loss(f, 0.0) + RELATIVE
    assert not above[state.y_u * f > 0].any()


# -- over the iterations -------------------------------------------------------------


def test_every_quantity_of_annealing_is_drawn_from_its_column():
    run = clusters()
    figure = figures.annealing_figure(run.trace, run.truth, mark=11)
    T, entropy_ = meta(figure, "T")[0], meta(figure, "entropy")[0]
    np.testing.assert_array_equal(T.y, run.trace.column("T"))
    assert np.all(np.diff(T.y) <= 0)
    drawn = np.isfinite(entropy_.y)
    np.testing.assert_array_equal(entropy_.y[drawn], run.trace.column("entropy")[drawn])
    (told,) = meta(figure, "transductive_objective")
    np.testing.assert_array_equal(told.y, run.trace.column("transductive_objective"))
    (back,) = meta(figure, "returned:T")
    (event,) = [e for e in run.trace.final.events if e.kind == "best"]
    assert (back.x, back.y) == ((event.data["t"],), (event.data["T"],))
    np.testing.assert_array_equal(
        meta(figure, "U")[0].y, run.trace.error(run.truth, run.given < 0)
    )


def test_the_objective_at_t_meets_the_one_at_zero_when_all_is_decided():
    trace = clusters().trace
    (free,) = meta(figures.annealing_figure(trace), "objective")
    i = len(trace) - 2  # the coldest state
    assert free.y[i] == pytest.approx(trace.states[i].objective, abs=trace.states[i].T)


def test_the_map_has_a_row_per_point_and_its_belief_as_a_byte():
    run = clusters()
    (beliefs,) = meta(figures.annealing_figure(run.trace), "beliefs")
    unlabelled = run.given < 0
    order = np.argsort(run.trace.final.f[unlabelled], kind="stable")
    assert beliefs.z.shape == (unlabelled.sum(), len(run.trace))
    p = run.trace.states[30].p[order]
    assert np.abs(beliefs.z[:, 30] / 255 - p).max() <= 0.5 / 255 + RELATIVE


def test_many_points_are_thinned_but_the_ends_stay(monkeypatch):
    monkeypatch.setattr("ssl_core.viz.annealing.schedule.MAX_ROWS", 10)
    run = clusters()
    (beliefs,) = meta(figures.annealing_figure(run.trace), "beliefs")
    assert len(beliefs.z) == 10
    assert beliefs.z[0, -1] == 0
    assert beliefs.z[-1, -1] == 255


def test_the_cursor_crosses_all_panels_above_the_map():
    run = clusters()
    for name, draw in (
        ("da", figures.annealing_figure),
        ("tsvm", figures.switching_figure),
    ):
        trace = clusters(name).trace
        figure = draw(trace, run.truth, mark=9)
        cursor = [s for s in figure.layout.shapes if s.name == "cursor"]
        assert len(cursor) == 5
        assert {s.x0 for s in cursor} == {trace.states[9].t}
        assert {s.layer for s in cursor} == {"above"}


def test_switches_and_weights_of_the_transductive_svm_are_drawn():
    trace = clusters("tsvm").trace
    figure = figures.switching_figure(trace)
    (bars,), (weight,) = meta(figure, "n_switched"), meta(figure, "lam_u")
    np.testing.assert_array_equal(bars.y, trace.column("n_switched"))
    assert np.isnan(weight.y[0])  # nothing weighs anything before the first step
    np.testing.assert_array_equal(weight.y[1:], trace.column("lam_u")[1:])


def test_stages_are_the_last_states_of_falling_temperatures():
    trace = clusters().trace
    at = figures.stages(trace)
    T = trace.column("T")
    assert np.all(np.diff(T[at]) < 0)
    assert len(at) == len(set(T[:-1]))
    for i, j in pairwise(at):
        assert T[i + 1] == T[j]


def test_a_thin_recording_shows_the_nearest_state_it_kept():
    data = load("clusters", n=60, clusters_per_class=1, random_state=0)
    given = hide_labels(data, per_class=1, random_state=0)
    trace = make("da").trace(data.X, given, record_states=5)
    assert figures.kept_at(trace, 7) == 5
    assert figures.kept_at(trace, 8) == 10
    for i in trace.kept:
        figures.loss_figure(trace, i)
    (beliefs,) = meta(figures.annealing_figure(trace), "beliefs")
    assert beliefs.z.shape[1] == len(trace.kept)


# -- at one state --------------------------------------------------------------------


def test_points_wear_their_belief_and_no_field_is_behind_them():
    run = clusters()
    figure = figures.belief_points(run.trace, 30, run.X, run.given, truth=run.truth)
    assert "heatmap" not in {trace.type for trace in figure.data}
    points = next(t for t in figure.data if t.name == "unlabelled")
    np.testing.assert_array_equal(points.marker.color, run.trace.states[30].p)
    assert (points.marker.cmin, points.marker.cmax) == (0, 1)
    assert any(t.name == "f = 0" for t in figure.data)


@pytest.mark.parametrize("mode", THEMES)
def test_an_undecided_belief_has_no_colour(mode):
    theme = get_theme(mode)
    scale = dict(figures.belief_scale(theme))
    assert scale == {0.0: theme.negative, 0.5: theme.background, 1.0: theme.positive}


def test_beliefs_of_a_transductive_svm_are_its_labels():
    state = clusters("tsvm").trace.final
    np.testing.assert_array_equal(2 * figures.beliefs(state) - 1, state.y_u)


def test_the_histogram_counts_every_point_once():
    run = clusters()
    for i in (0, 30, len(run.trace) - 1):
        (bars,) = figures.belief_histogram(run.trace.states[i]).data
        assert sum(bars.y) == (run.given < 0).sum()
    assert bars.y[0] + bars.y[-1] > 0.9 * sum(bars.y)  # decided at the end


def test_outputs_are_counted_by_true_class():
    run = clusters()
    figure = figures.output_histogram(run.trace, 30, truth=run.truth)
    unlabelled = run.given < 0
    for bars, sign in zip(figure.data, (-1, 1), strict=True):
        assert sum(bars.y) == (unlabelled & (run.truth == sign)).sum()


# -- words ---------------------------------------------------------------------------


def test_leading_words_run_from_the_most_positive_to_the_most_negative():
    w = np.array([0.1, -3.0, 0.0, 2.0, -0.5, 5.0])
    np.testing.assert_array_equal(figures.leading_words(w, 2), [5, 3, 4, 1])
    np.testing.assert_array_equal(figures.leading_words(w, 9), [5, 3, 0, 4, 1])
    assert len(figures.leading_words(np.zeros(4), 2)) == 0


def test_bars_are_the_weights_of_the_words_named():
    data, trace = texts()
    state = trace.states[40]
    figure = figures.word_bars(state, data.feature_names, k=4)
    names = list(data.feature_names)
    index = [names.index(word) for word in figure.layout.yaxis.ticktext]
    np.testing.assert_array_equal(figure.data[0].x, state.w[index])
    assert state.w[index[0]] == state.w.max()
    assert state.w[index[-1]] == state.w.min()


def test_the_word_map_has_a_column_per_temperature_in_units_of_its_largest():
    data, trace = texts()
    figure = figures.word_map(trace, data.feature_names, k=4, mark=40)
    at = figures.stages(trace)
    z = figure.data[0].z
    assert z.shape == (8, len(at))
    index = [list(data.feature_names).index(w) for w in figure.layout.yaxis.ticktext]
    w = trace.states[at[3]].w
    np.testing.assert_allclose(z[:, 3], w[index] / np.abs(w).max(), rtol=1e-6)
    (cursor,) = [s for s in figure.layout.shapes if s.name == "cursor"]
    column = round((cursor.x0 + cursor.x1) / 2)
    assert trace.states[at[column]].T == trace.states[40].T


def test_without_weights_the_word_map_says_so():
    data, _ = texts()
    given = hide_labels(data, per_class=5, random_state=0)
    trace = make("da", max_iter=0).trace(data.X, given)
    figure = figures.word_map(trace, data.feature_names)
    assert "No word" in figure.layout.annotations[0].text


# -- annealed or not -----------------------------------------------------------------


ROWS = [
    figures.Outcome("annealed", "T falls", 0.1, {"U": 0.02}, 1.0, annealed=True),
    figures.Outcome("T = 0.1", "T = 0.1 fixed", 0.3, {"U": 0.4}, 0.1),
    figures.Outcome("tsvm", "TSVM", 0.2, {}, 0.2),
]


def test_annealing_stands_out_in_the_comparison():
    (bars,) = figures.comparison_figure(ROWS).data
    assert list(bars.x) == [0.1, 0.3, 0.2]
    assert bars.marker.color[0] != bars.marker.color[1] == bars.marker.color[2]


def test_a_way_whose_error_is_unknown_has_no_bar():
    (bars,) = figures.comparison_figure(ROWS, "U").data
    assert list(bars.y) == ["T falls", "T = 0.1 fixed"]
    assert list(bars.x) == [0.02, 0.4]
