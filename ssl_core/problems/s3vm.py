"""Semi-supervised SVMs in the features of a kernel, [CSK08].

    J(w, b) = 1/2 |w|^2 + C sum_labeled phi(y_i o_i) + C_u sum_unlabeled psi(o_j),
    o = Z w + b

`S3VM` has the data, the weights and the class ratio; the problems that its methods
minimise on the way are made from it: machines for given labels or probabilities, convex
pieces, smooth objectives.
"""

from copy import copy
from dataclasses import replace

import numpy as np
from scipy.linalg.blas import dsyrk

from ssl_core.features import Features
from ssl_core.linalg.blocks import lifted_block
from ssl_core.linalg.definite import factor, solve
from ssl_core.linalg.roots import MAX_ROOT_STEPS, next_trial
from ssl_core.losses import Hat, Loss, SquaredHinge, Tangent
from ssl_core.problems.base import Array
from ssl_core.problems.bias import FREE, Bias, fixed
from ssl_core.problems.lens import Lens
from ssl_core.problems.linear import LinearSVM, Terms, TransductiveSVM
from ssl_core.problems.probabilities import balanced_probabilities, entropy

HINGE, HAT = SquaredHinge(), Hat()
NEGLIGIBLE = 1e-14  # of the largest weight: a probability that T -> 0 made 0
LIGHT = 1e-6  # of the largest weight, below which a point does not leave a factor
PRIMAL = 0.5  # columns per point: beyond it |E|^3 / 3 is less than |E| m^2 + m^3 / 3
CHANGED = 0.2  # share of points that may have come or gone before a new factor pays
UNSOLVED = 0.1  # and share whose borders are not solved yet
KEPT = 0.3  # and share whose borders were ever solved, which all are held
ROOT_TOL = 1e-12  # of the derivative at 0


class S3VM(TransductiveSVM):
    """[CSK08] eq. (1) and (5) with p = 2.

        J(w, b) = 1/2 |w|^2 + C sum_labeled max(0, 1 - y_i o_i)^2
                  + C_u sum_unlabeled max(0, 1 - |o_j|)^2

    Parameters
    ----------
    features : Features
    y : ndarray of shape (n,)
        Entries in {-1, 0, +1}, 0 = unlabeled.
    C, C_u : float
        Weights of labelled and unlabelled points; C > 0, C_u >= 0.
    r : float in (0, 1) or None
        Share of positive points among the unlabelled; None takes it from the labels.
    bias : Bias
    """

    weight = "C_u", "C*"

    def __init__(self, features: Features, y, *, C, C_u, r=None, bias: Bias = FREE):
        super().__init__(features, y, lam=1.0, lam_u=C_u, r=r)
        self.features, self.bias = features, bias
        self.C, self.C_u = float(C), float(C_u)
        self.labeled = np.flatnonzero(self.y)
        self._system = NewtonSystem(features)

    @property
    def K(self) -> Array:
        return self.features.K

    def costs(self, C_u):
        return 2.0 * self.C, 2.0 * C_u

    @property
    def entropy_weight(self) -> float:
        return 1.0

    def state_fields(self, v, f, passes) -> dict:
        """As of any transductive SVM, in the words of the caller's kernel."""
        alpha, b = self.features.expand(v[:-1], v[-1])
        return {
            "f": f,
            "alpha": alpha,
            "b": b,
            "transductive_objective": self.hard_objective(v, f),
            "inner": passes,
        }

    def start_point(self, start):
        if start is None:
            return super().start_point(None)
        v = self.start_vector(start)
        return v, self.features.outputs(v)

    def start_vector(self, start):
        """v = (w, b) of an earlier state under this problem's bias, or of f = b."""
        v = np.zeros(self.features.d + 1)
        if start is not None:
            v[:-1] = self.features.contract(start.alpha)
            v[-1] = np.mean(start.f - self.features.Z @ v[:-1])
        if not self.bias.moves:
            v[-1] = self.bias.value
        return v

    def fixed_at(self, b) -> "S3VM":
        """The same problem with its bias fixed."""
        other = copy(self)
        other.bias = fixed(b)
        return other

    # Machines for given labels, convex pieces and smooth objectives.

    def _weighted(self, c_pos, c_neg) -> "FeatureSVM":
        return FeatureSVM(self._system, c_pos, c_neg, self.bias)

    def tangent(self, y_u, C_u) -> "TangentSVM":
        """CCCP's convex problem at given labels, [CSK08] Algorithm 4."""
        signs = self.y.copy()
        signs[self.unlabeled] = y_u
        return TangentSVM(self._system, self, signs, C_u)

    def smooth(self, labeled: Loss, unlabeled: Loss, C_u) -> "SmoothS3VM":
        return SmoothS3VM(self, labeled, unlabeled, C_u)

    def annealed(self, T) -> "AnnealedS3VM":
        """[CSK08] eq. (9): the objective at T with the best p for every (w, b)."""
        return AnnealedS3VM(self, T)

    def hard_objective(self, v, f, C_u=None):
        """[CSK08] eq. (5) at any (w, b) and C_u."""
        return 0.5 * float(v[:-1] @ v[:-1]) + self.hard_losses(f, C_u)

    def hard_losses(self, f, C_u=None):
        """[CSK08] eq. (5) without the norm of w."""
        return float(sum_of_losses(self, f, self.C_u if C_u is None else C_u))


