"""Controllers, overridden controls and trailers."""

from __future__ import annotations

import math

import pytest

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.engine.program import ControlDomain
from dorosim.world.storyboard.control_state import Override, VehicleControl
from tests.scenario.openscenario.action_case import at, at_world, case, going, last, private, run, state_at, vehicle
from tests.scenario.openscenario.sample import MemoryFiles, catalog

LIMITS = 'maxSpeed="40" maxAcceleration="4" maxDeceleration="8"'


def override(inside: str) -> str:
    return private(
        f"<ControllerAction><OverrideControllerValueAction>{inside}</OverrideControllerValueAction></ControllerAction>"
    )


HAND = """<ObjectController name="hand"><Controller name="hand" controllerType="movement"/></ObjectController>"""


def driven(*actions: tuple[float, str], speed=10.0, end=2.0, mass=' mass="1000"'):
    car = vehicle("car", performance=LIMITS, attributes=mass, controllers=HAND)
    active = activate('lateral="true" longitudinal="true"')
    return run(case(car, {"car": at(-1, 50.0) + going(speed) + active}, *actions, end=end))


@pytest.mark.parametrize(
    ("inside", "speed", "after"),
    [
        ('<Throttle active="true" value="0.5"/>', 10.0, 12.0),
        ('<Brake active="true"><BrakePercent value="0.25"/></Brake>', 10.0, 8.0),
        ('<Brake active="true" value="0.25"/>', 10.0, 8.0),
        ('<Brake active="true"><BrakeForce value="3000"/></Brake>', 10.0, 7.0),
        ('<ParkingBrake active="true"><BrakePercent value="50"/></ParkingBrake>', 10.0, 6.0),
        ('<ParkingBrake active="true" value="0.5"/>', 10.0, 6.0),
        ('<ParkingBrake active="true"><BrakeForce value="9000"/></ParkingBrake>', 10.0, 2.0),
        ('<Throttle active="true" value="1"/><Clutch active="true" value="0.75"/>', 10.0, 11.0),
        ('<Throttle active="true" value="1"/><Gear active="true"><ManualGear number="3"/></Gear>', 10.0, 14.0),
        ('<Throttle active="true" value="1"/><Gear active="true" number="0"/>', 10.0, 10.0),
        ('<Throttle active="true" value="1"/><Gear active="true"><ManualGear number="-1"/></Gear>', 0.0, -4.0),
        ('<Throttle active="true" value="1"/><Gear active="true"><AutomaticGear gear="r"/></Gear>', 0.0, -4.0),
        ('<Throttle active="true" value="1"/><Gear active="true"><AutomaticGear gear="n"/></Gear>', 10.0, 10.0),
        ('<Throttle active="true" value="1"/><Gear active="true"><AutomaticGear gear="p"/></Gear>', 10.0, 2.0),
        ('<Throttle active="true" value="1"/><Gear active="true"><AutomaticGear gear="d"/></Gear>', 10.0, 14.0),
    ],
)
def test_overridden_controls_move_the_vehicle(inside, speed, after):
    ticks = driven((0.5, override(inside)), speed=speed)
    assert state_at(ticks, 1.5).entity.speed[0] == pytest.approx(after)


@pytest.mark.parametrize(
    ("inside", "control", "after"),
    [
        ('<Throttle active="true" value="0.5" maxRate="20"/>', VehicleControl.THROTTLE, 0.2),
        ('<Clutch active="true" value="0.5" maxRate="30"/>', VehicleControl.CLUTCH, 0.3),
        ('<Brake active="true"><BrakePercent value="80" maxRate="10"/></Brake>', VehicleControl.BRAKE, 0.1),
        ('<Brake active="true"><BrakeForce value="5000" maxRate="700"/></Brake>', VehicleControl.BRAKE_FORCE, 700.0),
        (
            '<ParkingBrake active="true"><BrakePercent value="1" maxRate="40"/></ParkingBrake>',
            VehicleControl.PARKING_BRAKE,
            0.4,
        ),
        ('<SteeringWheel active="true" value="3" maxRate="25"/>', VehicleControl.STEERING_WHEEL, math.tau / 4.0),
        ('<SteeringWheel active="true" value="-3"/>', VehicleControl.STEERING_WHEEL, -3.0),
    ],
)
def test_an_overridden_control_changes_no_faster_than_it_may(inside, control, after):
    ticks = driven((0.5, override(inside)))
    assert state_at(ticks, 1.5).control.value[control, 0] == pytest.approx(after)


