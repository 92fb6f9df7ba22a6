"""Lights and animations."""

from __future__ import annotations

import math

import pytest

from dorosim.scenario.openscenario.record.animation import (
    PedestrianGestureType,
    PedestrianMotionType,
    VehicleComponentType,
)
from dorosim.scenario.openscenario.record.light import ColorType, VehicleLightType
from dorosim.sensor.scene.lamp import switched_lamps
from dorosim.sensor.scene.material import VehicleLamp
from dorosim.world.storyboard.control_state import LampMode
from dorosim.world.storyboard.light import brightness_of
from dorosim.world.vehicle.mode import TurnLamp
from tests.scenario.openscenario.action_case import (
    MAP,
    at,
    case,
    case_text,
    ended,
    in_world,
    private,
    run,
    state_at,
    vehicle,
)


def light(kind: str, state: str, attributes: str = "") -> str:
    return private(
        f"<AppearanceAction><LightStateAction {attributes}><LightType>{kind}</LightType>{state}"
        "</LightStateAction></AppearanceAction>"
    )


BEAM = '<VehicleLight vehicleLightType="highBeam"/>'
ON = '<LightState mode="on"/>'
OFF = '<LightState mode="off"/>'


def ticks_of(*actions: tuple[float, str], end=3.0):
    made = case(vehicle("car"), {"car": at(-1, 10.0)}, *actions, end=end)
    return made, run(made)


def named(state, table) -> dict[str, int]:
    """Rows by what they are."""
    texts = state.texts()
    return {texts[kind]: row for row, kind in enumerate(table.kind.tolist())}


@pytest.mark.parametrize("kind", VehicleLightType)
def test_every_light_is_switched(kind):
    word = f'<VehicleLight vehicleLightType="{kind.value}"/>'
    _, ticks = ticks_of((0.5, light(word, ON)), (1.0, light(word, OFF)))
    assert len(state_at(ticks, 0.5).light) == 0
    found = state_at(ticks, 1.0)
    assert named(found, found.light) == {kind.value: 0}
    assert (found.light.mode[0], found.light.brightness[0], found.light.entity[0]) == (LampMode.ON, 1.0, 0)
    assert ticks[-1].state.light.brightness[0] == 0.0


def test_a_light_of_ones_own():
    _, ticks = ticks_of((0.5, light('<UserDefinedLight userDefinedLightType="taxi"/>', ON)))
    state = ticks[-1].state
    assert named(state, state.light) == {"user taxi": 0}


def test_a_light_takes_its_time():
    made, ticks = ticks_of(
        (0.5, light(BEAM, ON, 'transitionTime="1"')), (2.0, light(BEAM, OFF, 'transitionTime="0.5"'))
    )
    found = [float(state_at(ticks, time).light.brightness[0]) for time in (0.75, 1.0, 1.5, 2.25, 2.5)]
    assert found == pytest.approx([0.25, 0.5, 1.0, 0.5, 0.0])
    assert ended(made, ticks, 0) == pytest.approx(1.5, abs=0.011)
    assert ended(made, ticks, 1) == pytest.approx(2.5, abs=0.011)


def test_a_light_that_is_switched_again_begins_where_it_is():
    made, ticks = ticks_of((0.5, light(BEAM, ON, 'transitionTime="1"')), (1.0, light(BEAM, OFF, 'transitionTime="1"')))
    assert state_at(ticks, 1.5).light.brightness[0] == pytest.approx(0.25)
    assert ended(made, ticks, 0) == pytest.approx(1.0, abs=0.011)


@pytest.mark.parametrize(
    ("attributes", "pattern"),
    [("", [1, 0, 1, 0]), ('flashingOnDuration="0.25"', [1, 0, 0, 1]), ('flashingOffDuration="1.5"', [1, 0, 0, 0])],
)
def test_a_light_flashes(attributes, pattern):
    _, ticks = ticks_of((0.5, light(BEAM, f'<LightState mode="flashing" {attributes}/>')))
    table = ticks[-1].state.light
    # seen after 0.2, 0.7, 1.2 and 1.7 s, a cycle being 1, 0.75 or 2 s
    assert [
        round(brightness_of(table, 0, 500_000_000 + round(after * 1e9))) for after in (0.2, 0.7, 1.2, 1.7)
    ] == pattern


