"""A scenario file on a map: actors, lights and areas in SI, and what is missing."""

from __future__ import annotations

from typing import NamedTuple

from dorosim.ground.physics import MAX_COORDINATE
from dorosim.ground.unit import KMH
from dorosim.road.network import RoadNetwork
from dorosim.scenario.catalogue import Catalogue, Family
from dorosim.scenario.morai.matching import MAX_SPEED_KMH, Matcher, map_from_unity, rotation_from, triple_from
from dorosim.scenario.morai.record import (
    EgoRecord,
    FrictionArea,
    Obstacle,
    Pedestrian,
    ScenarioFile,
    Vehicle,
    WaypointRecord,
)
from dorosim.scenario.morai.resolve_spawn import pedestrian_spawn_points, vehicle_spawn_points
from dorosim.scenario.plan import (
    MAX_PLAN_LANE_DISTANCE,
    EgoPlan,
    LanePosition,
    ObstaclePlan,
    PlannedPedestrian,
    ScenarioPlan,
    Vector,
    VehiclePlan,
)
from dorosim.world.environment.command import CreateFrictionArea, PlaceShade
from dorosim.world.environment.effect import MAX_AREA_SIZE, MAX_FRICTION
from dorosim.world.obstacle.command import MAX_OBSTACLE_SCALE
from dorosim.world.obstacle.command import MAX_OBSTACLE_SPEED as FASTEST_OBSTACLE
from dorosim.world.pedestrian.command import MAX_PEDESTRIAN_SPEED
from dorosim.world.signal.command import SetIntersection
from dorosim.world.spawn.mode import BiasRule, CharacterMode, SpeedRule
from dorosim.world.vehicle.mode import ControlMode, Gear
from dorosim.world.waypoint import Waypoint

OBSTACLE_PATH, PEDESTRIAN_PATH = "ObstaclePath", "PedPath"
MODE_OF_CODE = {
    0: ControlMode.KEEP,
    1: ControlMode.KEYBOARD,
    2: ControlMode.KEYBOARD,
    3: ControlMode.AUTO,
    4: ControlMode.AUTO,
    5: ControlMode.AUTO,
    6: ControlMode.CRUISE,
    7: ControlMode.AUTO,
}
"""VehicleControlMode of facts/standard-api.json: a game wheel drives like a keyboard, the automatic modes are one."""
_MAX_STATE_DURATION = 1e6
"""Longest time in a state of a traffic light [s]."""
_SAME_ORIGIN = 0.01
"""Origins that differ by less [m] are the same."""


class Resolved(NamedTuple):
    """A scenario on a map.

    Attributes:
        plan: what it means there.
        missing: a line for everything that is left out or changed, beginning with the key path.
        stand_ins: a line for every model that another one stands in for.
    """

    plan: ScenarioPlan
    missing: list[str]
    stand_ins: list[str]


OFF_MAP_DISTANCE = 1000.0
"""What is farther than this from every lane [m] is not on the map."""


def resolve(scenario: ScenarioFile, network: RoadNetwork, catalogue: Catalogue) -> Resolved:
    """A scenario on a map.

    Nothing is refused: what is not on the map or in the catalogue is replaced or left out, and the result has a line
    for it.

    Args:
        scenario: as read.
        network: the map that is loaded.
        catalogue: the models that there are.
    """
    match = Matcher(network, catalogue)
    other_map = _note_map(scenario, match)
    paths = _paths(scenario, match)
    vehicles = [_vehicle(one, f"vehicleList[{row}]", match) for row, one in enumerate(scenario.vehicles)]
    plan = ScenarioPlan(
        map_name=network.name,
        ego=None if scenario.ego is None else _ego(scenario.ego, match),
        vehicles=tuple(one for one in vehicles if one is not None),
        pedestrians=tuple(
            _pedestrian(one, f"pedestrianList[{row}]", paths, match) for row, one in enumerate(scenario.pedestrians)
        ),
        obstacles=tuple(
            _obstacle(one, f"objectList[{row}]", paths, match) for row, one in enumerate(scenario.obstacles)
        ),
        vehicle_spawn_points=vehicle_spawn_points(scenario.spawn_points, scenario.obstacles, match),
        pedestrian_spawn_points=pedestrian_spawn_points(scenario.pedestrian_spawn_points, match),
        controllers=() if other_map else _controllers(scenario, match),
        friction_areas=_friction_areas(scenario, match),
        shaded_areas=_shaded_areas(scenario, match),
    )
    if scenario.ai_pedestrians:
        match.note(
            "aiPedstrianList", f"{len(scenario.ai_pedestrians)} kept in the file, not created: its form is not known"
        )
    if plan.ego is not None and match.nearest(plan.ego.position, plan.ego.rotation[2]) is None:
        match.note("egoVehicle.initPosition.pos", "no lane is near; kept")
    if other_map and scenario.controllers:
        match.note("tlList", "these are controllers of the other map; left out")
    # on the map that they were made for, things may lie in fields beside the road
    reach = MAX_PLAN_LANE_DISTANCE if other_map else OFF_MAP_DISTANCE
    match.note_far([one.position for one in plan.vehicles if one.is_ego], "vehicleList", MAX_PLAN_LANE_DISTANCE)
    match.note_far([one.position for one in plan.obstacles], "objectList", reach)
    match.note_far([one.position for one in plan.pedestrians], "pedestrianList", reach)
    return Resolved(plan, match.missing, match.stand_ins())


