"""Placing ego vehicles by number: the meaning of Multi Ego Setting on UDP and ROS."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.bridge.answer import Refusal
from dorosim.bridge.control_mode import CTRL_MODES
from dorosim.world.command import Vector
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.command import PlaceVehicle, SelectCamera
from dorosim.world.vehicle.mode import Gear


@dataclass(frozen=True, slots=True, kw_only=True)
class EgoPlace:
    """How an ego vehicle is to be set.

    Attributes:
        number: in the order of creation, from 1; the product's own example calls the first one 0.
        position: body origin in map [m]. rotation: roll, pitch, yaw [rad]. speed: forward [m/s].
        gear, mode: codes.
    """

    number: int
    position: Vector
    rotation: Vector
    speed: float
    gear: int
    mode: int


def addressed_egos(now: Snapshot) -> int:
    """How many ego vehicles have addresses of their own on UDP: all up to the first entity of a scenario.

    The vehicles of a scenario are seen and reported as others are; the ego vehicle counts in any case.
    """
    actors = now.storyboard.entity.actor
    if not len(actors):
        return len(now.egos)
    entities = set(actors.tolist()) - {EGO}
    return next((row for row, actor in enumerate(now.egos) if actor in entities), len(now.egos))


def ego_of(now: Snapshot, number: int) -> int | Refusal:
    """Id of the ego vehicle of a number."""
    if 0 <= number <= len(now.egos):
        return now.egos[max(number, 1) - 1]
    return Refusal(f"there is no ego vehicle {number}, they count from 1 to {len(now.egos)}")


def place_ego(now: Snapshot, order: EgoPlace) -> PlaceVehicle | Refusal:
    """What placing an ego vehicle asks for."""
    actor = ego_of(now, order.number)
    if isinstance(actor, Refusal):
        return actor
    if order.gear not in set(Gear):
        return Refusal(f"gear {order.gear} is not valid: it must be one of 0 M, 1 P, 2 R, 3 N, 4 D, 5 L")
    if order.mode not in CTRL_MODES:
        return Refusal(f"ctrl_mode {order.mode} is not valid: it must be one of {', '.join(map(str, CTRL_MODES))}")
    return PlaceVehicle(actor, order.position, order.rotation, order.speed, Gear(order.gear), CTRL_MODES[order.mode])


def camera_on(now: Snapshot, number: int) -> SelectCamera | Refusal:
    """What letting the camera follow an ego vehicle asks for; 0 is the first one, too."""
    if 0 <= number <= len(now.egos):
        return SelectCamera(actor=now.egos[max(number, 1) - 1])
    return Refusal(f"camera_index {number}: ego vehicles count from 1 to {len(now.egos)}, and 0 is the first one")
