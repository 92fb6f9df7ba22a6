"""Storyboard elements start, end, stop, are skipped and run again as the standard has it (1.3, 8)."""

from __future__ import annotations

import pytest

from dorosim.app.run.scenario_run import RunTick
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.state import ElementState, Transition
from tests.scenario.openscenario.staged import (
    SEEN,
    Body,
    at_lane,
    at_time,
    by_entity,
    by_value,
    event,
    group,
    place_action,
    program,
    run,
    speed_action,
    started,
    story,
    text,
    trigger,
)
from tests.scenario.openscenario.worldless import verdict_on

EGO, OTHER = Body("ego", at_lane(20.0)), Body("other", at_lane(40.0))
COMPLETE, STANDBY = ElementState.COMPLETE, ElementState.STANDBY
SLOW = speed_action(10.0, "linear", "time", 2.0)


def ran(
    stories: str, *bodies: Body, end: float = 6.0, init: dict[str, str] | None = None
) -> tuple[Program, list[RunTick]]:
    made = program(text(bodies or [EGO, OTHER], stories, end=end, more_init=init))
    return made, run(made)


def transitions(made: Program, ticks: list[RunTick], name: str) -> list[tuple[float, Transition]]:
    return [
        (round(tick.time * 1e-9, 6), one.transition)
        for tick in ticks
        for one in tick.happened
        if made.elements[one.element].name == name and one.transition is not Transition.NONE
    ]


def state_is(kind: str, name: str, state: str) -> str:
    attributes = f'storyboardElementType="{kind}" storyboardElementRef="{name}" state="{state}"'
    return by_value(f"<StoryboardElementStateCondition {attributes}/>")


ELEMENTS = ("story", "story act", "group", "group maneuver", "slow", "slow action")
KINDS = dict(zip(("story", "act", "maneuverGroup", "maneuver", "event", "action"), ELEMENTS, strict=True))


def watched(condition: str) -> list[float]:
    """When a second story sees a condition on the first one, whose act starts at 0.5 s and whose event at 1 s."""
    first = story(group(["ego"], event("slow", SLOW, at_time(1.0))), trigger(at_time(0.5)))
    made, ticks = ran(first + story(group(["other"], event("watch", SEEN, condition), "watching"), name="watcher"))
    return started(made, ticks, "watch")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_element_has_states_that_can_be_seen(kind: str) -> None:
    starts = {"story": 0.0, "act": 0.5, "maneuverGroup": 0.5, "maneuver": 0.5, "event": 1.0, "action": 1.0}
    assert watched(state_is(kind, KINDS[kind], "runningState")) == pytest.approx([starts[kind]], abs=0.011)
    assert watched(state_is(kind, KINDS[kind], "startTransition")) == pytest.approx([starts[kind]], abs=0.011)
    # the action ends with the tick that ends after 2 s
    assert watched(state_is(kind, KINDS[kind], "completeState")) == pytest.approx([3.0], abs=0.011)
    assert watched(state_is(kind, KINDS[kind], "endTransition")) == pytest.approx([3.0], abs=0.011)


def test_an_element_waits_for_its_trigger_in_standby() -> None:
    assert watched(state_is("act", "story act", "standbyState")) == [0.0]
    assert watched(state_is("event", "slow", "standbyState")) == pytest.approx([0.5], abs=0.011)


def test_elements_of_one_name_are_told_apart_by_those_above_them() -> None:
    first = story(group(["ego"], event("go", SLOW, at_time(1.0)), "first"))
    second = story(group(["other"], event("go", SLOW, at_time(2.0)), "second"), name="more")

    def seen(name: str) -> list[float]:
        watch = story(group(["ego"], event("watch", SEEN, state_is("event", name, "runningState")), "w"), name="w")
        made, ticks = ran(first + second + watch)
        return started(made, ticks, "watch")

    assert seen("go") == seen("story::story act::first::first maneuver::go") == [1.0]
    assert seen("second maneuver::go") == [2.0]
    assert seen("more::more act::second::second maneuver::go") == [2.0]


def test_a_stopped_act_stops_all_in_it() -> None:
    stop = trigger(at_time(2.0), kind="Stop")
    made, ticks = ran(story(group(["ego"], event("slow", SLOW, at_time(1.0))), stop=stop))
    for name in ("story act", "group", "group maneuver", "slow", "slow action"):
        assert transitions(made, ticks, name)[-1] == (2.0, Transition.STOP), name
    assert ticks[-1].state.entity.speed[0] == pytest.approx(5.0)
    assert transitions(made, ticks, "story")[-1] == (2.0, Transition.END)


