"""
Two labels and 198 unlabelled points
====================================

A support vector machine sees the two labels only. A Laplacian SVM also asks for similar
outputs where points are neighbours, so that labels spread along each moon.
"""

import matplotlib.pyplot as plt
import numpy as np

from halfmoon import hide_labels, load, make

moons = load("two_moons", n=200, noise=0.08)
y = hide_labels(moons, n_labeled=2)  # -1 = unlabelled

models = {
    "Supervised SVM": make("svm", sigma=0.35),
    "Laplacian SVM": make("lapsvm_pcg", sigma=0.35, n_neighbors=6, gamma_I=1.0),
}

x1, x2 = np.meshgrid(np.linspace(-1.6, 2.6, 120), np.linspace(-1.2, 1.7, 90))
grid = np.column_stack([x1.ravel(), x2.ravel()])

fig, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    model.fit(moons.X, y)
    f = model.decision_function(grid).reshape(x1.shape)
    ax.contourf(x1, x2, f, levels=[-9, 0, 9], colors=["C1", "C0"], alpha=0.2)
    ax.contour(x1, x2, f, levels=[0], colors="black")
    ax.scatter(*moons.X.T, c="grey", s=8)
    ax.scatter(*moons.X[y == 0].T, c="C1", marker="s", s=90, edgecolors="black")
    ax.scatter(*moons.X[y == 1].T, c="C0", marker="o", s=90, edgecolors="black")
    error = np.mean(model.predict(moons.X) != moons.y)
    ax.set(title=f"{name}: {error:.1%} wrong", aspect="equal")
plt.show()
