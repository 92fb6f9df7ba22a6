"""Making, placing and removing vehicles, pedestrians and obstacles."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dorosim.client.operation import Session, Steps, call, do, make, operation
from dorosim.client.quantity import KMH, Vector, identity, transform, vector

IONIQ = "2016_Hyundai_Ioniq"
"""The model of a vehicle of which nothing is said."""


@dataclass(frozen=True, slots=True)
class WalkPoint:
    """A point on a pedestrian's way.

    Attributes:
        position: in the map [m]. pause: how long to stand there [s]. speed: from there on [m/s], 0 as before.
    """

    position: Vector
    pause: float = 0.0
    speed: float = 0.0


@dataclass(frozen=True, slots=True)
class VehicleSpec:
    """A vehicle's measures.

    Attributes:
        length, width, height: over all [m]. wheelbase: between the axles [m].
        front_overhang, rear_overhang: from the axles to the bumpers [m].
        max_steer: greatest angle of the front wheels [rad]. wheel_radius: [m].
    """

    length: float
    width: float
    height: float
    wheelbase: float
    front_overhang: float
    rear_overhang: float
    max_steer: float
    wheel_radius: float


@dataclass(frozen=True, slots=True)
class Models:
    """Names of the models that can be made."""

    ego: tuple[str, ...]
    vehicle: tuple[str, ...]
    pedestrian: tuple[str, ...]
    obstacle: tuple[str, ...]


class ActorOperations(Session):
    """Making, placing and removing actors. An actor is known by its id, or by the name that it was given."""

    @operation
    def spawn_vehicle(
        self,
        position: Vector,
        rotation: Vector | float = 0.0,
        model: str = IONIQ,
        *,
        speed: float = 0.0,
        ego: bool = False,
        name: str = "",
        paused: bool = False,
    ) -> Steps[str]:
        """Make a vehicle.

        Args:
            position: of the centre of its rear axle in the map [m].
            rotation: yaw, or roll, pitch and yaw [rad].
            model: its name; see `models`.
            speed: at first [m/s].
            ego: True makes one with full dynamics, which a client drives; False one that drives by itself.
            name: by which it is to be known; "" for its id.
            paused: whether it is held where it is.

        Returns:
            Its id.
        """
        info = self._new(position, rotation, model, name, "VEHICLE")
        return (
            yield from make("Actor/SpawnVehicle", spawn_info=info, velocity=speed * KMH, pause=paused, multi_ego=ego)
        )

    @operation
    def spawn_pedestrian(
        self,
        position: Vector,
        rotation: Vector | float = 0.0,
        model: str = "",
        *,
        speed: float = 1.4,
        way: Iterable[WalkPoint] = (),
        distance: float = 0.0,
        near: float = 0.0,
        start: bool = True,
        name: str = "",
    ) -> Steps[str]:
        """Make a pedestrian.

        Args:
            position: in the map [m].
            rotation: yaw, or roll, pitch and yaw [rad].
            model: its name.
            speed: of walking [m/s].
            way: points to walk to; none: straight on.
            distance: how far to walk without a way [m].
            near: it starts when an ego vehicle is nearer than this [m].
            start: whether it walks at once.
            name: by which it is to be known; "" for its id.

        Returns:
            Its id.
        """
        return (
            yield from make(
                "Actor/SpawnPedestrian",
                spawn_info=self._new(position, rotation, model, name, "PEDESTRIAN"),
                velocity=speed * KMH,
                active_dist=near,
                move_dist=distance,
                start_action=start,
                waypoints=_way(way),
            )
        )

    @operation
    def spawn_obstacle(
        self,
        position: Vector,
        rotation: Vector | float = 0.0,
        model: str = "box",
        *,
        scale: Vector = (1.0, 1.0, 1.0),
        name: str = "",
        drop: bool = True,
    ) -> Steps[str]:
        """Make an obstacle.

        Args:
            position: of the centre of its base in the map [m].
            rotation: yaw, or roll, pitch and yaw [rad].
            model: its name; see `models`.
            scale: factors on length, width and height.
            name: by which it is to be known; "" for its id.
            drop: whether it is put on the ground, on bridges on the level nearest below; else it stays as high as
                `position` says.

        Returns:
            Its id.
        """
        info = self._new(position, rotation, model, name, "OBSTACLE")
        return (yield from make("Actor/SpawnObstacle", drop=drop, spawn_info=info, scale=vector(scale)))

    @operation
    def destroy(self, actor: str | int) -> Steps[None]:
        """Remove an actor; the first ego vehicle stays."""
        info = identity(actor, "UNSPECIFIED")
        yield from do("Actor/DestroyActor", id=info["id"])

    @operation
    def destroy_all(self, key: str | None = None) -> Steps[None]:
        """Remove all that a client made.

        Args:
            key: of that client; None for this one. With "" the actors of all clients go.
        """
        yield from do("Actor/DestroyAllActors", value=self.key if key is None else key)

    @operation
    def place(self, actor: str | int, position: Vector, rotation: Vector | float = 0.0) -> Steps[None]:
        """Put an actor somewhere: position in the map [m], and yaw, or roll, pitch and yaw [rad]."""
        info = identity(actor, "UNSPECIFIED")
        yield from do("Actor/SetTransform", actor_info=info, transform=transform(position, rotation))

    @operation
    def set_speed(self, actor: str | int, speed: float) -> Steps[None]:
        """Give an actor a speed, forward [m/s]."""
        yield from do("Actor/SetVelocity", actor_info=identity(actor, "UNSPECIFIED"), velocity=speed * KMH)

    @operation
    def hold(self, actor: str | int, held: bool = True) -> Steps[None]:
        """Hold an actor where it is, or let it go on."""
        yield from do("Actor/SetPause", actor_info=identity(actor, "UNSPECIFIED"), enable=held)

    @operation
    def walk(self, actor: str | int, direction: Vector, speed: float) -> Steps[None]:
        """Let a pedestrian walk in a direction of the map, at a speed [m/s]."""
        info = identity(actor, "PEDESTRIAN")
        yield from do("Actor/ControlPedestrian", actor_info=info, direction=vector(direction), speed=speed * KMH)

    @operation
    def spec(self, actor: str | int) -> Steps[VehicleSpec]:
        """The measures of a vehicle."""
        answer = yield call("Actor/GetVehicleSpec", **identity(actor))
        return VehicleSpec(
            length=answer.length,
            width=answer.width,
            height=answer.height,
            wheelbase=answer.wheel_base,
            front_overhang=answer.front_overhang,
            rear_overhang=answer.rear_overhang,
            max_steer=math.radians(answer.max_steering_angle),
            wheel_radius=answer.wheel_radius,
        )

    @operation
    def models(self) -> Steps[Models]:
        """Names of the models that can be made."""
        answer = yield call("Simulator/GetAvailableObject")
        return Models(
            ego=tuple(answer.ego_vehicle),
            vehicle=tuple(answer.surround_vehicle),
            pedestrian=tuple(answer.pedestrian),
            obstacle=tuple(answer.obstacle),
        )

    def _new(self, position: Vector, rotation: Vector | float, model: str, name: str, kind: str) -> dict[str, Any]:
        info = identity(name, kind, self.key)
        return {"actor_info": info, "transform": transform(position, rotation), "model_name": model}


def _way(points: Iterable[WalkPoint]) -> dict[str, Any]:
    rows = [
        {"waypoint": vector(point.position), "pause_time": point.pause, "speed": point.speed * KMH} for point in points
    ]
    return {"waypoints": rows}
