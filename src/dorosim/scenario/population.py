"""A populated world without a scenario file: NPC vehicles all over the map, pedestrians that cross its roads."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.world.collision.body import BodyTable
from dorosim.world.collision.scenery import NO_PARTS, parts_near
from dorosim.world.command import NEW_ACTOR
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS, pedestrian_model_row
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.placement import PLACEMENT_GAP, traffic_places
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.model import VehicleModel
from dorosim.world.waypoint import Waypoint

VEHICLE_SHARES = (("truck", 0.12), ("van", 0.04), ("bus", 0.02))
"""Share of each category of vehicles; the rest are cars. About that of Korea's vehicle register of 2023."""
CARS = ("sedan", "hatchback", "suv")
PERSON_SHARES = (("adult_male", 0.4), ("adult_female", 0.4), ("child", 0.1), ("elder", 0.1))
"""Share of each pedestrian model, chosen without a source."""
MIN_EGO_DISTANCE = 15.0
"""No NPC vehicle starts nearer than this to an ego vehicle [m]."""
KERB_DISTANCE, PEDESTRIAN_SPACING, PEDESTRIAN_ROWS = 1.0, 0.8, 2
"""Pedestrians start this far behind the end of a crosswalk [m], this far beside and behind one another [m], in so many
rows."""
MIN_PEDESTRIAN_GAP = 0.6
"""No two pedestrians start nearer to each other than this [m]."""
MAX_ROAD_DISTANCE = 2.0
"""A place nearer than this to the middle of a lane [m] is on a road."""
MIN_STAY, MAX_STAY = 2.0, 8.0
"""How long pedestrians stay on the other side [s]."""


def population(
    scene: Scene,
    first: Snapshot,
    noise: Noise,
    vehicles: int,
    pedestrians: int,
    *,
    fewer: bool = False,
    mistakes: float = 0.0,
) -> tuple[CreateNpc | SpawnPedestrian, ...]:
    """The commands that make so many vehicles and pedestrians.

    Vehicles stand at first, and their desired speeds are about the speed limits. Pedestrians walk to and fro, spread
    over all crosswalks.

    Args:
        scene: what does not change.
        first: the world in which they are made; no vehicle starts beside its ego vehicles.
        noise: the run's randomness.
        vehicles: how many.
        pedestrians: how many.
        mistakes: of each driver, per hour of driving.
        fewer: where the map has no room for so many, make as many as it has room for.

    Raises:
        InputError: the map has no room for so many; it says for how many it has.
    """
    drivers = _vehicles(scene, first, noise, vehicles, fewer, mistakes / 3600.0)
    return (*drivers, *_pedestrians(scene, first, noise, pedestrians, fewer))


