"""Expressions of OpenSCENARIO, `${...}`: read into a tree by a parser of our own, and calculated.

Numbers, parameters as `$name`, brackets, `+ - * / %`, `not`, `and`, `or`, and the functions of 1.1 to 1.3 (chapter
Expressions). `pi` is of 1.4, and in use already. A result is finite, or the expression is refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

Value = bool | int | float | str | datetime
"""The value of a parameter: a whole number, number, truth value, text or date."""

Number = bool | int | float

MAX_LENGTH = 2_000
_MAX_DEPTH = 50
_MAX_RESULT = 1e300
"""A whole number beyond it could grow without end."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|\$(?P<parameter>[A-Za-z_]\w*)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>[-+*/%(),]))",
    re.ASCII,
)


class ExpressionError(ValueError):
    """An expression that cannot be read or calculated; its text says why."""


def _round(value: float) -> int:
    """The nearest whole number, away from zero from the middle between two."""
    return math.floor(value + 0.5) if value >= 0 else math.ceil(value - 0.5)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _remainder(value: float, divisor: float) -> float:
    """The remainder, with the sign of what is divided."""
    return math.fmod(value, divisor)


_FUNCTIONS: dict[str, tuple[int, Callable[..., Number]]] = {
    "round": (1, _round),
    "floor": (1, math.floor),
    "ceil": (1, math.ceil),
    "sqrt": (1, math.sqrt),
    "pow": (2, math.pow),
    "sin": (1, math.sin),
    "cos": (1, math.cos),
    "tan": (1, math.tan),
    "asin": (1, math.asin),
    "acos": (1, math.acos),
    "atan": (1, math.atan),
    "sign": (1, _sign),
    "abs": (1, abs),
    "max": (2, max),
    "min": (2, min),
}
"""Number of arguments, and what is calculated."""

_CONSTANTS: dict[str, Number] = {"pi": math.pi, "true": True, "false": False}


class _Tree(NamedTuple):
    """An operator or function with its arguments; a number or parameter has none."""

    operator: str
    value: Number | str = 0
    arguments: tuple[_Tree, ...] = ()


def _tokens(text: str) -> list[tuple[str, str]]:
    """Kind and text of each token."""
    found: list[tuple[str, str]] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            raise ExpressionError(f"cannot be read from {text[place : place + 10].strip()!r} on")
        kind = match.lastgroup or ""
        found.append((kind, match[kind]))
        place = match.end()
    return found