def test_a_control_that_is_given_back_follows_the_actions_again():
    ticks = driven(
        (0.5, override('<Brake active="true" value="0.5"/><Gear active="true" number="2"/>')),
        (1.0, override('<Brake active="false" value="0"/>')),
    )
    assert state_at(ticks, 1.0).control.overridden[0] == Override.BRAKE | Override.GEAR
    assert state_at(ticks, 1.0).control.gear[0] == 2
    assert state_at(ticks, 1.0).entity.speed[0] == pytest.approx(8.0)
    assert ticks[-1].state.control.overridden[0] == Override.GEAR
    assert ticks[-1].state.entity.speed[0] == pytest.approx(8.0)


def test_the_steering_wheel_turns_the_vehicle():
    ticks = driven((0.0, override('<SteeringWheel active="true" value="1.5"/>')), end=1.0)
    body = ticks[-1].state.entity
    turned = 10.0 * math.tan(0.1) / 2.8
    assert body.heading[0] == pytest.approx(turned)
    radius = 2.8 / math.tan(0.1)
    assert body.x[0] - 50.0 == pytest.approx(radius * math.sin(turned), abs=1e-3)
    assert body.y[0] + 1.75 == pytest.approx(radius * (1.0 - math.cos(turned)), abs=1e-3)


def test_the_wheels_turn_no_farther_than_the_axle_and_the_torque_let_them():
    ticks = driven((0.0, override('<SteeringWheel active="true" value="30"/>')), end=0.1)
    assert ticks[-1].state.control.wheel_angle[0] == pytest.approx(0.6)
    ticks = driven((0.0, override('<SteeringWheel active="true" value="3" maxTorque="2"/>')), end=0.1)
    # half of 1000 kg at 10 m/s on 2.8 m, at a trail of 0.05 m, by a ratio of 15
    assert math.tan(ticks[-1].state.control.wheel_angle[0]) == pytest.approx(2.0 * 15.0 / (500.0 * 100.0 / 2.8 * 0.05))


def test_overridden_controls_move_nothing_while_no_controller_is_active():
    car = vehicle("car", performance=LIMITS, controllers=HAND)
    pressed = override('<Brake active="true" value="1"/><SteeringWheel active="true" value="1"/>')
    ticks = run(case(car, {"car": at(-1, 50.0) + going(10.0)}, (0.5, pressed), end=1.0))
    body = ticks[-1].state.entity
    assert (body.speed[0], body.heading[0]) == (10.0, 0.0)
    assert ticks[-1].state.control.value[VehicleControl.BRAKE, 0] == 1.0


def test_a_vehicle_that_is_no_longer_steered_drives_along_its_lane():
    ticks = driven(
        (0.0, override('<SteeringWheel active="true" value="1"/>')),
        (0.3, override('<SteeringWheel active="false" value="0"/>')),
        end=1.0,
    )
    body = ticks[-1].state.entity
    assert body.heading[0] == 0.0
    assert body.y[0] == pytest.approx(state_at(ticks, 0.31).entity.y[0])
    assert body.y[0] > -1.75


def controller(name: str, kind: str = "") -> str:
    kind = f' controllerType="{kind}"' if kind else ""
    return f'<Controller name="{name}"{kind}><Properties><Property name="gain" value="2"/></Properties></Controller>'


def assign(inside: str, attributes: str = "") -> str:
    return private(
        f"<ControllerAction><AssignControllerAction {attributes}>{inside}</AssignControllerAction></ControllerAction>"
    )


def activate(attributes: str) -> str:
    return private(f"<ControllerAction><ActivateControllerAction {attributes}/></ControllerAction>")


ALL_ON = 'activateLateral="true" activateLongitudinal="true" activateAnimation="true" activateLighting="true"'


def domains(state) -> list[int]:
    table = state.control
    return [int(one[0]) for one in (table.lateral, table.longitudinal, table.animation, table.lighting)]


@pytest.mark.parametrize(
    ("kind", "on"),
    [
        ("", [0, 0, 0, 0]),
        ("all", [0, 0, 0, 0]),
        ("lateral", [0, -1, -1, -1]),
        ("longitudinal", [-1, 0, -1, -1]),
        ("movement", [0, 0, -1, -1]),
        ("lighting", [-1, -1, -1, 0]),
        ("animation", [-1, -1, 0, -1]),
        ("appearance", [-1, -1, 0, 0]),
    ],
)
def test_a_controller_is_active_in_the_domains_that_it_controls(kind, on):
    given = assign(f'<ObjectController name="mine">{controller("c", kind)}</ObjectController>', ALL_ON)
    made = case(vehicle("car"), {"car": at(-1, 10.0)}, (0.5, given), end=1.0)
    ticks = run(made)
    assert domains(state_at(ticks, 0.5)) == [-1] * 4
    assert domains(ticks[-1].state) == on
    assert made.object_controllers[0].properties == (("gain", "2"),)
    assert any("does not control" in line for tick in ticks for line in tick.journal) == (-1 in on)