def _note_map(scenario: ScenarioFile, match: Matcher) -> bool:
    """Note a scenario for another map or map origin. Returns whether it is for another map."""
    info, network = scenario.map_info, match.network
    if info.name and info.name.casefold() != network.name.casefold():
        match.note("mapInfo.mapName", f"made for map {info.name!r}, loaded on {network.name!r}")
        return True
    east, north = info.east_offset - network.origin[0], info.north_offset - network.origin[1]
    if info.name and (info.east_offset or info.north_offset) and max(abs(east), abs(north)) > _SAME_ORIGIN:
        match.note("mapInfo.eastOffset", f"the map's origin lies {east:.2f} m east, {north:.2f} m north of this map's")
    return False


def _paths(scenario: ScenarioFile, match: Matcher) -> dict[str, tuple[Waypoint, ...]]:
    """Waypoints by the name of their path, in map [m]."""
    return {
        one.name: tuple(
            _waypoint(point, f"waypointDataList[{row}].waypointData[{number}]", match)
            for number, point in enumerate(one.points)
        )
        for row, one in enumerate(scenario.paths)
    }


def _waypoint(point: WaypointRecord, path: str, match: Matcher) -> Waypoint:
    pause = match.length(point.pause or 0.0, f"{path}.pauseTime")
    speed = match.speed(point.speed_kmh or 0.0, f"{path}.moveSpeed", highest_kmh=MAX_PEDESTRIAN_SPEED / KMH.factor)
    return Waypoint(*map_from_unity(point.pos), pause, speed)


def _ego(ego: EgoRecord, match: Matcher) -> EgoPlan:
    path = "egoVehicle"
    start = ego.start
    position, rotation = triple_from(start.pos), rotation_from(start.rot)
    if start.mode.strip().lower() != "absolute" and start.link:
        placed = _on_link(start.link, start.link_ratio, path, match)
        position, rotation = placed or (position, rotation)
    by_link = match.code(SpeedRule, ego.desired_rule, SpeedRule.LINK, f"{path}.desiredVelocityType") is SpeedRule.LINK
    return EgoPlan(
        model=match.catalogue.vehicles[match.model(Family.EGO, ego, path)].name,
        data_id=ego.data_id,
        position=position,
        rotation=rotation,
        speed=match.speed(ego.current_velocity_kmh, f"{path}.currentVelocity", -MAX_SPEED_KMH),
        gear=match.code(Gear, start.gear, Gear.P, f"{path}.initPosition.gear"),
        mode=_mode(ego.control_mode, path, match),
        desired_ratio=match.ratio(ego.link_ratio_percent, f"{path}.linkValue") if by_link else 0.0,
        desired_speed=0.0 if by_link else match.speed(ego.desired_velocity_kmh, f"{path}.customValue"),
    )


def _mode(code: int, path: str, match: Matcher) -> ControlMode:
    """The control mode of a code; KEYBOARD with a note for a code that is not known."""
    if code not in MODE_OF_CODE:
        match.note(f"{path}.currentControlMode", f"code {code} is not known; 1 (KEYBOARD) instead")
    return MODE_OF_CODE.get(code, ControlMode.KEYBOARD)


def _on_link(link: str, ratio: float, path: str, match: Matcher) -> tuple[Vector, Vector] | None:
    """Position and rotation at a share of a link's length."""
    row = match.link(link, f"{path}.initPosition.initLink")
    if row is None:
        return None
    pose = match.network.pose_at(row, ratio * match.network.link_length[row])
    x, y, z = pose.point[0].tolist()
    return (x, y, z), (0.0, 0.0, float(pose.heading[0]))


