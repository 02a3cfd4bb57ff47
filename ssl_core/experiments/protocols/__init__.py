"""The papers' protocols, a module each, and those that come from outside."""

from importlib import import_module

from halfmoon.common.plugins import Registry, track
from ssl_core.experiments.protocols import (
    lapsvm,
    s3vm_path,
    s3vm_path_random,
    s3vm_review,
    svmlin,
)
from ssl_core.experiments.table import Protocol, Table

MODULES = (lapsvm, svmlin, s3vm_review, s3vm_path, s3vm_path_random)
PROTOCOLS: Registry[Protocol] = Registry("protocol")
PROTOCOLS |= {module.PROTOCOL.key: module.PROTOCOL for module in MODULES}
TABLES: Registry[Table] = Registry("table")
TABLES |= {table.key: table for p in PROTOCOLS.values() for table in p.tables}
PUBLISHED = tuple(PROTOCOLS)  # keys of those of the papers
RESERVED = ("own", "published")  # files of a report
_own: dict[str, Protocol] = {}  # those of elsewhere that were asked for
track(_own)


def register_protocol(protocol: Protocol) -> None:
    """Add a protocol; ``halfmoon experiments`` lists, runs and reports its tables.

    Parameters
    ----------
    protocol : Protocol
        Its key, and the keys of its tables, must be new.
    """
    if not isinstance(protocol, Protocol):
        raise ValueError(
            f"protocol must be a Protocol(key=..., tables=..., ...), got "
            f"{protocol!r:.60}."
        )
    if protocol.key in RESERVED:
        raise ValueError(
            f"The key of a protocol must not be {protocol.key}, which is a file of "
            f"every report; choose another."
        )
    PROTOCOLS.check_name(protocol.key)
    keys = [table.key for table in protocol.tables]
    for key in keys:
        TABLES.check_name(key)
    if len(set(keys)) < len(keys):
        raise ValueError(f"The keys of tables must differ, got {', '.join(keys)}.")
    strange = {cell.protocol for cell in protocol.cells} - {protocol.key}
    if strange:
        raise ValueError(
            f"Every cell of the protocol {protocol.key} must name it, got cells of "
            f"{', '.join(sorted(strange))}."
        )
    PROTOCOLS.enter(protocol.key, protocol)
    for table in protocol.tables:
        TABLES.enter(table.key, table)


def drop_own(module: str) -> None:
    """Forget protocols that were found in a module: it is imported again."""
    for key in [key for key in _own if key.partition(":")[0] == module]:
        del _own[key]


def protocol_of(key: str) -> Protocol:
    """A protocol by its key; ``module:name`` is the key of one that is not registered.

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
