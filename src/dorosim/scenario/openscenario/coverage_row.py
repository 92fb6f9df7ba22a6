"""A row of the coverage of OpenSCENARIO's types."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Support(StrEnum):
    """How much of a type has its effect."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"


class Coverage(NamedTuple):
    """A row.

    Attributes:
        support: how much of the type has its effect.
        test: of the effect, as pytest names it: path, `::`, and name of the test.
    """

    support: Support
    test: str


def rows_of(tests: Mapping[str, Mapping[str, str]], folder: str = "tests/scenario/openscenario") -> dict[str, Coverage]:
    """Rows of types that have their whole effect, by the type's name in the standard.

    Args:
        tests: the types, with blanks between them, by the file and the name of the test that holds their effect.
        folder: of the files.
    """
    return {
        name: Coverage(Support.YES, f"{folder}/{file}::{test}")
        for file, of_file in tests.items()
        for test, names in of_file.items()
        for name in names.split()
    }