def sum_of_losses(problem, F, C_u, labeled: Loss = HINGE, unlabeled: Loss = HAT):
    """C sum_labeled phi(y_i o_i) + C_u sum_unlabeled psi(o_j), [CSK08] eq. (5).

    Parameters
    ----------
    problem : object
        With y, labeled, unlabeled and C.
    F : ndarray of shape (..., n)
        Outputs.
    labeled, unlabeled : Loss
        phi and psi; the squared hinge and the hat, p = 2 in [CSK08] eq. (5).
    """
    given = labeled.value(problem.y[problem.labeled] * F[..., problem.labeled])
    hidden = unlabeled.value(F[..., problem.unlabeled])
    return problem.C * given.sum(axis=-1) + C_u * hidden.sum(axis=-1)


class NewtonSystem:
    """Minimisers of quadratic pieces in features.

        1/2 |w|^2 + sum_i g_i (o_i - f_i) + 1/2 sum_E h_i (o_i - f_i)^2

    In w = Z' beta: beta_i = -g_i where there is no curvature h, and on E

        (K_EE + H_E^-1) beta_E + b = f_E - g_E / h_E - K_EN beta_N

    with sum(beta) = 0 for a free bias. Where Z has few columns, the equations for w
    itself, (I + Z' H Z) w + Z' h b = Z' (h f - g), are cheaper.

    The factor is kept while E stays, and also while few points come and go.
    """

    def __init__(self, features: Features):
        self.features = features
        self._block, self._piece = None, None

    def minimiser(self, f, b, terms: Terms, bias: Bias) -> Array:
        """v = (w, b) at the minimum of the piece that ``terms`` has at f."""
        if self.features.d < PRIMAL * len(terms.rows):
            return self._primal(f, b, terms, bias)
        return self._dual(f, b, terms, bias)

    def _dual(self, f, b, terms, bias):
        features, slope, E = self.features, terms.slope, terms.rows
        beta = -slope
        beta[E] = 0.0
        weight = terms.weight[E]
        right = f[E] - slope[E] / weight
        if beta.any():
            right -= (features.K @ beta)[E]
        rest = beta.sum()
        if self._block is None or not self._block.serves(E, terms.weight):
            self._block = None  # two factors at once would be a matrix more
            self._block = KernelBlock(features.K, E, terms.weight)
        if bias.moves and len(E):
            sides = np.stack([right, np.ones(len(E))], axis=1)
            x, unit = self._block.solve(E, terms.weight, sides).T
            # Free: sum(beta) = 0; regularised: sum(beta) = b.
            b = (x.sum() + rest) / (unit.sum() + bias.regularised)
            beta[E] = x - b * unit
        elif len(E):
            right = (right - b)[:, None]
            beta[E] = self._block.solve(E, terms.weight, right)[:, 0]
        return np.append(beta @ features.Z, b)

    def _primal(self, f, b, terms, bias):
        Z, h = self.features.Z, terms.weight
        if self._piece is None or not np.array_equal(self._piece[0], h):
            E = terms.rows
            half = Z[E] * np.sqrt(h[E])[:, None]
            A = dsyrk(1.0, half.T, lower=1)  # one triangle is all that is factored
            A.flat[:: len(A) + 1] += 1.0
            self._piece = h, factor(A)
        q = h * f - terms.slope
        right, border = q @ Z, h @ Z
        if bias.moves:
            x, unit = solve(self._piece[1], np.stack([right, border], axis=1)).T
            b = (q.sum() - border @ x) / (h.sum() - border @ unit + bias.regularised)
            return np.append(x - b * unit, b)
        return np.append(solve(self._piece[1], right - b * border), b)


