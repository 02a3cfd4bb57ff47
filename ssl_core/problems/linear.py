"""Linear machines on labelled and unlabelled points, [SK07] sections 1.2 to 1.4.

Equation (k) of [SK06] is equation (1.k) of [SK07], for k = 1 to 9, and cited as that.

The bias is no column of X: a solver's vector v = (w, b) has d + 1 entries and
f = X w + b. In SVMlin it is a constant feature, regularised like the others; the
policies of `problems.bias` leave it free or fix it as well.
"""

from dataclasses import dataclass

import numpy as np

from ssl_core.linalg.line_search import two_sided_line_search
from ssl_core.linalg.sparse import design
from ssl_core.linalg.two_sided import (
    transductive_loss,
    two_sided_costs,
    two_sided_excess,
    two_sided_terms,
)
from ssl_core.linalg.vectors import dot
from ssl_core.losses import Annealed, SquaredHinge
from ssl_core.problems.base import Array
from ssl_core.problems.bias import REGULARISED, Bias
from ssl_core.problems.lens import Lens
from ssl_core.problems.probabilities import (
    balanced_labels,
    balanced_probabilities,
    divergence,
    entropy,
)


@dataclass(frozen=True, slots=True)
class Terms:
    """What the loss says at given outputs.

    Attributes
    ----------
    loss : float
    weight : ndarray of shape (n,)
        Second derivative in f: the diagonal C of the papers, 0 where inactive.
    slope : ndarray of shape (n,)
        First derivative in f: C (f - y) of the papers.
    rows : ndarray of int
        The active points j(w).
    """

    loss: float
    weight: Array
    slope: Array
    rows: Array


class LinearSVM:
    """Weighted squared-hinge machine, [SK07] eq. (1.2), with a cost on either side.

        J(w, b) = lam/2 (|w|^2 + b^2)
                  + 1/2 sum_i ( c+_i max(0, 1 - f_i)^2 + c-_i max(0, 1 + f_i)^2 )

    A point of label y and cost c has its cost on the side of y and 0 on the other.
    Deterministic annealing has lam_u p / u and lam_u (1 - p) / u,
    [SK07] eq. (1.8): there the paper repeats the unlabelled rows, here they stand
    once.

    Parameters
    ----------
    X : {ndarray, CSR or CSC matrix} of shape (n, d), or what `design` makes of it
    c_pos, c_neg : ndarray of shape (n,)
        Costs, >= 0.
    lam : float
        Regularisation, > 0.
    bias : Bias
        `REGULARISED` as above; without b^2 where b is `FREE` or fixed.
    """

    bias = REGULARISED
    direct = False  # whether a Newton step is one solve, or conjugate gradients

    def __init__(self, X, c_pos, c_neg, *, lam, bias: Bias = REGULARISED):
        self.design = X if hasattr(X, "outputs") else design(X)
        self.c_pos = np.ascontiguousarray(c_pos, dtype=float)
        self.c_neg = np.ascontiguousarray(c_neg, dtype=float)
        self.lam, self.bias = float(lam), bias
        self.n, self.d = self.design.n, self.design.d

    @classmethod
    def from_labels(cls, X, y, *, lam, cost=None):
        """The supervised machine; 0 in y is unlabelled and costs nothing.

        ``cost=None`` means 1 / l for each of the l labelled points, SVMlin's scaling:

            J(w, b) = lam/2 (|w|^2 + b^2) + 1/(2 l) sum_labeled max(0, 1 - y_i f_i)^2

        [SK07] eq. (1.1) has cost 1; C of scikit-learn's LinearSVC with squared
        hinge loss is 1 / (2 l lam), and its objective J / lam.
        """
        y = np.asarray(y)
        if cost is None:
            cost = 1.0 / np.count_nonzero(y)
        cost = np.broadcast_to(np.asarray(cost, dtype=float), y.shape)
        c_pos, c_neg = np.where(y > 0, cost, 0.0), np.where(y < 0, cost, 0.0)
        return cls(X, c_pos, c_neg, lam=lam)

    def outputs(self, v):
        """f = X w + b, of shape (n,)."""
        return self.design.outputs(v)

    def terms(self, f) -> Terms:
        """The loss of [SK07] eq. (1.2), and what a step needs to know of it."""
        weight, slope = np.empty(self.n), np.empty(self.n)
        loss = two_sided_terms(f, self.c_pos, self.c_neg, weight, slope)
        return Terms(loss, weight, slope, np.flatnonzero(weight))

    def weighed(self, v):
        """lam v, the slope of the norm; without b where it is unregularised."""
        return weighed(v, self.lam, self.bias)

    def norm(self, v):
        """lam/2 |v|^2, or |w|^2 where b is unregularised."""
        return 0.5 * dot(v, self.weighed(v))

    def objective(self, v, f):
        """J from outputs a solver has at hand."""
        return self.norm(v) + self.terms(f).loss

    def value(self, v):
        """J at any point."""
        return self.objective(v, self.outputs(v))

    def gradient(self, v, terms: Terms):
        """lam v + X' C (f - y), over the active rows, of shape (d + 1,)."""
        return self.held(v) + self.share(terms.slope, terms.rows)

    def held(self, v):
        """What the norm adds to the gradient."""
        return self._free(self.weighed(v))

    def share(self, slope, rows):
        """X' slope over the given rows: what they add to the gradient."""
        return self._free(self.design.adjoint(slope, rows))

    def excess(self, f, end):
        """Slopes at ``end`` beyond those of the pieces that the losses have at f."""
        excess = np.empty(self.n)
        two_sided_excess(f, end, self.c_pos, self.c_neg, excess)
        return excess

    def _free(self, v):
        """v itself, without b where b does not move."""
        if not self.bias.moves:
            v[-1] = 0.0
        return v

    def hessian_product(self, v, terms: Terms, f=None):
        """(lam I + X' C X) v, over the active rows, of shape (d + 1,).

        ``f`` receives X v at the active rows.
        """
        product = self.design.normal(v, terms.weight, terms.rows, f)
        return self._free(self.weighed(v) + product)

    def exact_step(self, v, d, f, f_d):
        """argmin of J along d, [SK07] eq. (1.5); 0 where d is no descent."""
        held = self.weighed(d)
        slope, curvature = dot(v, held), dot(d, held)
        return two_sided_line_search(f, f_d, self.c_pos, self.c_neg, slope, curvature)

    def same_side(self, f, target, tau):
        """Whether the active points at f are those at ``target`` up to tau.

        [SK07] section 1.2.3: y f_target < 1 + tau for active points, and
        y f_target >= 1 - tau for the others.
        """
        pos, neg = self.c_pos > 0, self.c_neg > 0
        return _settled(f[pos], target[pos], tau) and _settled(
            -f[neg], -target[neg], tau
        )


