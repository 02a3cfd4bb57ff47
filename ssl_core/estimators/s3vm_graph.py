"""S3VMs in the kernel that a data graph deforms, [CSK08] section 5.6.2."""

from typing import Any

import numpy as np

from halfmoon.common.plugins import track
from ssl_core.estimators.groups import Ambient, Balance
from ssl_core.estimators.s3vm import KernelS3VM
from ssl_core.estimators.spaces import Graph
from ssl_core.settings import anything, check_choice, choice, shared
from ssl_core.solvers._s3vm import S3VMState

SHARED = ("C", "C_u", "r", "balance", "factor", "rank")
METHODS = track(KernelS3VM.methods)
QUICK = {name: kind._quick for name, kind in METHODS.items() if kind._quick}


def _check_options(name, value):
    if not (value is None or isinstance(value, dict)):
        raise ValueError(
            f"{name} must be a dict of parameters such as {{'S': None}}, or None, got "
            f"{value!r}."
        )


def _check_method(name, value):
    check_choice(name, value, tuple(METHODS))  # also those that came later


class LapSVMS3VMClassifier(KernelS3VM):
    """Any S3VM in the kernel that a graph deforms, [CSK08] section 5.6.2.

        k(x, z) - k_x' (I + M K)^-1 M k_z,     M = gamma_I / gamma_A L^p

    Its norm is |f|^2 + f' M f: with a small norm f changes little along the graph, and
    winding clusters become compact.
    """

    _state = S3VMState
    _matrices = 6.2

    method: str = choice(
        "s3vm_light",
        tuple(METHODS),
        "The S3VM that works in this kernel.",
        rule=_check_method,
        offered=tuple(QUICK),
        title="S3VM method",
        words=tuple(QUICK.values()),
        travels=False,
        help="The S3VM that works in the deformed kernel.",
    )
    options: dict | None = anything(
        None,
        "Further parameters of the method, such as ``{'S': None}``.",
        values="dict or None",
        rule=_check_options,
    )
    n_neighbors: int = shared(Graph)
    metric: str = shared(Graph)
    join: str = shared(Graph)
    weights: str = shared(Graph)
    W: Any = shared(Graph)
    normalized: bool = shared(Graph)
    laplacian_degree: int = shared(Graph)
    gamma_A: float = shared(
        Ambient,
        doc="Ambient weight; only gamma_I / gamma_A counts here.",
        help="Ambient weight γ_A: how smooth the function must be in the whole space.",
    )
    gamma_I: float = shared(Graph)
    balance: str = shared(Balance)

    def _check_parameters(self):
        super()._check_parameters()
        self._inner()._check_parameters()

    def _check_task(self, task):
        super()._check_task(task)
        self._inner()._check_task(task)
        Graph.of(self).check_training(task.X, self.kernel)

    def peak_bytes(self, size):
        return super().peak_bytes(size) + Graph.of(self).own_bytes

    @property
    def _each(self):
        return METHODS[self.method]._each

    def _inner(self) -> KernelS3VM:
        """The method with this machine's weights."""
        inner = METHODS[self.method]()
        known = inner.get_params()
        for name in self.options or {}:
            if name not in known or name in SHARED:
                rest = ", ".join(sorted(known.keys() - set(SHARED)))
                raise ValueError(
                    f"options must hold parameters that {self.method} has of its own, "
                    f"got {name!r}; there are: {rest}."
                )
        shared = {name: getattr(self, name) for name in SHARED if name in known}
        return inner.set_params(**shared, **(self.options or {}))

    def _kernel_settings(self):
        return (*super()._kernel_settings(), Graph.of(self), self.gamma_A)

    def _kernel_space(self, task, notes):
        space = super()._kernel_space(task, notes)
        distances = space.K if self.kernel == "precomputed" else None
        L = Graph.of(self).laplacian_of(task, notes, distances)
        if L is None:
            return space
        deformed = space.deformed(L, self.gamma_I / self.gamma_A)
        if not np.isfinite(deformed.K).all():
            raise ValueError(
                f"the kernel that the graph deforms must be finite, got NaN for kernel "
                f"values up to {np.abs(space.K).max():.1e}; scale the features or "
                f"lower gamma_I."
            )
        return deformed

    def _prepare(self, task, outer):
        """The chosen S3VM in the deformed kernel, [CSK08] section 5.6.2."""
        return self._inner()._prepare(task, outer)
