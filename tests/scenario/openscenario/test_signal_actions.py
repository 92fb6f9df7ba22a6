"""Traffic lights and their controllers in the storyboard, and values that actions set."""

from __future__ import annotations

from pathlib import Path

import pytest

from dorosim.ground.error import InputError
from dorosim.road.signal import Lamp
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.state import StoryboardState
from tests.scenario.openscenario.action_case import (
    MAP,
    at,
    case,
    case_text,
    fork,
    in_world,
    map_text,
    road,
    run,
    state_at,
    vehicle,
)


def shown(made: Program, state: StoryboardState) -> dict[str, str]:
    """What lights and controllers show, by name."""
    texts, rows = state.texts(), state.signal.state.tolist()
    names = [*made.signals, *(one.name for one in made.controllers)]
    return {name: texts[row] for name, row in zip(names, rows, strict=True) if row >= 0}


def phase(name: str, duration: float, states: dict[str, str], group="") -> str:
    inside = "".join(f'<TrafficSignalState trafficSignalId="{one}" state="{state}"/>' for one, state in states.items())
    group = f'<TrafficSignalGroupState state="{group}"/>' if group else ""
    return f'<Phase name="{name}" duration="{duration}">{inside}{group}</Phase>'


def controller(name: str, *phases: str, attributes="") -> str:
    return f'<TrafficSignalController name="{name}" {attributes}>{"".join(phases)}</TrafficSignalController>'


def lit(*controllers: str, actions=(), end=8.0, roads=None):
    signals = f"<TrafficSignals>{''.join(controllers)}</TrafficSignals>"
    roads = map_text(road(0, "0 0 0 line", 2000.0)) if roads is None else roads
    made = case(vehicle("car"), {"car": at(-1, 10.0)}, *actions, end=end, signals=signals, roads=roads)
    return made, run(made)


def infrastructure(inside: str) -> str:
    return (
        f"<GlobalAction><InfrastructureAction><TrafficSignalAction>{inside}</TrafficSignalAction>"
        "</InfrastructureAction></GlobalAction>"
    )


FIRST = phase("go", 2.0, {"a": "off;off;on", "b": "on;off;off"})
SECOND = phase("stop", 3.0, {"a": "on;off;off", "b": "off;off;on"})


def test_a_light_is_set():
    made, ticks = lit(actions=((1.0, infrastructure('<TrafficSignalStateAction name="7" state="off;on;off"/>')),))
    assert shown(made, state_at(ticks, 0.9)) == {}
    assert shown(made, ticks[-1].state) == {"7": "off;on;off"}


def test_a_controller_goes_from_phase_to_phase():
    made, ticks = lit(controller("c", FIRST, SECOND))
    found = [shown(made, state_at(ticks, time)) for time in (1.0, 3.0, 6.0)]
    assert [one["c"] for one in found] == ["go", "stop", "go"]
    assert [one["a"] for one in found] == ["off;off;on", "on;off;off", "off;off;on"]
    assert [one["b"] for one in found] == ["on;off;off", "off;off;on", "on;off;off"]


def test_a_controller_is_put_into_a_phase():
    to_stop = infrastructure('<TrafficSignalControllerAction trafficSignalControllerRef="c" phase="stop"/>')
    made, ticks = lit(controller("c", FIRST, SECOND), actions=((1.0, to_stop),))
    assert shown(made, state_at(ticks, 0.9))["c"] == "go"
    assert shown(made, state_at(ticks, 1.5))["a"] == "on;off;off"
    assert [shown(made, state_at(ticks, time))["c"] for time in (3.9, 4.1)] == ["stop", "go"]


def test_a_controller_follows_another_one():
    follower = controller("d", phase("x", 9.0, {"e": "on"}), attributes='reference="c" delay="1.5"')
    made, ticks = lit(controller("c", FIRST, SECOND), follower)
    assert "e" not in shown(made, state_at(ticks, 1.4))
    assert shown(made, state_at(ticks, 1.6))["e"] == "on"
    with pytest.raises(InputError, match="no controller 'x' to follow"):
        lit(controller("d", FIRST, attributes='reference="x" delay="1"'))


def test_a_state_of_a_group_is_that_of_all_its_lights():
    dark = phase("dark", 5.0, {}, "off;off;off")
    made, ticks = lit(controller("c", FIRST, dark))
    found = shown(made, state_at(ticks, 3.0))
    assert (found["a"], found["b"]) == ("off;off;off", "off;off;off")


def test_a_group_has_the_lights_that_the_map_gives_to_its_controller():
    members = "".join(f'<control signalId="{one}" type=""/>' for one in (17, 18))
    roads = map_text(road(0, "0 0 0 line", 2000.0), extra=f'<controller id="c" name="">{members}</controller>')
    made, ticks = lit(controller("c", phase("all", 5.0, {"18": "on"}, "off")), roads=roads)
    assert shown(made, ticks[-1].state) == {"17": "off", "18": "on", "c": "all"}


