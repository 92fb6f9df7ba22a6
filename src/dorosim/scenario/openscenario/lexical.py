"""The simple types of OpenSCENARIO as texts: what a number, truth value or date looks like in a file."""

from __future__ import annotations

import re
from collections.abc import Callable

PARAMETER = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
"""A reference to a parameter, which is the whole of an attribute."""

_EXPRESSION = re.compile(r"\$\{[ A-Za-z0-9_+\-*/%$().,]*\}")
_DOUBLE = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|-?INF|NaN", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,20}", re.ASCII)
_BOOLEAN = ("true", "false", "1", "0")
_DATE_TIME = re.compile(
    r"-?(?:[1-9]\d{3,8}|0\d{3})-(\d\d)-(\d\d)T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?|24:00:00(\.0+)?)"
    r"(Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?",
    re.ASCII,
)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

LIMITS: dict[str, tuple[int, int]] = {
    "Int": (-(2**31), 2**31 - 1),
    "UnsignedInt": (0, 2**32 - 1),
    "UnsignedShort": (0, 2**16 - 1),
}
"""Least and greatest value of each type of whole numbers."""


def _is_whole(text: str, name: str) -> bool:
    """Whether a text is a whole number of a type."""
    least, greatest = LIMITS[name]
    return _WHOLE.fullmatch(text) is not None and least <= int(text) <= greatest


def _is_date_time(text: str) -> bool:
    """Whether a text is a date and time of XML Schema."""
    found = _DATE_TIME.fullmatch(text)
    if found is None:
        return False
    year, month, day = int(text.lstrip("-").split("-")[0]), int(found[1]), int(found[2])
    if not 1 <= month <= 12 or not 1 <= day <= _DAYS[month - 1]:
        return False
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return month != 2 or day <= 28 or is_leap


_LITERAL: dict[str, Callable[[str], bool]] = {
    "Double": lambda text: _DOUBLE.fullmatch(text) is not None,
    "Boolean": lambda text: text in _BOOLEAN,
    "DateTime": _is_date_time,
    "Int": lambda text: _is_whole(text, "Int"),
    "UnsignedInt": lambda text: _is_whole(text, "UnsignedInt"),
    "UnsignedShort": lambda text: _is_whole(text, "UnsignedShort"),
}

WANTED = {
    "Double": "a number",
    "Boolean": "true or false",
    "DateTime": "a date and time such as 2024-05-31T12:00:00",
    "Int": "a whole number",
    "UnsignedInt": "a whole number from 0 on",
    "UnsignedShort": "a whole number from 0 to 65535",
}
"""What is expected of each type, in words."""


def is_valid(text: str, type_name: str, version: str) -> bool:
    """Whether an attribute's text is valid for a simple type in a version of the standard.

    Args:
        text: of the attribute.
        type_name: of the standard, other than String, for which every text is valid.
        version: of the standard; 1.0 has no expressions.
    """
    if text.startswith("$"):
        if PARAMETER.fullmatch(text):
            return True
        has_expressions = version != "1.0" and type_name != "DateTime"
        return has_expressions and _EXPRESSION.fullmatch(text) is not None
    return _LITERAL[type_name](text.strip(" \t\r\n"))
