"""Vector work of conjugate gradients, each line of the method one pass.

BLAS starts its threads for vectors of more than 10,000 entries, and on a busy machine
they cost more than the product with X they accompany.
"""

from halfmoon.common.compiled import compiled

SUMS = {"reassoc", "contract"}  # lets the sums go side by side


@compiled(nogil=True, fastmath=SUMS)
def dot(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled(nogil=True, fastmath=SUMS)
def advance(step, p, q, x, r):
    """x += step p and r -= step q in place; returns r'r."""
    total = 0.0
    for i in range(len(p)):
        x[i] += step * p[i]
        r[i] -= step * q[i]
        total += r[i] * r[i]
    return total


@compiled(nogil=True)
def conjugate_direction(ratio, r, p):
    """p = r + ratio p in place: the next conjugate direction."""
    for i in range(len(p)):
        p[i] = r[i] + ratio * p[i]


@compiled(nogil=True)
def add(step, p, x):
    """x += step p in place."""
    for i in range(len(p)):
        x[i] += step * p[i]
