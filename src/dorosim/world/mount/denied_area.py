"""Areas in which a receiver of satellite navigation has no reception."""

from __future__ import annotations

from typing import Annotated

import msgspec


class DeniedCircle(msgspec.Struct, frozen=True, kw_only=True, tag="circle", forbid_unknown_fields=True):
    """A cylinder without reception.

    Attributes:
        centre: in map [m]. radius: [m].
        low, high: between which heights of the map [m].
    """

    centre: tuple[float, float]
    radius: Annotated[float, msgspec.Meta(gt=0.0, le=1e5)]
    low: float = -1e6
    high: float = 1e6


class DeniedPolygon(msgspec.Struct, frozen=True, kw_only=True, tag="polygon", forbid_unknown_fields=True):
    """A prism without reception.

    Attributes:
        corners: in map, in order around [m].
        low, high: between which heights of the map [m].
    """

    corners: Annotated[tuple[tuple[float, float], ...], msgspec.Meta(min_length=3, max_length=1000)]
    low: float = -1e6
    high: float = 1e6
