"""The papers' protocols, a module each."""

from ssl_core.experiments.protocols import (
    lapsvm,
    s3vm_path,
    s3vm_path_random,
    s3vm_review,
    svmlin,
)

MODULES = (lapsvm, svmlin, s3vm_review, s3vm_path, s3vm_path_random)
PROTOCOLS = {module.PROTOCOL.key: module.PROTOCOL for module in MODULES}
TABLES = {table.key: table for p in PROTOCOLS.values() for table in p.tables}