@pytest.mark.parametrize("at_number", range(4))
def test_each_domain_of_an_assigned_controller_is_switched_by_itself(at_number):
    words = ["activateLateral", "activateLongitudinal", "activateAnimation", "activateLighting"]
    given = assign(controller("c"), f'{words[at_number]}="true"')
    away = assign(controller("c"), f'{words[at_number]}="false"')
    ticks = run(case(vehicle("car"), {"car": at(-1, 10.0)}, (0.5, given), (1.0, away), end=1.5))
    assert domains(state_at(ticks, 1.0)) == [0 if one == at_number else -1 for one in range(4)]
    assert domains(ticks[-1].state) == [-1] * 4


@pytest.mark.parametrize("at_number", range(4))
def test_each_domain_is_activated_by_itself(at_number):
    word = ["lateral", "longitudinal", "animation", "lighting"][at_number]
    first, second = (f'<ObjectController name="{one}">{controller(one)}</ObjectController>' for one in ("one", "two"))
    car = vehicle("car", controllers=first + second)
    on, off = (activate(f'objectControllerRef="two" {word}="{one}"') for one in ("true", "false"))
    ticks = run(case(car, {"car": at(-1, 10.0)}, (0.5, on), (1.0, off), end=1.5))
    assert domains(state_at(ticks, 1.0)) == [1 if one == at_number else -1 for one in range(4)]
    assert domains(ticks[-1].state) == [-1] * 4


def test_an_old_activation_is_about_the_controller_that_the_entity_has():
    car = vehicle("car", controllers=f"<ObjectController>{controller('c', 'lateral')}</ObjectController>")
    old = private('<ActivateControllerAction lateral="true" longitudinal="true"/>')
    assert domains(last(case(car, {"car": at(-1, 10.0)}, (0.5, old), end=1.0))) == [0, -1, -1, -1]


def test_a_controller_may_come_from_a_catalog():
    files = MemoryFiles(catalogs__c=catalog("Drivers", controller("calm", "longitudinal")))
    reference = '<CatalogReference catalogName="Drivers" entryName="calm"/>'
    made = case(
        vehicle("car"),
        {"car": at(-1, 10.0)},
        (0.5, assign(reference, ALL_ON)),
        end=1.0,
        files=files,
        catalogs='<ControllerCatalog><Directory path="catalogs"/></ControllerCatalog>',
    )
    assert domains(last(made)) == [-1, 0, -1, -1]
    assert made.object_controllers[0].domains == ControlDomain.LONGITUDINAL


def test_what_cannot_be_switched_or_overridden_is_said():
    with pytest.raises(InputError, match="there is no controller 'x'"):
        case(vehicle("car"), {"car": at(-1, 10.0)}, (0.5, activate('objectControllerRef="x" lateral="true"')))
    ticks = run(case(vehicle("car"), {"car": at(-1, 10.0)}, (0.5, activate('lateral="true"')), end=1.0))
    assert "car has no controller to switch" in [line for tick in ticks for line in tick.journal]


# ---------------------------------------------------------------- trailers


def trailer_of(name: str, inside: str = '<TrailerCoupler dx="4" dz="0.5"/>') -> str:
    return vehicle(name, category="trailer", inside=inside, front=" ")


def hitched(hitch='<TrailerHitch dx="-1" dz="0.5"/>', trailer='<TrailerRef entityRef="box"/>', controllers="") -> str:
    inside = f"{hitch}<Trailer>{trailer}</Trailer>" if trailer else hitch
    return vehicle("car", inside=inside, controllers=controllers)


CONNECT = private('<TrailerAction><ConnectTrailerAction trailerRef="box"/></TrailerAction>')
DISCONNECT = private("<TrailerAction><DisconnectTrailerAction/></TrailerAction>")


def test_a_trailer_follows_the_vehicle_that_has_it():
    made = case(hitched() + trailer_of("box"), {"car": at(-1, 50.0) + going(10.0)}, end=1.0)
    body = last(made).entity
    assert body.present.tolist() == [1, 1]
    assert body.x[1] == pytest.approx(body.x[0] - 1.0 - 4.0)
    assert body.speed[1] == pytest.approx(10.0)
    assert body.y[1] == pytest.approx(-1.75)


