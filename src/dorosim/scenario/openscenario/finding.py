"""What a file breaks or leaves open: each with its place and a cure, all of a file at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

from dorosim.ground.error import InputError, one_line

MAX_FINDINGS = 1_000
"""So many are kept of one file; a last one says how many more there are."""

_MAX_SHOWN = 60
_MAX_ABOVE = 3
"""Named elements above the one that a finding is about."""


class Level(IntEnum):
    """How grave a finding is."""

    NOTE = 0
    """Deprecated, or guessed."""
    BREAK = 1
    """Breaks the version of the standard that the file declares; understood all the same."""
    ERROR = 2
    """Cannot be understood: the file cannot be run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is wrong at one place.

    Attributes:
        level: how grave it is.
        source: the file, as messages name it.
        line: line of the element; 0 for the whole file.
        place: named elements above it, and the element.
        path: of the element in the file, as XPath; "" where it is not known.
        attribute: the attribute, "" for the element itself.
        problem: what is wrong.
        cure: what to do, or "".
    """

    level: Level
    source: str
    line: int
    place: str
    path: str = ""
    attribute: str = ""
    problem: str
    cure: str = ""

    def __str__(self) -> str:
        """One line: file, line, place, problem and cure."""
        return str(self.error())

    def error(self) -> InputError:
        """The finding as an error."""
        parts = (
            f"line {self.line}" if self.line else "",
            self.place,
            self.attribute and f"attribute {self.attribute!r}",
        )
        return InputError(self.source, ", ".join(part for part in parts if part), self.problem, self.cure)


class _Key(NamedTuple):
    """What makes two findings the same one."""

    source: str
    line: int
    place: str
    path: str
    attribute: str


class Findings:
    """All findings of a file, at most `MAX_FINDINGS`.

    Args:
        source: the file, as messages name it.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.left_out = 0
        self.errors = 0
        self._found: dict[_Key, Finding] = {}

    def add(
        self, level: Level, node: Any, problem: str, cure: str = "", *, attribute: str = "", source: str = ""
    ) -> None:
        """Keep a finding; of two about one attribute the graver one stays, of two elements both do.

        Args:
            level: how grave it is.
            node: the element, of lxml; None for the whole file.
            problem: what is wrong.
            cure: what to do.
            attribute: the attribute, "" for the element itself.
            source: the file, if it is another one.
        """
        line = 0 if node is None else node.sourceline or 0
        known = node is not None and len(self._found) < MAX_FINDINGS
        where = (source or self.source, line, place_of(node) if known else "")
        path = node.getroottree().getpath(node) if known else ""
        self.add_at(level, where, problem, cure, attribute=attribute, path=path)

    def add_at(
        self,
        level: Level,
        where: tuple[str, int, str],
        problem: str,
        cure: str = "",
        *,
        attribute: str = "",
        path: str = "",
    ) -> None:
        """Keep a finding, as `add`.

        Args:
            level: how grave it is.
            where: file, line and place.
            problem: what is wrong.
            cure: what to do.
            attribute: the attribute, "" for the element itself.
            path: of the element.
        """
        self.errors += level is Level.ERROR
        if len(self._found) >= MAX_FINDINGS:
            self.left_out += 1
            return
        key = _Key(*where, path, attribute or problem)
        before = self._found.get(key)
        if before is None or before.level < level:
            self._found[key] = Finding(
                level=level,
                source=key.source,
                line=key.line,
                place=key.place,
                path=path,
                attribute=attribute,
                problem=one_line(problem),
                cure=cure,
            )

    def found(self) -> tuple[Finding, ...]:
        """All findings, by file and line; if some were left out, a last one says how many."""
        ordered = sorted(self._found.values(), key=lambda one: (one.source != self.source, one.source, one.line))
        if self.left_out:
            problem = f"there are {self.left_out:,} more findings"
            level = Level.ERROR if self.errors else Level.BREAK
            ordered.append(Finding(level=level, source=self.source, line=0, place="", problem=problem))
        return tuple(ordered)


def shown(text: str) -> str:
    """A wrong value, short enough for a message of one line."""
    return repr(text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}...")


def place_of(node: Any) -> str:
    """Named elements above an element, and the element: "Act 'cut in', Event 'brake', <SpeedAction>"."""
    above: list[str] = []
    one = node.getparent()
    while one is not None and len(above) < _MAX_ABOVE:
        name = one.get("name") or one.get("entityRef")
        if name:
            above.append(f"{one.tag} {shown(name)}")
        one = one.getparent()
    return ", ".join((*reversed(above), f"<{node.tag}>"))