def test_a_stop_can_be_seen() -> None:
    stop = trigger(at_time(2.0), kind="Stop")
    first = story(group(["ego"], event("slow", SLOW, at_time(1.0))), stop=stop)
    watch = story(group(["other"], event("watch", SEEN, state_is("event", "slow", "stopTransition")), "w"), name="w")
    made, ticks = ran(first + watch)
    assert started(made, ticks, "watch") == pytest.approx([2.0], abs=0.011)


def test_an_act_starts_by_its_trigger_or_with_its_story() -> None:
    made, ticks = ran(story(group(["ego"], event("slow", SLOW, "")), trigger(at_time(1.5))))
    assert started(made, ticks, "slow") == [1.5]
    made, ticks = ran(story(group(["ego"], event("slow", SLOW, ""))))
    assert started(made, ticks, "slow") == [0.0]


@pytest.mark.parametrize(
    ("priority", "first", "second"),
    [
        ("override", [(1.0, Transition.START), (2.0, Transition.STOP)], [2.0]),
        ("overwrite", [(1.0, Transition.START), (2.0, Transition.STOP)], [2.0]),
        ("parallel", [(1.0, Transition.START), (2.99, Transition.END)], [2.0]),
        ("skip", [(1.0, Transition.START), (2.99, Transition.END)], []),
    ],
)
def test_a_starting_event_meets_others_by_its_priority(
    priority: str, first: list[tuple[float, Transition]], second: list[float]
) -> None:
    events = event("slow", SLOW, at_time(1.0)) + event("later", SEEN, at_time(2.0), priority=priority)
    made, ticks = ran(story(group(["ego"], events)))
    assert transitions(made, ticks, "slow") == first
    assert started(made, ticks, "later") == second


def test_an_override_does_not_stop_what_is_in_other_maneuvers() -> None:
    groups = group(["ego"], event("slow", SLOW, at_time(1.0)), "a") + group(
        ["other"], event("later", SEEN, at_time(2.0), priority="override"), "b"
    )
    made, ticks = ran(story(groups))
    assert transitions(made, ticks, "slow") == [(1.0, Transition.START), (2.99, Transition.END)]


def test_a_skip_counts_as_a_run_and_can_be_seen() -> None:
    events = event("slow", SLOW, at_time(1.0)) + event("later", SEEN, at_time(2.0), priority="skip", count=2)
    watch = group(["other"], event("watch", SEEN, state_is("event", "later", "skipTransition")), "w")
    made, ticks = ran(story(group(["ego"], events) + watch))
    assert transitions(made, ticks, "later") == [(2.0, Transition.SKIP), (2.01, Transition.SKIP)]
    assert started(made, ticks, "watch") == pytest.approx([2.0], abs=0.011)


@pytest.mark.parametrize("count", [1, 3])
def test_an_event_runs_so_often(count: int) -> None:
    made, ticks = ran(story(group(["ego"], event("slow", SLOW, at_time(1.0), count=count))), end=20.0)
    assert len(started(made, ticks, "slow")) == count
    assert len(started(made, ticks, "slow", COMPLETE)) == 1


@pytest.mark.parametrize("count", [1, 2])
def test_a_maneuver_group_runs_so_often(count: int) -> None:
    made, ticks = ran(story(group(["ego"], event("slow", SLOW, at_time(1.0)), count=count)), end=20.0)
    assert len(started(made, ticks, "group")) == len(started(made, ticks, "slow")) == count
    assert len(started(made, ticks, "group", COMPLETE)) == 1


def test_all_actions_of_an_event_start_and_it_ends_with_the_last() -> None:
    action = f'<Action name="more">{speed_action(3.0, "linear", "time", 1.0)}</Action>'
    groups = group(["ego"], event("slow", SEEN, at_time(1.0)).replace("<StartTrigger>", f"{action}<StartTrigger>"))
    made, ticks = ran(story(groups))
    assert started(made, ticks, "slow action") == started(made, ticks, "more") == [1.0]
    assert started(made, ticks, "slow", COMPLETE) == started(made, ticks, "more", COMPLETE) == [1.99]


