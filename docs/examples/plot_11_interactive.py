"""
A run to play with
==================

``trace.plot`` gives a Plotly figure of one iteration as the app shows it: boundary,
points and curves; ``trace.animate`` has all of them, with a slider. With the true
classes, ``truth``, errors are shown. ``save`` keeps a run in one file.
"""

from halfmoon import hide_labels, load, make

moons = load("two_moons", n=200, noise=0.08)
y = hide_labels(moons, n_labeled=2)
trace = make("lapsvm_pcg", sigma=0.35).trace(moons.X, y)
figure = trace[:16].animate(truth=moons.y, data="Two moons")
