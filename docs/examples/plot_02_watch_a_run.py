"""
A run, iteration by iteration
=============================

``iterate`` is a generator: it gives a state whenever the solver has made a step.
``trace`` records all of them, with the seconds that each step took. Here the boundary
moves for a few iterations, while the gradient takes fifty to vanish.
"""

import matplotlib.pyplot as plt
import numpy as np

from halfmoon import hide_labels, load, make

moons = load("two_moons", n=200, noise=0.08)
y = hide_labels(moons, n_labeled=2)
trace = make("lapsvm_pcg", sigma=0.35).trace(moons.X, y)
print(trace)

x1, x2 = np.meshgrid(np.linspace(-1.6, 2.6, 120), np.linspace(-1.2, 1.7, 90))
grid = np.column_stack([x1.ravel(), x2.ravel()])
fields = trace.decision_function(grid)  # of every iteration, by one matrix product

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
left.scatter(*moons.X.T, c="grey", s=8)
for t, colour in zip((1, 2, 4, 8, len(trace) - 1), "bcgmk", strict=True):
    field = fields[t].reshape(x1.shape)
    left.contour(x1, x2, field, levels=[0], colors=colour)
    left.plot([], [], colour, label=f"t = {t}")
left.legend(loc="lower left")
left.set(title="The boundary f = 0", aspect="equal")

for name in ("grad_norm", "precond_grad_norm", "mixed_product"):
    values = trace.column(name)
    right.semilogy(values / values[0], label=name)
right.legend()
right.set(title="Relative to the start", xlabel="iteration")
plt.show()

# %%
# The same numbers as a table, one row per iteration.
print(trace.to_frame()[["t", "objective", "grad_norm", "seconds"]].head())