class KernelBlock:
    """K_EE + H_E^-1 factored for one E, and solved for others that differ little.

    Points P that came and points R that left border the factored matrix A:

        [ A     A_EP  I_R ] [ x_E ]   [ right_E ]
        [ A_PE  A_PP      ] [ x_P ] = [ right_P ]
        [ I_R'            ] [  l  ]   [    0    ]

    which costs one solve for each of them instead of a new factor. What was solved for
    a point is kept: from one set to the next most of them are the same.
    """

    def __init__(self, K, E, weight):
        self.K, self.E, self.weight = K, E, weight.copy()
        self._place = np.full(len(K), -1)
        self._place[E] = np.arange(len(E))
        self._factor = factor(lifted_block(K, E, 1.0 / weight[E]))
        self._column = np.full(len(K), -1)  # of a point, in what follows
        self._border = self._solved = np.empty((len(E), 0))
        self._gram = np.empty((0, 0))  # border' A^-1 border

    def serves(self, E, weight) -> bool:
        """Whether this factor is a good way to solve for E."""
        common = E[self._place[E] >= 0]
        if not np.array_equal(weight[common], self.weight[common]):
            return False
        came, left = self._changes(E)
        # A point that leaves is divided by its weight: none may be near 0.
        light = self.weight[left] < LIGHT * self.weight.max(initial=0.0)
        changed = np.concatenate([came, left])
        unsolved = np.count_nonzero(self._column[changed] < 0)
        m, kept = len(self.E), self._border.shape[1] + unsolved
        few = len(changed) <= CHANGED * m and unsolved <= UNSOLVED * m
        return few and kept <= KEPT * m and not light.any()

    def solve(self, E, weight, right) -> Array:
        """(K_EE + H_E^-1)^-1 right, of shape (len(E), k)."""
        place = self._place[E]
        inside = place >= 0
        came, left = self._changes(E)
        if not len(came) and not len(left):
            return solve(self._factor, right)
        columns = self._columns(np.concatenate([came, left]))
        full = np.zeros((len(self.E), right.shape[1]))
        full[place[inside]] = right[inside]
        x = solve(self._factor, full)
        corner = -self._gram[np.ix_(columns, columns)]
        new = len(came)
        corner[:new, :new] += self.K[np.ix_(came, came)]
        corner[np.arange(new), np.arange(new)] += 1.0 / weight[came]
        rest = -self._border[:, columns].T @ x
        rest[:new] += right[~inside]
        extra = np.linalg.solve(corner, rest)
        out = np.empty_like(right)
        out[inside] = (x - self._solved[:, columns] @ extra)[place[inside]]
        out[~inside] = extra[:new]
        return out

    def _changes(self, E):
        """Points that came and points that left, in order of their numbers."""
        gone = np.ones(len(self.E), dtype=bool)
        place = self._place[E]
        gone[place[place >= 0]] = False
        return E[place < 0], self.E[gone]

    def _columns(self, points) -> Array:
        """Where the borders of these points stand; new ones are solved."""
        new = points[self._column[points] < 0]
        if len(new):
            old = self._border.shape[1]
            place = self._place[new]
            left = np.flatnonzero(place >= 0)
            border = self.K[np.ix_(new, self.E)].T
            border[:, left] = 0.0
            border[place[left], left] = 1.0
            solved = solve(self._factor, border)
            gram = np.empty((old + len(new),) * 2)
            gram[:old, :old] = self._gram
            self._border = np.hstack([self._border, border])
            self._solved = np.hstack([self._solved, solved])
            gram[:, old:] = self._border.T @ solved
            gram[old:, :old] = gram[:old, old:].T
            self._gram = gram
            self._column[new] = old + np.arange(len(new))
        return self._column[points]


class FeatureSVM(LinearSVM):
    """`LinearSVM` in features, with any bias: a Newton step is one direct solve."""

    direct = True

    def __init__(self, system: NewtonSystem, c_pos, c_neg, bias: Bias):
        super().__init__(system.features, c_pos, c_neg, lam=1.0, bias=bias)
        self._system = system

    def terms(self, f) -> Terms:
        """As everywhere, but weights that are rounding make no equation."""
        terms = super().terms(f)
        heavy = terms.weight > NEGLIGIBLE * terms.weight.max(initial=0.0)
        return replace(terms, rows=np.flatnonzero(heavy))

    def newton_direction(self, here) -> Array:
        """From (w, b) to the minimiser of the quadratic piece at its outputs."""
        target = self._system.minimiser(here.f, here.v[-1], here.terms, self.bias)
        return target - here.v


