"""Plotly figures in the gallery: live in the page, and a small picture for its list.

sphinx-gallery's own way makes pictures with a browser. Here the list shows the frame of
the figure that matplotlib can draw from its traces, and the page the figure itself.
"""

from pathlib import Path

from matplotlib import pyplot as plt
from plotly.graph_objects import Figure
from plotly.offline import get_plotlyjs

EMBEDDED = """
.. raw:: html

    <div class="halfmoon-figure">{}</div>
"""


def write_plotly(folder: Path) -> None:
    """Plotly's script, which every figure shares; nothing is fetched by a reader."""
    path = folder / "plotly.min.js"
    if not path.exists():
        path.write_text(get_plotlyjs(), encoding="utf-8")


def plotly_figures(block, block_vars, gallery_conf):
    """Every figure that a block of an example leaves in the variable `figure`."""
    names = block_vars["example_globals"]
    figure = names.pop("figure", None)
    if not isinstance(figure, Figure):
        return ""
    path = Path(next(block_vars["image_path_iterator"]))
    write_picture(figure, path)
    html = figure.to_html(full_html=False, include_plotlyjs=False, auto_play=False)
    return EMBEDDED.format(html.replace("\n", " "))


def write_picture(figure: Figure, path: Path) -> None:
    """The figure's lines and marks at its end, small, for the list of examples."""
    fig, axes = plt.subplots(figsize=(4, 2.8), layout="constrained")
    for trace in figure.data:
        if trace.type not in ("scatter", "scattergl") or trace.xaxis not in (None, "x"):
            continue
        if "markers" in (trace.mode or ""):
            axes.scatter(trace.x, trace.y, s=9, c=trace.marker.color)
        else:
            axes.plot(trace.x, trace.y)
    for field in figure.frames[-1].data if figure.frames else figure.data:
        if field.type == "contour":
            levels, colour = [field.contours.start], field.line.color
            axes.contour(field.x, field.y, field.z, levels=levels, colors=colour)
    axes.set(xticks=[], yticks=[])
    fig.savefig(path, dpi=100)
    plt.close(fig)
