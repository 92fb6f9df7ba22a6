"""What loading a scenario does to the world."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dorosim.scenario.plan import EgoPlan, LanePosition, PlannedPedestrian, ScenarioPlan, VehiclePlan
from dorosim.world.actor.alias import AliasKind
from dorosim.world.pedestrian.state import Stage as Doing
from dorosim.world.signal.command import SetIntersection
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.mode import BiasRule, CharacterMode
from dorosim.world.traffic.state import SpeedMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from dorosim.world.waypoint import Waypoint
from tests.road.small_map import network_of, straight
from tests.scenario.kcity import kcity_network
from tests.scenario.world import LIVE, SMALL, load
from tests.world.stage import Stage

NOTHING = {"network": False, "ego": False, "npc": False, "pedestrian": False, "object": False}
RING = network_of(
    straight("S", "N0", "N1", (0, 0, 0), (100, 0, 0), max_speed=36),
    straight("E", "N1", "N2", (100, 0, 0), (100, 100, 0), max_speed=36),
    straight("N", "N2", "N3", (100, 100, 0), (0, 100, 0), max_speed=36),
    straight("W", "N3", "N0", (0, 100, 0), (0, 0, 0), max_speed=36),
    straight("A", "N2", "N4", (100, 100, 0), (200, 100, 0), max_speed=36),
    straight("far", "N5", "N6", (900, 0, 0), (990, 0, 0)),
    name="ring",
)


def counts(now) -> dict[str, int]:
    return {
        "npc": len(now.traffic) + len(now.spawn.vehicle) + len(now.egos) - 1,
        "pedestrian": len(now.people) + len(now.spawn.pedestrian),
        "object": len(now.obstacles) + len(now.friction.objects),
    }


@pytest.fixture
def stage() -> Stage:
    return Stage(SMALL, [("2015_Kia_K5", (0.0, 500.0, 0.0), 0.0)])


def test_everything_comes_into_the_world(stage):
    notes = load(stage, LIVE)
    assert notes == ()
    assert stage.now.shade.alias.tolist() == [91]
    assert counts(stage.now) == {"npc": 3, "pedestrian": 2, "object": 2}


def test_the_ego_vehicle_is_placed_as_the_file_has_it(stage):
    load(stage, LIVE)
    vehicle = stage.now.vehicle
    assert (vehicle.x[0], vehicle.y[0], vehicle.yaw[0]) == (1.25, 0.3, 3.0)
    assert (vehicle.velocity_x[0], vehicle.gear[0], vehicle.control_mode[0]) == (11.1, Gear.D, ControlMode.CRUISE)
    assert (vehicle.cruise_ratio[0], vehicle.cruise_speed[0]) == (0.0, 13.3)
    parked = EgoPlan(model="2015_Kia_K5", position=(5.0, 0.0, 0.0), gear=Gear.P, mode=ControlMode.KEYBOARD)
    load(stage, ScenarioPlan(ego=parked))
    vehicle = stage.now.vehicle
    assert (vehicle.gear[0], vehicle.control_mode[0]) == (Gear.P, ControlMode.KEYBOARD)
    assert (vehicle.velocity_x[0], vehicle.control_kind[0]) == (0.0, ControlKind.HOLD)


def test_another_ego_vehicle_is_told_and_stays():
    stage = Stage(SMALL)
    (note,) = load(stage, LIVE)
    assert note.startswith("egoVehicle: the ego vehicle stays a 2016_Hyundai_Ioniq; 'dorosim run --vehicle")


def test_npc_vehicles_drive_as_the_file_says(stage):
    load(stage, LIVE)
    traffic = stage.now.traffic
    assert stage.scene.models[traffic.model[0]].name == "2018_Hyundai_ElecCity"
    assert traffic.x[0] == pytest.approx(33.3)
    assert (traffic.speed[0], traffic.desired_speed[0]) == (7.7, 0.9)
    assert traffic.speed_mode[0] == SpeedMode.LINK_RATIO
    assert (traffic.close_loop[0], traffic.may_change[0]) == (1, 1)
    assert stage.now.route.link.tolist() == [0, 1, 0]
    assert traffic.spawn_point[0] == stage.now.spawn.vehicle.id[0]
    plan = replace(LIVE.vehicles[0], bias_rule=BiasRule.FIX, bias=0.4, desired_ratio=0.0, desired_speed=9.0, route=())
    load(stage, ScenarioPlan(vehicles=(plan,)))
    traffic = stage.now.traffic
    assert (traffic.speed_mode[0], traffic.desired_speed[0]) == (SpeedMode.CONSTANT, 9.0)
    assert traffic.lateral_bias[0] == 0.4


def test_a_multi_ego_vehicle_is_a_full_vehicle(stage):
    load(stage, LIVE)
    now = stage.now
    row = now.row_of(now.alias.actor_of(AliasKind.VEHICLE, 6))
    assert row == 1
    assert (now.vehicle.x[row], now.vehicle.y[row]) == (40.0, 70.0)
    assert (now.vehicle.control_mode[row], now.vehicle.cruise_speed[row]) == (ControlMode.CRUISE, 12.0)


def test_pedestrians_start_at_once_or_near_an_ego_vehicle_or_when_they_are_told(stage):
    near = PlannedPedestrian(
        id=1,
        model="child",
        position=(3.0, 500.0, 0.0),
        speed=1.0,
        active_distance=5.0,
        move_distance=4.0,
        start=(0, 0, 0),
    )
    far = replace(near, id=2, position=(90.0, 500.0, 0.0))
    near = replace(near, position=(4.6, 500.0, 0.0))
    at_once = replace(far, id=3, active_distance=0.0, mode=CharacterMode.REPEAT, waypoints=(Waypoint(90.0, 510.0),))
    no_speed, not_active = replace(at_once, id=4, speed=0.0), replace(near, id=5, active=False)
    load(stage, ScenarioPlan(pedestrians=(near, far, at_once, no_speed, not_active)))
    people = stage.ticks(20).people.state
    assert people.stage.tolist() == [Doing.WALK, Doing.IDLE, Doing.WALK, Doing.IDLE, Doing.IDLE]
    assert people.desired_speed.tolist()[:3] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("option", ["npc", "pedestrian", "object"])
def test_an_option_loads_its_kind_only(stage, option):
    load(stage, LIVE, **NOTHING | {option: True})
    assert {kind for kind, count in counts(stage.now).items() if count} == {option}
    assert stage.now.vehicle.y[0] == 500.0


def test_the_ego_option_moves_the_ego_vehicle_only(stage):
    load(stage, LIVE, **NOTHING | {"ego": True})
    assert not any(counts(stage.now).values())
    assert stage.now.vehicle.x[0] == 1.25


def test_loading_twice_replaces_and_keeps_what_others_made(stage):
    load(stage, LIVE)
    again = replace(LIVE.vehicles[1], id=99, position=(0.0, 200.0, 0.0))
    load(stage, ScenarioPlan(vehicles=(again,)), npc=True)
    before = counts(stage.now)
    load(stage, LIVE)
    assert counts(stage.now) == before == {"npc": 4, "pedestrian": 2, "object": 2}


def test_delete_all_removes_everything_but_the_ego_vehicle():
    two = [("2015_Kia_K5", (0.0, 500.0, 0.0), 0.0), ("2015_Kia_K5", (20.0, 500.0, 0.0), 0.0)]
    stage = Stage(SMALL, two)
    load(stage, LIVE)
    load(stage, ScenarioPlan(vehicles=LIVE.vehicles[:1]), delete_all=True, **NOTHING)
    assert stage.now.egos == (EGO,)
    assert counts(stage.now) == {"npc": 1, "pedestrian": 0, "object": 0}


def test_pause_holds_the_time_and_the_next_load_lets_it_go(stage):
    load(stage, LIVE, pause=True)
    assert stage.now.paused
    assert stage.tick().time == 0
    load(stage, LIVE)
    assert not stage.now.paused


def npc(**keys) -> VehiclePlan:
    return VehiclePlan(
        id=1, model="2015_Kia_K5", position=(0, 0, 0), place=LanePosition(0, 20.0), desired_ratio=1.0, **keys
    )


def names(stage: Stage) -> list[str]:
    return [RING.link_ids[link] for link in stage.now.route.link]


def test_a_way_is_the_shortest_to_its_end():
    stage = Stage(RING)
    load(stage, ScenarioPlan(vehicles=(npc(end=LanePosition(RING.link_index("A"), 50.0)),)))
    assert names(stage) == ["S", "E", "A"]


def test_a_closed_loop_comes_back_to_where_it_begins():
    stage = Stage(RING)
    loop = npc(
        end=LanePosition(RING.link_index("N"), 50.0),
        loop_start=LanePosition(RING.link_index("E"), 0.0),
        close_loop=True,
    )
    assert load(stage, ScenarioPlan(vehicles=(loop,))) == ()
    assert names(stage) == ["E", "N", "W", "S", "E"]
    assert stage.now.traffic.close_loop[0] == 1
    for _ in range(8):
        stage.ticks(1000)
        assert RING.link_ids[stage.now.traffic.link[0]] in "ENWS"
    assert stage.now.traffic.counter[0] > 5


@pytest.mark.parametrize("closed", [False, True])
def test_a_way_that_does_not_exist_is_told(closed):
    stage = Stage(RING)
    goal = "A" if closed else "far"
    (note,) = load(
        stage, ScenarioPlan(vehicles=(npc(end=LanePosition(RING.link_index(goal), 1.0), close_loop=closed),))
    )
    assert note.startswith("vehicleList, UNIQUEID 1: ")
    assert note.endswith("; it drives at random")
    assert stage.now.traffic.route[0] == -1
    assert stage.now.traffic.close_loop[0] == 0


def test_vehicles_that_would_stand_in_one_another_move_on():
    stage = Stage(SMALL)
    load(stage, ScenarioPlan(vehicles=(npc(), replace(npc(), id=2))))
    s = stage.now.traffic.s
    assert np.diff(s)[0] == pytest.approx(stage.now.traffic.length[0] + 0.5, abs=1.0)


def test_intersections_get_state_and_time():
    stage = Stage(kcity_network())
    plan = ScenarioPlan(
        controllers=(SetIntersection(0, 2, 28.4), SetIntersection(3, 1, 900.0), SetIntersection(4, 9, 0.0))
    )
    notes = load(stage, plan)
    assert notes == (
        "tlList, IntTL3: state 1 lasts 33 s, not 900 s; at its end",
        "tlList, IntTL4: its programme has 4 states now, so no state 9; left as it is",
    )
    assert stage.now.signal.state[:5].tolist() == [2, 0, 0, 1, 0]
    assert stage.now.signal.remaining[0] == round((33 - 28.4) * 1e9)
    assert stage.tick().signal.state[3] == 2
