"""What datagrams say of a snapshot: vehicles, their wheels, and what they run into."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from dorosim.bridge.actor import VEHICLES, ActorKind, kind_of, names_of
from dorosim.bridge.actor_state import NOTHING, ActorReader, ActorState
from dorosim.bridge.tcp_step.name import StepNames, cut_id
from dorosim.wire.tcp_step.datagram import CollisionEvent, CollisionObject, Triple, VehicleInfo, WheelInfo
from dorosim.wire.tcp_step.request import EntityType
from dorosim.world.ordinary.frame import TickFrame
from dorosim.world.ordinary.kept import kept_frame
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

NANOSECONDS = 1_000_000_000
OBJECT_TYPES: dict[ActorKind, EntityType] = {
    **dict.fromkeys(VEHICLES, EntityType.VEHICLE),
    ActorKind.PEDESTRIAN: EntityType.PEDESTRIAN,
}
"""Type of what a vehicle runs into; all else is an obstacle."""
MAX_HIT_OBJECTS = 100
"""Objects of an event: more do not fit into a datagram that reaches every client."""


class _Known(NamedTuple):
    """What has been found out about vehicles, which holds while the frame of the snapshots is the same.

    Attributes:
        frame: it. of: name and largest wheel angle [rad] by id.
    """

    frame: TickFrame | None
    of: dict[int, tuple[str, float]]


class StepPublisher:
    """Makes messages of snapshots of one scene; safe to use from any thread.

    Args:
        scene: gives models and sizes.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._reader = ActorReader(scene)
        self._known = _Known(None, {})

    def vehicle(self, now: Snapshot, actor: int) -> VehicleInfo | None:
        """A vehicle of any kind; None where it is not on the map."""
        state = self._reader.state(now, actor)
        if state is None:
            return None
        seconds, nanos = divmod(now.time, NANOSECONDS)
        name, largest = self._kept_of(now, actor, state.model)
        return VehicleInfo(
            seconds=seconds,
            nanos=nanos,
            id=name,
            location=state.position,
            rotation=state.rotation,
            local_velocity=state.velocity,
            local_acceleration=state.acceleration,
            angular_velocity=state.angular_velocity,
            throttle=state.accelerator,
            brake=state.brake,
            steer_angle=state.asked_steer / largest if largest > 0.0 else 0.0,
        )

    def _kept_of(self, now: Snapshot, actor: int, model: int) -> tuple[str, float]:
        """Name and largest wheel angle [rad] of a vehicle; found once for each frame of snapshots."""
        frame, known = kept_frame(now), self._known
        if frame is None or known.frame is not frame:
            known = self._known = _Known(frame, {})
        found = known.of.get(actor)
        if found is None:
            row = now.row_of(actor)
            largest = float(now.parameter.max_steer[row]) if row >= 0 else self._scene.models[model].max_steer
            found = known.of[actor] = cut_id(StepNames(now, names_of(now)).text_of(actor)), largest
        return found

    def wheels(self, now: Snapshot, actor: int) -> tuple[WheelInfo, ...]:
        """Where the wheels of a vehicle with full dynamics are, axle by axle from the front, the left one first."""
        row = now.row_of(actor)
        state = self._reader.state(now, actor) if row >= 0 else None
        if state is None:
            return ()
        size = now.parameter
        axles = int(size.axle_count[row])
        radius = float(size.wheel_radius[row])
        if axles:
            places = [(float(size.axle_position[axle, row]), 0.5 * state.size[1]) for axle in range(axles)]
        else:
            front, rear = 0.5 * float(size.front_track[row]), 0.5 * float(size.rear_track[row])
            places = [(float(size.wheelbase[row]), front), (0.0, rear)]
        body = [(x, side, radius) for x, half in places for side in (half, -half)]
        return tuple(WheelInfo(world_position=_in_map(state, one)) for one in body)

    def collisions(self, now: Snapshot, since: int) -> Iterator[CollisionEvent]:
        """An event for each vehicle with full dynamics that has met something since a simulated time [ns].

        It lists all that the vehicle touches now.
        """
        contact = now.contact
        if not contact.rows:
            return
        egos, touching, fresh = set(now.egos), dict[int, list[CollisionObject]](), set[int]()
        pairs = zip(contact.first_id.tolist(), contact.second_id.tolist(), strict=True)
        for row, (first, second) in enumerate(pairs):
            if int(contact.last[row]) <= since:
                continue
            for ego, other in ((first, second), (second, first)):
                if ego in egos:
                    touching.setdefault(ego, []).append(self._object(now, other, row))
                    if int(contact.begin[row]) > since:
                        fresh.add(ego)
        names = StepNames(now, names_of(now))
        for ego in sorted(fresh):
            yield CollisionEvent(id=cut_id(names.text_of(ego)), objects=tuple(touching[ego][:MAX_HIT_OBJECTS]))

    def _object(self, now: Snapshot, actor: int, row: int) -> CollisionObject:
        """What a vehicle touches; a negative id is of something that belongs to the map."""
        contact = now.contact
        seconds, nanos = divmod(int(contact.begin[row]), NANOSECONDS)
        state = self._reader.state(now, actor) if actor > 0 else None
        if state is None:
            place = (float(contact.x[row]), float(contact.y[row]), float(contact.z[row]))
            return CollisionObject(
                id=cut_id(f"Map_{-actor}"),
                object_type=EntityType.OBSTACLE,
                seconds=seconds,
                nanos=nanos,
                location=place,
                rotation=NOTHING,
                size=NOTHING,
                velocity=NOTHING,
                acceleration=NOTHING,
                front_overhang=0.0,
                rear_overhang=0.0,
                wheel_base=0.0,
            )
        model = self._scene.models[state.model] if state.kind in VEHICLES else None
        return CollisionObject(
            id=cut_id(StepNames(now, names_of(now)).text_of(actor)),
            object_type=OBJECT_TYPES.get(kind_of(now, actor), EntityType.OBSTACLE),
            seconds=seconds,
            nanos=nanos,
            location=state.position,
            rotation=state.rotation,
            size=state.size,
            velocity=state.velocity,
            acceleration=state.acceleration,
            front_overhang=model.front_overhang if model is not None else 0.0,
            rear_overhang=model.rear_overhang if model is not None else 0.0,
            wheel_base=model.wheelbase if model is not None else 0.0,
        )


def _in_map(state: ActorState, place: Triple) -> Triple:
    """A place in the body's axes [m] in the map, by position and attitude of the body (REP-103)."""
    x, y, z = place
    roll, pitch, yaw = state.rotation
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    level, side = cp * x + sp * (sr * y + cr * z), cr * y - sr * z
    east, north, up = state.position
    return east + cy * level - sy * side, north + sy * level + cy * side, up + cp * (sr * y + cr * z) - sp * x