def _vehicle(vehicle: Vehicle, path: str, match: Matcher) -> VehiclePlan | None:
    position, rotation = triple_from(vehicle.start.pos), rotation_from(vehicle.start.rot)
    place = _present_place(vehicle, path, position, rotation[2], match)
    if place is None and not vehicle.is_ego:
        match.note(path, "no lane is near; left out")
        return None
    by_link = match.code(SpeedRule, vehicle.desired_rule, SpeedRule.LINK, f"{path}.velocityType") is SpeedRule.LINK
    desired_kmh = vehicle.desired_velocity_kmh or vehicle.constant_velocity_kmh
    return VehiclePlan(
        id=vehicle.unique_id,
        model=match.catalogue.vehicles[match.model(Family.NPC, vehicle, "vehicleList")].name,
        data_id=vehicle.data_id,
        position=position,
        rotation=rotation,
        speed=match.speed(vehicle.current_velocity_kmh, f"{path}.currentVelocity"),
        desired_ratio=match.ratio(vehicle.link_ratio_percent, f"{path}.linkVelocity") if by_link else 0.0,
        desired_speed=0.0 if by_link else match.speed(desired_kmh, f"{path}.desiredVelocity"),
        place=place,
        ahead=_row_or(match.link(vehicle.front_link or "", f"{path}.frontLink")),
        start=match.place(vehicle.start_link, f"{path}.startPointLinkInfo"),
        end=match.place(vehicle.end_link, f"{path}.endPointLinkInfo"),
        loop_start=match.place(vehicle.loop_start_link, f"{path}.loopStartLinkInfo"),
        route=_route(vehicle, f"{path}.linkPath", match),
        close_loop=vehicle.close_loop,
        lane_change=vehicle.lane_change,
        bias_rule=match.code(BiasRule, vehicle.bias_rule, BiasRule.FIX, f"{path}.latBiasMode"),
        bias=match.bias(vehicle.bias_percent, f"{path}.bias"),
        spawn_point=vehicle.spawn_point,
        destination=vehicle.destination,
        is_ego=vehicle.is_ego,
        gear=match.code(Gear, vehicle.start.gear, Gear.D, f"{path}.initPosition.gear"),
        mode=ControlMode.AUTO if vehicle.control_mode is None else _mode(vehicle.control_mode, path, match),
    )


def _row_or(row: int | None) -> int:
    return -1 if row is None else row


def _route(vehicle: Vehicle, path: str, match: Matcher) -> tuple[int, ...]:
    """Rows of the links of a vehicle's route, none if one of them is not on the map."""
    rows = [match.link(name, f"{path}[{number}]") for number, name in enumerate(vehicle.route or ())]
    known = tuple(row for row in rows if row is not None)
    return known if len(known) == len(rows) else ()


def _present_place(vehicle: Vehicle, path: str, position: Vector, yaw: float, match: Matcher) -> LanePosition | None:
    """The place of a vehicle: on the link that the file gives, if the map has it, else on the nearest lane."""
    said = match.place(vehicle.current_link, f"{path}.currentLinkInfo", position)
    if said is not None:
        match.note_apart(position, said, f"{path}.initPosition.pos")
    return said if said is not None else match.nearest(position, yaw)


def _pedestrian(
    one: Pedestrian, path: str, paths: dict[str, tuple[Waypoint, ...]], match: Matcher
) -> PlannedPedestrian:
    position, start, rotation = triple_from(one.pos), map_from_unity(one.unity_start), rotation_from(one.rot)
    mode = CharacterMode.REPEAT if one.loop else CharacterMode.ONCE
    if one.mode is not None:
        mode = match.code(CharacterMode, one.mode, mode, f"{path}.characterMode")
    waypoints = paths.get(f"{PEDESTRIAN_PATH} - {one.unique_id}", ()) if one.waypoint_mode else ()
    points = len(waypoints) or int(one.move_distance > 0.0)
    index = 1 if one.waypoint_index is None and one.moved > 0.0 and points else one.waypoint_index
    if index is not None:
        index = int(match.limited(index, 0, points, f"{path}.waypointIndex"))
    return PlannedPedestrian(
        id=one.unique_id,
        model=match.catalogue.pedestrians[match.model(Family.PEDESTRIAN, one, "pedestrianList")].name,
        data_id=one.data_id,
        position=position,
        rotation=rotation,
        speed=match.speed(one.speed_kmh, f"{path}.speed", highest_kmh=MAX_PEDESTRIAN_SPEED / KMH.factor),
        active_distance=match.length(one.active_distance, f"{path}.activeDistance"),
        move_distance=match.length(one.move_distance, f"{path}.movingDistance"),
        moved=match.length(one.moved, f"{path}.movingDistanceAmount"),
        active=one.active,
        mode=mode,
        start=start if any(start) else position,
        start_yaw=rotation[2] if index is None else rotation_from(one.start_rot)[2],
        waypoints=waypoints,
        waypoint_index=index,
        back=bool(one.back),
        spawn_point=-1 if one.spawn_point is None else one.spawn_point,
    )


