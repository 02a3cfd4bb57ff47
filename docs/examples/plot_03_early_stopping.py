"""
When could the run have stopped?
================================

A stopping rule is a value. ``judge`` tells where it would have stopped a run that has
been recorded, so that one run is enough to compare them.
"""

import matplotlib.pyplot as plt
import numpy as np

from halfmoon import (
    gradient_norm,
    hide_labels,
    judge,
    load,
    make,
    mixed_product,
    objective_decrease,
    stability_check,
)

moons = load("two_moons", n=400, noise=0.12, random_state=1)
y = hide_labels(moons, n_labeled=4, random_state=1)
trace = make("lapsvm_pcg", sigma=0.35, gamma_I=1.0, tol=1e-9).trace(moons.X, y)

rules = {
    "decisions are stable": stability_check(every=5),
    "objective": objective_decrease(1e-6),
    "mixed product": mixed_product(1e-6),
    "gradient": gradient_norm(1e-6),
}
truth = 2 * moons.y - 1
error = trace.error(truth, index=y == -1)

fig, ax = plt.subplots(figsize=(8, 3.6), layout="constrained")
ax.plot(100 * error, "k", label="unlabelled error")
for i, (name, rule) in enumerate(rules.items()):
    t = judge(rule, trace)
    if t is not None:
        ax.axvline(t, color=f"C{i}", label=f"{name}: t = {t}")
ax.set(xlabel="iteration", ylabel="error in %", xlim=(0, None))
ax.legend()
plt.show()

# %%
# The run that was stopped ends at the same state as the recording.
stopped = make(
    "lapsvm_pcg", sigma=0.35, gamma_I=1.0, tol=1e-9, stop=stability_check(every=5)
)
last = stopped.trace(moons.X, y).final
print(last.t, last.status.name)
assert np.array_equal(last.alpha, trace.states[last.t].alpha)
