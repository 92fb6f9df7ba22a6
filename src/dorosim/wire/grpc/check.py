"""What is wrong with a message that a peer sent; checked before any number of it is used.

protobuf itself takes any float, any number for an enum (they are open in proto3) and lists and texts of any length. The
checks are made once per message type from its descriptor. Fields that are not set cannot be wrong: their value is 0,
empty, or the first code of their enum.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from google.protobuf.descriptor import FieldDescriptor

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

MAX_LIST_LENGTH = 2_000
"""Entries of a list: about as many as a world makes in a second, in which it does nothing else."""
MAX_TEXT_LENGTH = 4096
"""Characters of a text: names, ids and file names are shorter."""

_FLOATS = (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT)


class Limit(NamedTuple):
    """How long things may be: entries of a list, characters of a text or bytes of a block."""

    entries: int
    letters: int


Check = Callable[[Any, Limit], str]
"""Says what is wrong with a value, as the rest of its path and a verb: ".x is NaN"; empty: nothing."""


def flaw_of(message: Message, max_list: int = MAX_LIST_LENGTH, max_text: int = MAX_TEXT_LENGTH) -> str:
    """The first flaw of a message.

    Args:
        message: decoded, of any type.
        max_list: most entries that a list may have.
        max_text: most characters that a text may have, and bytes that a block may have.

    Returns:
        A sentence such as "req_list[3].position.x is NaN", or an empty text.
    """
    return _message_check(message.DESCRIPTOR)(message, Limit(max_list, max_text)).removeprefix(".")


@cache
def _message_check(descriptor: Descriptor) -> Check:
    checks = {field.number: (field.name, _field_check(field)) for field in descriptor.fields}

    def check(message: Message, limit: Limit) -> str:
        for field, value in message.ListFields():
            name, judge = checks[field.number]
            if judge is not None and (flaw := judge(value, limit)):
                return f".{name}{flaw}"
        return ""

    return check


def _field_check(field: FieldDescriptor) -> Check | None:
    one = _value_check(field)
    return _list_check(one) if field.is_repeated else one


def _value_check(field: FieldDescriptor) -> Check | None:
    if field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
        return _message_check(field.message_type)
    if field.cpp_type in _FLOATS:
        return _float_flaw
    if field.cpp_type == FieldDescriptor.CPPTYPE_ENUM:
        known = frozenset(field.enum_type.values_by_number)
        name = field.enum_type.full_name.removeprefix(f"{field.file.package}.")
        return lambda value, _: "" if value in known else f" is {value}, which no {name} has"
    if field.type == FieldDescriptor.TYPE_STRING:
        return _text_flaw
    return _block_flaw if field.type == FieldDescriptor.TYPE_BYTES else None


def _list_check(one: Check | None) -> Check:
    def check(values: Any, limit: Limit) -> str:
        if len(values) > limit.entries:
            return f" has {len(values)} entries, more than {limit.entries}"
        if one is not None:
            for index, value in enumerate(values):
                if flaw := one(value, limit):
                    return f"[{index}]{flaw}"
        return ""

    return check


def _float_flaw(value: float, _: Limit) -> str:
    return "" if isfinite(value) else " is NaN" if isnan(value) else " is infinite"


def _text_flaw(value: str, limit: Limit) -> str:
    if len(value) > limit.letters:
        return f" has {len(value)} characters, more than {limit.letters}"
    return " holds a NUL character" if "\0" in value else ""


def _block_flaw(value: bytes, limit: Limit) -> str:
    return f" has {len(value)} bytes, more than {limit.letters}" if len(value) > limit.letters else ""
