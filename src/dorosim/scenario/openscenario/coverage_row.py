"""A row of the coverage of OpenSCENARIO's types."""

from __future__ import annotations

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
