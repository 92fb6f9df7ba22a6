"""Snapshots to status messages. One function here fills each message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from dorosim.bridge.contact import MAX_CONTACT_PAIRS
from dorosim.bridge.control_mode import UDP_CODES
from dorosim.bridge.signal import LIGHT_ID_WIDTH, SignalNames
from dorosim.bridge.surroundings import EgoSurroundings, LightFinder
from dorosim.bridge.udp.object_slot import ObjectSlots, collision_pairs, collision_slots, link_names
from dorosim.bridge.udp.status_batch import StatusBatch, StatusMessage
from dorosim.wire.message import Wire
from dorosim.wire.udp.catalogue import STATUS
from dorosim.wire.udp.code import Gear, ObjectType
from dorosim.wire.udp.datagram import codec_of
from dorosim.wire.udp.revision import Revision
from dorosim.wire.udp.signal import GetIntersectionStatus, GetTrafficLightStatus
from dorosim.wire.udp.status import (
    CollisionData,
    EgoVehicleStatus,
    NpcVehicleCollisionData,
    ObjectInfo,
)
from dorosim.world.actor.neighbour import is_alone, neighbours_of
from dorosim.world.actor.touched import touched_of
from dorosim.world.collision.contact import hit_by, pairs_of_npcs
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.mode import ControlMode
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.reported_gear import reported_gear
from dorosim.world.vehicle.state import VehicleState

_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at

OBJECT_SLOTS = 20
COLLISION_SLOTS = 5
"""Slots of object info and collision data (facts/udp-wire.md, 3.4, 3.6)."""
_NO_LIGHT = -1
"""Status where there is no light to report (UDP page: default)."""

M = TypeVar("M", bound=Wire)
_MOTION = (VehicleState.velocity_x, VehicleState.angular_velocity, VehicleState.acceleration)


class Publisher:
    """Builds status messages.

    Args:
        scene: map and models.
        revision: picks layouts and the sign of steering.
        epoch: wall time of simulated time 0 [ns since 1970].
        further_egos: type of ego vehicles other than the one that a message is about.

    Attributes:
        epoch: the same; a run sets it when its clock starts, and when the pace of time changes.
    """

    def __init__(
        self, scene: Scene, revision: Revision, epoch: int, further_egos: ObjectType = ObjectType.VEHICLE
    ) -> None:
        self._scene = scene
        self._revision = revision
        self.epoch = epoch
        self._lights = LightFinder(scene)
        self._names = SignalNames(scene.network.signals)
        self._links = link_names(scene.network.link_ids)
        self._further_egos = further_egos
        self._slots = ObjectSlots(codec_of(ObjectInfo, revision), self._links, further_egos)
        self._surroundings = EgoSurroundings(scene, self._lights)

    @property
    def tick(self) -> int:
        """Length of a tick [ns]: nothing is sent more often."""
        return self._scene.tick

    def builder(self, name: str, number: int = 1) -> Callable[[Snapshot], bytes]:
        """Returns a function that makes the datagram of a status message; b"" while there is no such ego vehicle.

        Args:
            name: of the message in `STATUS`.
            number: of the ego vehicle that it is about, from 1 in the order of creation.
        """
        message, size = STATUS[name]
        build, encode = partial(_BUILDERS[name], self), codec_of(message, self._revision, size).encode
        if number == 1:
            return lambda now: encode(build(now))

        def build_of_further(now: Snapshot) -> bytes:
            return encode(build(now, now.egos[number - 1])) if number <= len(now.egos) else b""

        return build_of_further

    def batch(self, names: Sequence[tuple[str, int]]) -> StatusBatch:
        """What makes several status messages of a snapshot at once, with the bytes that their builders make.

        Args:
            names: of each message in `STATUS`, and the number of the ego vehicle that it is about.
        """
        messages = []
        for name, number in names:
            message, size = STATUS[name]
            codec = codec_of(message, self._revision, size)
            messages.append(StatusMessage(name, number, codec, self.builder(name, number)))
        return StatusBatch(self._scene, self._lights, self._surroundings, messages)

    def ego_status(self, now: Snapshot, ego: int = EGO) -> EgoVehicleStatus:
        """State of an ego vehicle."""
        row = now.row_of(ego)
        state, limits = now.vehicle.floats[:, row].tolist(), now.parameter.floats[:, row].tolist()
        codes = now.vehicle.ints[:, row].tolist()
        if codes[_VEHICLE.paused]:
            # its motion waits for it to go on; meanwhile it stands
            for column in _MOTION:
                state[column.index : column.index + 3] = (0.0, 0.0, 0.0)
        lane = self._surroundings.at(now, ego).lane
        x, y, yaw = _VEHICLE.x, _VEHICLE.velocity_x, _VEHICLE.yaw
        angular_velocity, acceleration = _VEHICLE.angular_velocity, _VEHICLE.acceleration
        force, slip = _VEHICLE.tire_lateral_force, _VEHICLE.tire_slip_angle
        stiffness = _VEHICLE.tire_cornering_stiffness
        return EgoVehicleStatus(
            time=self.epoch + now.time,
            ctrl_mode=UDP_CODES[ControlMode(codes[_VEHICLE.control_mode])],
            gear=_gear(codes, state),
            signed_velocity=state[y],
            map_data_id=self._scene.map_data_id,
            accel=state[_VEHICLE.accelerator],
            brake=state[_VEHICLE.brake],
            size=(limits[_PARAMETER.length], limits[_PARAMETER.width], limits[_PARAMETER.height]),
            overhang=limits[_PARAMETER.front_overhang],
            wheelbase=limits[_PARAMETER.wheelbase],
            rear_overhang=limits[_PARAMETER.rear_overhang],
            position=(state[x], state[x + 1], state[x + 2]),
            rotation=(state[yaw - 2], state[yaw - 1], state[yaw]),
            velocity=(state[y], state[y + 1], state[y + 2]),
            angular_velocity=tuple(state[angular_velocity : angular_velocity + 3]),
            acceleration=tuple(state[acceleration : acceleration + 3]),
            steer_angle=state[_VEHICLE.steer],
            rear_steer_angle=state[_VEHICLE.rear_steer],
            link_id=self._links[lane.link],
            tire_lateral_force=tuple(state[force : force + 4]),
            side_slip_angle=tuple(state[slip : slip + 4]),
            tire_cornering_stiffness=tuple(state[stiffness : stiffness + 4]),
            distance_left_lane_boundary=lane.left,
            distance_right_lane_boundary=lane.right,
            cross_track_error=-lane.lateral,
        )

    def competition_status(self, now: Snapshot, ego: int = EGO) -> EgoVehicleStatus:
        """The ego status of the competition build, without place and acceleration (facts/udp-wire.md, 3.3)."""
        nowhere = (0.0, 0.0, 0.0)
        return replace(self.ego_status(now, ego), position=nowhere, acceleration=nowhere)

    def object_info(self, now: Snapshot, ego: int = EGO) -> ObjectInfo:
        """The actors around the ego vehicle, of all kinds, nearest first (dorosim.world.actor.neighbour)."""
        time = self.epoch + now.time
        if is_alone(now):
            return ObjectInfo(time=time, objects=())
        found = neighbours_of(self._scene, now, ego, OBJECT_SLOTS)
        return ObjectInfo(time=time, objects=self._slots.of(found))

    def collision_data(self, now: Snapshot, ego: int = EGO) -> CollisionData:
        """What the ego vehicle touches, or has touched until just now, nearest first."""
        time = self.epoch + now.time
        if not now.contact.rows:
            return CollisionData(time=time, collisions=())
        others = hit_by(now.contact, ego)
        found = touched_of(self._scene, now, ego, COLLISION_SLOTS, others)
        return CollisionData(time=time, collisions=collision_slots(found, self._scene.map_origin, self._further_egos))

    def npc_collision_data(self, now: Snapshot, ego: int = EGO) -> NpcVehicleCollisionData:
        """NPC vehicles and what they touch, or have touched until just now, those nearest to the ego vehicle first."""
        if not now.contact.rows:
            return NpcVehicleCollisionData(pairs=())
        pairs = pairs_of_npcs(now.contact)
        actors = np.unique(pairs)
        found = touched_of(self._scene, now, ego, len(actors), actors, itself=True)
        return NpcVehicleCollisionData(
            pairs=tuple(collision_pairs(found, pairs, MAX_CONTACT_PAIRS, ego, self._further_egos))
        )

    def light_status(self, now: Snapshot, ego: int = EGO) -> GetTrafficLightStatus:
        """The light that the ego vehicle faces."""
        light = self._surroundings.at(now, ego).light
        if light is None:
            return GetTrafficLightStatus(index="", type=0, status=_NO_LIGHT)
        status = self._scene.signal_plan.status_of(light.row, now.signal)
        return GetTrafficLightStatus(index=light.index[:LIGHT_ID_WIDTH], type=light.type, status=status)

    def intersection_status(self, now: Snapshot, ego: int = EGO) -> GetIntersectionStatus:
        """The intersection of that light, else the nearest one."""
        row = self._lights.controller_of(self._surroundings.at(now, ego).light, now, ego)
        if row < 0:
            return GetIntersectionStatus(index=0, status=_NO_LIGHT, elapsed=0.0)
        state, elapsed = int(now.signal.state[row]), self._scene.signal_plan.elapsed_of(row, now.signal)
        return GetIntersectionStatus(index=self._names.numbers[row], status=state, elapsed=elapsed)


_BUILDERS: dict[str, Callable[..., Wire]] = {
    "EgoVehicleStatus": Publisher.ego_status,
    "CompetitionVehicleStatus": Publisher.competition_status,
    "ObjectInfo": Publisher.object_info,
    "CollisionData": Publisher.collision_data,
    "GetTrafficLightStatus": Publisher.light_status,
    "GetIntersectionStatus": Publisher.intersection_status,
    "NpcVehicleCollisionData": Publisher.npc_collision_data,
}
"""What builds each message."""


def _gear(codes: list[int], state: list[float]) -> Gear:
    selector, kind, steer_type = codes[_VEHICLE.gear], codes[_VEHICLE.control_kind], codes[_VEHICLE.steer_type]
    return Gear(reported_gear(selector, kind, steer_type, state[_VEHICLE.throttle], state[_VEHICLE.target_velocity]))
