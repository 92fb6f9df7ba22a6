"""A setting: what it is if it is not given, and its bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

INF = math.inf


@dataclass(frozen=True, slots=True)
class Setting:
    """What a setting is if it is not given, and its bounds.

    Attributes:
        default: None where the simulator has one by model. least, most: of each number; `above`: least is left out.
    """

    default: Any
    least: float = -INF
    most: float = INF
    above: bool = False


@cache
def settings_of(kind: type) -> dict[str, tuple[Any, Setting]]:
    """The type and the default and bounds of each setting, by name."""
    found = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        assert get_origin(hint) is Annotated
        bare, *notes = get_args(hint)
        found[name] = bare, next(one for one in notes if isinstance(one, Setting))
    return found
