"""Values of attributes: texts, references to parameters and expressions become numbers, words, texts and dates."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from dorosim.scenario.openscenario.expression import ExpressionError, Value, evaluate
from dorosim.scenario.openscenario.finding import shown
from dorosim.scenario.openscenario.lexical import LIMITS, PARAMETER, WANTED
from dorosim.scenario.openscenario.record.parameter import ParameterType
from dorosim.scenario.openscenario.record.table import Word

MAX_NUMBER = 1e15
"""Beyond this there is no length, time, mass or speed; smaller ones cannot overflow where they are multiplied."""

MAX_TEXT = 10_000
_EXPRESSION = re.compile(r"\$\{(.*)\}", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"([+-]?)inf(inity)?", re.IGNORECASE)
_TRUTH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}

SIMPLE_OF_PARAMETER: dict[str, str] = {
    ParameterType.BOOLEAN: "Boolean",
    ParameterType.DATE_TIME: "DateTime",
    ParameterType.DOUBLE: "Double",
    ParameterType.INTEGER: "Int",
    ParameterType.INT: "Int",
    ParameterType.STRING: "String",
    ParameterType.UNSIGNED_INT: "UnsignedInt",
    ParameterType.UNSIGNED_SHORT: "UnsignedShort",
}
"""The simple type of each type of parameters."""


class BadValueError(ValueError):
    """A value that cannot be understood; its text says why, and `cure` what to do."""

    def __init__(self, problem: str, cure: str = "correct it") -> None:
        super().__init__(problem)
        self.cure = cure


def resolved(text: str, parameters: Mapping[str, Value]) -> Value:
    """The value of an attribute's text: of the parameter that it names, of its expression, or the text itself.

    Raises:
        BadValueError: the parameter is not declared, or the expression has no value.
    """
    if not text.startswith("$"):
        return text
    whole = PARAMETER.fullmatch(text)
    if whole:
        if whole[1] not in parameters:
            known = ", ".join(sorted(parameters)[:10])
            cure = f"declare it, or take one of {known}" if known else "declare it"
            raise BadValueError(f"parameter {shown(text)} is not declared here", cure)
        return parameters[whole[1]]
    expression = _EXPRESSION.fullmatch(text)
    if expression is None:
        return text
    try:
        return evaluate(expression[1], parameters)
    except ExpressionError as error:
        raise BadValueError(f"expression {shown(text)} {error}") from None


def text_of(value: Value) -> str:
    """A value as the text of an attribute."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return value.isoformat() if isinstance(value, datetime) else str(value)


def double_of(value: Value, *, infinite: bool = False) -> float:
    """A value as a finite number; with `infinite`, for limits, INF is one too.

    Raises:
        BadValueError: it is none.
    """
    if isinstance(value, bool | datetime):
        raise BadValueError(f"expected a number, found {shown(text_of(value))}")
    if isinstance(value, str):
        text = value.strip()
        endless = _INFINITE.fullmatch(text)
        if endless and infinite:
            return -math.inf if endless[1] == "-" else math.inf
        if not _NUMBER.fullmatch(text):
            raise BadValueError(f"expected a number, found {shown(value)}", "give a finite number")
        number = float(text)
    else:
        number = float(value)
    if not abs(number) <= MAX_NUMBER:
        raise BadValueError(f"{number:g} is beyond {MAX_NUMBER:g}", "give SI units")
    return number


def whole_of(value: Value, type_name: str) -> int:
    """A value as a whole number of a type.

    Raises:
        BadValueError: it is none, or out of range.
    """
    number = double_of(value)
    if not number.is_integer():
        raise BadValueError(f"expected {WANTED[type_name]}, found {shown(text_of(value))}", "round it")
    least, greatest = LIMITS[type_name]
    if not least <= number <= greatest:
        raise BadValueError(f"{number:.0f} is not from {least} to {greatest}")
    return int(number)


def truth_of(value: Value) -> bool:
    """A value as true or false.

    Raises:
        BadValueError: it is neither.
    """
    if isinstance(value, bool):
        return value
    found = _TRUTH.get(text_of(value).strip().lower())
    if found is None:
        raise BadValueError(f"expected true or false, found {shown(text_of(value))}")
    return found


def date_of(value: Value) -> datetime:
    """A value as a date and time; without a zone it is UTC.

    Raises:
        BadValueError: it is none.
    """
    if isinstance(value, datetime):
        return value
    text = text_of(value).strip()
    next_day = "T24:00:00" in text
    try:
        found = datetime.fromisoformat(text.replace("T24:00:00", "T00:00:00"))
        found += timedelta(days=int(next_day))
    except (ValueError, OverflowError):
        raise BadValueError(f"expected {WANTED['DateTime']}, found {shown(text)}") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def string_of(value: Value) -> str:
    """A value as a text.

    Raises:
        BadValueError: it is too long.
    """
    text = text_of(value)
    if len(text) > MAX_TEXT:
        raise BadValueError(f"is longer than {MAX_TEXT} letters", "shorten it")
    return text


def value_of_type(value: Value, type_name: str, *, infinite: bool = False) -> Value:
    """A value as one of a simple type of the standard.

    Raises:
        BadValueError: it is none.
    """
    match type_name:
        case "Double":
            return double_of(value, infinite=infinite)
        case "Boolean":
            return truth_of(value)
        case "String":
            return string_of(value)
        case "DateTime":
            return date_of(value)
    return whole_of(value, type_name)


def word_of(value: Value, kind: type[Word]) -> tuple[Word, bool]:
    """A value as a word, and whether the case of its letters had to be forgiven.

    Raises:
        BadValueError: it is none of the words.
    """
    text = text_of(value)
    found = _words(kind).get(text.strip())
    if found is not None:
        return found, False
    found = {str(word).lower(): word for word in kind}.get(text.strip().lower())
    if found is None:
        allowed = ", ".join(word for word in kind if not word.deprecated)
        raise BadValueError(f"expected one of {allowed}, found {shown(text)}")
    return found, True


def _words(kind: type[Word]) -> Mapping[Any, Word]:
    """The members of an enumeration, by their texts."""
    return kind._value2member_map_  # type: ignore[return-value]