def test_a_trailer_may_stand_inside_of_its_vehicle():
    made = case(
        hitched(trailer=f"{trailer_of('box').replace('ScenarioObject', 'Trailer')}"), {"car": at(-1, 50.0)}, end=0.1
    )
    assert [one.name for one in made.entities] == ["car", "box"]
    assert last(made).entity.x[1] == pytest.approx(45.0)


def test_a_trailer_rolls_behind_its_hitch_in_a_turn():
    steering = override('<SteeringWheel active="true" value="3"/>')
    made = case(
        hitched(controllers=HAND) + trailer_of("box"),
        {"car": at_world(0.0, 0.0) + going(5.0) + activate('lateral="true"')},
        (0.0, steering),
        end=20.0,
        roads=None,
    )
    body = last(made).entity
    # in a steady turn: tan(angle) of both about the common centre
    radius = 2.8 / math.tan(0.2)
    hitch = math.hypot(radius, 1.0)
    angle = math.atan2(1.0, radius) + math.asin(4.0 / hitch)
    assert math.remainder(body.heading[0] - body.heading[1], math.tau) == pytest.approx(angle, abs=0.02)
    x = body.x[0] - math.cos(body.heading[0])
    y = body.y[0] - math.sin(body.heading[0])
    assert math.hypot(x - body.x[1], y - body.y[1]) == pytest.approx(4.0)


def test_a_trailer_is_taken_and_left():
    made = case(
        hitched(trailer="") + trailer_of("box"),
        {"car": at(-1, 50.0) + going(10.0), "box": at(-1, 40.0)},
        (1.0, CONNECT),
        (2.0, DISCONNECT),
        end=3.0,
        actors=("car",),
    )
    ticks = run(made)
    assert state_at(ticks, 1.0).entity.x[1] == pytest.approx(40.0)
    body = state_at(ticks, 2.0).entity
    assert body.x[1] == pytest.approx(body.x[0] - 5.0)
    assert state_at(ticks, 1.5).control.trailer.tolist() == [1, -1]
    body = ticks[-1].state.entity
    assert body.x[1] == pytest.approx(state_at(ticks, 2.0).entity.x[1])
    assert body.speed[1] == 0.0
    assert ticks[-1].state.control.tractor.tolist() == [-1, -1]


def test_another_trailer_takes_the_place_of_the_first():
    entities = hitched() + trailer_of("box") + trailer_of("next")
    take = CONNECT.replace('"box"', '"next"')
    made = case(entities, {"car": at(-1, 50.0) + going(10.0), "next": at(-1, 20.0)}, (1.0, take), end=2.0)
    state = last(made)
    assert state.control.trailer.tolist() == [2, -1, -1]
    assert state.entity.x[2] == pytest.approx(state.entity.x[0] - 5.0)
    assert state.entity.x[1] == pytest.approx(state.entity.x[0] - 5.0 - 10.0, abs=0.11)


@pytest.mark.parametrize(
    ("hitch", "coupler", "pitch"),
    [
        ('<TrailerHitch dx="-1" dz="0.9"/>', '<TrailerCoupler dx="4" dz="0.5"/>', -math.asin(0.1)),
        ('<TrailerHitch dx="-1" dz="0.9"/>', '<TrailerCoupler dx="4"/>', 0.0),
        ('<TrailerHitch dx="-1"/>', '<TrailerCoupler dx="4" dz="0.9"/>', 0.0),
        ('<TrailerHitch dx="-1"/>', '<TrailerCoupler dx="4"/>', 0.0),
    ],
)
def test_the_coupler_is_as_high_as_the_hitch(hitch, coupler, pitch):
    made = case(hitched(hitch) + trailer_of("box", coupler), {"car": at(-1, 50.0)}, end=0.1)
    assert last(made).entity.pitch[1] == pytest.approx(pitch)


def test_without_hitch_and_coupler_boxes_meet():
    made = case(hitched("") + trailer_of("box", ""), {"car": at_world(50.0, -1.75)}, end=0.1)
    body = last(made).entity
    assert body.x[0] - body.x[1] == pytest.approx(5.0)


def test_a_vehicle_does_not_tow_itself():
    take = CONNECT.replace('"box"', '"car"')
    ticks = run(case(hitched(trailer=""), {"car": at(-1, 50.0)}, (0.5, take), (0.6, DISCONNECT), end=1.0))
    journal = [line for tick in ticks for line in tick.journal]
    assert journal == ["car cannot be towed by itself", "car has no trailer to leave"]
