"""Random messages of every ROS type, for hypothesis, from the fields that the type has."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from rosbags.interfaces import Nodetype

from dorosim.wire.ros.registry import Registry

KNOWN = ("Ego", "2", "TL000000", "2015_Kia_K5", "lap", "../lap", "")
_INTS = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-(2**15), 2**15 - 1), "uint16": (0, 2**16 - 1)}
_INTS |= {"int32": (-(2**31), 2**31 - 1), "uint32": (0, 2**32 - 1), "int64": (-(2**63), 2**63 - 1)}
_INTS |= {"uint64": (0, 2**64 - 1), "byte": (-128, 127), "char": (0, 255)}


def _scalars(kind: str) -> st.SearchStrategy:
    if kind in _INTS:
        low, high = _INTS[kind]
        return st.integers(max(low, -2), min(high, 20)) | st.integers(low, high)
    if kind == "bool":
        return st.booleans()
    if kind == "string":
        return st.sampled_from(KNOWN) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    width = 32 if kind == "float32" else 64
    usual = st.floats(-10.0, 10.0, width=32)
    return usual | st.floats(width=width)


@cache
def messages(registry: Registry, name: str) -> st.SearchStrategy:
    """Messages of a type, also with NaN, infinity and lists of different lengths."""
    fields = {field: _values(registry, shape) for field, shape in registry.fields(name)}

    def make(values: dict[str, Any]) -> Any:
        return registry.make(name, **values)

    return st.fixed_dictionaries(fields).map(make)


def _values(registry: Registry, shape: Any) -> st.SearchStrategy:
    kind, detail = shape
    if kind == Nodetype.NAME:
        if detail == "builtin_interfaces/msg/Time":
            return st.integers(0, (2**31 - 1) * 10**9).map(registry.time)
        return messages(registry, detail.replace("/msg/", "/"))
    if kind == Nodetype.BASE:
        return _scalars(detail[0])
    (inner, of), length = detail
    one = _values(registry, (inner, of))
    listed = st.lists(one, min_size=length, max_size=length or 3)
    if inner == Nodetype.NAME or of[0] == "string":
        return listed
    dtype = {"bool": np.bool_, "byte": np.uint8, "char": np.uint8}.get(of[0], of[0])
    return listed.map(lambda values: np.array(values, dtype))
