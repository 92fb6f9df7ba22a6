"""Hypothesis strategies made from message tables."""

from __future__ import annotations

import struct
from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from dorosim.wire.codec import Codec, factor_of
from dorosim.wire.message import Field, Wire

_INTEGERS = {"b": (-128, 127), "B": (0, 255), "h": (-(2**15), 2**15 - 1), "H": (0, 2**16 - 1)}
_INTEGERS |= {"i": (-(2**31), 2**31 - 1), "I": (0, 2**32 - 1)}


def numbers(field: Field, steer_sign: float) -> st.SearchStrategy:
    """Values of one element that its wire type can hold exactly, in SI."""
    if field.enum is not None:
        return st.sampled_from(list(field.enum))
    if not field.floating:
        low, high = _INTEGERS[field.code]
        return st.integers(low, high)
    factor = factor_of(field, steer_sign)
    return st.floats(width=32, allow_nan=False, allow_infinity=False).map(lambda value: value * factor)


def texts(width: int) -> st.SearchStrategy[str]:
    """Texts that fit; NUL ends a text and trailing spaces are filling, so neither can be part of one."""
    letters = st.characters(min_codepoint=1, max_codepoint=0x2FFF, exclude_categories=("Cs",))
    return st.text(letters, max_size=width).filter(lambda text: len(text.encode()) <= width and not text.endswith(" "))


def values(field: Field, steer_sign: float) -> st.SearchStrategy:
    """Values of a field."""
    if field.kind == "flag":
        return st.booleans()
    if field.kind == "text":
        return texts(field.count)
    if field.kind == "stamp":
        return st.integers(-(2**31) * 10**9, 2**31 * 10**9 - 1)
    if field.record is not None:
        slot = records(field.record, field.record.table.fields, steer_sign)
        return st.lists(slot, max_size=field.count).map(tuple).filter(lambda slots: not slots or _used(slots[-1]))
    if field.vector:
        return st.tuples(*[numbers(field, steer_sign)] * field.count)
    return numbers(field, steer_sign)


def _used(slot: Wire) -> bool:
    """Whether a slot has any byte that is not zero: only then it is told from an unused one."""
    for field in slot.table.fields:
        value = getattr(slot, field.name)
        for one in value if field.vector else (value,):
            if one or (isinstance(one, float) and struct.pack("<f", one) != bytes(4)):
                return True
    return False


@cache
def records(kind: type[Wire], fields: tuple[Field, ...], steer_sign: float) -> st.SearchStrategy:
    """Instances of a class of which some fields are set."""
    return st.builds(kind, **{field.name: values(field, steer_sign) for field in fields})


@cache
def messages(codec: Codec) -> st.SearchStrategy:
    """Messages that a codec can write."""
    found = records(codec.message, codec.fields, codec.steer_sign)
    counted = {field.counted_by: field.name for field in codec.fields if field.counted_by}
    return found.map(
        lambda message: replace(message, **{count: len(getattr(message, name)) for count, name in counted.items()})
    )
