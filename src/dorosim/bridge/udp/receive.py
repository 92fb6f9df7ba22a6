"""Datagrams from users to commands. A message's meaning stands in one function here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from dorosim.bridge.answer import Answer, Later, Refusal
from dorosim.bridge.control_mode import CTRL_MODES
from dorosim.bridge.drive import Drive, drive_ego
from dorosim.bridge.event import TURN_SIGNALS
from dorosim.bridge.ground_vehicle import GroundOrder, drive_ground, drive_ground_state
from dorosim.bridge.multi_ego import EgoPlace, camera_on, place_ego
from dorosim.bridge.npc import npc_ghosts
from dorosim.bridge.signal import SignalNames, set_intersection_numbered, set_light_named
from dorosim.bridge.udp.drive_run import DRIVE_CODES, DriveRun
from dorosim.ground.column import FloatArray
from dorosim.wire.message import Wire
from dorosim.wire.run import RunReader
from dorosim.wire.udp.code import EmergencySignal
from dorosim.wire.udp.control import EgoCtrlCmd, GhostCtrlCmd, LampControl, NpcGhostCmd, TrajectoryTrackingCmd
from dorosim.wire.udp.datagram import DatagramReader
from dorosim.wire.udp.ground_vehicle import GroundVehicleDirectCtrlCmd, GroundVehicleStateCtrlCmd
from dorosim.wire.udp.revision import Revision
from dorosim.wire.udp.signal import SetIntersectionStatus, SetTrafficLightCtrl
from dorosim.wire.udp.simulator import (
    MultiEgo,
    MultiEgoSetting,
    SaveSensorData,
    ScenarioLoad,
    SensorControl,
    UserDefinedValue,
)
from dorosim.world.command import Vector
from dorosim.world.mount.command import MoveSensor
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.storyboard.command import SetUserDefinedValue
from dorosim.world.traffic.command import PlaceNpcGhost
from dorosim.world.vehicle.command import FollowTrajectory, PlaceGhost, SetLamps
from dorosim.world.vehicle.mode import Gear, SteerType


class UdpSituation(NamedTuple):
    """What the meaning of a message depends on.

    Attributes:
        now: the last snapshot. signals: the names of the map's lights.
        ego: id of the ego vehicle that messages to one mean.
        by_ability: a speed that is asked for is reached as fast as the vehicle can, else as fast as the documents say.
    """

    now: Snapshot
    signals: SignalNames
    ego: int = EGO
    by_ability: bool = False


def _vector(values: tuple[float, ...]) -> Vector:
    x, y, z = values
    return (x, y, z)


def _drive(message: EgoCtrlCmd, at: UdpSituation) -> Iterable[Answer]:
    now = at.now
    row = now.row_of(at.ego)
    order = Drive(
        kind=message.cmd_type,
        field="cmd_type",
        mode=CTRL_MODES[message.ctrl_mode],
        gear=Gear(message.gear),
        accelerator=message.accel,
        brake=message.brake,
        velocity=message.velocity,
        acceleration=message.acceleration,
        steer=message.steer * float(now.parameter.max_steer[row]),
        rear_steer=message.rear_steer * float(now.parameter.max_rear_steer[row]),
        by_ability=at.by_ability,
    )
    return (drive_ego(now, at.ego, order),)


def _place_ghost(message: GhostCtrlCmd, at: UdpSituation) -> Iterable[Answer]:
    position, rotation = _vector(message.position), _vector(message.rotation)
    return (
        PlaceGhost(actor=at.ego, position=position, rotation=rotation, speed=message.speed, steer=message.steer_angle),
    )


def _follow(message: TrajectoryTrackingCmd, at: UdpSituation) -> Iterable[Answer]:
    if not message.points:
        return (Refusal("TrajectoryTrackingCmd: a trajectory of no points"),)
    points = tuple((*_vector(point.position), point.speed) for point in message.points)
    return (FollowTrajectory(actor=at.ego, points=points),)


def _drive_ground(message: GroundVehicleDirectCtrlCmd, at: UdpSituation) -> Iterable[Answer]:
    order = GroundOrder(
        steer_type=SteerType(message.steer_type),
        throttle=message.throttle,
        skid=message.skid_steering,
        axles=message.steer_angle,
    )
    return (drive_ground(at.now, at.ego, order),)


def _drive_ground_state(message: GroundVehicleStateCtrlCmd, at: UdpSituation) -> Iterable[Answer]:
    return (drive_ground_state(at.ego, message.target_longitudinal_velocity, message.target_angular_velocity),)


def _place_egos(message: MultiEgoSetting, at: UdpSituation) -> Iterable[Answer]:
    for ego in message.egos:
        yield _as_part_of("MultiEgoSetting", place_ego(at.now, _place_of(ego)))
    yield _as_part_of("MultiEgoSetting", camera_on(at.now, message.camera_index))


def _place_of(ego: MultiEgo) -> EgoPlace:
    return EgoPlace(
        number=ego.ego_index,
        position=_vector(ego.position),
        rotation=_vector(ego.rotation),
        speed=ego.speed,
        gear=ego.gear,
        mode=ego.ctrl_mode,
    )


def _as_part_of(name: str, answer: Answer) -> Answer:
    """An answer, as part of a message: a refusal names the message."""
    return Refusal(f"{name}: {answer.reason}") if isinstance(answer, Refusal) else answer


def _switch_lamps(message: LampControl, at: UdpSituation) -> Iterable[Answer]:
    emergency = message.emergency_signal is EmergencySignal.ON
    return (SetLamps(actor=at.ego, turn=TURN_SIGNALS[message.turn_signal], emergency=emergency),)


def _place_npcs(message: NpcGhostCmd, at: UdpSituation) -> Iterable[Answer]:
    yield from npc_ghosts(
        at.now,
        (
            PlaceNpcGhost(npc.unique_id, npc.car_name, _vector(npc.position), _vector(npc.rotation))
            for npc in message.vehicles
            if npc.unique_id
        ),
    )


def _set_light(message: SetTrafficLightCtrl, at: UdpSituation) -> Iterable[Answer]:
    return (_as_part_of("SetTrafficLightCtrl", set_light_named(at.signals, message.index, message.status)),)


def _set_intersection(message: SetIntersectionStatus, at: UdpSituation) -> Iterable[Answer]:
    answer = set_intersection_numbered(at.signals, message.index, message.status, message.elapsed)
    return (_as_part_of("SetIntersectionStatus", answer),)


def _move_sensor(message: SensorControl, _: UdpSituation) -> Iterable[Answer]:
    """The index is the number of the sensor set (m_SensorUniqueID), which the product shows in names: Camera-4."""
    return (MoveSensor(message.sensor_index, _vector(message.position), _vector(message.rotation)),)


def _give_value(message: UserDefinedValue, _: UdpSituation) -> Iterable[Answer]:
    return (SetUserDefinedValue(message.name.strip(), message.value.strip()),)


def _unserved(what: str) -> Callable[[Wire, UdpSituation], Iterable[Answer]]:
    """The meaning of a message for a run that lacks what it needs."""
    return lambda message, _: (Refusal(f"{type(message).__name__}: this run has no {what}"),)


TO_AN_EGO: dict[type[Wire], Callable[[Any, UdpSituation], Iterable[Answer]]] = {
    EgoCtrlCmd: _drive,
    GhostCtrlCmd: _place_ghost,
    TrajectoryTrackingCmd: _follow,
    GroundVehicleDirectCtrlCmd: _drive_ground,
    GroundVehicleStateCtrlCmd: _drive_ground_state,
    LampControl: _switch_lamps,
}
"""Messages to one ego vehicle: which one, the address says at which they come."""
MEANINGS: dict[type[Wire], Callable[[Any, UdpSituation], Iterable[Answer]]] = {
    **TO_AN_EGO,
    MultiEgoSetting: _place_egos,
    NpcGhostCmd: _place_npcs,
    ScenarioLoad: _unserved("folder of scenarios"),
    SaveSensorData: _unserved("folder of sensor data"),
    SensorControl: _move_sensor,
    UserDefinedValue: _give_value,
    SetTrafficLightCtrl: _set_light,
    SetIntersectionStatus: _set_intersection,
}


class Receiver:
    """Reads datagrams to the simulator, and gives the commands that they ask for.

    Args:
        revision: gives the sign of steering.
        scene: gives the names of what stands on the map.
        more: the meanings of messages that need more than the map and the present world, such as files.
        by_ability: as of `UdpSituation`.

    Attributes:
        reader: reads the datagrams. runs: what reads many control commands at once, by their size.
    """

    def __init__(
        self,
        revision: Revision,
        scene: Scene,
        more: Mapping[type[Wire], Callable[[Any, Snapshot], Iterable[Answer | Later]]] | None = None,
        *,
        by_ability: bool = False,
    ) -> None:
        self._by_ability = by_ability
        self._more = dict(more or {})
        self._signals = SignalNames(scene.network.signals)
        self.reader = DatagramReader(revision, "simulator")
        self.runs = {
            codec.size: RunReader(codec, DRIVE_CODES)
            for codec in self.reader.codecs
            if codec.message is EgoCtrlCmd
            and EgoCtrlCmd not in self._more
            and self.reader.by_size[codec.size] == (codec,)
        }

    def drive_run(self, reader: RunReader, values: FloatArray, now: Snapshot, number: int = 1) -> DriveRun | None:
        """What the control commands of a run ask for, as `commands` of each; None where they are refused.

        Args:
            reader: one of `runs`.
            values: what it read.
            now: as of `commands`.
            number: likewise.
        """
        if number > len(now.egos):
            return None
        ego = now.egos[number - 1]
        row, limits = now.row_of(ego), now.parameter
        angles = float(limits.max_steer[row]), float(limits.max_rear_steer[row])
        return DriveRun(reader, values, ego, angles, by_ability=self._by_ability)

    def commands(self, message: Wire, now: Snapshot, number: int = 1) -> Iterable[Answer | Later]:
        """What a message asks for, part by part; a part that cannot be done does not stop the others.

        Args:
            message: to the simulator.
            now: the last snapshot.
            number: of the ego vehicle that messages to one mean, from 1 in the order of creation.
        """
        kind = type(message)
        more = self._more.get(kind)
        if more is not None:
            return more(message, now)
        if number > len(now.egos):
            if kind in TO_AN_EGO:
                problem = f"{kind.__name__}: there is no ego vehicle {number}, they count from 1 to {len(now.egos)}"
                return (Refusal(problem),)
            number = 1
        return MEANINGS[kind](message, UdpSituation(now, self._signals, now.egos[number - 1], self._by_ability))