@pytest.mark.parametrize("kind", ColorType)
def test_every_colour_is_named(kind):
    inside = f'<Color colorType="{kind.value}"><ColorRgb red="1" green="0" blue="0"/></Color>'
    _, ticks = ticks_of((0.5, light(BEAM, f'<LightState mode="on">{inside}</LightState>')))
    state = ticks[-1].state
    assert state.texts()[state.light.colour[0]] == kind.value


def test_a_light_without_a_colour_keeps_its_own():
    _, ticks = ticks_of((0.5, light(BEAM, ON)))
    table = ticks[-1].state.light
    assert all(math.isnan(one[0]) for one in (table.red, table.green, table.blue, table.intensity))


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('<ColorRgb red="0.1" green="0.2" blue="0.3"/>', [0.1, 0.2, 0.3]),
        ('<ColorCmyk cyan="0.2" magenta="0.4" yellow="0.6" key="0.5"/>', [0.4, 0.3, 0.2]),
    ],
)
def test_colours_by_numbers(inside, expected):
    state = f'<LightState mode="on" luminousIntensity="900"><Color colorType="other">{inside}</Color></LightState>'
    _, ticks = ticks_of((0.5, light(BEAM, state)))
    table = ticks[-1].state.light
    assert [float(one[0]) for one in (table.red, table.green, table.blue)] == pytest.approx(expected)
    assert table.intensity[0] == 900.0


LAMP_OF = {
    "brakeLights": VehicleLamp.BRAKE,
    "lowBeam": VehicleLamp.HEAD,
    "reversingLights": VehicleLamp.REVERSE,
    "indicatorLeft": VehicleLamp.TURN_LEFT,
    "indicatorRight": VehicleLamp.TURN_RIGHT,
}


@pytest.mark.parametrize("kind", LAMP_OF)
def test_cameras_see_the_lights_that_are_switched(tmp_path, kind):
    word = f'<VehicleLight vehicleLightType="{kind}"/>'
    text = case_text(
        vehicle("car"), {"car": at(-1, 10.0)}, (0.2, light(word, ON)), (0.4, light(word, OFF)), end=0.6, logic=MAP
    )
    ticks = in_world(tmp_path, text)
    actor = int(ticks[0].state.entity.actor[0])
    before, during, after = (
        switched_lamps(next(tick.world for tick in ticks if tick.state_time >= time * 1e9)) for time in (0.1, 0.3, 0.5)
    )
    bit = 1 << LAMP_OF[kind]
    assert before == {}
    assert during[actor][1] & bit
    assert after[actor][0] & bit
    assert not after[actor][1] & bit


def test_interfaces_report_turn_signals_and_warning_lights(tmp_path):
    left = '<VehicleLight vehicleLightType="indicatorLeft"/>'
    warning = '<VehicleLight vehicleLightType="warningLights"/>'
    flashing = '<LightState mode="flashing"/>'
    actions = ((0.2, light(left, flashing)), (0.4, light(left, OFF)), (0.5, light(warning, flashing)))
    ticks = in_world(tmp_path, case_text(vehicle("car"), {"car": at(-1, 10.0)}, *actions, end=0.7, logic=MAP))
    found = {}
    for time in (0.1, 0.3, 0.45, 0.6):
        world = next(tick.world for tick in ticks if tick.state_time >= time * 1e9)
        row = world.row_of(int(world.storyboard.entity.actor[0]))
        found[time] = (int(world.vehicle.turn_lamp[row]), int(world.vehicle.emergency_lamp[row]))
    none = int(TurnLamp.OFF)
    assert found == {0.1: (none, 0), 0.3: (int(TurnLamp.LEFT), 0), 0.45: (none, 0), 0.6: (none, 1)}


# ---------------------------------------------------------------- animations


def animation(kind: str, attributes: str = "", state: str = "") -> str:
    state = f'<AnimationState state="{state}"/>' if state else ""
    return private(
        f"<AppearanceAction><AnimationAction {attributes}><AnimationType>{kind}</AnimationType>{state}"
        "</AnimationAction></AppearanceAction>"
    )


def component(word: str) -> str:
    return f'<ComponentAnimation><VehicleComponent vehicleComponentType="{word}"/></ComponentAnimation>'


