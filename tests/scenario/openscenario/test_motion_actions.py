"""Actions along and across the lane: speed, speed profile, distances, lane change, lane offset, synchronization."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from tests.scenario.openscenario.action_case import (
    STRAIGHT,
    at,
    case,
    ended,
    going,
    last,
    map_text,
    private,
    road,
    run,
    state_at,
    vehicle,
)

LIMITED = 'maxSpeed="30" maxAcceleration="4" maxDeceleration="6" maxAccelerationRate="2" maxDecelerationRate="3"'


def speed(target: str, shape="linear", dimension="time", value=0.0, mode="") -> str:
    mode = f' followingMode="{mode}"' if mode else ""
    return private(
        f'<LongitudinalAction><SpeedAction><SpeedActionDynamics dynamicsShape="{shape}" '
        f'dynamicsDimension="{dimension}" value="{value}"{mode}/><SpeedActionTarget>{target}</SpeedActionTarget>'
        "</SpeedAction></LongitudinalAction>"
    )


def absolute(value: float) -> str:
    return f'<AbsoluteTargetSpeed value="{value}"/>'


def one(*actions: tuple[float, str], start=10.0, end=6.0, performance=""):
    return case(vehicle("car", performance=performance), {"car": at(-2, 50.0) + going(start)}, *actions, end=end)


# ---------------------------------------------------------------- speed


@pytest.mark.parametrize(
    ("shape", "quarter"),
    [("linear", 12.5), ("sinusoidal", 10.0 + 5.0 * (1.0 - math.cos(math.pi / 4.0))), ("cubic", 10.0 + 10.0 * 0.15625)],
)
def test_a_speed_changes_by_its_shape(shape, quarter):
    made = one((1.0, speed(absolute(20.0), shape, "time", 2.0)))
    ticks = run(made)
    assert state_at(ticks, 1.5).entity.speed[0] == pytest.approx(quarter)
    assert ticks[-1].state.entity.speed[0] == 20.0
    assert ended(made, ticks) == pytest.approx(3.0, abs=0.011)


def test_a_step_of_speed_is_done_at_once():
    made = one((1.0, speed(absolute(20.0), "step")))
    ticks = run(made)
    assert state_at(ticks, 1.01).entity.speed[0] == 20.0
    assert ended(made, ticks) == pytest.approx(1.0, abs=0.011)


@pytest.mark.parametrize(
    ("dimension", "value", "duration"), [("time", 2.0, 2.0), ("distance", 30.0, 2.0), ("rate", 5.0, 2.0)]
)
def test_a_change_of_speed_takes_a_time_a_distance_or_a_rate(dimension, value, duration):
    made = one((1.0, speed(absolute(20.0), "linear", dimension, value)))
    assert ended(made, run(made)) == pytest.approx(1.0 + duration, abs=0.021)


@pytest.mark.parametrize(("kind", "value", "expected"), [("delta", 3.0, (8.0, 8.0)), ("factor", 2.0, (10.0, 10.0))])
def test_a_relative_speed_is_reached_once_unless_it_is_continuous(kind, value, expected):
    for continuous in ("false", "true"):
        target = (
            f'<RelativeTargetSpeed entityRef="other" value="{value}" speedTargetValueType="{kind}" '
            f'continuous="{continuous}"/>'
        )
        made = case(
            vehicle("car") + vehicle("other"),
            {
                "car": at(-2, 50.0) + going(1.0),
                "other": at(-1, 50.0) + going(5.0) + speed(absolute(9.0), "linear", "time", 4.0),
            },
            (0.0, speed(target, "step")),
            end=3.0,
        )
        ticks = run(made)
        at_start = 5.0 + value if kind == "delta" else 5.0 * value
        other = ticks[-1].state.entity.speed[1]
        followed = other + value if kind == "delta" else other * value
        assert ticks[-1].state.entity.speed[0] == pytest.approx(
            followed if continuous == "true" else at_start, abs=0.05
        )
        assert (ended(made, ticks) is None) == (continuous == "true")


def test_following_mode_of_a_speed():
    """Position is exact, follow is bound by performance and its rates, and nothing by the greatest accelerations."""
    jump = {
        mode: run(one((1.0, speed(absolute(40.0), "linear", "time", 1.0, mode)), performance=LIMITED))
        for mode in ("", "position", "follow")
    }
    found = {
        mode: [float(state_at(ticks, time).entity.speed[0]) for time in (1.5, 2.0, 3.0)] for mode, ticks in jump.items()
    }
    assert found["position"] == pytest.approx([25.0, 40.0, 40.0])
    assert found[""] == pytest.approx([12.0, 14.0, 18.0])
    # at 2 m/s3: 0.5 * 2 * t², up to 4 m/s2
    assert found["follow"] == pytest.approx([10.25, 11.0, 14.0], abs=0.05)
    assert jump["follow"][-1].state.entity.speed[0] <= 30.0


def test_following_mode_lets_off_before_the_speed_is_reached():
    made = one((1.0, speed(absolute(20.0), "step", "time", 0.0, "follow")), performance=LIMITED, end=10.0)
    ticks = run(made)
    speeds = [float(tick.state.entity.speed[0]) for tick in ticks]
    rises = [(b - a) / 0.01 for a, b in pairwise(speeds)]
    changes = [(b - a) / 0.01 for a, b in pairwise(rises[110:-150])]
    assert max(speeds) <= 20.0 + 1e-6
    assert speeds[-1] == pytest.approx(20.0, abs=1e-2)
    assert max(rises) == pytest.approx(4.0, abs=0.05)
    assert max(changes) <= 2.0 + 1e-3
    assert min(changes[:300]) >= -3.0 - 1e-3


# ---------------------------------------------------------------- speed profile


def profile(entries: str, mode="position", constraints="", entity="") -> str:
    entity = f' entityRef="{entity}"' if entity else ""
    return private(
        f'<LongitudinalAction><SpeedProfileAction followingMode="{mode}"{entity}>{constraints}{entries}'
        "</SpeedProfileAction></LongitudinalAction>"
    )


ENTRIES = '<SpeedProfileEntry speed="20" time="2"/><SpeedProfileEntry speed="5" time="1"/>'


def test_a_speed_profile_goes_from_speed_to_speed():
    made = one((1.0, profile(ENTRIES)))
    ticks = run(made)
    found = [float(state_at(ticks, time).entity.speed[0]) for time in (2.0, 3.0, 3.5, 4.0)]
    assert found == pytest.approx([15.0, 20.0, 12.5, 5.0], abs=0.1)
    assert ended(made, ticks) == pytest.approx(4.0, abs=0.021)


def test_a_speed_profile_relative_to_an_entity():
    made = case(
        vehicle("car") + vehicle("other"),
        {"car": at(-2, 50.0) + going(10.0), "other": at(-1, 50.0) + going(7.0)},
        (1.0, profile(ENTRIES, entity="other")),
        end=6.0,
    )
    ticks = run(made)
    found = [float(state_at(ticks, time).entity.speed[0]) for time in (3.0, 4.0)]
    assert found == pytest.approx([27.0, 12.0], abs=0.1)


@pytest.mark.parametrize(
    ("constraint", "entries", "time", "expected"),
    [
        ('maxAcceleration="2" maxDeceleration="4"', '<SpeedProfileEntry speed="20"/>', 2.0, 12.0),
        ('maxAcceleration="2" maxDeceleration="4"', '<SpeedProfileEntry speed="0"/>', 2.0, 6.0),
    ],
)
def test_a_profile_without_times_goes_as_fast_as_its_limits(constraint, entries, time, expected):
    made = one((1.0, profile(entries, constraints=f"<DynamicConstraints {constraint}/>")))
    assert state_at(run(made), time).entity.speed[0] == pytest.approx(expected, abs=0.1)


RATES = (
    'maxAcceleration="8" maxDeceleration="8" maxAccelerationRate="{up}" maxDecelerationRate="{down}" maxSpeed="{top}"'
)


def test_following_mode_of_a_speed_profile():
    """In mode follow accelerations change by the rates of the constraints."""
    smooth = {}
    for mode in ("position", "follow"):
        constraints = f"<DynamicConstraints {RATES.format(up=5, down=5, top=99)}/>"
        ticks = run(one((1.0, profile('<SpeedProfileEntry speed="20" time="4"/>', mode, constraints))))
        smooth[mode] = float(state_at(ticks, 1.2).entity.speed[0])
    assert smooth["position"] == pytest.approx(10.5, abs=0.05)
    assert smooth["follow"] == pytest.approx(10.1, abs=0.03)


# ---------------------------------------------------------------- longitudinal distance


def gap(attributes: str, constraints="") -> str:
    return private(
        f'<LongitudinalAction><LongitudinalDistanceAction entityRef="other" {attributes}>{constraints}'
        "</LongitudinalDistanceAction></LongitudinalAction>"
    )


def behind(action: str, *, s=100.0, other_speed=10.0, lane=-2, roads=STRAIGHT, end=6.0, other_lane=-2):
    return case(
        vehicle("car") + vehicle("other"),
        {"car": at(lane, 50.0) + going(10.0), "other": at(other_lane, s) + going(other_speed)},
        (1.0, action),
        end=end,
        roads=roads,
    )


ONCE = 'continuous="false" freespace="false"'


@pytest.mark.parametrize(
    ("attributes", "distance"),
    [
        (f'{ONCE} distance="20"', 20.0),
        ('continuous="false" freespace="true" distance="20"', 25.0),
        (f'{ONCE} timeGap="3"', 30.0),
        (f'{ONCE} distance="20" displacement="trailingReferencedEntity"', 20.0),
        (f'{ONCE} distance="20" displacement="leadingReferencedEntity"', -20.0),
        (f'{ONCE} distance="20" displacement="any"', 20.0),
    ],
)
def test_a_distance_is_kept_at_once_without_limits(attributes, distance):
    made = behind(gap(attributes))
    ticks = run(made)
    body = ticks[-1].state.entity
    assert body.x[1] - body.x[0] == pytest.approx(distance, abs=0.11)
    assert body.speed[0] == pytest.approx(10.0)
    assert ended(made, ticks) is not None


def test_any_displacement_is_the_side_on_which_the_entity_is():
    made = behind(gap(f'{ONCE} distance="20" displacement="any"'), s=20.0)
    body = last(made).entity
    assert body.x[1] - body.x[0] == pytest.approx(-20.0, abs=0.11)


def test_a_continuous_distance_is_kept():
    made = behind(gap('continuous="true" freespace="false" distance="20"', ""), other_speed=14.0)
    ticks = run(made)
    body = ticks[-1].state.entity
    assert body.x[1] - body.x[0] == pytest.approx(20.0, abs=0.2)
    assert ended(made, ticks) is None


def approach(constraints: str, s: float) -> tuple[list[float], list[float]]:
    """Speeds and accelerations on the way to a distance of 20 m."""
    keep = gap('continuous="true" freespace="false" distance="20"', f"<DynamicConstraints {constraints}/>")
    speeds = [float(tick.state.entity.speed[0]) for tick in run(behind(keep, s=s, end=20.0))]
    return speeds, [(after - one) / 0.01 for one, after in pairwise(speeds)]


def test_a_distance_is_approached_within_accelerations():
    speeds, rises = approach('maxAcceleration="3" maxDeceleration="5"', 85.0)
    assert speeds[-1] == pytest.approx(10.0, abs=0.01)
    assert max(rises) == pytest.approx(3.0)
    assert -5.0 <= min(rises) < -3.0
    assert min(approach('maxAcceleration="3" maxDeceleration="2"', 60.0)[1]) == pytest.approx(-2.0)


def test_a_distance_is_approached_within_a_speed():
    limits = 'maxAcceleration="5" maxDeceleration="2"'
    assert max(approach(limits, 85.0)[0]) > 14.5
    assert max(approach(f'{limits} maxSpeed="12"', 85.0)[0]) == pytest.approx(12.0)


def test_a_distance_is_approached_within_rates():
    limits = 'maxAcceleration="4" maxDeceleration="4" maxAccelerationRate="2" maxDecelerationRate="1"'
    faster, slower = approach(limits, 85.0)[1], approach(limits, 60.0)[1]
    first = next(at for at, rise in enumerate(faster) if rise)
    assert faster[first + 30] == pytest.approx(2.0 * 0.31, abs=0.01)
    first = next(at for at, rise in enumerate(slower) if rise)
    assert slower[first + 30] == pytest.approx(-1.0 * 0.31, abs=0.01)


CURVE = map_text(road(0, "0 0 0 arc:0.01", 300.0))


@pytest.mark.parametrize(
    ("system", "expected"),
    [("entity", 20.0), ("road", 20.0), ("lane", 20.0)],
)
def test_a_distance_is_measured_in_a_coordinate_system(system, expected):
    made = behind(gap(f'{ONCE} distance="20" coordinateSystem="{system}"'), roads=CURVE, lane=-3, other_lane=-3)
    state = state_at(run(made), 1.02).entity
    dx, dy = state.x[1] - state.x[0], state.y[1] - state.y[0]
    ahead = dx * math.cos(state.heading[0]) + dy * math.sin(state.heading[0])
    found = {"entity": ahead, "road": state.s[1] - state.s[0], "lane": (state.s[1] - state.s[0]) * (1.0 + 8.75 * 0.01)}
    assert found[system] == pytest.approx(expected, abs=0.3 if system != "lane" else 2.0)
    assert abs(found["entity"] - found["road"]) > 0.2


# ---------------------------------------------------------------- lane change


def change(target: str, shape="sinusoidal", dimension="time", value=2.0, mode="", offset="") -> str:
    mode = f' followingMode="{mode}"' if mode else ""
    offset = f' targetLaneOffset="{offset}"' if offset else ""
    return private(
        f'<LateralAction><LaneChangeAction{offset}><LaneChangeActionDynamics dynamicsShape="{shape}" '
        f'dynamicsDimension="{dimension}" value="{value}"{mode}/><LaneChangeTarget>{target}</LaneChangeTarget>'
        "</LaneChangeAction></LateralAction>"
    )


LEFT = '<AbsoluteTargetLane value="-1"/>'


@pytest.mark.parametrize(
    ("shape", "quarter"), [("linear", 0.25), ("sinusoidal", (1.0 - math.sqrt(0.5)) / 2.0), ("cubic", 0.15625)]
)
def test_a_lane_changes_by_its_shape(shape, quarter):
    made = one((1.0, change(LEFT, shape)))
    ticks = run(made)
    assert state_at(ticks, 1.5).entity.y[0] == pytest.approx(-5.25 + 3.5 * quarter, abs=0.02)
    assert ticks[-1].state.entity.y[0] == pytest.approx(-1.75)
    assert ticks[-1].state.entity.lane[0] == -1
    assert ended(made, ticks) == pytest.approx(3.0, abs=0.021)


def test_a_step_to_another_lane_is_done_at_once():
    made = one((1.0, change(LEFT, "step", value=0.0)))
    ticks = run(made)
    assert state_at(ticks, 1.01).entity.y[0] == pytest.approx(-1.75)
    assert ended(made, ticks) == pytest.approx(1.0, abs=0.011)


@pytest.mark.parametrize(
    ("dimension", "value", "duration"), [("time", 2.0, 2.0), ("distance", 20.0, 2.0), ("rate", 1.75, 2.0)]
)
def test_a_lane_change_takes_a_time_a_distance_or_a_rate(dimension, value, duration):
    made = one((1.0, change(LEFT, "linear", dimension, value)))
    assert ended(made, run(made)) == pytest.approx(1.0 + duration, abs=0.05)


def test_a_lane_change_ends_beside_the_middle_of_its_lane():
    state = last(one((1.0, change(LEFT, offset="0.5"))))
    assert state.entity.y[0] == pytest.approx(-1.25)
    assert state.entity.offset[0] == pytest.approx(0.5)


@pytest.mark.parametrize(("value", "lane"), [(1, -2), (-1, -3), (2, -1)])
def test_a_lane_relative_to_an_entity(value, lane):
    start = -2 if value == -1 else -3
    target = f'<RelativeTargetLane entityRef="other" value="{value}"/>'
    made = case(
        vehicle("car") + vehicle("other"),
        {"car": at(-2, 50.0) + going(10.0), "other": at(start, 80.0) + going(10.0)},
        (1.0, change(target)),
        end=4.0,
    )
    assert last(made).entity.lane[0] == lane


def test_following_mode_of_a_lane_change():
    """In mode follow it takes at least as long as the angle of the wheels makes it."""
    found = {}
    for mode in ("", "position", "follow"):
        made = one((1.0, change(LEFT, "sinusoidal", "time", 0.5, mode)), start=5.0)
        found[mode] = ended(made, run(made))
    least = math.sqrt(math.pi**2 / 2.0 * 3.5 * 2.8 / math.tan(0.6)) / 5.0
    assert found[""] == found["position"] < 2.0
    assert found["follow"] == pytest.approx(1.0 + least, abs=0.05)


# ---------------------------------------------------------------- lane offset


def offset(target: str, shape="sinusoidal", acceleration="", continuous="false") -> str:
    acceleration = f' maxLateralAcc="{acceleration}"' if acceleration else ""
    return private(
        f'<LateralAction><LaneOffsetAction continuous="{continuous}"><LaneOffsetActionDynamics '
        f'dynamicsShape="{shape}"{acceleration}/><LaneOffsetTarget>{target}</LaneOffsetTarget></LaneOffsetAction>'
        "</LateralAction>"
    )


AWAY = '<AbsoluteTargetLaneOffset value="0.8"/>'


@pytest.mark.parametrize("shape", ["linear", "sinusoidal", "cubic", "step"])
def test_a_lane_offset_is_reached_within_its_acceleration(shape):
    made = one((1.0, offset(AWAY, shape, "0.5")))
    ticks = run(made)
    assert ticks[-1].state.entity.offset[0] == pytest.approx(0.8)
    end = ended(made, ticks)
    assert end is not None
    if shape == "step":
        assert end == pytest.approx(1.0, abs=0.011)
        return
    assert end > 2.0
    places = [float(tick.state.entity.offset[0]) for tick in ticks]
    speeds = [(b - a) / 0.01 for a, b in pairwise(places)]
    inner = [(b - a) / 0.01 for a, b in pairwise(speeds)][102 : round((end - 0.03) * 100)]
    assert max(map(abs, inner)) <= 0.5 + 0.02
    middle = state_at(ticks, 1.0 + (end - 1.0) / 4.0).entity.offset[0] / 0.8
    assert middle == pytest.approx({"linear": 0.25, "sinusoidal": 0.1464, "cubic": 0.15625}[shape], abs=0.02)


def test_a_lane_offset_without_a_limit_is_taken_at_once():
    assert state_at(run(one((1.0, offset(AWAY)))), 1.01).entity.offset[0] == pytest.approx(0.8)


def test_a_lane_offset_relative_to_an_entity():
    target = '<RelativeTargetLaneOffset entityRef="other" value="1"/>'
    for continuous, expected in (("false", -5.25 + 1.0), ("true", -5.25 + 1.6)):
        made = case(
            vehicle("car") + vehicle("other"),
            {
                "car": at(-2, 50.0) + going(10.0),
                "other": at(-2, 80.0)
                + going(10.0)
                + offset('<AbsoluteTargetLaneOffset value="0.6"/>', "linear", "0.5"),
            },
            (0.0, offset(target, "linear", "", continuous)),
            end=5.0,
        )
        ticks = run(made)
        assert ticks[-1].state.entity.y[0] == pytest.approx(expected, abs=0.02)
        assert (ended(made, ticks) is None) == (continuous == "true")


# ---------------------------------------------------------------- lateral distance


def beside(attributes: str, constraints="") -> str:
    return private(
        f'<LateralAction><LateralDistanceAction entityRef="other" {attributes}>{constraints}'
        "</LateralDistanceAction></LateralAction>"
    )


def pair(action: str, *, lane=-1, other_lane=-2, end=6.0, roads=STRAIGHT, other=""):
    return case(
        vehicle("car") + vehicle("other"),
        {"car": at(lane, 50.0) + going(10.0), "other": at(other_lane, 60.0) + going(10.0) + other},
        (1.0, action),
        end=end,
        roads=roads,
    )


@pytest.mark.parametrize(
    ("attributes", "away"),
    [
        (f'{ONCE} distance="1"', 1.0),
        (f"{ONCE}", 0.0),
        ('continuous="false" freespace="true" distance="1"', 3.0),
        (f'{ONCE} distance="1" displacement="any"', 1.0),
        (f'{ONCE} distance="1" displacement="leftToReferencedEntity"', 1.0),
        (f'{ONCE} distance="1" displacement="rightToReferencedEntity"', -1.0),
    ],
)
def test_a_lateral_distance_is_taken_at_once_without_limits(attributes, away):
    made = pair(beside(attributes))
    ticks = run(made)
    body = ticks[-1].state.entity
    assert body.y[0] - body.y[1] == pytest.approx(away, abs=0.02)
    assert ended(made, ticks) is not None


def test_a_continuous_lateral_distance_is_kept():
    moving = offset('<AbsoluteTargetLaneOffset value="0.6"/>', "linear", "0.05")
    made = pair(beside('continuous="true" freespace="false" distance="3" coordinateSystem="road"'), other=moving)
    ticks = run(made)
    body = ticks[-1].state.entity
    assert body.y[0] - body.y[1] == pytest.approx(3.0, abs=0.02)
    assert ended(made, ticks) is None


def test_a_lateral_distance_is_approached_within_limits():
    found = {}
    for constraint in ('maxSpeed="0.5"', 'maxAcceleration="1" maxSpeed="9"', 'maxAcceleration="1" maxSpeed="0.4"'):
        ticks = run(pair(beside(f'{ONCE} distance="1"', f"<DynamicConstraints {constraint}/>"), end=9.0))
        places = [float(tick.state.entity.y[0]) for tick in ticks]
        speeds = [(a - b) / 0.01 for a, b in pairwise(places)]
        found[constraint] = (max(speeds), max((b - a) / 0.01 for a, b in pairwise(speeds)))
    assert found['maxSpeed="0.5"'][0] == pytest.approx(0.5, abs=1e-3)
    assert found['maxAcceleration="1" maxSpeed="9"'][1] == pytest.approx(1.0, abs=0.05)
    assert found['maxAcceleration="1" maxSpeed="0.4"'][0] == pytest.approx(0.4, abs=1e-3)


@pytest.mark.parametrize("system", ["entity", "road", "lane"])
def test_a_lateral_distance_is_measured_in_a_coordinate_system(system):
    made = pair(beside(f'{ONCE} distance="4" coordinateSystem="{system}"'), roads=CURVE)
    ticks = run(made)
    end = ended(made, ticks)
    assert end is not None
    state = state_at(ticks, end + 0.01).entity
    across = (state.x[0] - state.x[1]) * math.sin(state.heading[0]) - (state.y[0] - state.y[1]) * math.cos(
        state.heading[0]
    )
    found = {"entity": -across, "road": state.t[0] - state.t[1], "lane": state.t[0] - state.t[1]}
    assert found[system] == pytest.approx(4.0, abs=0.05)
    assert abs(found["entity"] - found["road"]) > 0.2


# ---------------------------------------------------------------- synchronization


def meet(final="", attributes="", own=150.0, master=200.0) -> str:
    places = [f'<LanePosition roadId="0" laneId="-2" s="{s}"/>' for s in (master, own)]
    return private(
        f'<SynchronizeAction masterEntityRef="other" {attributes}>'
        f"<TargetPositionMaster>{places[0]}</TargetPositionMaster><TargetPosition>{places[1]}</TargetPosition>{final}"
        "</SynchronizeAction>"
    )


def met(action: str, *, end=14.0):
    made = case(
        vehicle("car") + vehicle("other"),
        {"car": at(-2, 50.0) + going(5.0), "other": at(-2, 80.0) + going(12.0)},
        (0.0, action),
        end=end,
    )
    return made, run(made)


def final(inside: str) -> str:
    return f"<FinalSpeed>{inside}</FinalSpeed>"


@pytest.mark.parametrize(
    ("inside", "speed_at_end"),
    [
        ("", None),
        (final('<AbsoluteSpeed value="8"/>'), 8.0),
        (final('<RelativeSpeedToMaster value="-3" speedTargetValueType="delta"/>'), 9.0),
        (final('<RelativeSpeedToMaster value="0.5" speedTargetValueType="factor"/>'), 6.0),
    ],
)
def test_two_entities_arrive_at_the_same_time(inside, speed_at_end):
    made, ticks = met(meet(inside))
    there = state_at(ticks, 10.0).entity
    assert there.x[1] == pytest.approx(200.0, abs=0.15)
    assert there.x[0] == pytest.approx(150.0, abs=0.5)
    assert ended(made, ticks) == pytest.approx(10.0, abs=0.05)
    assert speed_at_end is None or ticks[-1].state.entity.speed[0] == pytest.approx(speed_at_end, abs=0.05)


@pytest.mark.parametrize(("attributes", "time"), [('targetTolerance="12"', None), ('targetToleranceMaster="24"', 8.0)])
def test_tolerances_count_as_there(attributes, time):
    made, ticks = met(meet(final('<AbsoluteSpeed value="10"/>'), attributes))
    end = ended(made, ticks)
    if time is None:
        assert state_at(ticks, end).entity.x[0] == pytest.approx(138.0, abs=0.5)
    else:
        assert end == pytest.approx(time, abs=0.1)


@pytest.mark.parametrize("steady", ['<TargetDistanceSteadyState distance="20"/>', '<TargetTimeSteadyState time="2"/>'])
def test_the_final_speed_is_kept_before_the_end(steady):
    made, ticks = met(meet(final(f'<AbsoluteSpeed value="10">{steady}</AbsoluteSpeed>')))
    assert ended(made, ticks) == pytest.approx(10.0, abs=0.06)
    assert [float(state_at(ticks, time).entity.speed[0]) for time in (8.3, 9.0, 9.9)] == pytest.approx(
        [10.0] * 3, abs=0.05
    )
    assert state_at(ticks, 7.0).entity.speed[0] != pytest.approx(10.0, abs=0.3)


def test_the_final_speed_relative_to_the_master_is_kept_before_the_end():
    steady = '<TargetTimeSteadyState time="2"/>'
    inside = f'<RelativeSpeedToMaster value="-2" speedTargetValueType="delta">{steady}</RelativeSpeedToMaster>'
    _, ticks = met(meet(final(inside)))
    assert state_at(ticks, 9.0).entity.speed[0] == pytest.approx(10.0, abs=0.05)
