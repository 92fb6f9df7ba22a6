"""Takes values out of the tables of a plan, and gathers all that is wrong with them, with line and cure."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from dorosim.ground.error import InputError, kind_of

PLAN_PAGE = "docs/how-to/sweep.md"
_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\-\"']+)\s*=")


def lines_of_keys(text: str) -> dict[str, int]:
    """The number of the line of each table and key of a TOML text, by place, such as `scenario[0].file`."""
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header is not None and "=" not in line.partition("#")[0]:
            name = header[2].replace('"', "").replace("'", "")
            table = name
            if header[1] == "[[":
                counts[name] = counts.get(name, -1) + 1
                table = f"{name}[{counts[name]}]"
            found.setdefault(table, number)
        elif (key := _KEY.match(line)) is not None:
            name = key[1].replace('"', "").replace("'", "")
            found.setdefault(f"{table}.{name}".lstrip("."), number)
    return found


class PlanTable:
    """A table of a plan, of which keys are taken one after the other.

    Args:
        tree: as it was read. place: of the table, "" for the plan itself. source: the plan.
        lines: of keys, by place. problems: takes what is wrong.
    """

    def __init__(
        self, tree: Any, place: str, source: str, lines: Mapping[str, int], problems: list[InputError]
    ) -> None:
        self._place, self._source, self.lines, self.problems = place, source, lines, problems
        self._left: dict[str, Any] = dict(tree) if isinstance(tree, dict) else {}
        self._known: list[str] = []
        if not isinstance(tree, dict):
            self.refuse("", f"is {kind_of(tree)}", "write a table")

    def has(self, key: str) -> bool:
        """Whether the table has a key that was not taken yet."""
        return key in self._left

    def keys(self) -> tuple[str, ...]:
        """The keys that were not taken yet."""
        return tuple(self._left)

    def refuse(self, key: str, problem: str, cure: str) -> None:
        """Note what is wrong with a key."""
        place = f"{self._place}.{key}".strip(".")
        line = self.lines.get(place) or self.lines.get(place.split(".")[0]) or self.lines.get(self._place)
        self.problems.append(InputError(self._source, f"line {line}: {place}" if line else place, problem, cure))

    def table(self, key: str) -> PlanTable:
        """A table in it; an empty one where it is not there."""
        found = self._take(key)
        return self._inner({} if found is None else found, key)

    def tables(self, key: str) -> list[PlanTable]:
        """A list of tables."""
        found = self._take(key)
        if found is None:
            return []
        if not isinstance(found, list):
            self.refuse(key, f"is {kind_of(found)}", f"write [[{key}]]")
            return []
        return [self._inner(one, f"{key}[{number}]") for number, one in enumerate(found)]

    def rest(self) -> dict[str, PlanTable]:
        """All that is left, as tables by their names."""
        names, self._known = list(self._left), [*self._known, *self._left]
        return {name: self._inner(self._left.pop(name), name) for name in names}

    def text(self, key: str, usual: str = "", choices: Sequence[str] = (), *, needed: bool = False) -> str:
        """A text, one of the choices where there are any."""
        found = self._take(key)
        if found is None:
            if needed:
                self.refuse(key, "is missing", f"give it, see {PLAN_PAGE}")
            return usual
        if not isinstance(found, str) or (needed and not found.strip()):
            self.refuse(key, f"is {kind_of(found)}", "write a text in quotes")
            return usual
        if choices and found not in choices:
            near = difflib.get_close_matches(found, choices, n=1)
            cure = f"did you mean {near[0]!r}?" if near else f"use {', '.join(choices)}"
            self.refuse(key, f"{found!r} is not known", cure)
            return usual
        return found

    def texts(self, key: str, usual: tuple[str, ...] = (), choices: Sequence[str] = ()) -> tuple[str, ...]:
        """A list of texts, numbers and truth values, as texts."""
        found = self._take(key)
        if found is None:
            return usual
        if not isinstance(found, list) or not all(_is_plain(one) for one in found):
            self.refuse(key, f"is {kind_of(found)}", "write a list of numbers or texts")
            return usual
        texts = tuple(text_from_value(one) for one in found)
        for one in texts:
            if choices and one not in choices:
                self.refuse(key, f"{one!r} is not known", f"use {', '.join(choices)}")
                return usual
        return texts

    def flag(self, key: str, *, usual: bool = False) -> bool:
        """True or false."""
        found = self._take(key)
        if found is not None and not isinstance(found, bool):
            self.refuse(key, f"is {kind_of(found)}", "write true or false")
            return usual
        return usual if found is None else found

    def number(self, key: str, low: float, high: float, usual: float | None = None) -> float | None:
        """A number from `low` to `high`."""
        found = self._take(key)
        if found is None:
            return usual
        if isinstance(found, bool) or not isinstance(found, int | float):
            self.refuse(key, f"is {kind_of(found)}", "write a number")
            return usual
        if not (math.isfinite(found) and low <= found <= high):
            self.refuse(key, f"{found:g} is outside {low:g} to {high:g}", "give a number inside")
            return usual
        return float(found)

    def whole(self, key: str, low: int, high: int, usual: int) -> int:
        """A whole number from `low` to `high`."""
        found = self._left.get(key)
        if isinstance(found, float) and math.isfinite(found) and not found.is_integer():
            self._take(key)
            self.refuse(key, f"{found:g} is no whole number", "write one without decimals")
            return usual
        number = self.number(key, low, high)
        return usual if number is None else int(number)

    def value(self, key: str) -> Any:
        """A value of any kind, None where it is not there."""
        return self._take(key)

    def values(self) -> dict[str, str]:
        """All that is left, as texts by name."""
        found = {}
        for key, value in self._left.items():
            if _is_plain(value):
                found[key] = text_from_value(value)
            else:
                self.refuse(key, f"is {kind_of(value)}", "write a number or a text")
        self._left.clear()
        return found

    def end(self) -> None:
        """Refuse keys that are not known."""
        for key in self._left:
            near = difflib.get_close_matches(key, self._known, n=1)
            cure = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(self._known)}; see {PLAN_PAGE}"
            self.refuse(key, "is not a known key", cure)

    def _take(self, key: str) -> Any:
        self._known.append(key)
        return self._left.pop(key, None)

    def _inner(self, tree: Any, key: str) -> PlanTable:
        return PlanTable(tree, f"{self._place}.{key}".strip("."), self._source, self.lines, self.problems)


def _is_plain(value: object) -> bool:
    return isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))


def text_from_value(value: object) -> str:
    """A value of a parameter as OpenSCENARIO writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value)
