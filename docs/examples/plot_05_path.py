"""
The path of an S3VM
===================

As unlabelled points gain weight, from C_u = 0 to C, a local minimum moves along a
path that is known exactly: linear in pieces, with jumps where an unlabelled point
would cross the boundary. On these two clouds, which overlap, the jumps lead away from
the truth; ``best`` finds the weights with the least error on validation points, and
``at`` the classifier there.
"""

import matplotlib.pyplot as plt
import numpy as np

from halfmoon import hide_labels, load, make

clouds = load("blobs", n=60, n_classes=2, noise=0.5, random_state=3)
y = hide_labels(clouds, n_labeled=4, random_state=3)
path = make("s3vm_path", sigma=0.6, C=10.0).fit(clouds.X, y)
trace = path.trace(clouds.X, y)
C_u = trace.column("C_u")

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
outputs = np.array([state.f for state in trace.states])
left.plot(C_u, outputs[:, y == -1], "C7", linewidth=0.5)
left.plot(C_u, outputs[:, y == 0], "C1", C_u, outputs[:, y == 1], "C0")
left.axhline(0, color="black", linewidth=0.8)
left.set(xlabel="C_u", title="Outputs of all points", xlim=(0, 10))
left.set_xscale("symlog", linthresh=0.01)

error = trace.error(2 * clouds.y - 1, index=y == -1)
right.step(C_u, 100 * error, where="post", color="black")
right.set(xlabel="C_u", title="Error on unlabelled points in %", xlim=(0, 10))
right.set_xscale("symlog", linthresh=0.01)
fresh = load("blobs", n=200, n_classes=2, noise=0.5, random_state=4)
best = path.best(fresh.X, fresh.y)
for low, high in best.intervals:
    right.axvspan(low, high, color="C2", alpha=0.4)
plt.show()
print(best)
