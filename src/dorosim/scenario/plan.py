"""What a scenario holds, whatever file it came from: plain records in SI and the map frame.

A loader makes a `ScenarioPlan` of a file and a map; the world creates what the plan holds. In reverse, saving
a world fills a plan from the Snapshot. Ids are those of the scenario; the world's own ids are given when it is applied.
Positions are origins in the map [m], rotations are roll, pitch and yaw [rad] (pitch positive nose down, roll positive
left side up).
"""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.world.environment.command import CreateFrictionArea, PlaceShade
from dorosim.world.signal.command import SetIntersection
from dorosim.world.spawn.mode import BiasRule, CharacterMode
from dorosim.world.spawn.point import PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.vehicle.mode import ControlMode, Gear
from dorosim.world.waypoint import Waypoint

Vector = tuple[float, float, float]
NO_ROTATION = (0.0, 0.0, 0.0)
MAX_PLAN_LANE_DISTANCE = 50.0
"""A vehicle farther than this from every lane [m] is on another map."""


@dataclass(frozen=True, slots=True)
class LanePosition:
    """A position on a lane (OpenSCENARIO, LanePosition): row of the link, and arc length [m]."""

    link: int
    s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorPlan:
    """What the plans of all actors have in common.

    Attributes:
        model: name in the catalogue of its kind.
        data_id: the product's number of the model in the file, 0 for none.
        position, rotation: its pose.
        speed: forward; of what moves along waypoints, the one at which it moves [m/s].
    """

    model: str
    data_id: int = 0
    position: Vector
    rotation: Vector = NO_ROTATION
    speed: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EgoPlan(ActorPlan):
    """The ego vehicle.

    Attributes:
        gear, mode: as it starts.
        desired_ratio: of the speed limit in cruise control; 0 if `desired_speed` [m/s] counts.
    """

    gear: Gear = Gear.P
    mode: ControlMode = ControlMode.KEYBOARD
    desired_ratio: float = 0.0
    desired_speed: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class VehiclePlan(ActorPlan):
    """An NPC vehicle, or a multi-ego vehicle; the desired speed as for `EgoPlan`.

    Attributes:
        id: in the scenario.
        place: where its body origin is on its lane; None only for a multi-ego vehicle that is on none.
        ahead: row of the link under its front bumper, -1 if the scenario does not say it.
        start, end, loop_start: of its route, None if the scenario gives none.
        route: rows of the links of its route, empty if the scenario gives only its ends.
        close_loop, lane_change: how it drives.
        bias_rule, bias: lateral offset over half the lane width, left positive: the bias itself, or with GAUSSIAN the
            standard deviation of which one is drawn (design/seams.md, Codes left open).
        spawn_point, destination: ids in the scenario, -1 for none.
        is_ego: whether it is a multi-ego vehicle; gear and mode are those of one.
    """

    id: int
    desired_ratio: float = 0.0
    desired_speed: float = 0.0
    place: LanePosition | None
    ahead: int = -1
    start: LanePosition | None = None
    end: LanePosition | None = None
    loop_start: LanePosition | None = None
    route: tuple[int, ...] = ()
    close_loop: bool = False
    lane_change: bool = False
    bias_rule: BiasRule = BiasRule.FIX
    bias: float = 0.0
    spawn_point: int = -1
    destination: int = -1
    is_ego: bool = False
    gear: Gear = Gear.D
    mode: ControlMode = ControlMode.AUTO


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPedestrian(ActorPlan):
    """A pedestrian.

    Attributes:
        id: in the scenario.
        active_distance: it starts when the ego vehicle is this near [m].
        move_distance: how far it walks [m].
        moved: how far it has walked [m].
        active: whether it walks at all.
        mode: what it does at the end of its path.
        start: where its walk began.
        start_yaw: direction of a path straight ahead [rad].
        waypoints: the points that it walks along; empty: straight ahead.
        waypoint_index: the point that it goes to, 0 where its walk began; None for one that has not begun.
        back: whether it goes along its path backwards.
        spawn_point: id in the scenario, -1 for none.
    """

    id: int
    active_distance: float = 0.0
    move_distance: float = 0.0
    moved: float = 0.0
    active: bool = True
    mode: CharacterMode = CharacterMode.ONCE
    start: Vector
    start_yaw: float = 0.0
    waypoints: tuple[Waypoint, ...] = ()
    waypoint_index: int | None = None
    back: bool = False
    spawn_point: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ObstaclePlan(ActorPlan):
    """An obstacle; attributes as for `PlannedPedestrian`, and its scale over the model's size."""

    id: int
    scale: Vector = (1.0, 1.0, 1.0)
    active_distance: float = 0.0
    waypoints: tuple[Waypoint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioPlan:
    """A scenario on a map.

    Attributes:
        map_name: of the map that it belongs to.
        ego: None if the scenario has none.
        vehicle_spawn_points, pedestrian_spawn_points: with the scenario's ids; models are rows of the catalogue.
        controllers: the states of intersections.
        friction_areas: each with its id in the scenario.
        shaded_areas: boxes without GNSS reception.
    """

    map_name: str = ""
    ego: EgoPlan | None = None
    vehicles: tuple[VehiclePlan, ...] = ()
    pedestrians: tuple[PlannedPedestrian, ...] = ()
    obstacles: tuple[ObstaclePlan, ...] = ()
    vehicle_spawn_points: tuple[VehicleSpawnPoint, ...] = ()
    pedestrian_spawn_points: tuple[PedestrianSpawnPoint, ...] = ()
    controllers: tuple[SetIntersection, ...] = ()
    friction_areas: tuple[tuple[int, CreateFrictionArea], ...] = ()
    shaded_areas: tuple[PlaceShade, ...] = ()


def contents_of(plan: ScenarioPlan) -> str:
    """What a plan holds, as a text for the user: "ego vehicle, 25 obstacles, 5 vehicle spawn points"."""
    egos = sum(one.is_ego for one in plan.vehicles)
    counts = (
        (egos, "multi-ego vehicle"),
        (len(plan.vehicles) - egos, "NPC vehicle"),
        (len(plan.pedestrians), "pedestrian"),
        (len(plan.obstacles), "obstacle"),
        (len(plan.vehicle_spawn_points), "vehicle spawn point"),
        (len(plan.pedestrian_spawn_points), "pedestrian spawn point"),
        (len(plan.controllers), "intersection"),
        (len(plan.friction_areas), "friction area"),
        (len(plan.shaded_areas), "shaded area"),
    )
    parts = [] if plan.ego is None else ["ego vehicle"]
    parts += [f"{count} {name}{'s' if count > 1 else ''}" for count, name in counts if count]
    return ", ".join(parts) or "nothing"
