"""Values as text for people: the fields of a message of any interface, with long values shortened."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

SHOWN_NUMBERS = 8
"""Most entries of a list of numbers or texts that are shown; of a longer list, the first ones and the count."""
SHOWN_MESSAGES = 4
"""Most entries of a list of messages that are shown field by field."""
SHOWN_CHARACTERS = 100
"""Most characters of a text, and bytes of a block, that are shown."""


class ValueText(NamedTuple):
    """A field of a message.

    Attributes:
        name: of it, as "npc_list[0].position.x". wire: its value as it was sent. si: the same in SI, "" where a
            message is in SI or says no unit.
    """

    name: str
    wire: str
    si: str = ""


class Plain(str):
    """Text that stands as it is, as the name of a code does; other texts stand in quotes."""

    __slots__ = ()


class Exchange(NamedTuple):
    """A call.

    Attributes:
        request: message that asked, None where what came was none.
        answer: message that was answered, the last one of a stream; a text of why there is none; None: not yet.
    """

    request: Any = None
    answer: Any = None


Fields = Callable[[Any], Iterable[tuple[str, Any]] | None]
"""Gives the fields of a message with their values; None for what is no message."""


def value_texts(value: Any, fields_of: Fields, name: str = "") -> Iterator[ValueText]:
    """A value and all that is in it, field by field.

    Args:
        value: a message, an exchange of two, a list or array, a number, a text or bytes.
        fields_of: of messages of its kind.
        name: of the value, "" for a whole message.
    """
    fields = _both(value) if isinstance(value, Exchange) else fields_of(value)
    if fields is not None:
        empty = True
        for inner, one in fields:
            empty = False
            yield from value_texts(one, fields_of, f"{name}.{inner}" if name else inner)
        if empty:
            yield ValueText(name, "nothing in it")
    elif _is_list(value):
        yield from _entries(value, fields_of, name)
    else:
        yield ValueText(name, _text(value))


def _both(call: Exchange) -> Iterator[tuple[str, Any]]:
    return ((name, one) for name, one in zip(call._fields, call, strict=True) if one is not None)


def _entries(values: Sequence[Any], fields_of: Fields, name: str) -> Iterator[ValueText]:
    """A list: numbers and texts in one row; each message by itself."""
    if not len(values) or fields_of(values[0]) is None:
        first = ", ".join(_text(one) for one in islice(values, SHOWN_NUMBERS))
        more = "" if len(values) <= SHOWN_NUMBERS else f", … ({len(values):,} entries)"
        yield ValueText(name, f"{first}{more}" if len(values) else "0 entries")
        return
    count = "1 entry" if len(values) == 1 else f"{len(values):,} entries"
    yield ValueText(
        name, count if len(values) <= SHOWN_MESSAGES else f"{count}, the first {SHOWN_MESSAGES} of them here"
    )
    for number, one in enumerate(islice(values, SHOWN_MESSAGES)):
        yield from value_texts(one, fields_of, f"{name}[{number}]")


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)


def _text(value: Any) -> str:
    """A number, a text or bytes, in a row."""
    if isinstance(value, Plain):
        return str(value)
    if isinstance(value, float | np.floating):
        return _number(float(value))
    if isinstance(value, str):
        more = "" if len(value) <= SHOWN_CHARACTERS else f" … ({len(value):,} characters)"
        return repr(value[:SHOWN_CHARACTERS]) + more
    if isinstance(value, bytes):
        more = "" if len(value) <= SHOWN_NUMBERS else f" … ({len(value):,} bytes)"
        return value[:SHOWN_NUMBERS].hex(" ") + more if value else "0 bytes"
    return str(value)


def _number(value: float) -> str:
    """A number with the digits that it has: those of a float32 if it is one."""
    try:
        single = struct.unpack("<f", struct.pack("<f", value))[0] == value
    except OverflowError:
        single = False
    return f"{value:.{7 if single else 10}g}"
