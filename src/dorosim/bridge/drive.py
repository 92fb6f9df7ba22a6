"""Driving and placing ego vehicles: the meaning that all interfaces share, in SI units and ids."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import IntEnum

import msgspec

from dorosim.bridge.actor import VEHICLES, ActorKind, kind_of
from dorosim.bridge.answer import Answer, Refusal
from dorosim.bridge.control_mode import LONG_CMD_TYPES, by_ability
from dorosim.world.actor.command import SetLaneOffset
from dorosim.world.command import Vector
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.spawn.mode import BiasRule
from dorosim.world.vehicle.command import DriveVehicle, LeaveKeyboard, PlaceGhost, SelectMode, SetCruise
from dorosim.world.vehicle.mode import ControlMode, Gear

CRUISE_ENDED = "cruise ended"
"""Kind of the line that reports the end of a cruise to users."""
GHOST_TYPE = 4
"""The way lengthwise of a vehicle that is placed from outside (Standard API, LongCmdType)."""
BIAS_RULES: dict[int, BiasRule] = {1: BiasRule.FIX, 2: BiasRule.GAUSSIAN}
"""How an offset is chosen, by code."""


class EgoType(IntEnum):
    """Whose vehicle a request of the documented API means (VehicleType.Type, VehicleRoute.Type)."""

    ANY = 0
    EGO = 1
    MULTIEGO = 2


class CruiseKind(IntEnum):
    """What a cruising speed refers to; UNSPECIFIED keeps what it is."""

    UNSPECIFIED = 0
    LINK = 1
    CONSTANT = 2


class Drive(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A command to pedals and steering wheel.

    Attributes:
        kind: longCmdType. field: what its message calls it.
        mode: control mode from now on; KEEP leaves it. gear: None leaves it.
        accelerator, brake: 0 to 1. steer: front wheels, left positive [rad].
        velocity: [m/s]. acceleration: [m/s²]. rear_steer: rear wheels, left positive [rad].
        places: whether longCmdType 4 (a ghost that is placed) is accepted.
        by_ability: whether a speed is reached as fast as the vehicle can, else as fast as the documents say.
    """

    kind: int
    field: str = "longCmdType"
    mode: ControlMode = ControlMode.KEEP
    gear: Gear | None = None
    accelerator: float
    brake: float
    steer: float
    velocity: float
    acceleration: float
    rear_steer: float = 0.0
    places: bool = False
    by_ability: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cruise:
    """A cruise mode.

    Attributes:
        on: whether it drives by itself. kind: `CruiseKind`.
        ratio: of the link's speed limit. speed: [m/s].
    """

    on: bool
    kind: int
    ratio: float
    speed: float


def vehicle_pose(now: Snapshot, actor: int) -> tuple[Vector, Vector]:
    """Position in map [m], and roll, pitch, yaw [rad], of a vehicle with full dynamics."""
    vehicle, row = now.vehicle, now.row_of(actor)
    position = (float(vehicle.x[row]), float(vehicle.y[row]), float(vehicle.z[row]))
    return position, (float(vehicle.roll[row]), float(vehicle.pitch[row]), float(vehicle.yaw[row]))


def problem_with_ego(now: Snapshot, actor: int, text: str) -> str:
    """Why a vehicle cannot be driven by a client, or an empty string; `text` is the id that was asked for."""
    return _problem_with_kind(now, actor, text, {ActorKind.EGO}, "not an ego vehicle")


def problem_with_vehicle(now: Snapshot, actor: int, text: str) -> str:
    """Why an id is none of a vehicle of any kind, or an empty string."""
    return _problem_with_kind(now, actor, text, VEHICLES, "not a vehicle")


def _problem_with_kind(now: Snapshot, actor: int, text: str, kinds: Collection[ActorKind], none: str) -> str:
    kind = kind_of(now, actor) if actor else ActorKind.NONE
    if kind is ActorKind.NONE:
        return f"there is no vehicle {text!r}"
    return "" if kind in kinds else f"{text!r} is {none} but {_ARTICLES[kind]}"


def problem_with_whose(actor: int, text: str, whose: int) -> str:
    """Why an ego vehicle is not of the type that was said, or an empty string."""
    if whose == EgoType.EGO and actor != EGO:
        return f"{text!r} is a further ego vehicle; its type is MULTIEGO"
    if whose == EgoType.MULTIEGO and actor == EGO:
        return f"{text!r} is the ego vehicle; its type is EGO"
    return "" if whose in set(EgoType) else f"type {whose} is not valid: it must be EGO or MULTIEGO"