def check_room(map_name: str, network: RoadNetwork, vehicles: int) -> None:
    """Refuse far too many vehicles at once, from the lengths of the lanes alone.

    The exact room is known only once the plan of the roads for traffic is made, which takes a while.

    Raises:
        InputError: the lanes are too short for so many, even if they stood on all of them and in the junctions too.
    """
    step = _max_length(VEHICLE_MODELS) + PLACEMENT_GAP
    room = int((network.link_length * network.link_drivable // step).sum())
    if vehicles > room:
        raise _no_space("vehicles", f"the lanes of map {map_name} have at most", room, vehicles)


def _vehicles(
    scene: Scene, first: Snapshot, noise: Noise, count: int, fewer: bool, mistakes: float
) -> Iterator[CreateNpc]:
    if not count:
        return
    models = _vehicle_models(scene, noise.stream("population/vehicle"), count)
    longest = _max_length(scene.models)
    link, front = traffic_places(scene.traffic_plan, longest)
    point = scene.network.point_at(link, front - 0.5 * longest)
    vehicle = first.vehicle
    gap = np.hypot(point[:, :1] - vehicle.x, point[:, 1:2] - vehicle.y).min(axis=1, initial=math.inf)
    free = np.flatnonzero(gap > MIN_EGO_DISTANCE + 0.5 * longest)
    if count > len(free) and not fewer:
        raise _no_space("vehicles", f"the lanes of map {scene.map_name} have", len(free), count)
    places = noise.stream("population/place").permutation(free)[:count]
    for row, place in zip(models[: len(places)], places, strict=True):
        model = scene.models[row]
        s = float(front[place]) - model.wheelbase - model.front_overhang
        yield CreateNpc(model=model.name, link=int(link[place]), s=s, move_on=True, mistakes=mistakes)


def _vehicle_models(scene: Scene, stream: np.random.Generator, count: int) -> list[int]:
    """Rows of the models of so many vehicles."""
    rows, share = _rows_of_share(scene.models)
    chosen: list[int] = stream.choice(rows, count, p=share).tolist()
    return chosen


def _max_length(models: Sequence[VehicleModel]) -> float:
    """Length of the longest model that drives about [m]."""
    return float(max(models[row].length for row in _rows_of_share(models)[0]))


def _rows_of_share(models: Sequence[VehicleModel]) -> tuple[IntArray, FloatArray]:
    """`(M,)` models that drive about, and `(M,)` the share of each, which sum up to 1."""
    category = [model.category for model in models]
    shares = {name: share for name, share in VEHICLE_SHARES if name in category}
    weight = np.array(
        [
            (1.0 - sum(shares.values())) / sum(name in CARS for name in category)
            if name in CARS
            else shares.get(name, 0.0) / category.count(name)
            for name in category
        ]
    )
    rows = np.flatnonzero(weight)
    return rows, weight[rows] / weight.sum()


class _Side(NamedTuple):
    """The place where a pedestrian starts, and the one across the road that it goes to; x, y, z in map [m]."""

    start: tuple[float, float, float]
    goal: tuple[float, float, float]


def _pedestrians(scene: Scene, first: Snapshot, noise: Noise, count: int, fewer: bool) -> Iterator[SpawnPedestrian]:
    if not count:
        return
    network = scene.network
    crossings = _free_sides(scene, first, [_sides(network, area) for area in range(len(network.crosswalks))])
    room = sum(map(len, crossings))
    count = min(count, room) if fewer else count
    if not count:
        return
    if count > room:
        raise _no_space("pedestrians", f"the crosswalks of map {network.name} have", room, count)
    stream = noise.stream("population/pedestrian")
    order = stream.permutation(len(crossings)).tolist()
    rows = max(map(len, crossings))
    sides = [crossings[area][turn] for turn in range(rows) for area in order if turn < len(crossings[area])]
    kinds = stream.choice(len(PERSON_SHARES), count, p=[share for _, share in PERSON_SHARES]).tolist()
    pace, stay = stream.uniform(0.9, 1.1, count), stream.uniform(MIN_STAY, MAX_STAY, count)
    for number, (side, kind) in enumerate(zip(sides[:count], kinds, strict=True)):
        model = pedestrian_model_row(PERSON_SHARES[kind][0])[0]
        yield SpawnPedestrian(
            actor=NEW_ACTOR,
            model=model,
            position=side.start,
            yaw=math.atan2(side.goal[1] - side.start[1], side.goal[0] - side.start[0]),
            speed=PEDESTRIAN_MODELS[model].speed * float(pace[number]),
            start=True,
            way=(Waypoint(*side.goal)._replace(pause=float(stay[number])),),
            mode=CharacterMode.REPEAT,
        )


def _free_sides(scene: Scene, first: Snapshot, crossings: list[list[_Side]]) -> list[list[_Side]]:
    """The places without those inside of what stands or of a vehicle, and without those that lie on another one."""
    found: list[list[_Side]] = []
    taken = np.zeros((0, 2))
    for sides in crossings:
        free = []
        for side in sides:
            start = np.array(side.start[:2])
            near = np.hypot(*(taken - start).T).min(initial=math.inf)
            if near >= MIN_PEDESTRIAN_GAP and _is_free(scene, first, side.start):
                free.append(side)
                taken = np.vstack((taken, start))
        found.append(free)
    return found


def _is_free(scene: Scene, first: Snapshot, place: tuple[float, float, float]) -> bool:
    """Whether a person at a place is clear of what stands beside the road and of the vehicles that are there."""
    person = BodyTable.zeros(1)
    person.x[0], person.y[0], person.z[0] = place
    person.half_length[:] = person.half_width[:] = 0.5 * MIN_PEDESTRIAN_GAP
    person.half_height[:] = 1.0
    if len(parts_near(scene.scenery, person, NO_PARTS, 0.0)):
        return False
    vehicle, size = first.vehicle, first.parameter
    reach = np.hypot(size.length, size.width)
    return not bool((np.hypot(vehicle.x - place[0], vehicle.y - place[1]) < reach).any())


def _sides(network: RoadNetwork, area: int) -> list[_Side]:
    """Where pedestrians start at a crosswalk: in rows beside the road on both sides; none if no lane is crossed."""
    crosswalks = network.crosswalks
    rows = np.flatnonzero(crosswalks.area == area)
    if not len(rows):
        return []
    lane = network.heading_at(crosswalks.link[rows], 0.5 * (crosswalks.begin[rows] + crosswalks.end[rows]))
    # lanes lead both ways: the mean of the doubled angles is that of their axis
    axis = 0.5 * math.atan2(float(np.sin(2 * lane).sum()), float(np.cos(2 * lane).sum()))
    along, across = np.array((-math.sin(axis), math.cos(axis))), np.array((math.cos(axis), math.sin(axis)))
    corner = crosswalks.of(area)
    reach, side = corner[:, :2] @ along, corner[:, :2] @ across
    width, middle, z = float(np.ptp(side)), 0.5 * float(side.min() + side.max()), float(corner[:, 2].mean())
    abreast = max(int((width - PEDESTRIAN_SPACING) / PEDESTRIAN_SPACING), 0) + 1
    found = []
    for turn in range(2 * PEDESTRIAN_ROWS * abreast):
        row, column = divmod(turn // 2, abreast)
        out = KERB_DISTANCE + row * PEDESTRIAN_SPACING
        ends = (float(reach.min()) - out, float(reach.max()) + out)
        beside = middle + (column - 0.5 * (abreast - 1)) * PEDESTRIAN_SPACING
        here, there = (np.append(end * along + beside * across, z) for end in (ends[turn % 2], ends[1 - turn % 2]))
        if (locate(network, np.array((here, there)), drivable_only=True, reach=MAX_ROAD_DISTANCE).link < 0).all():
            found.append(_Side(tuple(here.tolist()), tuple(there.tolist())))
    return found


def _no_space(key: str, place: str, room: int, count: int) -> InputError:
    return InputError("settings", f"traffic.{key}", f"{place} room for {room} {key}, not for {count}", "ask for fewer")
