"""
Deterministic annealing
=======================

Every unlabelled point has a probability of belonging to the class +1. At a high
temperature all are near the given share; as it falls they move to 0 or 1. The linear
classifier is trained again and again in between.
"""

import matplotlib.pyplot as plt
import numpy as np

from halfmoon import hide_labels, load, make

blobs = load("blobs", n=200, n_classes=2, noise=0.35, random_state=3)
y = hide_labels(blobs, n_labeled=2, random_state=3)
trace = make("da", lam=0.01).trace(blobs.X, y)

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
left.semilogy(trace.column("T"), label="temperature")
left.semilogy(trace.column("entropy"), label="mean entropy")
left.set(xlabel="iteration", title="Cooling down")
left.legend()

p = np.array([state.p for state in trace.states if state.p is not None])
order = np.argsort(p[-1])
image = right.imshow(
    p[:, order].T, aspect="auto", cmap="coolwarm", vmin=0, vmax=1, origin="lower"
)
right.set(
    xlabel="iteration", ylabel="unlabelled point", title="Probability of class +1"
)
fig.colorbar(image)
plt.show()