def relative(cost):
    """Costs divided by their mean; 1 where all are 0, as they are with lambda' = 0."""
    cost = np.asarray(cost, dtype=float)
    return cost / cost.mean() if cost.any() else np.ones_like(cost)


def weighed(v, lam, bias: Bias):
    """lam v; without b where it is unregularised."""
    held = lam * v
    if not bias.regularised:
        held[-1] = 0.0
    return held


def _settled(m, m_target, tau):
    active = m < 1.0
    return bool(np.where(active, m_target < 1.0 + tau, m_target >= 1.0 - tau).all())


def start_point(design, start):
    """v = (w, b) and f = X v to start from: zeros, or an earlier state's."""
    if start is None:
        return np.zeros(design.d + 1), np.zeros(design.n)
    if start.w is None:
        raise ValueError(
            "start must be a state that kept its arrays; this one was recorded thin. "
            'Record with record_states="full", or start from the last state.'
        )
    if start.w.shape != (design.d,):
        raise ValueError(
            f"start must come from a run with the same {design.d} features and number "
            f"of classes, got w of shape {start.w.shape}."
        )
    v = np.append(start.w, start.b)
    return v, design.outputs(v)


class TransductiveSVM:
    """Linear SVM over labels of unlabelled points as well, [SK07] section 1.3.

        J(w, b) = lam/2 (|w|^2 + b^2) + 1/(2 l) sum_labeled max(0, 1 - y_i f_i)^2
                  + lam_u/(2 u) sum_unlabeled max(0, 1 - |f_j|)^2

    Parameters
    ----------
    X : {ndarray, CSR or CSC matrix} of shape (n, d)
    y : ndarray of shape (n,)
        Entries in {-1, 0, +1}, 0 = unlabeled.
    lam, lam_u : float
        lam > 0, lam_u >= 0 (lambda' of the papers).
    r : float in (0, 1) or None
        Share of positive points among the unlabelled; None takes it from the labels.
    cost : ndarray of shape (n,) or None
        Costs c_i >= 0 of the points relative to one another, [SK07] eq. (1.2). Each
        sum becomes a weighted mean: 1 / l is c_i / sum_labeled c, and 1 / u is
        c_j / sum_unlabeled c.
    """

    bias = REGULARISED
    weight = "lam_u", "λ'"  # of the unlabelled points: in code, and for a reader

    def __init__(self, X, y, *, lam, lam_u, r=None, cost=None):
        self.design = X if hasattr(X, "outputs") else design(X)
        self.y = np.asarray(y, dtype=float)
        self.lam, self.lam_u = float(lam), float(lam_u)
        self.labeled = np.flatnonzero(self.y)
        self.unlabeled = np.flatnonzero(self.y == 0)
        self.n, self.u = len(self.y), len(self.unlabeled)
        self.n_labeled = self.n - self.u
        n_positive = int((self.y > 0).sum())
        self.r = n_positive / self.n_labeled if r is None else float(r)
        self.shares = None if cost is None else self._relative(cost)

    def _relative(self, cost):
        """Costs with mean 1 among the labelled points, and among the others."""
        shares = np.array(cost, dtype=float)
        for part in (self.labeled, self.unlabeled):
            shares[part] = relative(shares[part])
        return shares

    @property
    def shares_u(self) -> Array | None:
        """Relative costs of the unlabelled points; None where all are 1."""
        return None if self.shares is None else self.shares[self.unlabeled]

    # Where a run starts, and what its states say.

    def start_point(self, start):
        """v = (w, b) and its outputs f to start from: zeros, or an earlier state's."""
        return start_point(self.design, start)

    def state_fields(self, v, f, passes) -> dict:
        """The fields of a state that is at (v, f) after so many inner iterations."""
        return {"f": f, "w": v[:-1], "b": float(v[-1]), "cg_iterations": passes}

    def costs(self, lam_u):
        """Of a labelled and of an unlabelled point, in units of half its loss.

        Where points differ it is their mean, and `shares` has the factors.
        """
        return 1.0 / self.n_labeled, lam_u / max(self.u, 1)

    @property
    def entropy_weight(self) -> float:
        """What one nat of an unlabelled point's entropy counts at T = 1."""
        return 0.5 / max(self.u, 1)

    def supervised(self) -> LinearSVM:
        """The machine of the labelled points alone."""
        return self._machine(np.zeros(self.u), 0.0)

    def with_labels(self, y_u, lam_u) -> LinearSVM:
        """The machine for given labels of the unlabelled points.

        Its objective is that of [SK07] section 1.3, or [CSK08] eq. (1) with C and C_u.
        """
        return self._machine((y_u > 0).astype(float), lam_u)

    def with_probabilities(self, p) -> LinearSVM:
        """The machine for given p, [SK07] eq. (1.8); with C and C_u [CSK08] eq. (7)."""
        return self._machine(p, self.lam_u)

    def _machine(self, p, lam_u):
        sides = two_sided_costs(self.y, *self.costs(lam_u), p)
        if self.shares is not None:
            sides = [self.shares * side for side in sides]
        return self._weighted(*sides)

    def _weighted(self, c_pos, c_neg) -> LinearSVM:
        return LinearSVM(self.design, c_pos, c_neg, lam=self.lam, bias=self.bias)

    def objective(self, v, f):
        """The transductive objective above."""
        if self.shares is not None:
            best = np.where(f[self.unlabeled] < 0.0, -1, 1)
            return self.with_labels(best, self.lam_u).objective(v, f)
        norm = 0.5 * dot(v, weighed(v, self.lam, self.bias))
        return norm + transductive_loss(f, self.y, *self.costs(self.lam_u))

    # TSVM, [SK07] section 1.3.

    def lens_of_labels(self, y_u, lam_u) -> Lens:
        """What the unlabelled points add to the objective of `with_labels`."""
        weight = 0.5 * self.costs(lam_u)[1]
        return Lens(SquaredHinge(), weight, y_u, shares=self.shares_u)

    @property
    def n_positive(self) -> int:
        """How many unlabelled points are labelled positive: r u, rounded.

        Points are counted, whatever they cost.
        """
        return int(np.floor(self.r * self.u + 0.5))

    def assign(self, f_u):
        """Labels by the class ratio: +1 for the largest outputs, of shape (u,)."""
        return balanced_labels(f_u, self.n_positive)

    def stakes(self, f_u) -> Array | None:
        """What label -1 costs each unlabelled point more than +1, up to a factor.

        None where all cost the same: outputs have the same order then.
        """
        if self.shares is None:
            return None
        hinge = SquaredHinge()
        return self.shares_u * (hinge.value(-f_u) - hinge.value(f_u))

    @staticmethod
    def switches(f_u, y_u, most, stakes=None):
        """Pairs of labels whose exchange lowers the objective, [SK07] section 1.3.2.

        L+ holds the active positive points in ascending order of their outputs, L- the
        active negative ones in descending order. Pairs are taken from their tops while
        the output from L+ is below the output from L-, and at most ``most`` of them;
        a list that runs out ends the search. These are pairs of [CSK08] eq. (6), both
        active. Points that cost different amounts are compared by their ``stakes``
        in the place of their outputs.

        Returns
        -------
        i, j : ndarray of shape (m,)
            Points to become negative, and points to become positive.
        """
        i = np.flatnonzero((y_u > 0) & (f_u < 1.0))
        j = np.flatnonzero((y_u < 0) & (f_u > -1.0))
        if len(i) == 0 or len(j) == 0:
            return i[:0], j[:0]
        key = f_u if stakes is None else stakes
        # No good pair has others than these; they are few, and sorting is not free.
        least, largest = key[i].min(), key[j].max()
        i, j = i[key[i] < largest], j[key[j] > least]
        i = i[np.argsort(key[i], kind="stable")]
        j = j[np.argsort(-key[j], kind="stable")]
        count = min(len(i), len(j), most)
        # Keys rise along i and fall along j: the good pairs come first.
        count = int((key[i[:count]] < key[j[:count]]).sum())
        return i[:count], j[:count]

    # Deterministic annealing, [SK07] section 1.4.

    def probabilities(self, f_u, T):
        """The p step, [SK07] eq. (1.9), and the multiplier nu of mean(p) = r.

        p minimises [SK07] eq. (1.6) for these outputs. With C_u for lam_u it is
        [CSK08] eq. (8), whose nu is twice this one. The mean is one weighted by costs,
        as are entropy and divergence per point.
        """
        g = self.lam_u * (
            np.maximum(0.0, 1.0 - f_u) ** 2 - np.maximum(0.0, 1.0 + f_u) ** 2
        )
        return balanced_probabilities(g, T, self.r, self.shares_u)

    def heat(self, mean_entropy, T):
        """What [SK07] eq. (1.6) subtracts from the machine's objective: the entropy."""
        return T * self.entropy_weight * max(self.u, 1) * mean_entropy

    def lens_of_temperature(self, T, nu) -> Lens | None:
        """What unlabelled points add to [SK07] eq. (1.6) at the best p, multiplier nu.

        In units of lam_u its p is that of [CSK08] eq. (8) with T / lam_u.
        """
        if self.u == 0 or self.lam_u == 0.0:
            return None
        loss = Annealed(T / self.lam_u, 2.0 * nu / self.lam_u, self.r)
        weight = 0.5 * self.costs(self.lam_u)[1]
        return Lens(loss, weight, shares=self.shares_u)

    def mean_entropy(self, p):
        """H(p) / u, in nats per unlabelled point."""
        return entropy(p, self.shares_u) / max(self.u, 1)

    def mean_divergence(self, p, q):
        """KL(p, q) / u, in nats per unlabelled point."""
        return divergence(p, q, self.shares_u) / self.u

    def least_entropy(self, f_u) -> float:
        """H / u that the class ratio leaves at T = 0: r u need not be an integer.

        One point is then undecided. With costs it is the one where the sum of those
        above it passes r u.
        """
        shares, count = self.shares_u, self.r * self.u
        if shares is None:
            return entropy(np.array([count - np.floor(count)])) / max(self.u, 1)
        order = np.argsort(-f_u, kind="stable")
        above = np.cumsum(shares[order])
        k = min(int(np.searchsorted(above, count)), self.u - 1)
        size = shares[order[k]]
        part = 1.0 - (above[k] - count) / size if size > 0.0 else 0.0
        return size * entropy(np.array([part])) / self.u
