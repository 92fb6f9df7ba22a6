"""Datagrams from users to commands. A message's meaning stands in one function here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from dorosim.wire.codec import Codec
from dorosim.wire.limit import limit
from dorosim.wire.message import Wire
from dorosim.wire.udp.code import CtrlMode, LongCmdType
from dorosim.wire.udp.control import EgoCtrlCmd, GhostCtrlCmd, LampControl, NpcGhostCmd, TrajectoryTrackingCmd
from dorosim.wire.udp.datagram import Buffer, DatagramReader
from dorosim.wire.udp.ground_vehicle import GroundVehicleDirectCtrlCmd, GroundVehicleStateCtrlCmd
from dorosim.wire.udp.revision import Revision
from dorosim.wire.udp.signal import SetIntersectionStatus, SetTrafficLightCtrl
from dorosim.wire.udp.simulator import MultiEgo, MultiEgoSetting, SaveSensorData, ScenarioLoad, SensorControl
from dorosim.world.command.actor import Vector
from dorosim.world.command.catalogue import Command
from dorosim.world.command.vehicle import (
    DriveGroundState,
    DriveGroundVehicle,
    DriveVehicle,
    FollowTrajectory,
    PlaceGhost,
    PlaceVehicle,
    SelectCamera,
)
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, SteerType


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a well-formed message, or a part of one, is not done.

    Attributes:
        kind: by which endpoints count. reason: one sentence.
    """

    kind: Literal["refused", "not in this version"]
    reason: str


Answer = Command | Refusal
"""What a message, or a part of one, asks for: a command, or why it cannot be done."""

MODES: dict[CtrlMode, ControlMode] = {
    CtrlMode.KEEP: ControlMode.KEEP,
    CtrlMode.KEYBOARD: ControlMode.KEYBOARD,
    CtrlMode.AUTO: ControlMode.AUTO,
    CtrlMode.EXTERNAL: ControlMode.AUTO,
    CtrlMode.AUTO_MULTI_EGO: ControlMode.AUTO,
}
KINDS: dict[LongCmdType, ControlKind] = {
    LongCmdType.UNSET: ControlKind.PEDALS,
    LongCmdType.THROTTLE: ControlKind.PEDALS,
    LongCmdType.VELOCITY: ControlKind.VELOCITY,
    LongCmdType.ACCELERATION: ControlKind.ACCELERATION,
}


def _vector(values: tuple[float, ...]) -> Vector:
    x, y, z = values
    return (x, y, z)


def _drive(message: EgoCtrlCmd, now: Snapshot) -> Iterable[Answer]:
    row = now.row_of(EGO)
    mode = MODES.get(message.ctrl_mode)
    if mode is None:
        return (Refusal("not in this version", f"EgoCtrlCmd: ctrl_mode {message.ctrl_mode.name} has no driver yet"),)
    return (
        DriveVehicle(
            actor=EGO,
            kind=KINDS[message.cmd_type],
            mode=mode,
            gear=Gear(message.gear),
            accelerator=message.accel,
            brake=message.brake,
            velocity=message.velocity,
            acceleration=message.acceleration,
            steer=message.steer * float(now.parameter.max_steer[row]),
            rear_steer=message.rear_steer * float(now.parameter.max_rear_steer[row]),
        ),
    )


def _place_ghost(message: GhostCtrlCmd, _: Snapshot) -> Iterable[Answer]:
    position, rotation = _vector(message.position), _vector(message.rotation)
    return (
        PlaceGhost(actor=EGO, position=position, rotation=rotation, speed=message.speed, steer=message.steer_angle),
    )


def _follow(message: TrajectoryTrackingCmd, _: Snapshot) -> Iterable[Answer]:
    if not message.points:
        return (Refusal("refused", "TrajectoryTrackingCmd: a trajectory of no points"),)
    points = tuple((*_vector(point.position), point.speed) for point in message.points)
    return (FollowTrajectory(actor=EGO, points=points),)


