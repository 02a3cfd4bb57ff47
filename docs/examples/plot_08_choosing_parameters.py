"""
Choosing parameters with few labels
===================================

Unlabelled points belong in every training fold and in no test fold.
``SemiSupervisedKFold`` does that, for any function of scikit-learn that takes ``cv``.
Here 20 labels choose the width of the kernel and the weight of the graph; the picture
on the right shows the accuracy on new points.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import GridSearchCV

from halfmoon import hide_labels, load, make
from halfmoon.model_selection import SemiSupervisedKFold, sweep

moons = load("two_moons", n=300, noise=0.15)
y = hide_labels(moons, n_labeled=20)
fresh = load("two_moons", n=1000, noise=0.15, random_state=1)

grid = {"sigma": [0.05, 0.1, 0.2, 0.4, 0.8], "gamma_I": [0.001, 0.01, 0.1, 1.0, 10.0]}
folds = SemiSupervisedKFold(5, shuffle=True, random_state=0)
search = GridSearchCV(make("laprlsc"), grid, cv=folds, scoring="accuracy")
search.fit(moons.X, y)

everything = sweep(make("laprlsc"), moons.X, y, grid)  # one kernel and graph for all
truth = everything.scores(fresh.X, fresh.y)
seen = np.full(len(truth), np.nan)
for params, score in zip(
    search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True
):
    seen[everything.params.index(params)] = score

fig, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
titles = ("Accuracy on held-out labels", "Accuracy on 1,000 new points")
chosen = everything.params.index(search.best_params_)
for ax, values, title in zip(axes, (seen, truth), titles, strict=True):
    image = ax.imshow(values.reshape(5, 5), vmin=0.7, vmax=1, origin="lower")
    ax.set_xticks(range(5), grid["gamma_I"])
    ax.set_yticks(range(5), grid["sigma"])
    ax.plot(chosen % 5, chosen // 5, "r*", markersize=14)
    ax.set(title=title, xlabel="gamma_I", ylabel="sigma")
fig.colorbar(image, ax=axes)
plt.show()
print(search.best_params_, f"{truth[chosen]:.1%} of new points are right")