@pytest.mark.parametrize("kind", VehicleComponentType)
def test_every_part_of_a_vehicle_moves(kind):
    _, ticks = ticks_of((0.5, animation(component(kind.value), 'animationDuration="1"', "0.5")))
    state = state_at(ticks, 1.0)
    assert named(state, state.animation) == {f"component {kind.value}": 0}
    assert state.animation.progress[0] == pytest.approx(0.25)
    assert ticks[-1].state.animation.progress[0] == 0.5
    assert ticks[-1].state.animation.running[0] == 0


def test_a_door_opens_and_closes():
    door = component("doorFrontLeft")
    made, ticks = ticks_of(
        (0.5, animation(door, 'animationDuration="1"', "1")), (1.0, animation(door, 'animationDuration="0.5"', "0.1"))
    )
    assert state_at(ticks, 1.25).animation.progress[0] == pytest.approx(0.3)
    assert ticks[-1].state.animation.progress[0] == pytest.approx(0.1)
    assert ended(made, ticks, 0) == pytest.approx(1.0, abs=0.011)
    assert ended(made, ticks, 1) == pytest.approx(1.5, abs=0.011)


def test_a_part_that_moves_at_once():
    own = '<ComponentAnimation><UserDefinedComponent userDefinedComponentType="ramp"/></ComponentAnimation>'
    made, ticks = ticks_of((0.5, animation(own, "", "0.7")))
    state = state_at(ticks, 0.51)
    assert named(state, state.animation) == {"component user ramp": 0}
    assert state.animation.progress[0] == 0.7
    assert ended(made, ticks) == pytest.approx(0.5, abs=0.011)


def test_a_loop_goes_on_until_it_is_stopped():
    walk = '<PedestrianAnimation motion="walking"/>'
    made, ticks = ticks_of((0.5, animation(walk, 'loop="true" animationDuration="1"')), end=3.0)
    assert state_at(ticks, 1.25).animation.progress[0] == pytest.approx(0.75)
    assert state_at(ticks, 2.0).animation.progress[0] == pytest.approx(0.5)
    assert ended(made, ticks) is None
    made, ticks = ticks_of((0.5, animation(walk, 'animationDuration="1"')), end=3.0)
    assert ended(made, ticks) == pytest.approx(1.5, abs=0.011)


@pytest.mark.parametrize("motion", PedestrianMotionType)
def test_every_motion_of_a_pedestrian(motion):
    _, ticks = ticks_of((0.5, animation(f'<PedestrianAnimation motion="{motion.value}"/>', 'animationDuration="9"')))
    state = ticks[-1].state
    assert named(state, state.animation) == {f"motion {motion.value}": 0}


@pytest.mark.parametrize("gesture", PedestrianGestureType)
def test_every_gesture_of_a_pedestrian(gesture):
    inside = (
        '<PedestrianAnimation userDefinedPedestrianAnimation="dance">'
        f'<PedestrianGesture gesture="{gesture.value}"/></PedestrianAnimation>'
    )
    _, ticks = ticks_of((0.5, animation(inside, 'animationDuration="9"')))
    state = ticks[-1].state
    assert list(named(state, state.animation)) == ["motion user dance", f"gesture {gesture.value}"]


def test_a_new_motion_takes_the_place_of_another_one():
    first, second = ('<PedestrianAnimation motion="walking"/>', '<PedestrianAnimation motion="running"/>')
    made, ticks = ticks_of((0.5, animation(first, 'loop="true" animationDuration="1"')), (1.0, animation(second)))
    state = ticks[-1].state
    assert list(named(state, state.animation)) == ["motion running"]
    assert ended(made, ticks, 0) == pytest.approx(1.0, abs=0.011)


def test_an_animation_of_a_file_has_a_clock():
    file = '<AnimationFile timeOffset="2"><File filepath="wave.fbx"/></AnimationFile>'
    made, ticks = ticks_of((0.5, animation(file, 'animationDuration="4"')))
    state = state_at(ticks, 1.5)
    assert named(state, state.animation) == {"file wave.fbx": 0}
    assert state.animation.clock[0] == pytest.approx(3.0)
    assert any("is not opened" in note for note in made.notes)


def test_an_animation_of_ones_own():
    own = '<UserDefinedAnimation userDefinedAnimationType="wipers"/>'
    _, ticks = ticks_of((0.5, animation(own, 'animationDuration="1" loop="true"')))
    state = state_at(ticks, 1.25)
    assert named(state, state.animation) == {"animation wipers": 0}
    assert state.animation.progress[0] == pytest.approx(0.75)
