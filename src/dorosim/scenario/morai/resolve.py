"""A scenario file on a map: actors, lights and areas in SI, and what is missing."""

from __future__ import annotations

from dorosim.road.network import RoadNetwork
from dorosim.scenario.catalogue import Catalogue, Family
from dorosim.scenario.morai.matching import FASTEST_KMH, Matcher, map_from_unity, rotation_from, triple_from
from dorosim.scenario.morai.record import Ego, Obstacle, Pedestrian, ScenarioFile, Vehicle
from dorosim.scenario.morai.resolve_spawn import pedestrian_spawn_points, vehicle_spawn_points
from dorosim.scenario.plan import (
    ControllerPlan,
    EgoPlan,
    FrictionAreaPlan,
    LinkPlace,
    ObstaclePlan,
    PedestrianPlan,
    Plan,
    ShadedAreaPlan,
    Vector,
    VehiclePlan,
)
from dorosim.world.spawn.mode import BiasRule, SpeedRule
from dorosim.world.vehicle.mode import ControlMode, Gear

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
_SCALES = (0.001, 1000.0)
_LONGEST_STATE = 1e6
"""Of a traffic light [s]."""
_SAME_ORIGIN = 0.01
"""Origins that differ by less [m] are the same."""


def resolve(scenario: ScenarioFile, network: RoadNetwork, catalogue: Catalogue) -> tuple[Plan, list[str]]:
    """A scenario on a map.

    Nothing is refused: what is not on the map or in the catalogue is replaced or left out, and told.

    Args:
        scenario: as read.
        network: the map that is loaded.
        catalogue: the models that there are.

    Returns:
        The plan, and one line for everything that is missing or replaced, beginning with the key path.
    """
    match = Matcher(network, catalogue)
    other_map = _note_map(scenario, match)
    ways = _ways(scenario)
    vehicles = [_vehicle(one, f"vehicleList[{row}]", match) for row, one in enumerate(scenario.vehicles)]
    plan = Plan(
        map_name=network.name,
        ego=None if scenario.ego is None else _ego(scenario.ego, match),
        vehicles=tuple(one for one in vehicles if one is not None),
        pedestrians=tuple(
            _pedestrian(one, f"pedestrianList[{row}]", ways, match) for row, one in enumerate(scenario.pedestrians)
        ),
        obstacles=tuple(
            _obstacle(one, f"objectList[{row}]", ways, match) for row, one in enumerate(scenario.obstacles)
        ),
        vehicle_spawn_points=vehicle_spawn_points(scenario.spawn_points, match),
        pedestrian_spawn_points=pedestrian_spawn_points(scenario.pedestrian_spawn_points, match),
        controllers=() if other_map else _controllers(scenario, match),
        friction_areas=_friction_areas(scenario, match),
        shaded_areas=_shaded_areas(scenario),
    )
    if scenario.ai_pedestrians:
        match.note(
            "aiPedstrianList", f"{len(scenario.ai_pedestrians)} kept in the file, not created: its form is not known"
        )
    if plan.ego is not None and match.nearest(plan.ego.position, plan.ego.rotation[2]) is None:
        match.note("egoVehicle.initPosition.pos", "no lane is near; kept")
    if other_map and scenario.controllers:
        match.note("tlList", "these are controllers of the other map; left out")
    if other_map:
        match.note_far([one.position for one in plan.obstacles], "objectList")
        match.note_far([one.position for one in plan.pedestrians], "pedestrianList")
    return plan, match.missing + match.stand_ins()


def _note_map(scenario: ScenarioFile, match: Matcher) -> bool:
    """Note that the scenario is for another map, and say so."""
    info, network = scenario.map_info, match.network
    if info.name and info.name.casefold() != network.name.casefold():
        match.note("mapInfo.mapName", f"made for map {info.name!r}, loaded on {network.name!r}")
        return True
    east, north = info.east_offset - network.origin[0], info.north_offset - network.origin[1]
    if info.name and (info.east_offset or info.north_offset) and max(abs(east), abs(north)) > _SAME_ORIGIN:
        match.note("mapInfo.eastOffset", f"the map's origin lies {east:.2f} m east, {north:.2f} m north of this map's")
    return False


def _ways(scenario: ScenarioFile) -> dict[str, tuple[Vector, ...]]:
    """Waypoints by the name of their path, in map [m]."""
    return {path.name: tuple(map_from_unity(point.pos) for point in path.points) for path in scenario.paths}


