"""Conditions on how entities move and what they meet: each is met when it should be, by each of its attributes."""

from __future__ import annotations

import math

import pytest

from tests.scenario.openscenario.staged import (
    Body,
    at_lane,
    at_time,
    by_entity,
    event,
    in_world,
    met_at,
    place_action,
    speed_action,
)

TICK = 0.01
SOON = 0.021
"""A change is seen in the tick after it [s]; a time that lasts must be over."""


def ego(s: float = 10.0, speed: float = 10.0, name: str = "1", more: str = "") -> Body:
    return Body("ego", at_lane(s, name=name, more=more), speed)


def ramp(speed: float = 10.0, over: float = 10.0) -> dict[str, str]:
    """The ego's speed changes evenly from the start on."""
    return {"ego": speed_action(speed, "linear", "time", over)}


@pytest.mark.parametrize("duration", [0.5, 2.0])
def test_the_end_of_a_road_counts_after_a_time(duration: float) -> None:
    condition = by_entity(f'<EndOfRoadCondition duration="{duration}"/>', "ego")
    assert met_at(condition, ego(90.0, name="9")) == pytest.approx(1.0 + duration, abs=SOON)


@pytest.mark.parametrize(("place", "duration"), [((20.0, 30.0), 0.5), ((20.0, 30.0), 2.0), ((-20.0, 0.0), 0.5)])
def test_being_off_the_road_counts_after_a_time(place: tuple[float, float], duration: float) -> None:
    condition = by_entity(f'<OffroadCondition duration="{duration}"/>', "ego")
    leave = event("leave", place_action(in_world(*place)), at_time(1.0))
    assert met_at(condition, ego(speed=0.0), others=leave) == pytest.approx(1.0 + duration, abs=SOON)
    assert met_at(condition, ego(speed=0.0)) is None


@pytest.mark.parametrize("duration", [0.5, 2.0])
def test_standing_still_counts_after_a_time(duration: float) -> None:
    condition = by_entity(f'<StandStillCondition duration="{duration}"/>', "ego")
    brake = event("brake", speed_action(0.0), at_time(1.0))
    assert met_at(condition, ego(), others=brake) == pytest.approx(1.0 + duration, abs=SOON)


NEAR = Body("near", at_lane(30.0))
WALKER = Body("walker", at_lane(50.0), kind="Pedestrian", length=1.0, width=1.0, middle=0.0)
THING = Body("thing", at_lane(70.0), kind="MiscObject", length=1.0, width=1.0, middle=0.0)
UNKNOWN = Body("unknown", at_lane(80.0), kind="ExternalObjectReference")
SELECTED = (
    '<EntitySelection name="walkers"><Members><EntityRef entityRef="walker"/></Members></EntitySelection>'
    '<EntitySelection name="cars"><Members><ByType objectType="vehicle"/></Members></EntitySelection>'
    '<EntitySelection name="all"><Members><EntityRef entityRef="walkers"/><EntityRef entityRef="cars"/></Members>'
    "</EntitySelection>"
)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ('<EntityRef entityRef="near"/>', 1.6),
        ('<EntityRef entityRef="walker"/>', 3.65),
        ('<EntityRef entityRef="walkers"/>', 3.65),
        ('<EntityRef entityRef="all"/>', 1.6),
        ('<ByType type="vehicle"/>', 1.6),
        ('<ByType type="pedestrian"/>', 3.65),
        ('<ByType type="miscellaneous"/>', 5.65),
        ('<ByType type="external"/>', 6.7),
    ],
)
def test_a_collision_is_with_an_entity_a_selection_or_a_type(target: str, expected: float) -> None:
    others = (NEAR, WALKER, THING, UNKNOWN)
    condition = by_entity(f"<CollisionCondition>{target}</CollisionCondition>", "ego")
    assert met_at(condition, ego(), *others, entities=SELECTED) == pytest.approx(expected, abs=SOON)


