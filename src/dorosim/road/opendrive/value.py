"""Types of attributes with the values that they may have, for the fields of records.

All lengths are in m, angles in rad, as in the standard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The least value of a number."""

    value: float


@dataclass(frozen=True, slots=True)
class OneOf:
    """The words that an attribute may be."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """The name of an attribute in the file, where it is not that of the field in mixed case."""

    name: str


Distance = Annotated[float, AtLeast(0.0)]
"""A length along the road, 0 or more [m]."""
