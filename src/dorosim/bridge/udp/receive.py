"""Datagrams from users to commands. A message's meaning stands in one function here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dorosim.ground.error import DorosimError
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
from dorosim.world.command import (
    Command,
    DriveGroundState,
    DriveGroundVehicle,
    DriveVehicle,
    FollowTrajectory,
    PlaceGhost,
    PlaceVehicle,
    SelectCamera,
    Vector,
)
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, SteerType


class RefusedError(DorosimError):
    """A well-formed message that asks for what cannot be done.

    Args:
        kind: "refused" or "not in this version", by which endpoints count.
    """

    def __init__(self, kind: str, problem: str) -> None:
        self.kind = kind
        super().__init__(problem)


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


def _mode(code: CtrlMode) -> ControlMode:
    mode = MODES.get(code)
    if mode is None:
        raise RefusedError("not in this version", f"ctrl_mode {code.name} has no driver yet")
    return mode


def _vector(values: tuple[float, ...]) -> Vector:
    x, y, z = values
    return (x, y, z)


def _drive(message: EgoCtrlCmd, now: Snapshot) -> Iterable[Command]:
    row = now.row_of(EGO)
    return (
        DriveVehicle(
            actor=EGO,
            kind=KINDS[message.cmd_type],
            mode=_mode(message.ctrl_mode),
            gear=Gear(message.gear),
            accelerator=message.accel,
            brake=message.brake,
            velocity=message.velocity,
            acceleration=message.acceleration,
            steer=message.steer * float(now.parameter.max_steer[row]),
            rear_steer=message.rear_steer * float(now.parameter.max_rear_steer[row]),
        ),
    )


def _place_ghost(message: GhostCtrlCmd, _: Snapshot) -> Iterable[Command]:
    position, rotation = _vector(message.position), _vector(message.rotation)
    return (
        PlaceGhost(actor=EGO, position=position, rotation=rotation, speed=message.speed, steer=message.steer_angle),
    )


def _follow(message: TrajectoryTrackingCmd, _: Snapshot) -> Iterable[Command]:
    # trailing slots of zeros are no points of the message, but the count may include one at the map's origin
    count = message.trajectory_count
    points = [(*_vector(point.position), point.speed) for point in message.points[:count]]
    points += [(0.0, 0.0, 0.0, 0.0)] * (count - len(points))
    if not points:
        raise RefusedError("refused", "TrajectoryTrackingCmd: a trajectory of no points")
    return (FollowTrajectory(actor=EGO, points=tuple(points)),)


def _drive_ground(message: GroundVehicleDirectCtrlCmd, now: Snapshot) -> Iterable[Command]:
    # the page counts right positive; inside, left is
    most = float(now.parameter.max_steer[now.row_of(EGO)])
    steer_type = SteerType(message.steer_type)
    throttle = -message.throttle if steer_type is SteerType.ZERO_TURN else message.throttle
    return (
        DriveGroundVehicle(
            actor=EGO,
            steer_type=steer_type,
            throttle=throttle,
            rotation=-message.skid_steering,
            axle_steer=tuple(-fraction * most for fraction in message.steer_angle),
        ),
    )


def _drive_ground_state(message: GroundVehicleStateCtrlCmd, _: Snapshot) -> Iterable[Command]:
    velocity, yaw_rate = message.target_longitudinal_velocity, message.target_angular_velocity
    return (DriveGroundState(actor=EGO, velocity=velocity, yaw_rate=yaw_rate),)


def _place_egos(message: MultiEgoSetting, now: Snapshot) -> Iterable[Command]:
    if message.num_of_ego > len(message.egos):
        problem = f"num_of_ego is {message.num_of_ego}, but only {len(message.egos)} slots are filled"
        raise RefusedError("refused", f"MultiEgoSetting: {problem}")
    commands: list[Command] = [_placed(ego, now) for ego in message.egos[: message.num_of_ego]]
    if 0 < message.camera_index <= len(now.egos):
        commands.append(SelectCamera(actor=now.egos[message.camera_index - 1]))
    return commands


def _placed(ego: MultiEgo, now: Snapshot) -> PlaceVehicle:
    if not 0 < ego.ego_index <= len(now.egos):
        problem = f"there is no ego vehicle {ego.ego_index}, they count from 1 to {len(now.egos)}"
        raise RefusedError("refused", f"MultiEgoSetting: {problem}")
    return PlaceVehicle(
        actor=now.egos[ego.ego_index - 1],
        position=_vector(ego.position),
        rotation=_vector(ego.rotation),
        speed=ego.speed,
        gear=Gear(ego.gear),
        mode=_mode(ego.ctrl_mode),
    )


def _not_yet(message: Wire, _: Snapshot) -> Iterable[Command]:
    raise RefusedError("not in this version", f"{type(message).__name__} is read and checked, but has no effect yet")


MEANINGS: dict[type[Wire], Callable[[Any, Snapshot], Iterable[Command]]] = {
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

    def commands(self, message: Wire, now: Snapshot) -> Iterable[Command]:
        """What a message asks for.

        Raises:
            RefusedError: it cannot be done, and why.
        """
        return MEANINGS[type(message)](message, now)