def test_a_body_on_a_bridge_is_not_hit_from_below() -> None:
    condition = by_entity('<CollisionCondition><ByType type="vehicle"/></CollisionCondition>', "ego")
    assert met_at(condition, ego(), Body("above", at_lane(48.5, name="9"))) is None
    assert met_at(condition, ego(), Body("below", in_world(50.0, -1.5, more='z="0.5"'))) is not None


def test_a_box_has_a_size_and_a_middle() -> None:
    """The ego passes a car on the next lane, 1 m from side to side, and below one on the bridge, 8 m higher."""
    beside, above = Body("beside", at_lane(60.0, -2)), Body("above", at_lane(48.5, name="9"))

    def hit(other: Body, own: Body) -> float | None:
        target = f'<EntityRef entityRef="{other.name}"/>'
        return met_at(by_entity(f"<CollisionCondition>{target}</CollisionCondition>", "ego"), own, other)

    assert (hit(beside, ego()), hit(above, ego())) == (None, None)
    assert hit(beside._replace(width=4.1), ego()) == pytest.approx(4.6, abs=SOON)
    assert hit(beside._replace(width=4.1, length=10.0), ego()) == pytest.approx(4.3, abs=SOON)
    assert hit(beside._replace(width=4.1, middle=2.0), ego()) == pytest.approx(4.7, abs=SOON)
    assert hit(beside._replace(aside=1.1), ego()) == pytest.approx(4.6, abs=SOON)
    assert hit(above, ego()._replace(height=8.5)) is not None
    assert hit(above._replace(above=-6.0), ego()) is not None


@pytest.mark.parametrize(
    ("direction", "rule", "value", "start", "expected"),
    [
        ("", "greaterThan", 0.9, 10.0, TICK),
        ('direction="longitudinal"', "greaterThan", 0.9, 10.0, TICK),
        ('direction="longitudinal"', "lessThan", -1.1, 10.0, None),
        ('direction="lateral"', "greaterThan", 0.9, 10.0, None),
    ],
)
def test_an_acceleration_has_parts(direction: str, rule: str, value: float, start: float, expected: float) -> None:
    condition = by_entity(f'<AccelerationCondition {direction} rule="{rule}" value="{value}"/>', "ego")
    found = met_at(condition, ego(start, 0.0), more_init=ramp(), end=4.0)
    assert found == (None if expected is None else pytest.approx(expected, abs=SOON))


def test_a_bend_gives_a_lateral_and_a_rise_a_vertical_acceleration() -> None:
    lateral = by_entity('<AccelerationCondition direction="lateral" rule="greaterThan" value="1.5"/>', "ego")
    assert met_at(lateral, ego(90.0)) == pytest.approx(1.0, abs=SOON)
    vertical = by_entity('<AccelerationCondition direction="vertical" rule="greaterThan" value="50"/>', "ego")
    assert met_at(vertical, ego(70.0)) == pytest.approx(1.0, abs=SOON)


@pytest.mark.parametrize(
    ("rule", "value", "expected"),
    [
        ("greaterThan", 5.0, 5.01),
        ("greaterOrEqual", 5.0, 5.0),
        ("equalTo", 5.0, 5.0),
        ("notEqualTo", 0.0, 0.01),
        ("lessThan", 5.0, 0.0),
        ("lessThan", 0.0, None),
        ("lessOrEqual", 0.0, 0.0),
    ],
)
def test_a_speed_is_compared_by_each_rule(rule: str, value: float, expected: float | None) -> None:
    condition = by_entity(f'<SpeedCondition rule="{rule}" value="{value}"/>', "ego")
    assert met_at(condition, ego(speed=0.0), more_init=ramp()) == expected


