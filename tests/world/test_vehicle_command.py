"""What commands change of a vehicle while it drives, seen in how it drives; and what its tyres meet."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.event import Event, EventOption, answers_of_event
from dorosim.world.environment.command import (
    CreateMapObject,
    RemoveMapObject,
    SetFrictionArea,
    SetRoadFriction,
    SetWeather,
)
from dorosim.world.environment.weather import SKIES, WeatherKind
from dorosim.world.fault.code import FaultLocation
from dorosim.world.fault.command import SetControlFault, SetSensorFault, SetTireFault
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import PlaceNpcGhost
from dorosim.world.vehicle.command import ChangeLimits, DriveVehicle, PlaceVehicle, SelectMode, SetLamps
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, TurnLamp
from tests.world.world import CAR, World, street

ACCELERATOR, BRAKE, STEERING = FaultLocation.ACCELERATOR, FaultLocation.BRAKE, FaultLocation.STEERING


def level(speed: float = 0.0, model: str = CAR) -> World:
    """A vehicle on wide level ground that heads east."""
    world = World(street(10.0), [(model, (0.0, 60.0, 0.0), 0.0)])
    if speed:
        where = {"position": (0.0, 60.0, 0.0), "rotation": (0.0, 0.0, 0.0)}
        world.do(PlaceVehicle(actor=EGO, speed=speed, gear=Gear.D, **where))
    return world


def pedals(**more: float) -> DriveVehicle:
    return DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, **more)


def way_to_stop(world: World) -> float:
    """Full brake from the present speed: the way [m]."""
    start = float(world.now.vehicle.x[0])
    world.do(pedals(brake=1.0))
    for _ in range(600):
        if float(world.run(0.05).vehicle.velocity_x[0]) == 0.0:
            return float(world.now.vehicle.x[0]) - start
    raise AssertionError("it does not stop")


# limits ---------------------------------------------------------------------------------------------------------


def test_the_largest_speeds_hold_from_then_on():
    """They end what drives: who is faster coasts, and a moment of drive is still on its way."""
    world = level()
    world.do(ChangeLimits(actor=EGO, max_speed=5.0), pedals(accelerator=1.0))
    assert world.run(3.0).vehicle.velocity_x[0] < 5.8
    assert world.run(9.0).vehicle.velocity_x[0] == pytest.approx(5.0, abs=0.05)
    world.do(ChangeLimits(actor=EGO, max_speed=8.0))
    assert world.run(10.0).vehicle.velocity_x[0] == pytest.approx(8.0, abs=0.05)
    world.do(pedals(brake=1.0))
    world.run(4.0)
    world.do(DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.R, brake=1.0))
    world.run(4.0)
    world.do(ChangeLimits(actor=EGO, max_reverse_speed=1.5), pedals(accelerator=1.0))
    assert world.run(15.0).vehicle.velocity_x[0] == pytest.approx(-1.5, abs=0.05)


def test_a_vehicle_of_twice_the_mass_gains_speed_half_as_fast():
    gained = []
    for mass in (1500.0, 3000.0):
        world = level()
        world.do(ChangeLimits(actor=EGO, mass=mass), pedals(accelerator=0.5))
        gained.append(float(world.run(2.0).vehicle.velocity_x[0]))
    assert gained[0] / gained[1] == pytest.approx(2.0, rel=0.1)


@pytest.mark.parametrize("asked", [2.0, 4.0, 6.0])
def test_the_largest_deceleration_is_that_of_a_full_brake(asked):
    world = level(20.0)
    world.do(ChangeLimits(actor=EGO, max_deceleration=asked))
    # the engine, the air and the tyres' rolling brake too, with less than 0.7 m/s² together
    assert 20.0**2 / (2 * (asked + 0.7)) < way_to_stop(world) < 20.0**2 / (2 * asked)


@pytest.mark.parametrize("gear", [Gear.D, Gear.N])
def test_a_vehicle_whose_brakes_do_nothing_rolls_on(gear):
    world = level(20.0)
    world.do(ChangeLimits(actor=EGO, max_deceleration=0.0))
    slow_down = DriveVehicle(
        actor=EGO, kind=ControlKind.ACCELERATION, mode=ControlMode.AUTO, gear=gear, acceleration=-5.0
    )
    world.do(slow_down)
    vehicle = world.run(1.0).vehicle
    assert vehicle.velocity_x[0] > 18.0
    assert 0.0 <= vehicle.brake[0] <= 1.0


@pytest.mark.parametrize("model", [CAR, "WeGoScout-Mini", "SPMT"])
def test_who_may_not_move_stands(model):
    world = level(model=model)
    world.do(ChangeLimits(actor=EGO, max_speed=0.0), pedals(accelerator=1.0))
    vehicle = world.run(2.0).vehicle
    assert vehicle.velocity_x[0] == pytest.approx(0.0, abs=0.05)
    assert 0.0 <= vehicle.accelerator[0] <= 1.0


def test_the_wheels_turn_as_far_and_as_fast_as_they_may():
    world = level()
    world.do(ChangeLimits(actor=EGO, max_steer=0.2, steer_rate=0.1), pedals(steer=0.6, brake=1.0))
    assert world.run(1.0).vehicle.steer[0] == pytest.approx(0.1, abs=0.005)
    assert world.run(3.0).vehicle.steer[0] == pytest.approx(0.2, abs=1e-6)
    world.do(pedals(steer=-0.6, brake=1.0))
    assert world.run(6.0).vehicle.steer[0] == pytest.approx(-0.2, abs=1e-6)


@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0, 1e9])
@pytest.mark.parametrize(
    "name",
    ["mass", "max_steer", "max_rear_steer", "steer_rate", "max_speed", "max_reverse_speed", "max_acceleration"],
)
def test_a_limit_that_cannot_be_is_refused_and_changes_nothing(name, value):
    world = level()
    before = world.now.parameter.floats.tobytes()
    world.refuse(ChangeLimits(actor=EGO, **{name: value}))
    assert world.now.parameter.floats.tobytes() == before


# modes, lamps, events -------------------------------------------------------------------------------------------


def test_lamps_that_are_not_named_are_kept():
    world = level()

    def lamps(**asked: object) -> tuple[int, int]:
        world.do(SetLamps(actor=EGO, **asked))
        return int(world.now.vehicle.turn_lamp[0]), int(world.now.vehicle.emergency_lamp[0])

    assert lamps(turn=TurnLamp.LEFT) == (TurnLamp.LEFT, 0)
    assert lamps(emergency=True) == (TurnLamp.LEFT, 1)
    assert lamps(turn=TurnLamp.OFF) == (TurnLamp.OFF, 1)
    assert lamps() == (TurnLamp.OFF, 1)
    assert lamps(emergency=False) == (TurnLamp.OFF, 0)


def test_a_mode_and_a_gear_are_chosen_apart():
    world = level(5.0)
    world.do(SelectMode(actor=EGO, gear=Gear.N))
    assert (world.now.vehicle.gear[0], world.now.vehicle.control_mode[0]) == (Gear.N, ControlMode.AUTO)
    world.do(SelectMode(actor=EGO, mode=ControlMode.KEYBOARD))
    assert (world.now.vehicle.gear[0], world.now.vehicle.control_mode[0]) == (Gear.N, ControlMode.KEYBOARD)
    assert "keyboard mode" in world.refuse(pedals(accelerator=1.0))
    world.do(SelectMode(actor=EGO, mode=ControlMode.AUTO, gear=Gear.D), pedals(accelerator=1.0))
    assert world.run(2.0).vehicle.velocity_x[0] > 6.0


def test_an_event_does_what_its_bits_pick():
    world = level()
    event = Event(option=0, ctrl_mode=3, gear=3, turn_signal=2, emergency_signal=1, set_pause=True)
    for bit in EventOption:
        world = level()
        commands = list(answers_of_event(Event(**{**_fields(event), "option": int(bit)}), EGO))
        world.do(*commands)
        vehicle = world.now.vehicle
        changed = {
            EventOption.GEAR: vehicle.gear[0] == Gear.N,
            EventOption.LAMPS: (vehicle.turn_lamp[0], vehicle.emergency_lamp[0]) == (TurnLamp.RIGHT, 1),
            EventOption.PAUSE: world.now.paused,
        }
        assert [one for one, done in changed.items() if done] == ([] if bit is EventOption.CTRL_MODE else [bit])


def _fields(event: Event) -> dict[str, int | bool]:
    return {name: getattr(event, name) for name in event.__slots__}


# faults ---------------------------------------------------------------------------------------------------------


def control_fault(location: int, subclass: int, **more: float) -> SetControlFault:
    return SetControlFault(
        actor=EGO, location=location, fault_class=subclass // 100, fault_subclass=subclass, duration=3.0, **more
    )


@pytest.mark.parametrize("subclass", [101, 102, 201, 202, 203, 204, 205, 206])
@pytest.mark.parametrize("location", [ACCELERATOR, BRAKE, STEERING])
def test_every_control_fault_shows_in_the_drive_and_ends(location, subclass):
    """Two vehicles get the same commands; one has a fault for 3 s. Then its controls do again as they are asked."""
    sound, faulty = level(15.0), level(15.0)
    start = pedals(accelerator=0.2, steer=0.01)
    # what is asked changes after the fault began, so that a stuck or late value is another one
    change = pedals(accelerator=0.6, brake=0.1, steer=0.03)
    for world in (sound, faulty):
        world.do(start)
        world.run(1.0)
    faulty.do(control_fault(location, subclass))
    most = 0.0
    for world in (sound, faulty):
        world.do(change)
    for _ in range(29):
        sound.run(0.1)
        faulty.run(0.1)
        vehicles = sound.now.vehicle, faulty.now.vehicle
        most = max(most, *(abs(float(a - b)) for a, b in zip(*map(applied, vehicles), strict=True)))
    assert most > 0.005
    assert len(faulty.now.fault) == 1
    faulty.run(2.0)
    sound.run(2.0)
    assert len(faulty.now.fault) == 0
    np.testing.assert_allclose(applied(faulty.now.vehicle), applied(sound.now.vehicle), atol=1e-3)


def applied(vehicle) -> tuple[float, float, float]:
    """Pedals and wheel angle as the actuators have them."""
    return float(vehicle.accelerator[0]), float(vehicle.brake[0]), float(vehicle.steer[0])


@pytest.mark.parametrize(("tire", "side"), [(0, 1), (1, -1), (2, 1), (3, -1)])
def test_a_puncture_pulls_to_its_side_and_slows_until_it_ends(tire, side):
    world = level(20.0)
    coasting = level(20.0)
    for one in (world, coasting):
        one.do(pedals())
    world.do(SetTireFault(actor=EGO, tire=tire, fault_class=3, fault_subclass=301, duration=1.0))
    now, plain = world.run(0.95).vehicle, coasting.run(0.95).vehicle
    assert side * now.yaw[0] > 0.001
    assert now.velocity_x[0] < plain.velocity_x[0] - 0.2
    assert plain.yaw[0] == 0.0
    world.run(1.0)
    assert len(world.now.fault) == 0
    assert abs(float(world.now.vehicle.angular_velocity[2, 0])) < 1e-3


def test_a_sensor_fault_is_kept_for_the_sensors_and_ends():
    world = level()
    offsets = {"position_offset": (0.1, 0.0, 0.2), "rotation_offset": (0.0, 0.0, 0.05)}
    world.do(SetSensorFault(actor=EGO, sensor=4, fault_class=1, fault_subclass=102, duration=0.5, **offsets))
    fault = world.now.fault
    assert (fault.place.tolist(), fault.subclass.tolist()) == ([4], [102])
    assert fault.position_offset[:, 0].tolist() == [0.1, 0.0, 0.2]
    world.run(0.6)
    assert len(world.now.fault) == 0
    assert "no vehicle 9" in world.refuse(SetSensorFault(actor=9, sensor=4, fault_class=1, fault_subclass=102))


# ground ---------------------------------------------------------------------------------------------------------


def test_the_braking_distance_is_that_of_the_friction_of_the_road():
    """v² / 2 mu g, with the friction of the dry road as its measure."""
    dry = way_to_stop(level(15.0))
    world = level(15.0)
    world.do(SetRoadFriction(0.4))
    assert way_to_stop(world) == pytest.approx(dry / 0.4, rel=0.06)


def test_an_area_lengthens_the_way_while_the_wheels_are_in_it():
    """10 m of ice on the way: the way grows by about what 10 m on ice brake less."""
    dry = way_to_stop(level(15.0))
    world = level(15.0)
    (ice,) = world.do(CreateMapObject(0, "", (7.0, 60.0, 0.0)))
    world.do(SetFrictionArea(ice, 5.0, 3.0, 1.0, 0.1))
    on_ice = way_to_stop(world)
    assert dry + 4.0 < on_ice < dry + 10.0
    assert (world.now.vehicle.surface_friction == 1.0).all()
    away = level(15.0)
    (ice,) = away.do(CreateMapObject(0, "Ice", (7.0, 60.0, 0.0)))
    away.do(SetFrictionArea(ice, 5.0, 3.0, 1.0, 0.1))
    away.do(RemoveMapObject(ice))
    assert way_to_stop(away) == pytest.approx(dry, rel=0.02)


@pytest.mark.parametrize("side", [1, -1])
def test_a_puddle_under_the_wheels_of_one_side_turns_a_braking_vehicle_to_the_other(side):
    world = level(20.0)
    (puddle,) = world.do(CreateMapObject(0, "Puddle", (20.0, 60.0 + side * 1.0, 0.0)))
    world.do(SetFrictionArea(puddle, 30.0, 0.9, 1.0, 0.2), pedals(brake=1.0))
    grip = world.run(0.3).vehicle.surface_friction[:, 0]
    wet = [0.2, 1.0, 0.2, 1.0] if side > 0 else [1.0, 0.2, 1.0, 0.2]
    assert grip.tolist() == pytest.approx(wet), "FL FR RL RR"
    world.run(0.5)
    assert side * world.now.vehicle.yaw[0] < -0.005


def test_weather_comes_and_stays_with_its_numbers():
    world = level()
    world.do(SetWeather(WeatherKind.RAINY, at_once=True))
    assert world.now.environment.weather[0] == WeatherKind.RAINY
    assert tuple(world.run(0.5).environment.sky[:, 0]) == SKIES[WeatherKind.RAINY]


# ghosts ---------------------------------------------------------------------------------------------------------


def test_a_ghost_is_where_its_sender_says_and_moves_as_its_places_make_it():
    world = level()
    poses = [(100.0 + 0.2 * k, 80.0, 1.5, 0.01 * k) for k in range(20)]
    for x, y, z, yaw in poses:
        world.do(PlaceNpcGhost(alias=-7, model=CAR, position=(x, y, z), rotation=(0.1, -0.1, yaw)))
        ghost = world.now.ghost
        assert (ghost.x[0], ghost.y[0], ghost.z[0], ghost.yaw[0]) == (x, y, z, yaw)
    assert ghost.velocity_x[0] == pytest.approx(20.0, rel=1e-6), "0.2 m a tick of 10 ms"
    assert ghost.yaw_rate[0] == pytest.approx(1.0, rel=1e-6)
    world.run(1.2)
    ghost = world.now.ghost
    assert (ghost.x[0], ghost.velocity_x[0]) == (poses[-1][0], 0.0), "it stands where it was put last"


def test_twenty_ghosts_at_the_ego_vehicles_place_push_it_about_without_violence():
    world = level(10.0)
    world.do(pedals(accelerator=0.5))
    for tick in range(300):
        x, y = float(world.now.vehicle.x[0]), float(world.now.vehicle.y[0])
        world.do(
            *(
                PlaceNpcGhost(alias=k, model=CAR, position=(x, y, 0.0), rotation=(0.0, 0.0, 0.3 * k + 0.01 * tick))
                for k in range(1, 21)
            )
        )
    vehicle = world.now.vehicle
    assert np.isfinite(vehicle.floats).all()
    assert math.hypot(float(vehicle.velocity_x[0]), float(vehicle.velocity_y[0])) < 30.0
    assert abs(float(vehicle.angular_velocity[2, 0])) < 20.0
    assert len(world.now.ghost) == 20
