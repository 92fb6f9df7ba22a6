"""The tables of what stands beside the road, and how they are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Self

import numpy as np

from dorosim.ground.column import Columns, IntArray, float64, int64
from dorosim.ground.error import InputError
from dorosim.ground.unit import KILOGRAM, METRE, METRE_PER_SECOND, RADIAN
from dorosim.road.scenery.grid_kernel import PartGrid, grid_of_parts


class ObjectKind(IntEnum):
    """What an object beside the road is; a number keeps its meaning."""

    BUILDING = 0
    TREE = 1
    SIGN = 2
    SIGNAL = 3
    PARAPET = 4
    STREET_LAMP = 5
    POLE = 6
    WALL = 7
    BLOCK = 8


class ObjectTable(Columns):
    """One row per object. Heights are in the map; an object stands upright."""

    x = float64(METRE, "middle of the base, east", frame="map")
    y = float64(METRE, "middle of the base, north", frame="map")
    z = float64(METRE, "height of the ground under it", frame="map")
    heading = float64(RADIAN, "of its x axis: where a sign or light faces, along a building or wall", frame="map")
    length = float64(METRE, "along its x axis; of a sign or tree of what is seen")
    width = float64(METRE, "across it")
    height = float64(METRE, "above the ground")
    head_x = float64(METRE, "middle of the plate or head, east; the base of what has neither", frame="map")
    head_y = float64(METRE, "the same, north", frame="map")
    head_z = float64(METRE, "the same, up", frame="map")
    head_length = float64(METRE, "of the plate or head, along the object's x axis; 0 of what has neither")
    head_width = float64(METRE, "the same across it")
    head_height = float64(METRE, "the same upright")
    rise = float64(METRE, "of a wall or parapet, from its end at negative x to the other; 0 of all else")
    breakaway_speed = float64(METRE_PER_SECOND, "closing speed from which on it gives way; 0: it never does")
    mass = float64(KILOGRAM, "once it has given way; 0 of what never does")
    kind = int64("ObjectKind")
    source = int64("row of the light or sign in the map; -1 of all else")
    variant = int64("number of its shape or surface among those of its kind")
    roof = int64("of a building 1: gabled, 0: flat")


class PartTable(Columns):
    """One row per solid part: a box, turned about the vertical axis only. Rows stand in the order of objects."""

    x = float64(METRE, "middle, east", frame="map")
    y = float64(METRE, "middle, north", frame="map")
    z = float64(METRE, "middle, up", frame="map")
    yaw = float64(RADIAN, "counter-clockwise from east", frame="map")
    half_length = float64(METRE, "half of the extent along its x")
    half_width = float64(METRE, "half of the extent along its y")
    half_height = float64(METRE, "half of the extent along z")
    object = int64("row of the object that it is part of")


def joined_parts(tables: Sequence[PartTable]) -> PartTable:
    """The rows of several tables, one after the other."""
    floats = np.concatenate([np.zeros((PartTable.float_width, 0)), *(one.floats for one in tables)], axis=1)
    ints = [np.zeros((len(PartTable.int_columns), 0), np.int64), *(one.ints for one in tables)]
    return PartTable(floats, np.concatenate(ints, axis=1))


@dataclass(frozen=True, eq=False)
class Scenery:
    """What stands beside the roads of a map, the same for collisions, sensors and the page.

    Attributes:
        objects: all of them; what an object is called in messages depends on its row (`object_id`).
        parts: what of them is solid; an object may have none.
    """

    objects: ObjectTable
    parts: PartTable

    @classmethod
    def empty(cls) -> Self:
        """Nothing."""
        return cls(ObjectTable.zeros(0).freeze(), PartTable.zeros(0).freeze())

    @cached_property
    def digest(self) -> str:
        """Hex digest of both tables: equal for equal sceneries and, for all practical purposes, only for those."""
        return hashlib.blake2b(self._body(), digest_size=16).hexdigest()

    @cached_property
    def grid(self) -> PartGrid:
        """The parts by place."""
        return grid_of_parts(self.parts.floats)

    def without_solids(self) -> Scenery:
        """The same objects, none of them solid."""
        return Scenery(self.objects, PartTable.zeros(0).freeze())

    def rows_of(self, kind: ObjectKind) -> IntArray:
        """Rows `(N,)` of the objects of a kind."""
        return np.flatnonzero(self.objects.kind == kind)

    def to_bytes(self) -> bytes:
        """The scenery as bytes, for a cache."""
        body = self._body()
        return _MAGIC + hashlib.blake2b(body, digest_size=16).digest() + body

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """The scenery from bytes.

        Raises:
            InputError: they are broken.
        """
        start = len(_MAGIC) + 16
        body = content[start:]
        if content[:start] != _MAGIC + hashlib.blake2b(body, digest_size=16).digest():
            raise InputError("scenery", "", "the file is broken", "delete it; it is made again from the map")
        objects, parts = np.frombuffer(body, "<i8", 2).tolist()
        tables, at = [], 16
        for kind, rows in ((ObjectTable, objects), (PartTable, parts)):
            table = kind.zeros(rows)
            for block, dtype in ((table.floats, "<f8"), (table.ints, "<i8")):
                block[:] = np.frombuffer(body, dtype, block.size, at).reshape(block.shape)
                at += block.nbytes
            tables.append(table.freeze())
        return cls(*tables)  # type: ignore[arg-type]

    def _body(self) -> bytes:
        blocks = [(table.floats, table.ints) for table in (self.objects, self.parts)]
        counts = np.array([self.objects.rows, self.parts.rows], "<i8").tobytes()
        return counts + b"".join(
            np.ascontiguousarray(block, kind).tobytes()
            for floats, ints in blocks
            for block, kind in ((floats, "<f8"), (ints, "<i8"))
        )


_MAGIC = b"DOROSCN1"


def object_id(row: int) -> int:
    """By which id messages name the object of a row: -1 of the first, -2 of the next; ids of actors are positive."""
    return -1 - row


def object_row(number: int) -> int:
    """The row of the object that an id names; -1 where it is the id of an actor."""
    return -1 - number if number < 0 else -1