def drive(now: Snapshot, actor: int, text: str, order: Drive) -> Answer:
    """What a control command asks for; `text` is the id of the vehicle as it was asked for."""
    problem = problem_with_ego(now, actor, text)
    return Refusal(problem) if problem else drive_ego(now, actor, order)


def drive_ego(now: Snapshot, actor: int, order: Drive) -> Answer:
    """As `drive`, for an actor that is known to be an ego vehicle."""
    if order.kind == GHOST_TYPE and order.places:
        return PlaceGhost(actor, *vehicle_pose(now, actor), order.velocity, order.steer)
    kind = LONG_CMD_TYPES.get(order.kind)
    if kind is None:
        return Refusal(
            f"{order.field} {order.kind} is not valid: it must be one of 1 pedals, 2 velocity, 3 acceleration"
        )
    return DriveVehicle(
        actor,
        by_ability(kind, wanted=order.by_ability),
        order.mode,
        order.gear,
        accelerator=order.accelerator,
        brake=order.brake,
        velocity=order.velocity,
        acceleration=order.acceleration,
        steer=order.steer,
        rear_steer=order.rear_steer,
    )


def take_over(now: Snapshot, actor: int, text: str, order: Drive) -> tuple[Answer, str]:
    """As `drive`; a vehicle in cruise mode is driven from outside from now on, in the same tick, and a note says so.

    That is for the Standard API, whose scenario clients cruise to a place and then drive.
    """
    answer = drive(now, actor, text, order)
    if not isinstance(answer, DriveVehicle) or now.vehicle.control_mode[now.row_of(actor)] != ControlMode.CRUISE:
        return answer, ""
    note = f"{text!r} no longer cruises: a client drives it"
    return msgspec.structs.replace(answer, mode=ControlMode.AUTO), note


def cruise(now: Snapshot, actor: int, text: str, order: Cruise) -> Iterator[Answer]:
    """What a cruise command asks for: a speed, and the mode, which ends only where it is on."""
    problem = problem_with_ego(now, actor, text)
    if problem:
        yield Refusal(problem)
        return
    if order.kind == CruiseKind.LINK:
        yield SetCruise(actor, ratio=order.ratio)
    elif order.kind == CruiseKind.CONSTANT:
        yield SetCruise(actor, speed=order.speed)
    elif order.kind != CruiseKind.UNSPECIFIED:
        yield Refusal(f"cruise type {order.kind} is not valid: it must be 1 LINK or 2 CONSTANT")
    if order.on:
        yield SelectMode(actor, ControlMode.CRUISE)
    elif now.vehicle.control_mode[now.row_of(actor)] == ControlMode.CRUISE:
        yield SelectMode(actor, ControlMode.AUTO)


def leave_keyboards(now: Snapshot, mode: ControlMode = ControlMode.KEEP) -> tuple[LeaveKeyboard, ...]:
    """Returns commands that release every vehicle that is seized; each is held until it is driven again.

    Args:
        now: the last snapshot.
        mode: control mode from now on, as of `LeaveKeyboard`.
    """
    vehicle = now.vehicle
    return tuple(LeaveKeyboard(actor, mode) for actor in vehicle.id[vehicle.seized != 0].tolist())


def offset(now: Snapshot, actor: int, text: str, share: float, rule: int) -> Answer:
    """What keeping off the lane's centre asks for.

    Args:
        now: the snapshot.
        actor: id of a vehicle.
        text: the id as it was asked for.
        share: of half the lane width, left positive; the standard deviation where it is drawn.
        rule: 1 fixed, 2 drawn.
    """
    problem = problem_with_vehicle(now, actor, text)
    if problem:
        return Refusal(problem)
    if rule not in BIAS_RULES:
        return Refusal(f"lat_bias_mode {rule} is not valid: it must be 1 FIX or 2 RANDOM_GAUSSIAN")
    return SetLaneOffset(actor, BIAS_RULES[rule], share)


_ARTICLES = {
    ActorKind.NPC: "an NPC vehicle",
    ActorKind.GHOST: "a vehicle that is placed from outside",
    ActorKind.PEDESTRIAN: "a pedestrian",
    ActorKind.OBSTACLE: "an obstacle",
    ActorKind.MAP_OBJECT: "a map object",
    ActorKind.SPAWN_POINT: "a spawn point",
}
"""What an id is of, for sentences."""
