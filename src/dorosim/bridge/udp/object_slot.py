"""Actors as slots of object info and collision messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dorosim.bridge.actor import BODY_TYPES
from dorosim.bridge.contact import ranked_pairs
from dorosim.ground.column import IntArray
from dorosim.wire.batch import SlotPacker
from dorosim.wire.codec import Codec
from dorosim.wire.packed import PackedSlots
from dorosim.wire.udp.code import ObjectType
from dorosim.wire.udp.status import CollisionPair, CollisionSlot, ObjectSlot
from dorosim.world.actor.neighbour_state import NeighbourState
from dorosim.world.collision.body import BodyKind

LINK_WIDTH = 38
"""Bytes of a link's id (facts/udp-wire.md, section 3.4)."""
FURTHER_EGOS: dict[str, ObjectType] = {"vehicle": ObjectType.VEHICLE, "ego": ObjectType.EGO}
"""Type of ego vehicles other than the one that a message is about, by the setting `udp.further_egos`: clients take -1
for an empty slot, so they are vehicles unless the user sets "ego" (design/seams.md, Who is who)."""
_NEIGHBOUR = NeighbourState.at
_NUMBERS = ("position", "heading", "size", "overhang", "wheelbase", "rear_overhang", "velocity", "acceleration")


def link_names(link_ids: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of links as far as messages have room for them, without half a batch; the last one, "", is row -1."""
    return tuple(one.encode()[:LINK_WIDTH].decode(errors="ignore") for one in (*link_ids, ""))


class ObjectSlots:
    """Makes the slots of object info.

    Args:
        codec: the codec of the message.
        links: names of the map's links, and of none (`link_names`).
        ego: type of other ego vehicles.
    """

    def __init__(self, codec: Codec, links: tuple[str, ...], ego: ObjectType = ObjectType.VEHICLE) -> None:
        self._packer = SlotPacker(codec, "objects")
        # the columns of `NeighbourState` stand in the order of the message, so they are packed in one go
        assert self._packer.blocks == (("obj_id", "obj_type"), _NUMBERS, ("link_id",))
        self._codes = np.array([ego if kind is BodyKind.EGO else BODY_TYPES[kind] for kind in BodyKind], np.int64)
        self._links = np.array([one.encode() for one in links], f"S{LINK_WIDTH}")

    def of(self, found: NeighbourState) -> PackedSlots[ObjectSlot]:
        """The slots of actors, in their order; at most as many as the message has."""
        ints = found.ints
        codes = np.empty((2, ints.shape[1]), np.int64)
        codes[0], codes[1] = ints[_NEIGHBOUR.number], self._codes[ints[_NEIGHBOUR.kind]]
        return self._packer.pack(codes, found.floats, self._links[ints[_NEIGHBOUR.link]])


def collision_slots(
    found: NeighbourState, origin: tuple[float, float, float], ego: ObjectType = ObjectType.VEHICLE
) -> tuple[CollisionSlot, ...]:
    """The slots of collision data.

    Args:
        found: actors that touch the ego vehicle, in the order of the slots.
        origin: east, north, up of the map's origin in its projection [m].
        ego: type of other ego vehicles.
    """
    rows = zip(found.kind.tolist(), found.number.tolist(), found.floats.T.tolist(), strict=True)
    return tuple(
        CollisionSlot(
            obj_type=ego if kind == BodyKind.EGO else BODY_TYPES[BodyKind(kind)],
            obj_id=number,
            position=tuple(numbers[:3]),
            global_offset=origin,
        )
        for kind, number, numbers in rows
    )


def collision_pairs(
    found: NeighbourState, pairs: IntArray, most: int, own: int, ego: ObjectType = ObjectType.VEHICLE
) -> Iterator[CollisionPair]:
    """Pairs as slots, in the order of `dorosim.bridge.contact.ranked_pairs`.

    Args:
        found: actors that take part.
        pairs: `(N, 2)` ids.
        most: how many at most.
        own: id of the ego vehicle that the message is about, whose type is -1.
        ego: type of other ego vehicles.
    """
    for first, second in ranked_pairs(found, pairs, most):
        yield CollisionPair(**_half(found, first, 1, own, ego), **_half(found, second, 2, own, ego))


def _half(found: NeighbourState, row: int, number: int, own: int, ego: ObjectType) -> dict[str, Any]:
    """The fields of one of a pair."""
    kind = BodyKind(int(found.kind[row]))
    numbers = found.floats[:, row].tolist()
    velocity, acceleration = _NEIGHBOUR.velocity, _NEIGHBOUR.acceleration
    values = {
        "obj_type": ego if kind is BodyKind.EGO and found.id[row] != own else BODY_TYPES[kind],
        "obj_id": int(found.number[row]),
        "position": tuple(numbers[:3]),
        "heading": numbers[_NEIGHBOUR.heading],
        "size": tuple(numbers[_NEIGHBOUR.length :][:3]),
        "velocity": tuple(numbers[velocity : velocity + 3]),
        "acceleration": tuple(numbers[acceleration : acceleration + 3]),
    }
    return {f"{name}_{number}": value for name, value in values.items()}