def test_the_actors_of_a_group_do_its_actions() -> None:
    _, ticks = ran(story(group(["ego", "other"], event("slow", SLOW, at_time(1.0)))))
    assert ticks[-1].state.entity.speed.tolist() == [10.0, 10.0]
    _, ticks = ran(story(group(["other"], event("slow", SLOW, at_time(1.0)))))
    assert ticks[-1].state.entity.speed.tolist() == [0.0, 10.0]


@pytest.mark.parametrize(("select", "expected"), [(True, [0.0, 0.0, 10.0]), (False, [0.0, 0.0, 0.0])])
def test_entities_that_met_the_condition_can_be_actors(select: bool, expected: list[float]) -> None:
    third = Body("third", at_lane(60.0), 2.0)
    condition = by_entity('<TraveledDistanceCondition value="2"/>', "ego", "other", "third")
    chosen = group([], event("slow", SLOW, condition), select=select)
    halted = group(["third"], event("stop", speed_action(0.0), at_time(4.0)), "halt") if not select else ""
    made, ticks = ran(story(chosen + halted), EGO, OTHER, third)
    assert started(made, ticks, "slow") == pytest.approx([1.01], abs=0.011)
    assert ticks[-1].state.entity.speed.tolist() == expected


def test_all_conditions_of_a_group_and_one_group_must_be_met() -> None:
    late = at_time(1.0) + at_time(2.0)
    made, ticks = ran(story(group(["ego"], event("both", SEEN, trigger(late)))))
    assert started(made, ticks, "both") == [2.0]
    made, ticks = ran(story(group(["ego"], event("either", SEEN, trigger(at_time(1.0), at_time(2.0))))))
    assert started(made, ticks, "either") == [1.0]
    early = at_time(1.0) + by_value('<SimulationTimeCondition rule="lessThan" value="0.5"/>')
    made, ticks = ran(story(group(["ego"], event("never", SEEN, trigger(early)))))
    assert started(made, ticks, "never") == []


def test_conditions_of_every_kind_are_looked_at() -> None:
    """Each kind of condition by entity is met by a car that stands, or by one that drives into another one."""
    position = f"<Position>{at_lane(20.0)}</Position>"
    near = 'entityRef="other" freespace="false" rule="lessThan" value="100"'
    kinds = [
        '<StandStillCondition duration="0.1"/>',
        f'<ReachPositionCondition tolerance="1">{position}</ReachPositionCondition>',
        f'<DistanceCondition freespace="false" rule="lessThan" value="1">{position}</DistanceCondition>',
        f'<RelativeDistanceCondition relativeDistanceType="longitudinal" {near}/>',
        '<SpeedCondition rule="equalTo" value="0"/>',
        '<RelativeSpeedCondition entityRef="other" rule="lessThan" value="-1"/>',
        '<AccelerationCondition rule="equalTo" value="0"/>',
        '<AngleCondition angle="0" angleTolerance="0.1" angleType="heading"/>',
        '<RelativeAngleCondition angle="0" angleTolerance="0.1" angleType="heading" entityRef="other"/>',
        '<RelativeClearanceCondition freeSpace="false" oppositeLanes="false" distanceForward="5"/>',
    ]
    of_other = [
        '<EndOfRoadCondition duration="0"/>',
        '<TraveledDistanceCondition value="9"/>',
        '<TimeToCollisionCondition freespace="false" rule="lessThan" value="99"><TimeToCollisionConditionTarget>'
        '<EntityRef entityRef="third"/></TimeToCollisionConditionTarget></TimeToCollisionCondition>',
        '<TimeHeadwayCondition entityRef="third" freespace="false" rule="lessThan" value="99"/>',
        '<CollisionCondition><EntityRef entityRef="third"/></CollisionCondition>',
        '<OffroadCondition duration="0"/>',
    ]
    events = "".join(event(f"e{at}", SEEN, by_entity(one, "ego")) for at, one in enumerate(kinds))
    more = "".join(event(f"o{at}", SEEN, by_entity(one, "other")) for at, one in enumerate(of_other))
    away = event("away", place_action('<WorldPosition x="0" y="90" h="0"/>'), at_time(5.0))
    other, third = Body("other", at_lane(130.0), 10.0), Body("third", at_lane(142.0))
    made, ticks = ran(story(group(["ego"], events) + group(["other"], more + away, "g")), EGO, other, third, end=6.0)
    never = [
        name
        for name in (*(f"e{at}" for at in range(10)), *(f"o{at}" for at in range(6)))
        if not started(made, ticks, name)
    ]
    assert never == []


