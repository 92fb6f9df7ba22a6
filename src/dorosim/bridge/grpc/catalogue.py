"""Every procedure that is done, by its path; three tables, one of each API.

Importing this imports protobuf and all of their modules, so only a gRPC server does.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any

from dorosim.bridge.grpc import documented, standard
from dorosim.bridge.grpc.bulk import BULK
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.sensing import SENSING
from dorosim.bridge.grpc.sky import SKY
from dorosim.wire.grpc.descriptor import Api, methods


def _joined(package: ModuleType, table: str) -> dict[str, Any]:
    """One table of all that the modules of a package have under a name."""
    modules = [import_module(f"{package.__name__}.{one.name}") for one in iter_modules(package.__path__)]
    return {key: value for module in modules for key, value in getattr(module, table, {}).items()}


DOCUMENTED: Mapping[str, Procedure] = MappingProxyType(_joined(documented, "PROCEDURES"))
"""Of the documented API, by name."""
STANDARD: Mapping[str, Procedure] = MappingProxyType(_joined(standard, "PROCEDURES"))
"""Of the Standard API, by "Service/Name"."""

OWN: Mapping[str, Procedure] = MappingProxyType({**BULK, **SENSING, **SKY})
"""Of dorosim's own services, by name."""


def procedures() -> dict[str, Procedure]:
    """Every procedure that is done, by its path in the .proto files; those that stream are the endpoint's."""
    tables: dict[Api, Mapping[str, Procedure]] = {"documented": DOCUMENTED, "standard": STANDARD, "dorosim": OWN}
    found = {}
    for method in methods():
        service = method.service.rpartition(".")[2]
        key = f"{service}/{method.name}" if method.api == "standard" else method.name
        if key in tables[method.api]:
            found[method.path] = tables[method.api][key]
    return found


def without_effect() -> dict[Api, dict[str, str]]:
    """What is accepted and changes nothing, and why, by API: procedures as "Service/Name", fields by their paths."""
    return {
        "documented": _joined(documented, "WITHOUT_EFFECT"),
        "standard": _joined(standard, "WITHOUT_EFFECT"),
    }
