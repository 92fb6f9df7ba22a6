"""Message types as rosapi describes them: `rosapi/TypeDef`, one for a type and each that it holds."""

from __future__ import annotations

from typing import Any

from rosbags.interfaces import Nodetype

from dorosim.wire.ros.dict_writer import TIMES
from dorosim.wire.ros.registry import Registry

_MOMENT = {
    "fieldnames": ["secs", "nsecs"],
    "fieldtypes": ["int32", "int32"],
    "fieldarraylen": [-1, -1],
    "examples": ["0", "0"],
    "constnames": [],
    "constvalues": [],
}
_EXAMPLES = {"string": "", "bool": "False", "float32": "0.0", "float64": "0.0"}


def typedefs(registry: Registry, name: str) -> list[dict[str, Any]]:
    """The description of a type, followed by those of the types in it, each once.

    Raises:
        RosError: there is no such type.
    """
    found: dict[str, dict[str, Any]] = {}

    def describe(kind: str) -> None:
        if kind in found:
            return
        if kind in ("time", "duration"):
            found[kind] = {"type": kind, **_MOMENT}
            return
        fields = [(field, *_described(shape)) for field, shape in registry.fields(kind)]
        constants = registry.constants(kind)
        found[kind] = {
            "type": kind,
            "fieldnames": [field for field, *_ in fields],
            "fieldtypes": [inner for _, inner, *_ in fields],
            "fieldarraylen": [length for _, _, length, _ in fields],
            "examples": [example for *_, example in fields],
            "constnames": [constant for constant, _ in constants],
            "constvalues": [str(value) for _, value in constants],
        }
        for _, inner, _, _ in fields:
            if "/" in inner or inner in ("time", "duration"):
                describe(inner)

    describe(name)
    return list(found.values())


def _described(shape: Any) -> tuple[str, int, str]:
    """Type, length (-1: no array, 0: any) and an example of a field."""
    kind, detail = shape
    if kind in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        inner, length = detail
        return _described(inner)[0], length, "[]"
    if kind == Nodetype.NAME:
        return (detail.rpartition("/")[2].lower() if detail in TIMES else detail.replace("/msg/", "/")), -1, "{}"
    return detail[0], -1, _EXAMPLES.get(detail[0], "0")
