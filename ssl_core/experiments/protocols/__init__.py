"""The papers' protocols, a module each."""

from importlib import import_module

from ssl_core.experiments.protocols import (
    lapsvm,
    s3vm_path,
    s3vm_path_random,
    s3vm_review,
    svmlin,
)
from ssl_core.experiments.table import Protocol

MODULES = (lapsvm, svmlin, s3vm_review, s3vm_path, s3vm_path_random)
PROTOCOLS = {module.PROTOCOL.key: module.PROTOCOL for module in MODULES}
TABLES = {table.key: table for p in PROTOCOLS.values() for table in p.tables}
_own: dict[str, Protocol] = {}  # those of elsewhere that were asked for


def protocol_of(key: str) -> Protocol:
    """A protocol by its key; ``module:name`` is the key of one that lives elsewhere.

    Worker processes find it in the same way, so that the module must be importable
    wherever a cell is computed.
    """
    found = known(key)
    if found is not None:
        return found
    module, _, name = key.partition(":")
    try:
        found = getattr(import_module(module), name) if name else None
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"There is no protocol {key} ({error}).") from error
    if not isinstance(found, Protocol) or found.key != key:
        raise ValueError(
            f"There is no protocol {key}; there are {', '.join(PROTOCOLS)}, and "
            f"module:name, which must be the key of the Protocol found there."
        )
    return _own.setdefault(key, found)


def known(key: str) -> Protocol | None:
    """The same without importing anything: a store may name unknown modules."""
    return PROTOCOLS.get(key) or _own.get(key)
