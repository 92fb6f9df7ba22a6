"""The reference page of sensors: what each kind can be set to, from `world/mount/setting.py`."""

from __future__ import annotations

import enum
import inspect
import math

import msgspec
from msgspec import inspect as types

from dorosim.app.setting.doc import meanings_of
from dorosim.sensor.kind import DESCRIPTORS
from dorosim.world.mount.denied_area import DeniedCircle, DeniedPolygon
from dorosim.world.mount.setting import SETTINGS
from tools.reference.markdown import table

INTRODUCTION = """# Sensors

Settings of each kind of sensor: `settings` of `[[sensor]]` in `dorosim.toml`. How to use them:
[sensors](../how-to/sensor.md). Lengths are in metres, angles in radians, times in seconds. Where words stand for
numbers, either may be given. A key that is not listed here is an error, and so is a number out of bounds.
"""


def sensor_page() -> str:
    """The page in Markdown."""
    parts = [INTRODUCTION]
    for kind, settings in SETTINGS.items():
        name = kind.name.lower()
        geometry = "sees the geometry of map and actors" if DESCRIPTORS[kind].needs_geometry else "needs no geometry"
        turns = "turns a second" if DESCRIPTORS[kind].spins else "readings a second"
        facts = f"Number {kind.value} in sensor sets; {settings.RATE_HZ:g} {turns} by default; {geometry}."
        parts.append(f"\n## {name}\n\n{_summary(settings)}\n\n{facts}\n\n{_setting_table(settings)}")
        if name == "gps":
            for area in (DeniedCircle, DeniedPolygon):
                tag = area.__struct_config__.tag
                parts.append(f'\nAn area of `denied`, `type = "{tag}"`:\n\n{_setting_table(area)}')
    return "".join(parts)


def _summary(kind: type) -> str:
    return inspect.cleandoc(kind.__doc__ or "").splitlines()[0]


def _setting_table(kind: type[msgspec.Struct]) -> str:
    meanings = meanings_of(kind)
    infos = types.type_info(kind)
    assert isinstance(infos, types.StructType)
    rows = [
        (f"`{field.name}`", _default(field.default), _values(field.type), meanings.get(field.name, ""))
        for field in infos.fields
    ]
    return table(("key", "default", "values", "meaning"), rows)


def _default(value: object) -> str:
    if value is msgspec.NODEFAULT:
        return ""
    if value is None:
        return "not given"
    return f"`{_text(value)}`"


def _text(value: object) -> str:
    if isinstance(value, enum.Enum):
        return f'"{value.name.lower()}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple):
        return "[" + ", ".join(_text(one) for one in value) + "]"
    return str(value)


def _values(info: types.Type) -> str:
    """What a key takes, in words."""
    if isinstance(info, types.UnionType):
        return " or ".join(_values(one) for one in info.types if not isinstance(one, types.NoneType))
    if isinstance(info, types.EnumType):
        return ", ".join(f'`"{one.name.lower()}"` ({one.value})' for one in info.cls)
    if isinstance(info, types.LiteralType):
        return " or ".join(f"`{one}`" for one in info.values)
    if isinstance(info, types.BoolType):
        return "`true` or `false`"
    if isinstance(info, types.IntType | types.FloatType):
        return _bounds(info)
    if isinstance(info, types.TupleType):
        return f"{len(info.item_types)} numbers, each {_values(info.item_types[0])}"
    if isinstance(info, types.VarTupleType):
        return "a list"
    raise TypeError(f"no words for {info}")


def _bounds(info: types.IntType | types.FloatType) -> str:
    words = "a whole number" if isinstance(info, types.IntType) else "a number"
    limits = (("at least", info.ge), ("above", info.gt), ("at most", info.le), ("below", info.lt))
    parts = [f"{word} {_limit(value)}" for word, value in limits if value is not None]
    return f"{words} {' and '.join(parts)}".strip()


def _limit(value: float) -> str:
    for times, name in ((1.0, "π"), (2.0, "2π")):
        if math.isclose(value, times * math.pi):
            return name
    return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
