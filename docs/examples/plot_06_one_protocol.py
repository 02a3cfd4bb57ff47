"""
Methods under one protocol
==========================

Some methods minimise a smoothed objective, others a different one.
``retrained_objective`` makes them comparable, as the review of S3VMs does: an SVM is
trained on each one's predictions, and its objective is the one that counts. Ten draws
of the labels show how much depends on chance.
"""

import matplotlib.pyplot as plt
import numpy as np

from halfmoon import hide_labels, load, make, retrained_objective

METHODS = ("s3vm_light", "cccp", "nabla_s3vm", "cs3vm", "newton_s3vm")
C, SIGMA = 10.0, 0.35

moons = load("two_moons", n=120, noise=0.08)
found = {name: [] for name in METHODS}
for seed in range(10):
    y = hide_labels(moons, n_labeled=4, random_state=seed)
    for name in METHODS:
        labels = make(name, sigma=SIGMA, C=C).fit(moons.X, y).predict(moons.X)
        objective = retrained_objective(
            moons.X, y, labels, C=C, C_u=C, kernel="rbf", sigma=SIGMA
        )
        found[name].append((objective, 100 * np.mean(labels != moons.y)))

fig, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
for i, (name, rows) in enumerate(found.items()):
    ax.scatter(*zip(*rows, strict=True), color=f"C{i}", label=name, alpha=0.7)
ax.set(xlabel="objective of the SVM trained on the predictions", ylabel="error in %")
ax.legend()
plt.show()
