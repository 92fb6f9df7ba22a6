"""The findings of a check of the machine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    """As it should be."""
    NOTE = "note"
    """Something is slower or less than it could be; a run works."""
    PROBLEM = "problem"
    """A run does not work so."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line.

    Attributes:
        name: what was looked at. level: how much it matters.
        text: what was found. cure: what to do about it, "" where there is nothing to do.
    """

    name: str
    level: Level
    text: str
    cure: str = ""


Findings = Iterable[Finding]


def ok(name: str, text: str) -> Finding:
    """All is well."""
    return Finding(name, Level.OK, text)


def note(name: str, text: str, cure: str = "") -> Finding:
    """Something is less than it could be."""
    return Finding(name, Level.NOTE, text, cure)


def note_if(wrong: bool, name: str, text: str, cure: str) -> Finding:
    """A note where something is less than it could be, else all is well."""
    return note(name, text, cure) if wrong else ok(name, text)


def problem(name: str, text: str, cure: str = "") -> Finding:
    """Something prevents a run."""
    return Finding(name, Level.PROBLEM, text, cure)