def test_a_speed_has_parts_in_the_frame_of_the_body() -> None:
    def speed(direction: str, rule: str, value: float) -> str:
        return by_entity(f'<SpeedCondition direction="{direction}" rule="{rule}" value="{value}"/>', "ego")

    turned = ego(more='<Orientation type="relative" h="0.5"/>')
    across = -10.0 * math.sin(0.5)
    assert met_at(speed("lateral", "lessThan", across + 0.01), turned) == TICK
    assert met_at(speed("lateral", "lessThan", across - 0.01), turned, end=2.0) is None
    along = 10.0 * math.cos(0.5)
    assert met_at(speed("longitudinal", "lessThan", along + 0.01), turned) == TICK
    assert met_at(speed("vertical", "greaterThan", 0.9), ego(70.0)) == pytest.approx(1.0, abs=SOON)


@pytest.mark.parametrize(
    ("direction", "rule", "value", "expected"),
    [
        ("", "greaterThan", 2.0, 6.01),
        ('direction="longitudinal"', "lessThan", -3.0, TICK),
        ('direction="longitudinal"', "greaterThan", -3.0, None),
        ('direction="lateral"', "lessThan", -5.0, 5.01),
    ],
)
def test_a_relative_speed_counts_along_the_axes_of_the_other_one(
    direction: str, rule: str, value: float, expected: float | None
) -> None:
    """The other one goes north at 4 m/s, the ego east, faster and faster."""
    north = Body("north", at_lane(10.0, name="9"), 4.0)
    condition = by_entity(
        f'<RelativeSpeedCondition entityRef="north" {direction} rule="{rule}" value="{value}"/>', "ego"
    )
    found = met_at(condition, ego(speed=0.0), north, more_init=ramp())
    assert found == (None if expected is None else pytest.approx(expected, abs=SOON))


def test_a_relative_speed_has_a_vertical_part() -> None:
    condition = by_entity(
        '<RelativeSpeedCondition entityRef="low" direction="vertical" rule="greaterThan" value="0.9"/>', "ego"
    )
    assert met_at(condition, ego(70.0), Body("low", at_lane(10.0), 10.0)) == pytest.approx(1.0, abs=SOON)


@pytest.mark.parametrize("length", [25.0, 40.0])
def test_a_travelled_distance_is_reached(length: float) -> None:
    condition = by_entity(f'<TraveledDistanceCondition value="{length}"/>', "ego")
    assert met_at(condition, ego()) == pytest.approx(length / 10.0, abs=TICK)


@pytest.mark.parametrize("tolerance", [2.0, 5.0])
def test_a_position_is_reached_within_a_tolerance(tolerance: float) -> None:
    position = f"<Position>{at_lane(50.0)}</Position>"
    inside = f'<ReachPositionCondition tolerance="{tolerance}">{position}</ReachPositionCondition>'
    condition = by_entity(inside, "ego")
    assert met_at(condition, ego()) == pytest.approx((40.0 - tolerance) / 10.0, abs=SOON)


@pytest.mark.parametrize(("rule", "expected"), [("any", 1.0), ("all", 3.0)])
def test_one_or_all_of_the_entities_must_meet_a_condition(rule: str, expected: float) -> None:
    fast, slow = ego(speed=12.0), Body("slow", at_lane(10.0, -2), 4.0)
    condition = by_entity('<TraveledDistanceCondition value="12"/>', "slow", "ego", rule=rule)
    assert met_at(condition, fast, slow) == pytest.approx(expected, abs=SOON)


@pytest.mark.parametrize(("rule", "expected"), [("any", 1.0), ("all", 3.0)])
def test_a_selection_stands_for_its_members(rule: str, expected: float) -> None:
    fast, slow = ego(speed=12.0), Body("slow", at_lane(10.0, -2), 4.0)
    condition = by_entity('<TraveledDistanceCondition value="12"/>', "cars", rule=rule)
    walker = Body("walker", at_lane(90.0, 2), kind="Pedestrian")
    assert met_at(condition, fast, slow, walker, entities=SELECTED) == pytest.approx(expected, abs=SOON)
