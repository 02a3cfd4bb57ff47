"""S3VMs in the kernel that a data graph deforms, [CSK08] section 5.6.2."""

from ssl_core.estimators import s3vm as machines
from ssl_core.estimators.kernel import ManifoldMachine
from ssl_core.estimators.parameters import anything, choice, number
from ssl_core.solvers._s3vm import S3VMState

METHODS_BY_ID = {
    "s3vm_light": machines.S3VMLightClassifier,
    "da_kernel": machines.DAKernelClassifier,
    "nabla_da": machines.NablaDAClassifier,
    "cccp": machines.CCCPClassifier,
    "nabla_s3vm": machines.NablaS3VMClassifier,
    "cs3vm": machines.CS3VMClassifier,
    "newton_s3vm": machines.NewtonS3VMClassifier,
    "branch_and_bound": machines.BranchAndBoundClassifier,
    "convex_relaxation": machines.ConvexRelaxationClassifier,
}
SHARED = ("C", "C_u", "r", "balance", "factor", "rank")


def _check_options(name, value):
    if not (value is None or isinstance(value, dict)):
        raise ValueError(
            f"{name} must be a dict of parameters such as {{'S': None}}, or None, got "
            f"{value!r}."
        )


class LapSVMS3VMClassifier(machines.S3VMachine, ManifoldMachine):
    """Any S3VM in the kernel that a graph deforms, [CSK08] section 5.6.2.

        k(x, z) - k_x' (I + M K)^-1 M k_z,     M = gamma_I / gamma_A L^p

    Its norm is |f|^2 + f' M f: a cheap function changes little along the graph, and
    clusters that wind become compact.
    """

    _state = S3VMState
    _beside = 6.2

    gamma_A = number(
        1e-2, "Ambient weight; only gamma_I / gamma_A counts here.", above=0
    )
    method = choice(
        "s3vm_light", tuple(METHODS_BY_ID), "The S3VM that works in this kernel."
    )
    options = anything(
        None,
        "Further parameters of the method, such as ``{'S': None}``.",
        kind="dict or None",
        check=_check_options,
    )
    balance = machines.BALANCE

    def _check_parameters(self):
        super()._check_parameters()
        self._inner()._check_parameters()

    def _check_task(self, task):
        super()._check_task(task)
        self._inner()._check_task(task)

    def _inner(self) -> machines.S3VMachine:
        """The method with this machine's weights."""
        inner = METHODS_BY_ID[self.method]()
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

    def _space(self, task):
        space = super()._space(task)
        L = self._laplacian(task, space.K)
        return space if L is None else space.deformed(L, self.gamma_I / self.gamma_A)

    def _prepare(self, task, space):
        return self._inner()._prepare(task, space)
