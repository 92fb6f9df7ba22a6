"""The words of MORAI's Scenario Runner: what its manual shows has its effect, and guesses are said to be guesses."""

from __future__ import annotations

import math

import pytest

from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.finding import FindingLevel
from dorosim.world.step import step
from dorosim.world.storyboard.mover import Mover
from tests.scenario.openscenario.morai_text import (
    CAR,
    THING,
    WALKER,
    entity,
    file_text,
    map_name,
    start,
    write_small_map,
)
from tests.scenario.openscenario.worldless import ticks_of, verdict_on

MGEO = {"road_network": '<LogicFile filepath="MGeo"/>', "more": map_name("roads")}
EGO = entity("Ego", CAR)
EAST = '<WorldPosition x="{}" y="0" h="0"/>'
ACROSS = '<WorldPosition x="50" y="-1" h="1.5707963267948966"/>'


@pytest.fixture
def data(tmp_path):
    (tmp_path / "Map").mkdir()
    (tmp_path / "Scenario").mkdir()
    write_small_map(tmp_path / "Map" / "roads")
    return tmp_path


def ready_of(data, text):
    (data / "Scenario" / "a.xosc").write_text(text)
    return ready_scenario("a.xosc", data)


def ticks(ready):
    return list(ticks_of(ready.program, 10_000_000, 20.0))


def notes(text):
    return [one for one in open_document("a.xosc", text.encode()).read().findings if one.level is FindingLevel.NOTE]


# ------------------------------------------------------------------ pedestrians


def walk(data, ego_speed=10.0, walker_speed=2.0, **properties):
    """Where the pedestrian is, and whether it moves, in each tick: the ego comes from 50 m away."""
    text = file_text(
        EGO + entity("Walker", WALKER, **properties),
        start("Ego", EAST.format(0), ego_speed) + start("Walker", ACROSS, walker_speed),
        end=8.0,
        **MGEO,
    )
    return [
        (tick.state.entity.x[0], tick.state.entity.y[1], tick.state.entity.speed[1])
        for tick in ticks(ready_of(data, text))
    ]


def test_a_pedestrian_walks_straight_ahead_when_the_ego_is_near_and_stands_after_its_distance(data):
    found = walk(data, activeDistance="20", moveDistance="3")
    begun = next(x for x, _, speed in found if speed)
    # the distance is 20 m from (x, 0) to (50, -1)
    assert math.hypot(50.0 - begun, 1.0) == pytest.approx(20.0, abs=0.2)
    assert {speed for _, _, speed in found} == {0.0, 2.0}
    assert found[-1][1:] == (pytest.approx(2.0, abs=0.03), 0.0)


def test_without_the_property_a_pedestrian_goes_as_init_says(data):
    assert all(speed == 2.0 for _, _, speed in walk(data))


def test_a_pedestrian_without_a_speed_walks_as_people_do(data):
    found = walk(data, walker_speed=0.0, active_distance="20", MoveDistance="1")
    assert max(speed for _, _, speed in found) == pytest.approx(1.34)


def test_a_pedestrian_that_the_ego_does_not_come_near_stands(data):
    assert all((y, speed) == (-1.0, 0.0) for _, y, speed in walk(data, ego_speed=0.0, activeDistance="20"))


@pytest.mark.parametrize(
    ("properties", "problem"),
    [
        ({"activeDistance": "near"}, "'near', which is not a length above 0"),
        ({"activeDistance": "nan"}, "'nan', which is not a length above 0"),
        ({"activeDistance": "-1"}, "'-1', which is not a length above 0"),
        ({"moveDistance": "3"}, "no effect without 'activeDistance'"),
        ({"moving_obstacle": "true"}, "for other objects only"),
    ],
)
def test_what_of_a_pedestrian_cannot_be_used_is_noted(data, properties, problem):
    text = file_text(EGO + entity("Walker", WALKER, **properties), "")
    assert [problem in one.problem for one in notes(text)] == [True]


# ------------------------------------------------------------------ other objects


@pytest.mark.parametrize(("value", "moves"), [("true", True), ("false", False), ("Off", False), (None, True)])
def test_an_object_that_is_no_moving_obstacle_stays(data, value, moves):
    properties = {} if value is None else {"moving_obstacle": value}
    init = start("Ego", EAST.format(0)) + start("Box", EAST.format(20), 5.0)
    row = ticks(ready_of(data, file_text(EGO + entity("Box", THING, **properties), init, end=1.0, **MGEO)))[
        -1
    ].state.entity
    assert row.x[1] == pytest.approx(25.0 if moves else 20.0, abs=0.1)


def test_a_guess_is_said_to_be_one(data):
    text = file_text(EGO + entity("Box", THING, moving_obstacle="false"), "")
    assert [("stays" in one.problem, "a guess" in one.problem) for one in notes(text)] == [(True, True)]


def test_limits_that_are_all_zero_are_not_set(data):
    row = ticks(ready_of(data, file_text(EGO, start("Ego", EAST.format(0), 10.0), end=1.0, **MGEO)))[-1].state.entity
    assert (row.x[0], row.speed[0]) == (pytest.approx(10.0, abs=0.01), 10.0)


# ------------------------------------------------------------------ who moves vehicles


