"""Conditions by value: times, dates, elements, variables of every type, traffic lights, values from outside."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from dorosim.scenario.openscenario.engine.advance import advance
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.control_state import EnvironmentTable
from dorosim.world.storyboard.state import ElementState, StoryboardState
from tests.scenario.openscenario.staged import (
    SEEN,
    STEP,
    Body,
    at_lane,
    at_time,
    by_value,
    event,
    group,
    met_at,
    program,
    run,
    speed_action,
    started,
    story,
    text,
    variables,
)

EGO = Body("ego", at_lane(20.0))


@pytest.mark.parametrize(
    ("rule", "value", "expected"),
    [
        ("greaterThan", 1.0, 1.01),
        ("greaterOrEqual", 1.0, 1.0),
        ("equalTo", 1.0, 1.0),
        ("notEqualTo", 0.0, 0.01),
        ("lessThan", 1.0, 0.0),
        ("lessOrEqual", -0.5, None),
    ],
)
def test_the_simulated_time_is_compared(rule: str, value: float, expected: float | None) -> None:
    assert met_at(by_value(f'<SimulationTimeCondition rule="{rule}" value="{value}"/>'), EGO, end=3.0) == expected


def declared(kind: str, value: str, others: str) -> Program:
    variable = f'<VariableDeclaration name="v" variableType="{kind}" value="{value}"/>'
    parameter = f'<ParameterDeclaration name="p" parameterType="{kind}" value="{value}"/>'
    declarations = f"<ParameterDeclarations>{parameter}</ParameterDeclarations>{variables(variable)}"
    return program(text([EGO], story(group(["ego"], others)), end=3.0, declared=declarations))


def set_value(name: str, value: str) -> str:
    kind = "Variable" if name == "v" else "Parameter"
    reference = f'{kind.lower()}Ref="{name}"'
    return f'<GlobalAction><{kind}Action {reference}><SetAction value="{value}"/></{kind}Action></GlobalAction>'


def compared(name: str, rule: str, value: str) -> str:
    kind = "Variable" if name == "v" else "Parameter"
    return by_value(f'<{kind}Condition {kind.lower()}Ref="{name}" rule="{rule}" value="{value}"/>')


@pytest.mark.parametrize("name", ["v", "p"])
@pytest.mark.parametrize(
    ("kind", "first", "then", "rule", "reference"),
    [
        ("double", "1.5", "2.5", "greaterThan", "2"),
        ("double", "1.5", "2.5", "notEqualTo", "1.50"),
        ("int", "1", "-3", "lessThan", "0"),
        ("integer", "1", "3", "greaterOrEqual", "3"),
        ("unsignedInt", "10", "9", "lessOrEqual", "9"),
        ("unsignedShort", "10", "7", "equalTo", "7"),
        ("boolean", "false", "true", "equalTo", "true"),
        ("boolean", "true", "false", "notEqualTo", "true"),
        ("string", "green", "red", "equalTo", "red"),
        ("string", "1", "1.0", "equalTo", "1.0"),
        ("string", "green", "red", "notEqualTo", "green"),
        ("dateTime", "2026-01-01T00:00:00", "2026-03-01T00:00:00", "greaterThan", "2026-02-01T00:00:00"),
        ("dateTime", "2026-01-01T00:00:00", "2026-01-01T12:00:00+02:00", "equalTo", "2026-01-01T10:00:00"),
    ],
)
def test_a_value_of_any_type_is_compared(
    name: str, kind: str, first: str, then: str, rule: str, reference: str
) -> None:
    events = event("change", set_value(name, then), at_time(1.0)) + event(
        "watch", SEEN, compared(name, rule, reference)
    )
    made = declared(kind, first, events)
    assert started(made, run(made), "watch") == [1.0]


@pytest.mark.parametrize(
    ("kind", "first", "change", "expected"),
    [
        ("double", "3", '<MultiplyByValue value="0.5"/>', 1.5),
        ("int", "3", '<MultiplyByValue value="0.4"/>', 1.0),
        ("int", "3", '<AddValue value="-5"/>', -2.0),
        ("unsignedInt", "3", '<AddValue value="-5"/>', 0.0),
        ("unsignedShort", "65530", '<AddValue value="10"/>', 65535.0),
    ],
)
def test_a_changed_number_stays_one_of_its_type(kind: str, first: str, change: str, expected: float) -> None:
    for name, tag in (("v", "Variable"), ("p", "Parameter")):
        action = (
            f'<GlobalAction><{tag}Action {tag.lower()}Ref="{name}"><ModifyAction><Rule>{change}</Rule></ModifyAction>'
            f"</{tag}Action></GlobalAction>"
        )
        watch = event("watch", SEEN, compared(name, "equalTo", str(expected)))
        made = declared(kind, first, event("change", action, at_time(1.0)) + watch)
        assert started(made, run(made), "watch") == [1.0]


def test_a_parameter_that_an_action_sets_changes_no_more_than_conditions() -> None:
    """Values of the file were put in before the run (1.3, 9.1); only what compares the parameter sees the change."""
    events = event("change", set_value("p", "50"), at_time(0.5)) + event("go", speed_action(7.0), at_time(1.0))
    made = declared("double", "7", events.replace('value="7.0"', 'value="$p"'))
    assert run(made)[-1].state.entity.speed[0] == 7.0


def test_a_monitor_is_a_truth_value() -> None:
    monitors = '<MonitorDeclarations><MonitorDeclaration name="m" value="false"/></MonitorDeclarations>'
    action = '<GlobalAction><SetMonitorAction monitorRef="m" value="true"/></GlobalAction>'
    stories = story(group(["ego"], event("set", action, at_time(1.0))))
    made = program(text([EGO], stories, declared=f"<ParameterDeclarations/>{variables()}{monitors}", end=2.0))
    ticks = run(made)
    row = [one.name for one in made.variables].index("m")
    values = {round(tick.time * 1e-9, 2): float(tick.state.variable.value[row]) for tick in ticks}
    assert (values[0.99], values[1.0]) == (0.0, 1.0)


def advanced(made: Program, state: StoryboardState, first: float, last: float) -> list[float]:
    """Ticks from a state on; when the event `watch` has started."""
    found, time = [], round(first * 1e9)
    while time <= last * 1e9:
        frame = advance(made, state, time, STEP * 1e-9)
        state = frame.finish()
        found += [
            round(time * 1e-9, 6)
            for one in frame.happened
            if made.elements[one.element].name == "watch" and one.state == ElementState.RUNNING
        ]
        time += STEP
    return found


@pytest.mark.parametrize(
    ("rule", "reference", "given", "expected"),
    [
        ("equalTo", "go", "go", True),
        ("equalTo", "go", "stop", False),
        ("notEqualTo", "go", "stop", True),
        ("greaterThan", "4.5", "5", True),
        ("greaterThan", "4.5", "4", False),
        ("lessOrEqual", "4.5", "4.50", True),
        ("equalTo", "true", "True", True),
        ("lessThan", "4.5", "few", False),
    ],
)
def test_a_value_from_outside_counts_once_it_has_come(rule: str, reference: str, given: str, expected: bool) -> None:
    condition = by_value(f'<UserDefinedValueCondition name="mode" rule="{rule}" value="{reference}"/>')
    made = program(text([EGO], story(group(["ego"], event("watch", SEEN, condition))), end=3.0))
    state = run(made, 0.5)[-1].state
    assert advanced(made, state, 0.51, 0.6) == []
    assert advanced(made, state.with_outside_value("other", given), 0.51, 0.6) == []
    later = state.with_outside_value("mode", "x").with_outside_value("mode", given)
    assert advanced(made, later, 0.51, 0.6) == ([0.51] if expected else [])


@pytest.mark.parametrize(
    ("rule", "reference", "animation", "expected"),
    [
        ("greaterThan", "2026-05-01T12:00:01", 1, [1.01]),
        ("greaterThan", "2026-05-01T12:00:01", 0, []),
        ("greaterThan", "2026-05-01T11:00:00", 0, [0.0]),
        ("lessThan", "2026-04-30T23:00:00", 1, []),
        ("greaterOrEqual", "2026-05-01T14:00:01+02:00", 1, [1.0]),
    ],
)
def test_date_and_time_of_day_are_compared(rule: str, reference: str, animation: int, expected: list[float]) -> None:
    condition = by_value(f'<TimeOfDayCondition rule="{rule}" dateTime="{reference}"/>')
    made = program(text([EGO], story(group(["ego"], event("watch", SEEN, condition))), end=9.0))
    state = run(made, 0.0)[-1].state
    assert advanced(made, state, 0.0, 2.0) == []
    table = EnvironmentTable.zeros(1)
    table.date_time[0] = round(datetime(2026, 5, 1, 12, tzinfo=UTC).timestamp()) * 10**9
    table.animation[0] = animation
    assert advanced(made, replace(state, environment=table.freeze()), 0.0, 2.0) == expected


LIGHTS = """<TrafficSignals>
<TrafficSignalController name="main">
<Phase name="go" duration="1"><TrafficSignalState trafficSignalId="7" state="off;off;on"/></Phase>
<Phase name="stop" duration="2"><TrafficSignalState trafficSignalId="7" state="on;off;off"/></Phase>
</TrafficSignalController>
<TrafficSignalController name="late" delay="0.5" reference="main">
<Phase name="go" duration="1"><TrafficSignalState trafficSignalId="8" state="off;off;on"/></Phase>
<Phase name="stop" duration="9"><TrafficSignalState trafficSignalId="8" state="on;off;off"/></Phase>
</TrafficSignalController></TrafficSignals>"""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('<TrafficSignalCondition name="7" state="off;off;on"/>', [0.0]),
        ('<TrafficSignalCondition name="7" state="on;off;off"/>', [1.0]),
        ('<TrafficSignalCondition name="8" state="off;off;on"/>', [0.5]),
        ('<TrafficSignalCondition name="8" state="on;off;off"/>', [1.5]),
        ('<TrafficSignalCondition name="7" state="on;on;on"/>', []),
        ('<TrafficSignalControllerCondition trafficSignalControllerRef="main" phase="stop"/>', [1.0]),
        ('<TrafficSignalControllerCondition trafficSignalControllerRef="late" phase="stop"/>', [1.5]),
    ],
)
def test_lights_and_their_controllers_have_states(condition: str, expected: list[float]) -> None:
    stories = story(group(["ego"], event("watch", SEEN, by_value(condition))))
    made = program(text([EGO], stories, signals=LIGHTS, end=4.0))
    found = started(made, run(made), "watch")
    assert found == pytest.approx(expected, abs=0.011)
