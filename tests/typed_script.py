"""Every public name at work, as a user would write it; checked by mypy and pyright."""

import numpy as np

from ssl_core import (
    ALGORITHMS,
    Algorithm,
    Curve,
    Event,
    NamedRule,
    Retraining,
    State,
    Status,
    Trace,
    balanced_labels,
    gradient_norm,
    judge,
    make,
    mixed_check,
    mixed_product,
    objective_decrease,
    preconditioned_norm,
    register,
    register_algorithm,
    register_rule,
    retrained_objective,
    stability_check,
    validation_check,
)
from ssl_core import estimators as methods

X = np.random.default_rng(0).normal(size=(40, 2))
y = np.where(np.arange(40) < 4, np.arange(40) % 2, -1)
rules = [stability_check(every=5), mixed_check(), validation_check()]
norms = [mixed_product(1e-6), gradient_norm(1e-6), preconditioned_norm(1e-6)]
rules_by_value = [*rules, *norms, objective_decrease(1e-6)]
est = methods.LapSVMPCGClassifier(sigma=0.35, n_neighbors=6, stop=rules[0], tol=1e-8)
states: list[State] = list(est.iterate(X, y))
trace: Trace = est.fit(X, y).trace(X, y, record_states="metrics")
status: tuple[Status, list[tuple[int, Event]]] = trace.status, trace.events
states += [trace[-1], *trace, *trace[1:]]
figures = [trace[:2].plot(0, theme="dark", truth=y), trace.animate(max_frames=20)]
path = methods.S3VMPathClassifier().fit(X, y).at(0.5, before=True).state_
share: float = est.score(X, y)
labels: np.ndarray = est.predict(X)
width: tuple[float, float | str] = est.sigma_, est.sigma
linear = methods.TSVMClassifier(lam=1e-3, lam_u=1.0, r=0.5, S=None).fit(X, y)
weights: np.ndarray = linear.coef_
balanced = methods.SVMClassifier(class_weight="balanced")
fitted: methods.SVMClassifier = balanced.fit(X, y, sample_weight=np.ones(40))
weighted: Trace = fitted.trace(X, y, sample_weight=np.ones(40))
other = make("lapsvm_newton", gamma_I=1.0).set_params(tol=1e-8)
entry: Algorithm = ALGORITHMS["svm"]
curve: tuple[Curve, object] = entry.curves[0], (register, register_algorithm)
register_rule("twin", NamedRule(stability_check, "Twin", "Twin", check=True))
titles: list[str] = [algorithm.title for algorithm in ALGORITHMS.values()]
verdict = judge(stability_check(), trace)
value: float = retrained_objective(X, y, labels, C=1.0, C_u=0.1, sigma="auto")
made: Retraining = Retraining.of(X, y, C=1.0, C_u=0.1)
guessed: np.ndarray = balanced_labels(est.decision_function(X), n_positive=20)
print(status, share, width, weights, titles, verdict, value, made.objective(labels))
