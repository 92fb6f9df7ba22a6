"""Elements of an OpenDRIVE file, whose attributes are checked as they are read.

Every value that comes out is finite and small enough to calculate with, so nothing behind the reader can overflow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from dorosim.ground.error import InputError
from dorosim.road.opendrive.own_data import PREFIX
from dorosim.road.opendrive.value import AtLeast, Named, OneOf

R = TypeVar("R")

_MAX_NUMBER = 1e9
"""A length, angle or coefficient beyond this is on no map; smaller ones cannot overflow in a cubic."""

_ROUNDING = 1e-6
"""So far below its least value a number is taken for one that a program has rounded."""

_MAX_INT = 2**31 - 1
_MAX_SHOWN = 40
_TRUE, _FALSE = ("true", "1", "yes"), ("false", "0", "no")


class _FieldRule(NamedTuple):
    """How a field of a record is read."""

    name: str
    attribute: str
    kind: type
    default: Any
    least: float | None
    words: tuple[str, ...]


def _rule(name: str, hint: Any, default: Any) -> _FieldRule:
    """The rule of a field, from its name, type and default."""
    extras: list[Any] = []
    while get_origin(hint) in (Annotated, Union, UnionType):
        if get_origin(hint) is Annotated:
            hint, *more = get_args(hint)
            extras += more
        else:
            hint = next(part for part in get_args(hint) if part is not NoneType)
    first, *rest = name.split("_")
    attribute = next((one.name for one in extras if isinstance(one, Named)), first + "".join(map(str.title, rest)))
    least = next((one.value for one in extras if isinstance(one, AtLeast)), None)
    words = next((one.words for one in extras if isinstance(one, OneOf)), ())
    return _FieldRule(name, attribute, hint, default, least, words)


@cache
def _rules_of(kind: Any) -> tuple[_FieldRule, ...]:
    """How the fields of a record are read that are single values."""
    hints = get_type_hints(kind, include_extras=True)
    rules = (_rule(item.name, hints[item.name], item.default) for item in fields(kind))
    return tuple(rule for rule in rules if rule.kind in (str, int, float, bool))


class OdrElement:
    """One element of a file.

    Args:
        source: the file, as messages name it.
        place: what it belongs to, as messages name it, such as "road 5".
        node: the element of lxml; tags have no namespace.
    """

    __slots__ = ("node", "place", "source")

    def __init__(self, source: str, place: str, node: Any) -> None:
        self.source = source
        self.place = place
        self.node = node

    @property
    def tag(self) -> str:
        """Its name."""
        return cast(str, self.node.tag)

    def refuse(self, attribute: str, problem: str, cure: str = "") -> InputError:
        """The error that names the line, what the element belongs to, and the attribute where there is one."""
        parts = [f"line {self.node.sourceline}", self.place, f"<{self.tag}>"]
        if attribute:
            parts.append(f"attribute {attribute!r}")
        return InputError(self.source, ", ".join(part for part in parts if part), problem, cure)

    def enter(self, kind: str) -> None:
        """Name this element by its id in messages about it and what is in it.

        Raises:
            InputError: it has no id.
        """
        name = self.text("id")
        if not name:
            raise self.refuse("id", "is empty", "give it one")
        shown = name if len(name) <= _MAX_SHOWN else f"{name[: _MAX_SHOWN - 3]}..."
        self.place = ", ".join(part for part in (self.place, f"{kind} {shown}") if part)

    def children(self, *tags: str) -> Iterator[OdrElement]:
        """Elements directly in this one, of these names."""
        for node in self.node.iterchildren(*tags):
            yield OdrElement(self.source, self.place, node)

    def child(self, *tags: str) -> OdrElement | None:
        """The first element directly in this one of these names, or None."""
        return next(self.children(*tags), None)

    def inside(self, *path: str) -> Iterator[OdrElement]:
        """Elements along a path of names, such as all `geometry` in all `planView`."""
        if len(path) == 1:
            yield from self.children(path[0])
            return
        for one in self.children(path[0]):
            yield from one.inside(*path[1:])

    def user_data(self) -> dict[str, str]:
        """What dorosim has written into this element for itself; of others nothing."""
        found = ((one.text("code", ""), one.text("value", "")) for one in self.children("userData"))
        return {code: value for code, value in found if code.startswith(PREFIX)}

    def text(self, attribute: str, default: str | None = None) -> str:
        """A text; without `default` it must be there."""
        found = self.node.get(attribute)
        if found is None:
            if default is None:
                raise self.refuse(attribute, "is missing", "add it")
            return default
        return cast(str, found).strip()

    def number(self, attribute: str, default: float | None = None, least: float | None = None) -> float:
        """A finite number; without `default` it must be there."""
        found = self.node.get(attribute)
        if found is None:
            if default is None:
                raise self.refuse(attribute, "is missing", "add it")
            return default
        try:
            number = float(found)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self.refuse(attribute, f"expected a finite number, found {_shown(found)}", "correct the value")
        if abs(number) > _MAX_NUMBER:
            raise self.refuse(attribute, f"{number:g} is beyond any map", "give metres and radians")
        if least is not None and number < least:
            if number > least - _ROUNDING:
                return least
            raise self.refuse(attribute, f"{number:g} is less than {least:g}", "correct the value")
        return number

    def numbers(self, attribute: str) -> tuple[float, ...]:
        """The finite numbers of a list with spaces; none where it is not there."""
        found = []
        for text in (self.node.get(attribute) or "").split():
            try:
                number = float(text)
            except ValueError:
                number = math.nan
            if not abs(number) <= _MAX_NUMBER:
                raise self.refuse(attribute, f"expected finite numbers, found {_shown(text)}", "correct the value")
            found.append(number)
        return tuple(found)

    def integer(self, attribute: str, default: int | None = None) -> int:
        """A whole number; without `default` it must be there."""
        found = self.node.get(attribute)
        if found is None:
            if default is None:
                raise self.refuse(attribute, "is missing", "add it")
            return default
        try:
            number = int(found) if len(found) <= _MAX_SHOWN else _MAX_INT + 1
        except ValueError:
            raise self.refuse(
                attribute, f"expected a whole number, found {_shown(found)}", "correct the value"
            ) from None
        if abs(number) > _MAX_INT:
            raise self.refuse(attribute, f"{_shown(found)} is out of range", "correct the value")
        return number

    def flag(self, attribute: str, default: bool = False) -> bool:
        """True or false, as such, as 1 or 0, or as yes or no."""
        found = self.node.get(attribute)
        if found is None:
            return default
        word = cast(str, found).strip().lower()
        if word not in (*_TRUE, *_FALSE):
            raise self.refuse(attribute, f"expected true or false, found {_shown(found)}", "correct the value")
        return word in _TRUE

    def word(self, attribute: str, words: tuple[str, ...], default: str | None = None) -> str:
        """One of some words, in any case; without `default` it must be there."""
        found = self.text(attribute, default)
        for word in words:
            if found == word or found.lower() == word.lower():
                return word
        allowed = ", ".join(word for word in words if word)
        raise self.refuse(attribute, f"expected one of {allowed}, found {_shown(found)}", "correct the value")

    def record(self, kind: type[R], **known: Any) -> R:
        """A record of this element: each field that is not `known` from its attribute.

        Raises:
            InputError: an attribute is missing or has no valid value.
        """
        values = dict(known)
        for rule in _rules_of(cast(Any, kind)):
            if rule.name not in known:
                values[rule.name] = self._value(rule)
        return kind(**values)

    def _value(self, rule: _FieldRule) -> Any:
        """The value of a field."""
        if not self.node.get(rule.attribute):
            if rule.default is MISSING:
                raise self.refuse(rule.attribute, "is missing", "add it")
            return rule.default
        if rule.kind is float:
            return self.number(rule.attribute, None, rule.least)
        if rule.kind is int:
            return self.integer(rule.attribute)
        if rule.kind is bool:
            return self.flag(rule.attribute)
        return self.word(rule.attribute, rule.words) if rule.words else self.text(rule.attribute)


def _shown(text: str) -> str:
    """A wrong value, short enough for a message of one line."""
    return repr(text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}...")
