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


def rows_by_test(folder: str, tests: Mapping[str, Mapping[str, str]]) -> dict[str, Coverage]:
    """Rows of types that have their effect, by their names.

    Args:
        folder: of the tests.
        tests: by the name of a file and that of a test in it, names of types with blanks between them.
    """
    return {
        name: Coverage(Support.YES, f"{folder}/{file}::{test}")
        for file, found in tests.items()
        for test, names in found.items()
        for name in names.split()
    }
