"""
Handwritten digits with few labels
==================================

Graph methods compared with an SVM that sees the labels only: error on the unlabelled
digits against the number of labels of each class, means of three draws.
"""

import matplotlib.pyplot as plt
import numpy as np

from halfmoon import hide_labels, load, make

METHODS = {
    "svm": "SVM, labels only",
    "laprlsc": "Laplacian least squares",
    "label_spreading": "Label spreading",
    "harmonic": "Harmonic function",
    "poisson": "Poisson learning",
}
digits = load("digits")
sizes = (1, 2, 5, 10)

fig, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
for name, title in METHODS.items():
    errors = np.empty((len(sizes), 3))
    for i, size in enumerate(sizes):
        for seed in range(3):
            y = hide_labels(digits, per_class=size, random_state=seed)
            graph = {} if name == "svm" else {"n_neighbors": 10}
            model = make(name, **graph).fit(digits.X, y)
            wrong = model.predict(digits.X) != digits.y
            errors[i, seed] = 100 * wrong[y == -1].mean()
    ax.errorbar(sizes, errors.mean(axis=1), errors.std(axis=1), label=title, capsize=3)
ax.set(xscale="log", xlabel="labels of each class", ylabel="error in %")
ax.set_xticks(sizes, sizes)
ax.legend()
plt.show()