def _drive_ground(message: GroundVehicleDirectCtrlCmd, now: Snapshot) -> Iterable[Answer]:
    # the page counts right positive; inside, left is
    row = now.row_of(EGO)
    most = now.parameter.axle_max_steer[:, row].tolist()
    if not any(most):
        # a car's front and rear axle
        most[:2] = float(now.parameter.max_steer[row]), float(now.parameter.max_rear_steer[row])
    steer_type = SteerType(message.steer_type)
    throttle = -message.throttle if steer_type is SteerType.ZERO_TURN else message.throttle
    return (
        DriveGroundVehicle(
            actor=EGO,
            steer_type=steer_type,
            throttle=throttle,
            rotation=-message.skid_steering,
            axle_steer=tuple(-fraction * limit for fraction, limit in zip(message.steer_angle, most, strict=True)),
        ),
    )


def _drive_ground_state(message: GroundVehicleStateCtrlCmd, _: Snapshot) -> Iterable[Answer]:
    velocity, yaw_rate = message.target_longitudinal_velocity, message.target_angular_velocity
    return (DriveGroundState(actor=EGO, velocity=velocity, yaw_rate=yaw_rate),)


def _place_egos(message: MultiEgoSetting, now: Snapshot) -> Iterable[Answer]:
    for ego in message.egos:
        # the product's own example calls the first one 0, its description counts from 1
        number = max(ego.ego_index, 1)
        if 0 <= ego.ego_index <= len(now.egos):
            yield _placed(ego, now.egos[number - 1])
        else:
            known = f"they count from 1 to {len(now.egos)}"
            yield Refusal("refused", f"MultiEgoSetting: there is no ego vehicle {ego.ego_index}, {known}")
    if 0 < message.camera_index <= len(now.egos):
        yield SelectCamera(actor=now.egos[message.camera_index - 1])


def _placed(ego: MultiEgo, actor: int) -> Answer:
    mode = MODES.get(ego.ctrl_mode)
    if mode is None:
        return Refusal("not in this version", f"MultiEgoSetting: ctrl_mode {ego.ctrl_mode.name} has no driver yet")
    return PlaceVehicle(
        actor=actor,
        position=_vector(ego.position),
        rotation=_vector(ego.rotation),
        speed=ego.speed,
        gear=Gear(ego.gear),
        mode=mode,
    )


def _not_yet(message: Wire, _: Snapshot) -> Iterable[Answer]:
    return (Refusal("not in this version", f"{type(message).__name__} is read and checked, but has no effect yet"),)


MEANINGS: dict[type[Wire], Callable[[Any, Snapshot], Iterable[Answer]]] = {
    EgoCtrlCmd: _drive,
    GhostCtrlCmd: _place_ghost,
    TrajectoryTrackingCmd: _follow,
    GroundVehicleDirectCtrlCmd: _drive_ground,
    GroundVehicleStateCtrlCmd: _drive_ground_state,
    MultiEgoSetting: _place_egos,
    LampControl: _not_yet,
    NpcGhostCmd: _not_yet,
    ScenarioLoad: _not_yet,
    SaveSensorData: _not_yet,
    SensorControl: _not_yet,
    SetTrafficLightCtrl: _not_yet,
    SetIntersectionStatus: _not_yet,
}


class Receiver:
    """Reads datagrams to the simulator and says what they ask for.

    Args:
        revision: gives the sign of steering.
    """

    def __init__(self, revision: Revision) -> None:
        self._reader = DatagramReader(revision, "simulator")
        self.codecs: tuple[Codec, ...] = self._reader.codecs

    def read(self, buffer: Buffer, size: int) -> tuple[Codec, Wire, tuple[str, ...]]:
        """The message in a buffer, its codec, and the names of the fields that were clamped.

        Raises:
            WireError: the bytes are no message, or hold NaN, infinity or a number that is refused.
        """
        codec, message = self._reader.read(buffer, size)
        if codec.in_range(message):
            return codec, message, ()
        return codec, *limit(codec, message)

    def commands(self, message: Wire, now: Snapshot) -> Iterable[Answer]:
        """What a message asks for, part by part; a part that cannot be done does not stop the others."""
        return MEANINGS[type(message)](message, now)
