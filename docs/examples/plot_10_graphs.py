"""
Graphs of neighbours
====================

The graph decides how far labels spread. Mutual neighbours leave out edges across
gaps, and self-tuning weights make an edge count less where it is long for its region.
A graph from outside, ``W``, goes in the same way.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

from halfmoon import hide_labels, make
from ssl_core.graph import knn_weights

rng = np.random.default_rng(0)
dense = rng.normal([0, 0], 0.15, size=(60, 2))
thin = rng.normal([1.5, 0], 0.6, size=(60, 2))
X, truth = np.vstack([dense, thin]), np.repeat([0, 1], 60)
y = hide_labels(truth, n_labeled=4, random_state=1)

graphs = {
    "Neighbours of either": {},
    "Mutual neighbours": {"join": "mutual"},
    "Self-tuning weights": {"weights": "local"},
}
fig, axes = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained", sharey=True)
for ax, (title, settings) in zip(axes, graphs.items(), strict=True):
    W = knn_weights(X, 8, **settings).tocoo()
    lines = LineCollection(
        X[np.column_stack([W.row, W.col])], linewidths=W.data, colors="grey"
    )
    model = make("laprlsc", n_neighbors=8, **settings).fit(X, y)
    same = make("laprlsc", W=W).fit(X, y)  # the same graph, from outside
    assert np.allclose(model.decision_function(X), same.decision_function(X))
    ax.add_collection(lines)
    ax.scatter(*X.T, c=np.where(model.predict(X) == 1, "C0", "C1"), s=12, zorder=2)
    ax.scatter(*X[y >= 0].T, c="black", marker="x", s=50, zorder=3)
    error = np.mean(model.predict(X) != truth)
    ax.set(title=f"{title}\n{W.nnz // 2} edges, {error:.0%} wrong", aspect="equal")
plt.show()
