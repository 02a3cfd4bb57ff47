"""The S3VM's semi-definite relaxation as a conic program, and bounds it proves.

The dual of the SVM with labels y, K~ = K + diag(1 / (2 c_i)), depends on y by Gamma =
yy' ([CSK08] eq. 10-11), but for the equality alpha'y = 0 of the free bias. We keep the
bias in sight instead: for every alpha >= 0, all labels y and all b

    J(y, b) >= sum_i alpha_i (1 - b y_i) - 1/2 alpha' (Gamma o K~) alpha,      (*)

and the best value is the minimum over y and b. Any labelling has J >= J_L(b), the
labelled points' own SVM at that bias; with an incumbent J_up, the b of the best one
lies in {b : J_L(b) <= J_up} = [b0 - h, b0 + h], and (*) with the labelled alpha's, a
line in b, gives both ends (`solvers.convex_relaxation`). So b = b0 + h beta, |beta| <=
1, and with v = (1, y_U, beta) everything in (*) is linear in Y = vv'. The relaxation
asks of Y only what vv' has:

    Y PSD,   Y_ii = 1,   Y a = 0,   (1 +- y_i)(1 +- beta) >= 0,

a = (u - 2 n_positive, 1, ..., 1, 0) being the balance, [CSK08] eq. (3), here times 1,
every y_k and beta. Labelled rows of Gamma are y_i times the row of 1: they need no
constraint. The paper's own balance is 1'Gamma_UU 1 = (2 n_positive - u)^2, which
follows.

The bound does not trust a conic solver. Of its multipliers we take alpha and tau (of
the last inequalities), clipped to >= 0, and d (of the diagonal); by (*), for every true
v,

    J >= const + v'Hv >= const + sum(d) + v'(H - diag(d))v
      >= const + sum(d) + (u + 2) min(0, lambda_min of H - diag(d) on {v : a'v = 0})

as a'v = 0 and |v|^2 <= u + 2. That holds for any alpha, tau >= 0 and any d with d_beta
<= 0 (beta^2 <= 1 only); `ROUNDING` is left to rounding errors.
"""

from itertools import product

import numpy as np
from scipy import sparse

Array = np.ndarray
ROUNDING = 1e-12  # of the size of the terms: 5000 eps, for sums and eigenvalues


