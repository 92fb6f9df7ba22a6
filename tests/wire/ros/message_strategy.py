"""Hypothesis strategies of ROS messages, by the fields of their types."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st
from rosbags.interfaces import Nodetype

from dorosim.wire.ros.registry import Registry

_DTYPES = {"bool": np.bool_, "byte": np.int8, "char": np.uint8}
_TIMES = ("builtin_interfaces/msg/Time", "builtin_interfaces/msg/Duration")


def _scalar(kind: str, *, finite: bool) -> st.SearchStrategy[Any]:
    if kind == "string":
        return st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
    if kind == "bool":
        return st.booleans()
    if kind.startswith("float"):
        numbers = st.floats(width=int(kind[5:]), allow_nan=not finite, allow_infinity=not finite)
        return numbers.map(lambda value: math.nan if value != value else value)  # CBOR has one NaN, without a sign
    bounds = np.iinfo(_DTYPES.get(kind, kind))
    return st.integers(int(bounds.min), min(int(bounds.max), 2**63 - 1))  # BSON has no more


def _value(registry: Registry, shape: Any, *, finite: bool) -> st.SearchStrategy[Any]:
    kind, detail = shape
    if kind == Nodetype.BASE:
        return _scalar(detail[0], finite=finite)
    if kind == Nodetype.NAME:
        return _named(registry, detail, finite=finite)
    (element, of), length = detail
    least, most = (length, length) if length else (0, 3)
    if element == Nodetype.NAME:
        return st.lists(_named(registry, of, finite=finite), min_size=least, max_size=most)
    numbers = st.lists(_scalar(of[0], finite=finite), min_size=least, max_size=most)
    return numbers if of[0] == "string" else numbers.map(lambda many: np.array(many, _DTYPES.get(of[0], of[0])))


def _named(registry: Registry, inside: str, *, finite: bool) -> st.SearchStrategy[Any]:
    if inside in _TIMES:
        kind = type(registry.time(0)) if inside == _TIMES[0] else registry.duration_class
        return st.builds(kind, st.integers(0, 2**31 - 1), st.integers(0, 999_999_999))
    return messages(registry, inside.replace("/msg/", "/"), finite=finite)


def messages(registry: Registry, name: str, *, finite: bool = False) -> st.SearchStrategy[Any]:
    """Messages of a type; `finite`: without NaN and infinities, which JSON has not."""
    fields = {field: _value(registry, shape, finite=finite) for field, shape in registry.fields(name)}
    return st.fixed_dictionaries(fields).map(lambda given: registry.make(name, **given))