def _obstacle(one: Obstacle, path: str, paths: dict[str, tuple[Waypoint, ...]], match: Matcher) -> ObstaclePlan:
    scale = [
        match.limited(value, 1 / MAX_OBSTACLE_SCALE, MAX_OBSTACLE_SCALE, f"{path}.scale.{axis}")
        for axis, value in zip("xyz", triple_from(one.scale), strict=True)
    ]
    return ObstaclePlan(
        id=one.unique_id,
        model=match.catalogue.obstacles[match.model(Family.OBSTACLE, one, "objectList")].name,
        data_id=one.data_id,
        position=triple_from(one.pos),
        rotation=rotation_from(one.rot),
        scale=(scale[0], scale[1], scale[2]),
        speed=match.speed(one.speed_kmh, f"{path}.moveSpeed", highest_kmh=FASTEST_OBSTACLE / KMH.factor),
        active_distance=match.length(one.active_distance, f"{path}.activeDistance"),
        waypoints=paths.get(f"{OBSTACLE_PATH} - {one.unique_id}", ()) if one.waypoint_mode else (),
    )


def _controllers(scenario: ScenarioFile, match: Matcher) -> tuple[SetIntersection, ...]:
    """The states of controllers that are on the map, with a programme that has them."""
    signals = match.network.signals
    known = signals.controllers
    row_of = {signals.number_of(row): row for row in reversed(range(len(known)))}
    found = []
    for row, one in enumerate(scenario.controllers):
        path = f"tlList[{row}]"
        controller = row_of.get(one.index, -1)
        if controller < 0:
            match.note(
                path, f"the map has {len(known)} intersection controllers, none of them of index {one.index}; left out"
            )
            continue
        states = len(known[controller].states)
        if not 0 <= one.state < states:
            match.note(path, f"controller {one.index} has {states} states, so no state {one.state}; left out")
            continue
        elapsed = match.limited(one.elapsed, 0.0, _MAX_STATE_DURATION, f"{path}.deltaTime")
        found.append(SetIntersection(controller, one.state, elapsed))
    return tuple(found)


def says_area(one: FrictionArea) -> bool:
    """Whether a friction area of a file has a form that is known."""
    return one.vertical_radius > 0 and one.horizontal_radius > 0


def _friction_areas(scenario: ScenarioFile, match: Matcher) -> tuple[tuple[int, CreateFrictionArea], ...]:
    found = []
    for row, one in enumerate(scenario.friction_areas):
        path = f"frictionChangeMaterialList[{row}]"
        if not says_area(one):
            match.note(path, "says no radii in a form that is known; kept in the file, not created")
            continue
        area = CreateFrictionArea(
            model=one.model_name or "",
            position=triple_from(one.pos),
            rotation=rotation_from(one.rot),
            vertical_radius=match.limited(one.vertical_radius, 0.0, MAX_AREA_SIZE, f"{path}.verticalRadius"),
            horizontal_radius=match.limited(one.horizontal_radius, 0.0, MAX_AREA_SIZE, f"{path}.horizontalRadius"),
            height=match.limited(one.height, 0.0, MAX_AREA_SIZE, f"{path}.height"),
            multiplier=match.limited(one.multiplier, 0.0, MAX_FRICTION, f"{path}.multiplier"),
        )
        found.append((one.unique_id, area))
    return tuple(found)


def _shaded_areas(scenario: ScenarioFile, match: Matcher) -> tuple[PlaceShade, ...]:
    def limited(length: float, row: int, axis: str) -> float:
        return match.limited(abs(length), 0.0, MAX_COORDINATE, f"shadedAreaList[{row}].size.{axis}")

    return tuple(
        PlaceShade(
            alias=one.unique_id,
            position=triple_from(one.pos),
            rotation=rotation_from(one.rot),
            size=(limited(one.size.y, row, "y"), limited(one.size.x, row, "x"), limited(one.size.z, row, "z")),
        )
        for row, one in enumerate(scenario.shaded_areas)
    )