class _Parser:
    """Reads tokens into a tree: each method takes one level of precedence, the lowest first."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self._next = 0
        self._depth = 0

    def whole(self) -> _Tree:
        """The tree of all tokens."""
        tree = self._or()
        if self._next < len(self._tokens):
            raise ExpressionError(f"has {self._tokens[self._next][1]!r} where an operator is expected")
        return tree

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._next] if self._next < len(self._tokens) else ("", "")

    def _take(self, *texts: str) -> str:
        """The next token if it is one of these, else ""."""
        kind, text = self._peek()
        if kind in ("sign", "name") and text in texts:
            self._next += 1
            return text
        return ""

    def _expect(self, text: str) -> None:
        if not self._take(text):
            found = self._peek()[1]
            raise ExpressionError(f"expected {text!r}, found {found!r}" if found else f"ends before {text!r}")

    def _left(self, below: Callable[[], _Tree], *operators: str) -> _Tree:
        """Operators of one level, which group from the left."""
        tree = below()
        while operator := self._take(*operators):
            tree = _Tree(operator, arguments=(tree, below()))
        return tree

    def _or(self) -> _Tree:
        return self._left(self._and, "or")

    def _and(self) -> _Tree:
        return self._left(self._sum, "and")

    def _sum(self) -> _Tree:
        return self._left(self._product, "+", "-")

    def _product(self) -> _Tree:
        return self._left(self._unary, "*", "/", "%")

    def _unary(self) -> _Tree:
        operator = self._take("-", "+", "not")
        if not operator:
            return self._atom()
        self._enter()
        tree = _Tree(f"unary {operator}", arguments=(self._unary(),))
        self._depth -= 1
        return tree

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ExpressionError(f"is nested more than {_MAX_DEPTH} deep")

    def _atom(self) -> _Tree:
        kind, text = self._peek()
        self._next += 1
        if kind == "number":
            return _Tree("number", float(text) if re.search("[.eE]", text) else int(text))
        if kind == "parameter":
            return _Tree("parameter", text)
        if kind == "name" and text in _FUNCTIONS:
            return self._call(text)
        if kind == "name" and text in _CONSTANTS:
            return _Tree("number", _CONSTANTS[text])
        if kind == "name":
            raise ExpressionError(f"knows no function or constant {text!r}; parameters have a $ before them")
        if text == "(":
            self._enter()
            tree = self._or()
            self._expect(")")
            self._depth -= 1
            return tree
        raise ExpressionError(f"has {text!r} where a value is expected" if text else "ends where a value is expected")

    def _call(self, name: str) -> _Tree:
        """A function with its arguments."""
        count = _FUNCTIONS[name][0]
        self._enter()
        self._expect("(")
        arguments = [self._or()]
        while self._take(","):
            arguments.append(self._or())
        self._expect(")")
        self._depth -= 1
        if len(arguments) != count:
            raise ExpressionError(f"gives {name} {len(arguments)} values, and it takes {count}")
        return _Tree(name, arguments=tuple(arguments))


@lru_cache(maxsize=4_096)
def _parsed(text: str) -> _Tree:
    """The tree of an expression."""
    return _Parser(_tokens(text)).whole()


def evaluate(text: str, parameters: Mapping[str, Value]) -> Number:
    """The value of an expression.

    Args:
        text: what is between `${` and `}`.
        parameters: values by name.

    Raises:
        ExpressionError: it cannot be read, names a parameter that is not there, or has no finite value.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"is longer than {MAX_LENGTH} letters")
    try:
        result = _value(_parsed(text), parameters)
    except ZeroDivisionError:
        raise ExpressionError("divides by zero") from None
    except OverflowError:
        raise ExpressionError("is larger than a number can be") from None
    except RecursionError:
        raise ExpressionError("is nested too deep") from None
    if not abs(result) <= _MAX_RESULT:
        raise ExpressionError("is larger than a number can be")
    return result


def _value(tree: _Tree, parameters: Mapping[str, Value]) -> Number:
    """The value of a tree."""
    if tree.operator == "number":
        assert not isinstance(tree.value, str)
        return tree.value
    if tree.operator == "parameter":
        return _number_of_parameter(str(tree.value), parameters)
    values = [_value(one, parameters) for one in tree.arguments]
    if tree.operator in ("and", "or", "unary not"):
        return _logical(tree.operator, values)
    if any(isinstance(one, bool) for one in values):
        raise ExpressionError(f"calculates with true or false by {tree.operator.removeprefix('unary ')!r}")
    return _arithmetic(tree.operator, values)


def _number_of_parameter(name: str, parameters: Mapping[str, Value]) -> Number:
    """The value of a parameter, which must be a number or a truth value."""
    if name not in parameters:
        raise ExpressionError(f"names parameter {name!r}, which is not declared here")
    found = parameters[name]
    if isinstance(found, str | datetime):
        try:
            number = float(found) if isinstance(found, str) else math.nan
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise ExpressionError(f"calculates with parameter {name!r}, which is no number")
        return number
    return found


def _logical(operator: str, values: list[Number]) -> bool:
    """The value of an operator on truth values."""
    if not all(isinstance(one, bool) for one in values):
        raise ExpressionError(f"has a number at {operator.removeprefix('unary ')!r}, which takes true or false")
    if operator == "unary not":
        return not values[0]
    return bool(values[0] and values[1]) if operator == "and" else bool(values[0] or values[1])


def _arithmetic(operator: str, values: list[Number]) -> Number:
    """The value of an operator or function on numbers."""
    first = values[0]
    match operator:
        case "unary -":
            result: Number = -first
        case "unary +":
            result = first
        case "+":
            result = first + values[1]
        case "-":
            result = first - values[1]
        case "*":
            result = first * values[1]
        case "/":
            result = first / values[1]
        case "%":
            if not values[1]:
                raise ZeroDivisionError
            result = _remainder(first, values[1])
            if isinstance(first, int) and isinstance(values[1], int):
                result = int(result)
        case function:
            try:
                result = _FUNCTIONS[function][1](*values)
            except ValueError:
                shown = ", ".join(f"{one:g}" for one in values)
                raise ExpressionError(f"has no value at {function}({shown})") from None
    if abs(result) > _MAX_RESULT:
        raise OverflowError
    return result
