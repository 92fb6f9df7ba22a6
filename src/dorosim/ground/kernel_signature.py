"""Types of the arguments of kernels as JSON, so that kernels can be compiled before anything has called them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from numba import types

SCALARS = (
    *(types.boolean, types.float32, types.float64, types.int8, types.int16, types.int32, types.int64),
    *(types.uint8, types.uint16, types.uint32, types.uint64),
)
_SCALARS = {str(kind): kind for kind in SCALARS}


def write_type(kind: types.Type) -> Any:
    """A type as JSON.

    Raises:
        TypeError: it is none that kernels take.
    """
    if isinstance(kind, types.Array):
        return ["array", str(kind.dtype), kind.ndim, kind.layout, kind.mutable]
    if isinstance(kind, types.BaseNamedTuple):
        named = kind.instance_class
        return ["named", f"{named.__module__}:{named.__qualname__}", *map(write_type, kind.types)]
    if isinstance(kind, types.BaseTuple):
        return ["tuple", *map(write_type, kind.types)]
    if str(kind) not in _SCALARS:
        raise TypeError(f"no kernel takes {kind}")
    return str(kind)


def read_type(written: Any) -> types.Type:
    """The type that `write_type` has written.

    Raises:
        TypeError: a named tuple has other fields now. numba would make code that reads beyond it.
        AttributeError, ModuleNotFoundError: there is no such named tuple any more.
    """
    if isinstance(written, str):
        return _SCALARS[written]
    form, *rest = written
    if form == "array":
        scalar, dimensions, layout, mutable = rest
        return types.Array(_SCALARS[scalar], dimensions, layout, readonly=not mutable)
    if form == "named":
        module, name = rest.pop(0).split(":")
        named = getattr(import_module(module), name)
        if len(named._fields) != len(rest):
            raise TypeError(f"{name} has {len(named._fields)} fields, not {len(rest)}")
        return types.BaseTuple.from_types(list(map(read_type, rest)), named)
    return types.BaseTuple.from_types(list(map(read_type, rest)))
