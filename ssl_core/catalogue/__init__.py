"""The algorithms, one entry each; importing a family registers it."""

from ssl_core.catalogue import (
    baselines,
    kernel_machines,
    linear_machines,
    s3vm_machines,
    s3vm_path,
)

__all__ = [
    "baselines",
    "kernel_machines",
    "linear_machines",
    "s3vm_machines",
    "s3vm_path",
]