class GramRelaxation:
    """The relaxation over one interval of the bias, [CSK08] eq. (10) and (11).

        min t   subject to   [[Gamma o K~, xi], [xi', 2 t]] PSD,
                             xi_i >= 1 - b y_i,   and Y as above

    Every row is linear in (1, t, xi, Y below the diagonal); `at` has the column of each
    Y_ij, that of 1 for Y_ii. The cones are those of scs: zero, >= 0, PSD by columns.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Gram matrix; the origin is free as the bias is, and moves the interval.
    y : ndarray of shape (n,)
        Entries in {-1, 0, +1}, 0 = unlabeled.
    cost : ndarray of shape (n,)
        C or C_u of every point.
    n_positive : int
        Unlabeled points that are to be positive.
    low, high : float
        The interval of b that the bound holds for.
    unit : float
        What the program counts J in, t = J / unit, for a solver's sense of accuracy:
        alpha / unit and unit K~ in place of alpha and K~.
    """

    def __init__(self, K, y, cost, n_positive, low, high, *, unit=1.0):
        self.unlabeled = np.flatnonzero(y == 0)
        self.n, self.u = n, u = len(y), len(self.unlabeled)
        self.size = N = u + 2
        self.b0, self.h = (low + high) / 2, (high - low) / 2
        self.node = np.zeros(n, dtype=int)  # y_i = sign_i v_node(i)
        self.node[self.unlabeled] = 1 + np.arange(u)
        self.sign = np.where(y != 0, y, 1.0)
        self.unit, self.K = unit, unit * (K + np.diag(1 / (2 * cost)))
        self.a = np.concatenate([[u - 2.0 * n_positive], np.ones(u), [0.0]])
        self.at = np.zeros((N, N), dtype=int)
        i, j = np.tril_indices(N, -1)
        self.at[i, j] = self.at[j, i] = 2 + n + np.arange(len(i))
        self.width = 2 + n + len(i)
        balance = self._rows((self.at[:, k], self.a[k]) for k in range(N - 1))
        self.linear = sparse.vstack([self._margins(), *self._corners()], format="csr")
        blocks = [balance, self.linear, self._dual_block(), self._gram_block()]
        F = sparse.vstack(blocks, format="csc")
        c = np.zeros(self.width - 1)
        c[0] = 1.0
        self.data = {"A": -F[:, 1:], "b": F[:, [0]].toarray().ravel(), "c": c}
        self.cones = {"z": N, "l": self.linear.shape[0], "s": [n + 1, N]}

    def _rows(self, terms):
        """Sparse rows, the sum of terms: (column of each row, weight of each row)."""
        columns, weights = zip(*terms, strict=True)
        m = len(columns[0])
        weights = np.concatenate([np.broadcast_to(w, m) for w in weights]).astype(float)
        where = np.tile(np.arange(m), len(columns)), np.concatenate(columns)
        return sparse.csr_matrix((weights, where), shape=(m, self.width))

    def _margins(self):
        """xi_i - 1 + b y_i >= 0."""
        xi, one = 2 + np.arange(self.n), np.zeros(self.n, dtype=int)
        with_1 = self.at[self.node, 0], self.sign * self.b0
        with_beta = self.at[self.node, -1], self.sign * self.h
        return self._rows([(xi, 1.0), (one, -1.0), with_1, with_beta])

    def _corners(self):
        """(1 + p y_i)(1 + q beta) >= 0 for p, q = +-1."""
        i, one = 1 + np.arange(self.u), np.zeros(self.u, dtype=int)
        y, beta, both = self.at[i, 0], one + self.at[-1, 0], self.at[i, -1]
        for p, q in product((1.0, -1.0), repeat=2):
            yield self._rows([(one, 1.0), (y, p), (beta, q), (both, p * q)])

    def _dual_block(self):
        """[[Gamma o K~, xi], [xi', 2 t]], by columns of the lower triangle.

        PSD: t is at least the maximum over alpha in [CSK08] eq. (10).
        """
        n, (j, i) = self.n, np.triu_indices(self.n + 1)
        column, weight = np.full(len(i), 1), np.full(len(i), 2.0)  # the corner
        side, inside = (i == n) & (j < n), i < n
        column[side], weight[side] = 2 + j[side], 1.0
        p, q = i[inside], j[inside]
        column[inside] = self.at[self.node[p], self.node[q]]
        weight[inside] = self.K[p, q] * self.sign[p] * self.sign[q]
        return self._rows([(column, weight * np.where(i == j, 1.0, np.sqrt(2)))])

    def _gram_block(self):
        """Y, which is PSD where [CSK08] eq. (11) asks for Gamma = yy'."""
        j, i = np.triu_indices(self.size)
        return self._rows([(self.at[i, j], np.where(i == j, 1.0, np.sqrt(2)))])

    def gram(self, x) -> Array:
        """Y of a solution, with its unit diagonal."""
        Y = np.eye(self.size)
        i, j = np.tril_indices(self.size, -1)
        Y[i, j] = Y[j, i] = x[1 + self.n :]
        return Y

    def gamma(self, x) -> Array:
        """Gamma; its diagonal and its labelled block are exact."""
        signs = np.outer(self.sign, self.sign)
        return self.gram(x)[np.ix_(self.node, self.node)] * signs

    def bound(self, dual) -> float:
        """A lower bound on J, b in the interval, from approximate multipliers."""
        N, n = self.size, self.n
        multipliers = np.maximum(dual[N : N + self.linear.shape[0]], 0.0)
        g = -(self.linear.T @ multipliers)
        H = g[self.at] / 2
        np.fill_diagonal(H, 0.0)
        alpha = multipliers[:n] * self.sign
        np.subtract.at(
            H, np.ix_(self.node, self.node), self.K * np.outer(alpha, alpha) / 2
        )
        # At the optimum H - diag(d) = Z + sym(a p'), p of the balance and Z of Y PSD.
        j, i = np.triu_indices(N)
        p, Z = dual[:N], dual[-len(i) :]
        d = np.diag(H) - Z[i == j] - self.a * p
        d[-1] = min(d[-1], 0.0)
        S = H - np.diag(d)
        plane = np.linalg.svd(self.a[None])[2][1:]  # orthonormal rows, a'v = 0
        lowest = np.linalg.eigvalsh(plane @ S @ plane.T)[0]
        size = multipliers.sum() + np.abs(d).sum() + N * np.linalg.norm(S)
        value = g[0] + d.sum() + N * min(lowest, 0.0) - ROUNDING * size
        return self.unit * float(value)


def dual_line(K, y, cost, alpha) -> tuple[float, float]:
    """Value at b = 0 and slope of (*), a line in b, where all labels are known."""
    beta = alpha * y
    value = alpha.sum() - 0.5 * (beta @ K @ beta + beta @ (beta / (2 * cost)))
    return float(value), -float(beta.sum())
