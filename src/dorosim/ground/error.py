"""The errors that dorosim raises on purpose."""

from __future__ import annotations

import json


def one_line(text: str) -> str:
    """A text that may hold anything, from a file or a peer, as one line that a terminal can show."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def reason_of(error: OSError | ValueError) -> str:
    """The reason why a file could not be opened, read or written, as the system gives it, without path and number."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def kind_of(value: object) -> str:
    """The kind of a wrong value of a JSON file, short enough for a message of one line."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if value is None:
        return "nothing"
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."


class DorosimError(Exception):
    """An error that is reported to the user in one line, without a traceback."""


class InputError(DorosimError):
    """A file, setting or argument that cannot be used.

    Args:
        source: the file or argument, as the user named it.
        place: where inside it (key path, line, record), or an empty string.
        problem: what is wrong there.
        cure: what to do about it, or an empty string.
    """

    def __init__(self, source: str, place: str, problem: str, cure: str = "") -> None:
        self.source = source
        self.place = place
        self.problem = problem
        self.cure = cure
        super().__init__(str(self))

    def __str__(self) -> str:
        """One line: source, place, problem and cure."""
        head = ": ".join(part for part in (self.source, self.place, self.problem) if part)
        return one_line(f"{head}; {self.cure}" if self.cure else head)