def _ego(ego: Ego, match: Matcher) -> EgoPlan:
    path = "egoVehicle"
    start = ego.start
    position, rotation = triple_from(start.pos), rotation_from(start.rot)
    if start.mode.strip().lower() != "absolute" and start.link:
        placed = _on_link(start.link, start.link_ratio, path, match)
        position, rotation = placed or (position, rotation)
    by_link = match.code(SpeedRule, ego.desired_rule, SpeedRule.LINK, f"{path}.desiredVelocityType") is SpeedRule.LINK
    if ego.control_mode not in MODE_OF_CODE:
        match.note(f"{path}.currentControlMode", f"code {ego.control_mode} is not known; 1 (KEYBOARD) instead")
    return EgoPlan(
        model=match.catalogue.vehicles[match.model(Family.EGO, ego, path)].name,
        data_id=ego.data_id,
        position=position,
        rotation=rotation,
        speed=match.speed(ego.current_velocity_kmh, f"{path}.currentVelocity", -FASTEST_KMH),
        gear=match.code(Gear, start.gear, Gear.P, f"{path}.initPosition.gear"),
        mode=MODE_OF_CODE.get(ego.control_mode, ControlMode.KEYBOARD),
        desired_ratio=match.ratio(ego.link_ratio_percent, f"{path}.linkValue") if by_link else 0.0,
        desired_speed=0.0 if by_link else match.speed(ego.desired_velocity_kmh, f"{path}.customValue"),
    )


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
    if place is None:
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
        start=match.place(vehicle.start_link, f"{path}.startPointLinkInfo"),
        end=match.place(vehicle.end_link, f"{path}.endPointLinkInfo"),
        loop_start=match.place(vehicle.loop_start_link, f"{path}.loopStartLinkInfo"),
        close_loop=vehicle.close_loop,
        lane_change=vehicle.lane_change,
        bias_rule=match.code(BiasRule, vehicle.bias_rule, BiasRule.FIX, f"{path}.latBiasMode"),
        bias=match.bias(vehicle.bias_percent, f"{path}.bias"),
        spawn_point=vehicle.spawn_point,
        destination=vehicle.destination,
        is_ego=vehicle.is_ego,
    )


def _present_place(vehicle: Vehicle, path: str, position: Vector, yaw: float, match: Matcher) -> LinkPlace | None:
    """Where a vehicle is: on the link that the file says, if it is on the map, else on the nearest."""
    said = match.place(vehicle.current_link, f"{path}.currentLinkInfo", position)
    return said if said is not None else match.nearest(position, yaw)


def _pedestrian(one: Pedestrian, path: str, ways: dict[str, tuple[Vector, ...]], match: Matcher) -> PedestrianPlan:
    position, start = triple_from(one.pos), map_from_unity(one.unity_start)
    return PedestrianPlan(
        id=one.unique_id,
        model=match.catalogue.pedestrians[match.model(Family.PEDESTRIAN, one, "pedestrianList")].name,
        data_id=one.data_id,
        position=position,
        rotation=rotation_from(one.rot),
        speed=match.speed(one.speed_kmh, f"{path}.speed"),
        active_distance=match.length(one.active_distance, f"{path}.activeDistance"),
        move_distance=match.length(one.move_distance, f"{path}.movingDistance"),
        moved=match.length(one.moved, f"{path}.movingDistanceAmount"),
        active=one.active,
        loop=one.loop,
        start=start if any(start) else position,
        way=ways.get(f"{PEDESTRIAN_PATH} - {one.unique_id}", ()) if one.waypoint_mode else (),
    )


def _obstacle(one: Obstacle, path: str, ways: dict[str, tuple[Vector, ...]], match: Matcher) -> ObstaclePlan:
    scale = [
        match.limited(value, *_SCALES, f"{path}.scale.{axis}")
        for axis, value in zip("xyz", triple_from(one.scale), strict=True)
    ]
    return ObstaclePlan(
        id=one.unique_id,
        model=match.catalogue.obstacles[match.model(Family.OBSTACLE, one, "objectList")].name,
        data_id=one.data_id,
        position=triple_from(one.pos),
        rotation=rotation_from(one.rot),
        scale=(scale[0], scale[1], scale[2]),
        speed=match.speed(one.speed_kmh, f"{path}.moveSpeed"),
        active_distance=match.length(one.active_distance, f"{path}.activeDistance"),
        way=ways.get(f"{OBSTACLE_PATH} - {one.unique_id}", ()) if one.waypoint_mode else (),
    )


def _controllers(scenario: ScenarioFile, match: Matcher) -> tuple[ControllerPlan, ...]:
    """The states of controllers that are on the map, with a programme that has them."""
    known = match.network.signals.controllers
    found = []
    for row, one in enumerate(scenario.controllers):
        path = f"tlList[{row}]"
        if not 0 <= one.index < len(known):
            match.note(
                path, f"the map has {len(known)} intersection controllers, so none of index {one.index}; left out"
            )
            continue
        states = len(known[one.index].states)
        if not 0 <= one.state < states:
            match.note(path, f"controller {one.index} has {states} states, so no state {one.state}; left out")
            continue
        found.append(
            ControllerPlan(one.index, one.state, match.limited(one.elapsed, 0.0, _LONGEST_STATE, f"{path}.deltaTime"))
        )
    return tuple(found)


def _friction_areas(scenario: ScenarioFile, match: Matcher) -> tuple[FrictionAreaPlan, ...]:
    found = []
    for row, one in enumerate(scenario.friction_areas):
        if one.vertical_radius <= 0 or one.horizontal_radius <= 0:
            path = f"frictionChangeMaterialList[{row}]"
            match.note(path, "says no radii in a form that is known; kept in the file, not created")
            continue
        found.append(
            FrictionAreaPlan(
                id=one.unique_id,
                position=triple_from(one.pos),
                rotation=rotation_from(one.rot),
                vertical_radius=one.vertical_radius,
                horizontal_radius=one.horizontal_radius,
                height=one.height,
                multiplier=one.multiplier,
            )
        )
    return tuple(found)


def _shaded_areas(scenario: ScenarioFile) -> tuple[ShadedAreaPlan, ...]:
    return tuple(
        ShadedAreaPlan(
            id=one.unique_id,
            position=triple_from(one.pos),
            rotation=rotation_from(one.rot),
            size=(abs(one.size.y), abs(one.size.x), abs(one.size.z)),
        )
        for one in scenario.shaded_areas
    )
