"""The stage alone, on made-up data: `streamlit run tests/browser/stage_demo.py`.

A field that grows from the labels over two moons stands in for a solver, so the
demo depends on nothing but the stage. Query parameters choose a variant:
``?classes=4`` (with ``&digits=1`` called by digits), ``?big=1`` (6000 points),
``?plain=1`` (no field), ``?pair=1`` (two stages in step).
The line at the bottom counts script runs for the tests; "Start over" gives them a stage
that has seen nothing yet.
"""

import numpy as np
import streamlit as st

from halfmoon import stage
from halfmoon.pages._parts import stage_component
from ssl_core.viz import fit_extent, grid

T = 80


def two_moons(n, rng):
    angle = np.pi * rng.random(n)
    upper = np.arange(n) % 2 == 0
    x = np.where(upper, np.cos(angle), 1 - np.cos(angle))
    y = np.where(upper, np.sin(angle), 0.4 - np.sin(angle))
    noise = 0.08 * rng.standard_normal((n, 2))
    return np.column_stack([x, y]) + noise, (~upper).astype(int)


def spread_outputs(points, given, at, t):
    """Kernel outputs at iteration t: labels reach further along the points with t."""
    d2 = ((points[:, None] - points[None]) ** 2).sum(axis=-1)
    W = np.exp(-d2 / (2 * 0.16**2))
    P = W / W.sum(axis=1, keepdims=True)
    sign = np.where(given < 0, 0, 2 * given - 1).astype(float)
    score = sign.copy()
    frames = [score]
    for _ in range(int(max(t))):
        score = np.where(given >= 0, sign, 0.97 * (P @ score) + 0.012 * np.sign(score))
        frames.append(score)
    alpha = np.array(frames)[np.asarray(t, dtype=int)]
    d2 = ((at[:, None] - points[None]) ** 2).sum(axis=-1)
    K = np.exp(-d2 / (2 * 0.25**2))
    weight = alpha @ K.T
    f = 3.2 * weight / (2 + np.abs(alpha) @ K.T)
    return f + 0.02 * np.sin(at[:, 0])


def line_search(t):
    s = np.sort(np.r_[0, np.random.default_rng(t).random(4) * 1.6, 2])
    slopes = np.cumsum(0.4 + np.random.default_rng(t + 1).random(5))[::-1]
    psi = np.r_[0, np.cumsum(np.diff(s) * slopes)] - 1.2
    return stage.Search(s, psi, float(np.interp(0, psi, s)))


def two_class_view(data, **settings):
    points, given = data["points"], data["given"]
    extent = fit_extent(data["start"])
    t = np.arange(T)
    field = spread_outputs(points, given, grid(extent), t).reshape(T, 60, 60)
    f = spread_outputs(points, given, points, t)
    truth = data["truth"]
    known = truth >= 0
    wrong = ((f >= 0)[:, known] != (truth[known] == 1)).mean(axis=1)
    wobble = np.random.default_rng(3).random((3, T))
    norm = np.exp(-0.16 * t) * (0.6 + 0.8 * wobble)
    norm /= norm[:, :1]
    marks = (np.abs(f) < 0.9) & (given >= 0) | (np.abs(f) < 0.06)
    d2 = ((points[:, None] - points[None]) ** 2).sum(axis=-1)
    near = np.argsort(d2, axis=1)[:, 1:7]
    edges = np.column_stack([np.repeat(np.arange(len(points)), 6), near.ravel()])
    error = stage.Curves(
        "Error on unlabelled points",
        (stage.Series("error", wrong, "accent"),),
        percent=True,
    )
    return stage.StageView(
        points=points,
        given=given,
        number=data["number"],
        next_number=data["next_number"],
        truth=truth,
        class_names=("Orange", "Blue"),
        extent=extent,
        frame_t=t,
        field=field,
        f_per_frame=f,
        p_per_frame=1 / (1 + np.exp(-3 * f)),
        marks_per_frame=marks,
        edges=edges,
        ghost=stage.Ghost(
            "earlier run",
            0.8 * field[25] + 0.1,
            (stage.Curves(error.title, (stage.Series("error", 0.7 * wrong + 0.05),)),),
        ),
        events=(
            stage.TimeMark(4, "check", "Iteration 4: a first look, 12 labels changed."),
            stage.TimeMark(12, "restart", "Iteration 12: direction reset."),
            stage.TimeMark(24, "check", "Iteration 24: no label changed."),
            stage.TimeMark(30, "stop", "Iteration 30: the decision is stable, stop."),
            stage.TimeMark(55, "jump", "Iteration 55: a jump."),
        ),
        captions=tuple(
            f"Iteration {i}. {100 * w:.0f} % of the points would be called wrongly; "
            f"the gradient is at {100 * g:.1f} % of its start, and a threshold on it "
            "would still go on."
            for i, (w, g) in enumerate(zip(wrong, norm[0], strict=True))
        ),
        tiles=(
            stage.Tile("error, unlabelled", tuple(f"{100 * w:.1f} %" for w in wrong)),
            stage.Tile("objective", tuple(f"{v:.3f}" for v in 0.17 + norm[1])),
            stage.Tile("error vectors", tuple(str(m) for m in marks.sum(axis=1))),
            stage.Tile("so far", tuple(f"{0.4 * i:.1f} ms" for i in t)),
        ),
        panels=(
            stage.Curves(
                "Norms, relative to the start",
                (
                    stage.Series("gradient", norm[0], "accent"),
                    stage.Series("preconditioned", norm[1], "good"),
                    stage.Series("mixed product", norm[2] ** 2, "warn"),
                ),
                log=True,
            ),
            error,
            stage.Searches(
                "Line search at this step",
                tuple(None if i == 0 else line_search(i) for i in t),
            ),
        ),
        title="Two labels, 198 unlabelled points",
        data_id=data["id"],
        **settings,
    )