class TangentSVM(FeatureSVM):
    """CCCP's convex problem: the hat's concave part replaced by its tangent.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y_i o_i)^2 + C_u sum_unlabeled L(y_j o_j)

    with L of `losses.Tangent` at labels y_j of the unlabelled points.
    """

    loss = Tangent()

    def __init__(self, system, problem: S3VM, signs, C_u):
        none = np.zeros(problem.n)
        super().__init__(system, none, none, problem.bias)
        self.signs, self.labeled = signs, problem.labeled
        self.cost = np.full(problem.n, float(C_u))
        self.cost[self.labeled] = problem.C

    def terms(self, f) -> Terms:
        m = self.signs * f
        value, slope, weight = (
            part(m) for part in (self.loss.value, self.loss.slope, self.loss.curvature)
        )
        L = self.labeled
        value[L], slope[L], weight[L] = (
            part(m[L]) for part in (HINGE.value, HINGE.slope, HINGE.curvature)
        )
        weight *= self.cost
        return Terms(
            float(self.cost @ value),
            weight,
            self.cost * slope * self.signs,
            np.flatnonzero(weight),
        )

    def same_side(self, f, target, tau):
        return _same_piece(self, f, target, tau)

    def exact_step(self, v, d, f, f_d):
        """argmin of J along d by Newton's method on its derivative, kept bracketed."""
        held = self.weighed(d)
        slope, curvature = float(v @ held), float(d @ held)
        low, high, step = 0.0, np.inf, 1.0
        for trial in range(MAX_ROOT_STEPS):
            terms = self.terms(f + step * f_d)
            psi = slope + step * curvature + float(terms.slope @ f_d)
            if trial == 0:
                start = slope + float(self.terms(f).slope @ f_d)
                if start >= 0.0:
                    return 0.0
            if abs(psi) <= ROOT_TOL * -start:
                break
            rate = curvature + float(terms.weight @ f_d**2)
            new, low, high, _ = next_trial(trial, step, psi, rate, low, high, step)
            if new in (low, high):
                break
            step = new
        return step


def _same_piece(problem, f, target, tau):
    """Whether every point is on the same piece of its loss at both, up to tau."""
    there = problem.terms(target).weight
    changed = np.flatnonzero(problem.terms(f).weight != there)
    distance = np.abs(np.abs(target[changed]) - 1.0)
    return bool((distance <= tau).all())


class SmoothS3VM:
    """Any smooth losses of the outputs, for gradient methods.

        J(w, b) = 1/2 |w|^2 + C sum_labeled phi(y_i o_i) + C_u sum_unlabeled psi(o_j)

    Parameters
    ----------
    problem : S3VM
        Its bias says whether b is a variable.
    labeled, unlabeled : Loss
    C_u : float
    """

    def __init__(self, problem: S3VM, labeled: Loss, unlabeled: Loss, C_u):
        self.features, self.bias = problem.features, problem.bias
        self.problem, self.C_u = problem, float(C_u)
        self.labeled_loss, self.unlabeled_loss = labeled, unlabeled

    @property
    def lens(self) -> Lens:
        return Lens(self.unlabeled_loss, self.C_u)

    def losses(self, f) -> tuple[float, Array]:
        """Sum of the losses at outputs f, and its slope in every output."""
        problem = self.problem
        slope = np.empty(problem.n)
        L, U = problem.labeled, problem.unlabeled
        y = problem.y[L]
        m, o = y * f[L], f[U]
        slope[L] = problem.C * y * self.labeled_loss.slope(m)
        slope[U] = self.C_u * self.unlabeled_loss.slope(o)
        value = problem.C * self.labeled_loss.value(m).sum()
        return float(value + self.C_u * self.unlabeled_loss.value(o).sum()), slope

    def gradient(self, v, slope) -> Array:
        """(w, 0) + [Z, 1]' slope; 0 for b where it does not move."""
        grad = self.features.adjoint(slope)
        grad[:-1] += v[:-1]
        if not self.bias.moves:
            grad[-1] = 0.0
        return grad


class AnnealedS3VM(SmoothS3VM):
    """[CSK08] eq. (9), S(w, b) = min over p of I'(w, b, p) - T H(p), mean(p) = r.

    I' is [CSK08] eq. (7). The gradient of S is that of I' at the best p, which need not
    be differentiated.
    """

    def __init__(self, problem: S3VM, T):
        super().__init__(problem, HINGE, HAT, problem.C_u)
        self.T = float(T)
        self.p, self.nu = np.full(problem.u, problem.r), 0.0

    @property
    def lens(self) -> Lens | None:
        """That of the outputs last looked at."""
        return self.problem.lens_of_temperature(self.T, self.nu)

    def losses(self, f):
        """[CSK08] eq. (9) without the norm of w, and its slope in every output."""
        problem, U = self.problem, self.problem.unlabeled
        slope = np.zeros(problem.n)
        L = problem.labeled
        y = problem.y[L]
        m, o = y * f[L], f[U]
        pos, neg = HINGE.value(o), HINGE.value(-o)
        g = self.C_u * (pos - neg)
        self.p, self.nu = balanced_probabilities(g, self.T, problem.r)
        p = self.p
        slope[L] = problem.C * y * HINGE.slope(m)
        slope[U] = self.C_u * (p * HINGE.slope(o) - (1.0 - p) * HINGE.slope(-o))
        value = problem.C * HINGE.value(m).sum()
        value += self.C_u * (p @ pos + (1.0 - p) @ neg)
        return float(value) - self.T * entropy(p), slope
