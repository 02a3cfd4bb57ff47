"""The papers' protocols, a module each."""

from ssl_core.experiments.protocols import s3vm_review

PROTOCOLS = {module.PROTOCOL.key: module.PROTOCOL for module in (s3vm_review,)}
TABLES = {table.key: table for p in PROTOCOLS.values() for table in p.tables}