BETWEEN = '<VariableCondition variableRef="seen" rule="equalTo" value="1"/>'
RESET = SEEN.replace('value="1"', 'value="0"')


@pytest.mark.parametrize(
    ("edge", "delay", "expected"),
    [
        ("none", 0.0, [1.0]),
        ("rising", 0.0, [1.0]),
        ("falling", 0.0, [2.0]),
        ("risingOrFalling", 0.0, [1.0]),
        ("none", 0.5, [1.5]),
        ("rising", 0.5, [1.5]),
        ("falling", 0.5, [2.5]),
        ("none", 1.5, [2.5]),
    ],
)
def test_a_condition_counts_by_its_edge_and_after_its_delay(edge: str, delay: float, expected: list[float]) -> None:
    """The variable is 1 from 1 s to 2 s."""
    changes = event("rise", SEEN, at_time(1.0)) + event("fall", RESET, at_time(2.0))
    note = '<GlobalAction><VariableAction variableRef="seen"><SetAction value="5"/></VariableAction></GlobalAction>'
    watch = event("watch", note, by_value(BETWEEN, edge=edge, delay=delay))
    made, ticks = ran(story(group(["ego"], changes) + group(["other"], watch, "w")))
    assert started(made, ticks, "watch") == pytest.approx(expected, abs=0.011)


def test_init_actions_come_before_the_first_look() -> None:
    user = '<UserDefinedAction><CustomCommandAction type="note">begin</CustomCommandAction></UserDefinedAction>'
    condition = by_value('<VariableCondition variableRef="seen" rule="equalTo" value="1"/>')
    made, ticks = ran(
        story(group(["ego"], event("watch", SEEN, condition))), init={"": SEEN + user, "other": speed_action(4.0)}
    )
    assert started(made, ticks, "watch") == [0.0]
    assert any("begin" in line for line in ticks[0].journal)
    assert ticks[0].state.entity.speed.tolist() == [0.0, 4.0]


def test_an_entity_without_init_actions_is_not_there() -> None:
    content = text([EGO, OTHER], story(group(["ego"], ""))).replace(OTHER.init().encode(), b"")
    ticks = run(program(content), 0.5)
    assert ticks[-1].state.entity.present.tolist() == [1, 0]


def test_a_run_ends_by_its_stop_trigger_or_with_its_stories() -> None:
    stories = story(group(["ego"], event("slow", SLOW, at_time(1.0))))
    made, ticks = ran(stories, end=2.0)
    assert (ticks[-1].time, ticks[-1].ended) == (2_000_000_000, "the stop trigger is met")
    assert transitions(made, ticks, "slow action")[-1] == (2.0, Transition.STOP)
    whole = text([EGO], stories, end=2.0).replace(trigger(at_time(2.0), kind="Stop").encode(), b"")
    made = program(whole)
    ticks = run(made)
    assert (ticks[-1].time, ticks[-1].ended) == (3_000_000_000, "all stories are complete")
    assert verdict_on(made, ticks).verdict == "pass"


def test_stories_run_beside_each_other() -> None:
    one = story(group(["ego"], event("a", speed_action(3.0), at_time(1.0)), "g1"), name="one")
    two = story(group(["other"], event("b", speed_action(4.0), at_time(2.0)), "g2"), name="two")
    made, ticks = ran(one + two)
    assert (started(made, ticks, "a"), started(made, ticks, "b")) == ([1.0], [2.0])


def test_parameters_of_a_story_and_a_maneuver_are_put_in_there() -> None:
    parameter = '<ParameterDeclaration name="{}" parameterType="double" value="{}"/>'
    declared = f"<ParameterDeclarations>{parameter}</ParameterDeclarations>"
    inside = group(["ego"], event("go", speed_action(1.0).replace('value="1.0"', 'value="${$a + $b}"'), at_time(1.0)))
    inside = inside.replace(
        '<Maneuver name="group maneuver">', '<Maneuver name="group maneuver">' + declared.format("b", 4)
    )
    whole = story(inside).replace('<Story name="story">', '<Story name="story">' + declared.format("a", 3))
    _, ticks = ran(whole)
    assert ticks[-1].state.entity.speed[0] == 7.0