HEAD = (
    '<signals><signal s="95" t="-4" id="7" name="" dynamic="yes" orientation="+" zOffset="3" country="OpenDRIVE" '
    'type="1000001" subtype="-1" height="1" width="0.4"/></signals>'
)
RED, YELLOW, GREEN = int(Lamp.RED), int(Lamp.YELLOW), int(Lamp.GREEN)


def status(folder: Path, actions, signals="", times=(0.1, 0.7)) -> tuple[list[int], list[str]]:
    """What the light of the map shows at some times, and the journal."""
    text = case_text(vehicle("car"), {"car": at(-1, 10.0)}, *actions, end=times[-1] + 0.1, logic=MAP, signals=signals)
    ticks = in_world(folder, text, fork(HEAD))
    worlds = [next(tick.world for tick in ticks if tick.state_time >= time * 1e9) for time in times]
    return [int(one.signal.light.status[0]) for one in worlds], [line for tick in ticks for line in tick.journal]


@pytest.mark.parametrize(
    ("state", "lamps"),
    [
        ("off;off;on", GREEN),
        ("on;off;off", RED),
        ("on;on;off", RED | YELLOW),
        ("off;flashing;off", YELLOW),
        ("off;off;off", 0),
        ("off", 0),
        ("red", RED),
        ("red;yellow", RED | YELLOW),
        ("Green", GREEN),
    ],
)
def test_the_map_s_own_light_shows_the_state(tmp_path, state, lamps):
    action = infrastructure(f'<TrafficSignalStateAction name="7" state="{state}"/>')
    found, journal = status(tmp_path, ((0.5, action),))
    assert found[1] == lamps
    assert journal == []


def test_a_controller_switches_the_map_s_own_lights(tmp_path):
    phases = phase("go", 1.0, {"7": "off;off;on"}) + phase("stop", 5.0, {}, "on;off;off")
    declared = f"<TrafficSignals>{controller('c', phases)}</TrafficSignals>"
    assert status(tmp_path, (), declared, (0.5, 1.5))[0] == [GREEN, RED]


@pytest.mark.parametrize(
    ("name", "state", "problem"),
    [
        ("99", "off;off;on", "no traffic light '99'"),
        ("7", "purple", "not understood"),
        ("7", "on;on;on;on;on", "5 lamps"),
        ("7", "left", "has no left lamp"),
    ],
)
def test_a_state_that_the_map_s_lights_cannot_show_is_said(tmp_path, name, state, problem):
    action = infrastructure(f'<TrafficSignalStateAction name="{name}" state="{state}"/>')
    _, journal = status(tmp_path, ((0.5, action),))
    assert len(journal) == 1
    assert problem in journal[0]


# ---------------------------------------------------------------- values


def global_action(inside: str) -> str:
    return f"<GlobalAction>{inside}</GlobalAction>"


DECLARED = (
    '<VariableDeclarations><VariableDeclaration name="n" variableType="double" value="2"/>'
    '<VariableDeclaration name="word" variableType="string" value="one"/></VariableDeclarations>'
    '<MonitorDeclarations><MonitorDeclaration name="fine" value="true"/></MonitorDeclarations>'
)


def value_after(name: str, *actions: str) -> float | str:
    timed = [(0.5 + 0.1 * n, global_action(one)) for n, one in enumerate(actions)]
    made = case(vehicle("car"), {"car": at(-1, 10.0)}, *timed, end=1.5, extra=DECLARED)
    state = run(made)[-1].state
    number = next(at for at, one in enumerate(made.variables) if one.name == name)
    text = int(state.variable.text[number])
    return float(state.variable.value[number]) if text < 0 else state.texts()[text]


def test_variables_are_set_and_modified():
    change = '<VariableAction variableRef="n"><ModifyAction><Rule>{}</Rule></ModifyAction></VariableAction>'
    assert value_after("n") == 2.0
    assert value_after("n", '<VariableAction variableRef="n"><SetAction value="7"/></VariableAction>') == 7.0
    assert value_after("word", '<VariableAction variableRef="word"><SetAction value="two"/></VariableAction>') == "two"
    assert value_after("n", change.format('<AddValue value="1.5"/>')) == 3.5
    assert value_after("n", change.format('<MultiplyByValue value="4"/>')) == 8.0


def test_parameters_are_set_and_modified():
    declared = '<ParameterDeclaration name="p" parameterType="double" value="2"/>'
    change = '<ParameterAction parameterRef="p">{}</ParameterAction>'
    rule = "<ModifyAction><Rule>{}</Rule></ModifyAction>"
    for inside, expected in (
        ('<SetAction value="7"/>', 7.0),
        (rule.format('<AddValue value="1.5"/>'), 3.5),
        (rule.format('<MultiplyByValue value="4"/>'), 8.0),
    ):
        made = case(
            vehicle("car"),
            {"car": at(-1, 10.0)},
            (0.5, global_action(change.format(inside))),
            end=1.0,
            parameters=declared,
        )
        assert run(made)[-1].state.variable.value[0] == expected


def test_a_monitor_is_set():
    assert value_after("fine") == 1.0
    assert value_after("fine", '<SetMonitorAction monitorRef="fine" value="false"/>') == 0.0
