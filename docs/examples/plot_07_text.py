"""
Sparse data with many features
==============================

The linear solvers keep sparse data sparse. Here documents are made from two topics
that share most of their words; with few labels, switching labels of unlabelled
documents helps.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse import csr_matrix

from halfmoon import hide_labels, make

rng = np.random.default_rng(0)
n, words = 1000, 5000
topic = rng.integers(0, 2, n)
common = rng.dirichlet(np.full(words, 0.05))
own = [rng.dirichlet(np.full(words, 0.02)) for _ in range(2)]
counts = np.array([rng.multinomial(60, 0.75 * common + 0.25 * own[k]) for k in topic])
X = csr_matrix(np.log1p(counts))
X = X.multiply(1 / np.sqrt(X.multiply(X).sum(axis=1))).tocsr()

sizes = (4, 10, 20, 50, 100)
methods = {"l2svm_mfn": "SVM", "tsvm": "Transductive SVM", "da": "Annealing"}
fig, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
for name, title in methods.items():
    errors = []
    for n_labeled in sizes:
        runs = []
        for seed in range(3):
            y = hide_labels(topic, n_labeled=n_labeled, random_state=seed)
            model = make(name, lam=0.001).fit(X, y)
            runs.append(np.mean(model.predict(X)[y == -1] != topic[y == -1]))
        errors.append(100 * np.mean(runs))
    ax.plot(sizes, errors, "o-", label=title)
ax.set(xscale="log", xlabel="labels", ylabel="error on unlabelled documents in %")
ax.set_xticks(sizes, sizes)
ax.legend()
plt.show()