def test_a_vehicle_with_dynamics_has_tyres_and_one_that_sees_lights_a_driver(data):
    movers = [
        ({"MotionModel": "Dynamics"}, Mover.DYNAMICS),
        ({"motion_model": "DYNAMICS"}, Mover.DYNAMICS),
        ({}, Mover.DEFAULT),
        ({"MotionModel": "Kinematics"}, Mover.DEFAULT),
        ({"Check_TL": "true"}, Mover.DRIVER),
        ({"applyACC": "1", "MotionModel": "Dynamics"}, Mover.DRIVER),
        ({"CheckTL": "false"}, Mover.DEFAULT),
    ]
    cars = "".join(entity(f"Car_{at}", CAR, **given) for at, (given, _) in enumerate(movers))
    ready = ready_of(data, file_text(cars, start("Car_0", EAST.format(0)), **MGEO))
    assert ready.engine.first_state(0).entity.mover.tolist() == [mover for _, mover in movers]
    driven = ready_scenario("a.xosc", data, ego="driver")
    assert driven.engine.first_state(0).entity.mover.tolist()[:2] == [Mover.DRIVER, Mover.DYNAMICS]
    assert [one.problem for one in notes(file_text(cars, ""))] == [
        "property 'MotionModel' is 'Kinematics', of which nothing is known; it moves as actions command",
        *[
            f"property {name!r}: its spelling is a guess; where it is on, our driver moves the vehicle"
            for name in ("CheckTL", "ApplyACC", "CheckTL")
        ],
    ]


def test_tyres_follow_a_speed_and_do_not_have_it_at_once(data):
    ego = entity("Ego", CAR, MotionModel="Dynamics")
    text = file_text(
        ego, start("Ego", EAST.format(0), 10.0).replace('"step"', '"linear"').replace('value="0"', 'value="4"'), **MGEO
    )
    world = ready_of(data, text).world(10_000_000)
    now, noise, speeds = world.first, Noise(0), []
    for _ in range(290):
        now = step(world.scene, now, (), noise)
        speeds.append(now.vehicle.velocity_x[0])
    # 2.5 m/s2 are commanded
    assert speeds[10] < 0.2
    assert speeds[-1] == pytest.approx(7.25, abs=0.5)
    assert now.vehicle.x[0] == pytest.approx(0.5 * 2.5 * 2.9**2, abs=1.5)


# ------------------------------------------------------------------ positions on links


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ('linkId="left" index="30"', (30.0, 3.0)),
        ('linkId="right" index="30" offset="0.5"', (30.0, 0.5)),
        ('link_id="left" point_idx="10" s="2.25"', (12.25, 3.0)),
        ('id="left"', (0.0, 3.0)),
    ],
)
def test_a_place_on_a_link_points_along_it(data, attributes, expected):
    row = ticks(ready_of(data, file_text(EGO, start("Ego", f"<LinkPosition {attributes}/>"), end=0.1, **MGEO)))[
        0
    ].state.entity
    assert (row.x[0], row.y[0]) == pytest.approx(expected)
    assert math.remainder(row.heading[0], math.tau) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ('linkId="middle" index="3"', "there is no such link"),
        ('linkId="left" index="300"', "has no point 300; it has points 0 to 100"),
        ('linkId="left" s="200"', "beyond its end"),
        ('linkId="left" s="x"', "s is 'x', which is not a number"),
        ('index="3"', "it names no link"),
    ],
)
def test_a_place_that_is_not_on_a_link_is_one_clear_error(data, attributes, problem):
    with pytest.raises(InputError, match=problem):
        ready_of(data, file_text(EGO, start("Ego", f"<LinkPosition {attributes}/>"), **MGEO))


def test_the_spelling_of_a_place_on_a_link_is_noted_as_a_guess():
    found = notes(file_text(EGO, start("Ego", '<LinkPosition linkId="left" index="1" colour="red"/>')))
    assert [one.problem for one in found] == [
        "the attributes of <LinkPosition> are a guess: linkId, index of a point, s and offset; colour has no effect"
    ]


# ------------------------------------------------------------------ evaluation


REACHED = """<{kind}><Condition name="{name}" delay="0" conditionEdge="once"><ByEntityCondition>
<TriggeringEntities triggeringEntitiesRule="any"><EntityRef entityRef="Ego"/></TriggeringEntities><EntityCondition>
<DistanceCondition value="1.0" freespace="false" rule="lessThan"><Position><WorldPosition x="{x}" y="0"/></Position>
</DistanceCondition></EntityCondition></ByEntityCondition></Condition></{kind}>"""


@pytest.mark.parametrize(
    ("groups", "verdict", "time"),
    [
        ([("SuccessConditionGroup", 20)], "pass", 1.91),
        ([("SuccessConditionGroup", 90), ("SuccessConditionGroup", 20)], "pass", 1.91),
        ([("SuccessConditionGroup", 20), ("FailureConditionGroup", 10)], "fail", 0.91),
        ([("FailureConditionGroup", 20)], "fail", 1.91),
        ([("FailureConditionGroup", 90)], "pass", 3.0),
        ([("SuccessConditionGroup", 90)], "fail", 3.0),
        ([], "pass", 3.0),
    ],
)
def test_an_evaluation_ends_the_run_with_its_result(data, groups, verdict, time):
    inside = "".join(REACHED.format(kind=kind, name=f"at {x}", x=x) for kind, x in groups)
    text = file_text(EGO, start("Ego", EAST.format(0), 10.0), **MGEO)
    ready = ready_of(data, text.replace("</OpenSCENARIO>", f"<Evaluation>{inside}</Evaluation></OpenSCENARIO>"))
    ran = ticks(ready)
    result = verdict_on(ready.program, ran)
    assert (result.verdict, result.time) == (verdict, pytest.approx(time, abs=0.011))
