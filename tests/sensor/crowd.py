"""Actors for tests of sensors: the tables of a Snapshot, filled by hand, and the same actors as boxes in Embree."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from dorosim.ground.mesh import Mesh
from dorosim.sensor.actor import actors_of
from dorosim.sensor.scene.instance import Placement, View
from dorosim.sensor.scene.view import SensorScene
from dorosim.world.environment.weather import first_environment
from dorosim.world.obstacle.state import OBSTACLE_MODELS, ObstacleState
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.storyboard.state import StoryboardState
from dorosim.world.traffic.ghost import GhostState
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState
from tests.sensor.bench import TICK
from tests.sensor.scene.build import box, plane

CAR_SIZE = (4.6, 1.8, 1.5)
"""Front overhang 0.9 m, wheelbase 2.7 m, rear overhang 1.0 m: its middle is 1.3 m before its origin."""
MIDDLE = 1.3
SCENE = SimpleNamespace(
    vehicle_sizes=np.array([(*CAR_SIZE, 0.9, 2.7, 1.0)]), models=(SimpleNamespace(name="2016_Hyundai_Ioniq"),)
)


class Crowd:
    """A snapshot's tables; ids are given in the order in which actors are added, from 1."""

    def __init__(self) -> None:
        self.tables: dict[Any, list[Any]] = {
            kind: [] for kind in (VehicleState, TrafficState, GhostState, PedestrianState, ObstacleState)
        }
        self.last = 0

    def add(self, kind: Any, x: float, y: float, yaw: float = 0.0, **columns: Any) -> int:
        """One actor; further columns by name."""
        row = kind.zeros(1)
        self.last += 1
        row.id[0], row.x[0], row.y[0], row.yaw[0] = self.last, x, y, yaw
        for name, value in columns.items():
            getattr(row, name)[..., 0] = value
        self.tables[kind].append(row)
        return self.last

    def ego(self, x: float, y: float, yaw: float = 0.0, **columns: Any) -> int:
        return self.add(VehicleState, x, y, yaw, **columns)

    def npc(self, x: float, y: float, yaw: float = 0.0, speed: float = 0.0, **columns: Any) -> int:
        sizes = {"length": CAR_SIZE[0], "width": CAR_SIZE[1], "wheelbase": 2.7, "front_overhang": 0.9}
        columns = {"present": Presence.ON_LANE, **sizes, **columns}
        return self.add(TrafficState, x, y, yaw, speed=speed, **columns)

    def person(self, x: float, y: float, **columns: Any) -> int:
        return self.add(PedestrianState, x, y, **columns)

    def obstacle(self, x: float, y: float, yaw: float = 0.0, size=(1.0, 1.0, 1.0), **columns: Any) -> int:
        length, width, height = size
        model = len(OBSTACLE_MODELS) - 1
        return self.add(ObstacleState, x, y, yaw, length=length, width=width, height=height, model=model, **columns)

    def parameters(self) -> Any:
        """Those of the ego vehicles, which are all alike."""
        found = VehicleParameter.zeros(len(self.tables[VehicleState]))
        found.length[:], found.width[:], found.height[:] = CAR_SIZE
        found.front_overhang[:], found.wheelbase[:], found.rear_overhang[:] = 0.9, 2.7, 1.0
        return found.freeze()

    def now(self, tick: int = 1) -> Any:
        """The tables as a snapshot has them."""

        def table(kind: Any) -> Any:
            found = kind.zeros(0)
            for row in self.tables[kind]:
                found = found.append(row)
            return found.freeze()

        return SimpleNamespace(
            tick=tick,
            time=tick * TICK,
            environment=first_environment().freeze(),
            vehicle=table(VehicleState),
            parameter=self.parameters(),
            storyboard=StoryboardState.empty(),
            traffic=table(TrafficState),
            ghost=table(GhostState),
            people=SimpleNamespace(state=table(PedestrianState)),
            obstacles=SimpleNamespace(state=table(ObstacleState)),
        )


def boxes_in_embree(now: Any, static: Mesh | None = None) -> tuple[SensorScene, View]:
    """All actors as their boxes, on a plane, and their view."""
    table = actors_of(SCENE, now)
    scene = SensorScene.from_meshes(static or plane(half=1000.0), [box((0.5, 0.5, 0.5))])
    placement = Placement.zeros(len(table.id))
    placement.pose[:, :, :3] = table.rotation * table.size[:, None, :]
    placement.pose[:, :, 3] = table.centre
    placement.actor[:] = table.id
    return scene, scene.place(placement)
