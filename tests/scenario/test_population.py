"""A populated world: as many as asked for, in places where they may be, and they get about."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.mapmaking.plan import Size
from dorosim.road.location import locate
from dorosim.road.network import network_from_mgeo
from dorosim.scenario.population import MAX_ROAD_DISTANCE, MIN_EGO_DISTANCE, check_room, population
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.traffic.command import CreateNpc
from tests.road.generated_town import town_of
from tests.scenario.world import SMALL
from tests.world.stage import Stage


@pytest.fixture(scope="module")
def town() -> Stage:
    network = network_from_mgeo(town_of(1, Size.SMALL))
    place = network.pose_at(0, 20.0)
    return Stage(network, [("2016_Hyundai_Ioniq", tuple(place.point[0].tolist()), float(place.heading[0]))])


def of_seed(stage: Stage, seed: int, vehicles: int, pedestrians: int):
    return population(stage.scene, stage.now, Noise(seed), vehicles, pedestrians)


def test_as_many_come_as_are_asked_for(town):
    commands = of_seed(town, 0, 40, 25)
    now = Stage(town.scene.network, [("2016_Hyundai_Ioniq", (0, 900, 0), 0)]).apply(*commands)
    assert (len(now.traffic), len(now.people)) == (40, 25)
    assert population(town.scene, town.now, Noise(0), 0, 0) == ()


def test_the_seed_decides_where_and_which(town):
    assert of_seed(town, 1, 20, 10) == of_seed(town, 1, 20, 10)
    assert of_seed(town, 1, 20, 10) != of_seed(town, 2, 20, 10)
    # who walks about does not depend on who drives
    assert of_seed(town, 1, 0, 10) == of_seed(town, 1, 20, 10)[20:]


def test_most_vehicles_are_cars_some_are_trucks_vans_and_buses(town):
    category = {model.name: model.category for model in town.scene.models}
    drawn = [category[one.model] for seed in range(20) for one in of_seed(town, seed, 40, 0)]
    share = {kind: drawn.count(kind) / len(drawn) for kind in set(drawn)}
    assert set(share) == {"sedan", "hatchback", "suv", "truck", "van", "bus"}
    assert share["sedan"] + share["hatchback"] + share["suv"] == pytest.approx(0.82, abs=0.05)
    assert share["truck"] == pytest.approx(0.12, abs=0.04)


def test_nobody_starts_at_an_ego_vehicle(town):
    vehicle = town.now.vehicle
    everywhere = [one for one in of_seed(town, 0, 60, 0) if isinstance(one, CreateNpc)]
    point = town.scene.network.point_at([one.link for one in everywhere], [one.s for one in everywhere])
    assert np.hypot(point[:, 0] - vehicle.x[0], point[:, 1] - vehicle.y[0]).min() > MIN_EGO_DISTANCE - 5.0


def test_people_stand_beside_the_road_and_go_to_its_other_side(town):
    walkers = [one for one in of_seed(town, 0, 0, 60) if isinstance(one, SpawnPedestrian)]
    start = np.array([one.position for one in walkers])
    goal = np.array([one.way[0][:3] for one in walkers])
    assert (locate(town.scene.network, start, drivable_only=True, reach=MAX_ROAD_DISTANCE).link < 0).all()
    assert (locate(town.scene.network, goal, drivable_only=True, reach=MAX_ROAD_DISTANCE).link < 0).all()
    middle = 0.5 * (start + goal)
    assert (locate(town.scene.network, middle, drivable_only=True, reach=10.0).link >= 0).all()
    gap = np.hypot(*(start[:, None, :2] - start[None, :, :2]).T)
    assert gap[~np.eye(len(gap), dtype=bool)].min() > 0.5
    assert {one.mode for one in walkers} == {CharacterMode.REPEAT}


def test_they_get_about_without_harm(town):
    stage = Stage(town.scene.network, [("2016_Hyundai_Ioniq", (0, 900, 0), 0)])
    stage.apply(*of_seed(town, 3, 40, 20))
    begin = stage.now.people.state.y.copy(), stage.now.people.state.x.copy()
    apart = np.zeros(20)
    for _ in range(60):
        now = stage.ticks(100)
        people = now.people.state
        apart = np.maximum(apart, np.hypot(people.x - begin[1], people.y - begin[0]))
        assert len(now.contact) == 0
    assert (apart > 5.0).sum() > 15
    assert now.traffic.counter.mean() > 3


def test_more_than_there_is_room_for_is_refused_with_how_many_fit(town):
    with pytest.raises(InputError) as error:
        of_seed(town, 0, 100_000, 0)
    room = int(error.value.problem.split("room for ")[1].split()[0])
    assert len(of_seed(town, 0, room, 0)) == room
    with pytest.raises(InputError, match=f"room for {room} vehicles, not for {room + 1}; ask for fewer"):
        of_seed(town, 0, room + 1, 0)
    with pytest.raises(InputError, match=r"traffic\.pedestrians: the crosswalks of map .* have room for"):
        of_seed(town, 0, 0, 100_000)
    with pytest.raises(InputError, match="have room for 0 pedestrians, not for 1"):
        of_seed(Stage(SMALL), 0, 0, 1)


def test_far_too_many_are_refused_before_the_roads_are_worked_out_for_traffic(town):
    network = town.scene.network
    with pytest.raises(InputError, match=r"traffic\.vehicles: the lanes of map m have at most room for"):
        check_room("m", network, 20_000)
    with pytest.raises(InputError) as error:
        of_seed(town, 0, 100_000, 0)
    # whoever has room is not refused
    check_room("m", network, int(error.value.problem.split("room for ")[1].split()[0]))
    check_room("m", network, 0)


def test_where_there_is_no_room_fewer_may_come(town):
    with pytest.raises(InputError, match="have room for"):
        population(town.scene, town.now, Noise(0), 19_000, 0)
    with pytest.raises(InputError, match="have room for"):
        population(town.scene, town.now, Noise(0), 0, 19_000)
    commands = population(town.scene, town.now, Noise(0), 19_000, 19_000, fewer=True)
    kinds = [type(one) for one in commands]
    assert 50 < kinds.count(CreateNpc) < 19_000
    assert 20 < kinds.count(SpawnPedestrian) < 19_000
    now = Stage(town.scene.network, [("2016_Hyundai_Ioniq", (0, 900, 0), 0)]).apply(*commands)
    assert len(now.people) == kinds.count(SpawnPedestrian)