def many_class_view(data, k, name):
    points, extent = data["points"], fit_extent(data["start"])
    centres = 1.3 * np.column_stack(
        [np.cos(2 * np.pi * np.arange(k) / k), np.sin(2 * np.pi * np.arange(k) / k)]
    ) + [0.5, 0.2]

    def scores(at):
        d = np.sqrt(((at[:, None] - centres) ** 2).sum(axis=-1))
        growth = np.linspace(0.1, 1, 30)[:, None, None]
        return (
            growth * (1.5 - d) + 0.3 * np.sin(3 * at[:, :1] + np.arange(k)) * growth**2
        )

    return stage.StageView(
        points=points,
        given=data["given"],
        number=data["number"],
        next_number=data["next_number"],
        class_names=tuple(f"{name}{c}" for c in range(k)),
        extent=extent,
        frame_t=2 * np.arange(30),
        field=scores(grid(extent)).reshape(30, 60, 60, k),
        f_per_frame=scores(points),
        thumbnails=np.random.default_rng(0).integers(0, 255, (len(points), 8, 8)),
        truth=scores(points)[-1].argmax(axis=1),
        captions=tuple(f"Iteration {2 * i}. {k} classes." for i in range(30)),
        data_id=data["id"],
    )


def plain_view(data):
    return stage.StageView(
        points=data["points"],
        given=data["given"],
        number=data["number"],
        next_number=data["next_number"],
        class_names=("Orange", "Blue"),
        extent=fit_extent(data["start"]),
        frame_t=np.arange(3),
        f_per_frame=np.linspace(-1, 1, 3 * len(data["points"])).reshape(3, -1),
        captions=("Start.", "Middle.", "End."),
        data_id=data["id"],
    )


def apply(edits):
    data = st.session_state.data
    edited = stage.apply_edits(
        data["points"],
        data["given"],
        edits,
        number=data["number"],
        next_number=data["next_number"],
    )
    truth = np.where(edited.source >= 0, data["truth"][edited.source], -1)
    st.session_state.data = data | {
        "points": edited.points,
        "given": edited.given,
        "number": edited.number,
        "next_number": edited.next_number,
        "truth": truth,
        "continued": [e["t"] for e in edits if e["op"] == "continue"],
    }


def start_over():
    st.session_state.mount += 1
    del st.session_state.data


st.set_page_config(page_title="Stage", layout="wide")
st.html("<style>.stMainBlockContainer{padding:4rem 1.5rem 1rem}</style>")
ask = st.query_params
key = f"demo{st.session_state.setdefault('mount', 0)}"
if "data" not in st.session_state:
    n = 6000 if "big" in ask else 200
    points, truth = two_moons(n, np.random.default_rng(1))
    given = np.full(n, -1)
    upper, lower = points[::2], points[1::2]
    given[2 * np.argmin(np.abs(upper - [-0.2, 0.95]).sum(axis=1))] = 0
    given[2 * np.argmin(np.abs(lower - [1.1, -0.55]).sum(axis=1)) + 1] = 1
    st.session_state.data = {
        "points": points,
        "start": points,
        "given": given,
        "truth": truth,
        "number": np.arange(n),
        "next_number": n,
        "id": f"moons{n}_{key}",
    }
    st.session_state.runs = 0
st.session_state.runs += 1
stage_component.receive(key, apply)
data = st.session_state.data
if "classes" in ask:
    name = "" if "digits" in ask else "class "
    stage_component.show(many_class_view(data, int(ask["classes"]), name), key=key)
elif "plain" in ask or "big" in ask:
    stage_component.show(plain_view(data), key=key)
elif "pair" in ask:
    left, right = st.columns(2)
    with left:
        stage_component.show(two_class_view(data, sync="pair"), key=key)
    with right:
        stage_component.show(
            two_class_view(data, sync="pair", tools=()), key=f"other_{key}"
        )
else:
    stage_component.show(two_class_view(data), key=key)
st.button("Rerun")
st.button("Start over", on_click=start_over)
st.text(f"runs={st.session_state.runs} points={len(data['points'])} ")
st.text(f"given={(data['given'] >= 0).sum()} continued={data.get('continued')}")
