"""What a map itself puts beside its roads, other than lights and signs: upright boxes and posts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class RoadsideKind(Enum):
    """What an object is; walls are long, blocks are anything else that is solid."""

    BUILDING = "building"
    TREE = "tree"
    POLE = "pole"
    STREET_LAMP = "street lamp"
    WALL = "wall"
    BLOCK = "block"


class RoadsideSurface(Enum):
    """What a wall or block is made of."""

    CONCRETE = 0
    METAL = 1
    HEDGE = 2
    WOOD = 3
    PLASTER = 4


@dataclass(slots=True, kw_only=True)
class RoadsideObject:
    """An object of a map that stands upright.

    Attributes:
        point: middle of its base in map [m].
        offset: how far its base lies over the ground, as the map says [m].
        heading: of its length in map [rad]; of a street lamp from its mast to the road.
        length, width, height: extents [m]; of a pole its diameter.
        rise: from one end of its length to the other [m].
    """

    idx: str
    kind: RoadsideKind
    point: tuple[float, float, float]
    offset: float = 0.0
    heading: float = 0.0
    length: float
    width: float
    height: float
    rise: float = 0.0
    surface: RoadsideSurface = RoadsideSurface.CONCRETE
