"""Grip of each wheel: the road, puddles and areas, and what a vehicle does with it."""

from __future__ import annotations

import time

import msgspec
import numpy as np
import pytest

from dorosim.ground.state_tree import arrays_of
from dorosim.road.surface_kind import SurfaceKind
from dorosim.world.command import Command
from dorosim.world.effect import AnyCommand
from dorosim.world.environment.command import CreateMapObject, RemoveMapObject, SetFrictionArea, SetRoadFriction
from dorosim.world.environment.friction_area import Friction
from dorosim.world.environment.friction_wheel import find_friction
from dorosim.world.vehicle.mode import ControlKind
from tests.world.effect import changed
from tests.world.vehicle.rig import Rig


def after(*commands: Command) -> Friction:
    friction = Friction()
    for command in commands:
        friction, problem = changed("friction", friction, command)
        assert not problem
    return friction


def area(actor: int, x: float, y: float, multiplier: float, *, yaw: float = 0.0, z: float = 0.0, **size: float):
    """A map object with an area of 2 m by 1 m and 1 m high."""
    sizes = {"vertical_radius": 2.0, "horizontal_radius": 1.0, "height": 1.0, **size}
    return (
        CreateMapObject(actor=actor, model="Puddle", position=(x, y, z), rotation=(0.0, 0.0, yaw)),
        SetFrictionArea(actor=actor, multiplier=multiplier, **sizes),
    )


def wheels(friction: Friction, rig: Rig) -> list[float]:
    find_friction(friction, rig.parameter, rig.state)
    return rig.state.surface_friction[:, 0].tolist()


def test_all_wheels_have_the_friction_of_the_road() -> None:
    assert wheels(Friction(), Rig()) == [1, 1, 1, 1]
    assert wheels(after(SetRoadFriction(multiplier=0.4)), Rig()) == [0.4] * 4


def test_water_and_snow_on_the_road_take_grip_by_speed() -> None:
    """1 mm of water leaves 0.55 of 0.85 at 50 km/h, 0.3 of 0.8 at 90 km/h (Bosch, "Automotive Handbook")."""
    for speed, expected in ((50 / 3.6, 0.55 / 0.85), (90 / 3.6, 0.3 / 0.8)):
        rig = Rig()
        rig.state.velocity_x[:] = speed
        find_friction(after(SetRoadFriction(multiplier=0.5)), rig.parameter, rig.state, 1e-3, 0.0)
        np.testing.assert_allclose(rig.state.surface_friction[:, 0], 0.5 * expected, atol=0.005)
    find_friction(Friction(), rig.parameter, rig.state, 0.0, 0.05)
    np.testing.assert_allclose(rig.state.surface_friction[:, 0], 0.2 / 0.85)


def test_each_wheel_grips_and_rolls_as_its_ground_does() -> None:
    """Left wheels on asphalt, right ones on grass: 0.40 of 0.85 dry, 0.20 wet (`SurfaceKind`)."""
    rig = Rig()
    rig.state.wheel_surface[:, 0] = (SurfaceKind.ASPHALT, SurfaceKind.GRASS) * 2
    find_friction(Friction(), rig.parameter, rig.state)
    np.testing.assert_allclose(rig.state.surface_friction[:, 0], (1.0, 0.40 / 0.85) * 2)
    np.testing.assert_allclose(rig.state.surface_drag[:, 0], (0.0, 0.07 - 0.013) * 2, atol=1e-12)
    find_friction(Friction(), rig.parameter, rig.state, 1e-3)
    np.testing.assert_allclose(rig.state.surface_friction[1::2, 0], 0.20 / 0.85)
    rig.state.wheel_surface[:] = SurfaceKind.ASPHALT
    find_friction(Friction(), rig.parameter, rig.state)
    assert rig.state.surface_friction.tolist() == [[1.0]] * 4
    assert rig.state.surface_drag.tolist() == [[0.0]] * 4


@pytest.mark.parametrize("yaw", [0.0, 0.7, np.pi / 2, -2.5])
@pytest.mark.parametrize("wheel", range(4))
def test_an_area_reaches_the_wheel_that_stands_in_it(wheel: int, yaw: float) -> None:
    """FL FR RL RR, at wheelbase and half tracks from the rear axle, wherever the vehicle heads."""
    rig = Rig(yaw=yaw)
    p = rig.parameter
    along = p.wheelbase[0] if wheel < 2 else 0.0
    across = 0.5 * (p.front_track[0] if wheel < 2 else p.rear_track[0]) * (1 if wheel % 2 == 0 else -1)
    x, y = np.cos(yaw) * along - np.sin(yaw) * across, np.sin(yaw) * along + np.cos(yaw) * across
    small = {"vertical_radius": 0.1, "horizontal_radius": 0.1}
    friction = after(*area(1, float(x), float(y), 0.3, **small), SetRoadFriction(multiplier=0.5))
    expected = [0.5] * 4
    expected[wheel] = 0.15
    np.testing.assert_allclose(wheels(friction, rig), expected)


def test_the_vertical_radius_lies_along_the_heading_of_the_object() -> None:
    """A point 1.9 m ahead of an object of radii 2 m and 1 m is inside, one to its left is not."""
    ahead = after(*area(1, -1.9 * np.cos(0.5), -1.9 * np.sin(0.5), 0.2, yaw=0.5))
    left = after(*area(1, 1.9 * np.sin(0.5), -1.9 * np.cos(0.5), 0.2, yaw=0.5))
    # a wheel of the rear axle at the origin: a track of 0
    rig = Rig(rear_track=0.0)
    assert wheels(ahead, rig)[2] == 0.2
    assert wheels(left, rig)[2] == 1.0


def test_an_area_reaches_up_to_its_height() -> None:
    """A puddle on a bridge does not wet the road below it, nor one below the bridge."""
    rig = Rig(rear_track=0.0)
    for z, expected in ((0.4, 0.2), (-0.9, 0.2), (0.6, 1.0), (-1.1, 1.0), (6.0, 1.0)):
        assert wheels(after(*area(1, 0, 0, 0.2, z=z)), rig)[2] == expected, z


def test_where_areas_overlap_the_most_slippery_counts() -> None:
    rig = Rig(rear_track=0.0)
    assert wheels(after(*area(1, 0, 0, 0.5), *area(2, 0.5, 0, 0.3), *area(3, 0, 0, 1.5)), rig)[2] == 0.3
    assert wheels(after(*area(3, 0, 0, 1.5)), rig)[2] == 1.5


def test_a_puddle_wets_without_being_told_and_other_objects_do_not() -> None:
    rig = Rig(rear_track=0.0)
    puddle = CreateMapObject(actor=7, model="puddle", position=(0, 0, 0))
    other = CreateMapObject(actor=7, model="TrafficCone", position=(0, 0, 0))
    assert wheels(after(puddle), rig)[2] == 0.6
    assert wheels(after(other), rig)[2] == 1.0
    assert wheels(after(puddle, RemoveMapObject(actor=7)), rig)[2] == 1.0


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (RemoveMapObject(actor=2), "no map object 2"),
        (SetFrictionArea(actor=2, vertical_radius=1, horizontal_radius=1, height=1, multiplier=1), "no map object 2"),
        (SetFrictionArea(actor=1, vertical_radius=-1, horizontal_radius=1, height=1, multiplier=1), "vertical"),
        (SetFrictionArea(actor=1, vertical_radius=1, horizontal_radius=np.nan, height=1, multiplier=1), "horizontal"),
        (SetFrictionArea(actor=1, vertical_radius=1, horizontal_radius=1, height=1e9, multiplier=1), "height"),
        (SetFrictionArea(actor=1, vertical_radius=1, horizontal_radius=1, height=1, multiplier=-0.1), "friction"),
        (SetRoadFriction(multiplier=np.inf), "friction: 0 to 2, not inf"),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(command: Command, problem: str) -> None:
    before = after(*area(1, 0, 0, 0.5))
    now, told = changed("friction", before, command)
    assert problem in told
    assert now is before


def test_commands_survive_a_recording() -> None:
    for command in (*area(1, 2, 3, 0.5), RemoveMapObject(actor=1), SetRoadFriction(multiplier=0.5)):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(command), type=AnyCommand) == command


def test_the_state_is_read_only_and_sorted_by_id() -> None:
    friction = after(*area(3, 1, 1, 0.6), *area(5, 2, 2, 0.7), *area(9, 0, 0, 0.5))
    assert friction.objects.id.tolist() == [3, 5, 9]
    assert all(not block.flags.writeable for block in arrays_of(friction))
    assert friction.without(frozenset({5, 77})).objects.id.tolist() == [3, 9]


def test_many_wheels_and_areas_are_found_as_one_by_one() -> None:
    """The grid finds what a direct test of all ellipses finds: 300 vehicles, 400 areas."""
    rng = np.random.default_rng(4)
    rig = Rig(["2016_Hyundai_Ioniq"] * 300)
    rig.state.x[:], rig.state.y[:] = rng.uniform(-100, 100, (2, 300))
    rig.state.yaw[:] = rng.uniform(-3, 3, 300)
    commands: list[Command] = []
    for k in range(400):
        place = (*rng.uniform(-100, 100, 2).tolist(), 0.0)
        commands.append(CreateMapObject(k + 1, "", place, (0.0, 0.0, float(rng.uniform(-3, 3)))))
        size = rng.uniform(0.3, 15, 2).tolist()
        commands.append(SetFrictionArea(k + 1, *size, 1.0, float(rng.uniform(0, 1.3))))  # type: ignore[call-arg]
    friction = after(*commands)
    find_friction(friction, rig.parameter, rig.state)
    s, p, o = rig.state, rig.parameter, friction.objects
    for wheel in range(4):
        along = p.wheelbase if wheel < 2 else 0.0
        across = 0.5 * (p.front_track if wheel < 2 else p.rear_track) * (1 if wheel % 2 == 0 else -1)
        x = s.x + np.cos(s.yaw) * along - np.sin(s.yaw) * across
        y = s.y + np.sin(s.yaw) * along + np.cos(s.yaw) * across
        dx, dy = x[:, None] - o.x, y[:, None] - o.y
        forward = (np.cos(o.yaw) * dx + np.sin(o.yaw) * dy) / o.vertical_radius
        left = (np.cos(o.yaw) * dy - np.sin(o.yaw) * dx) / o.horizontal_radius
        inside = forward**2 + left**2 <= 1
        least = np.where(inside, o.multiplier, np.inf).min(axis=1)
        most = np.where(inside, o.multiplier, -np.inf).max(axis=1)
        expected = np.where(least < 1, least, np.where(most > 1, most, 1.0))
        np.testing.assert_array_equal(s.surface_friction[wheel], expected)


@pytest.mark.soak
def test_thousands_of_wheels_and_areas_cost_little() -> None:
    """4,000 wheels over 1,000 areas within 10 ms, however slow the machine; printed figures are in the bench."""
    rng = np.random.default_rng(4)
    rig = Rig(["2016_Hyundai_Ioniq"] * 1000)
    rig.state.x[:], rig.state.y[:] = rng.uniform(-1000, 1000, (2, 1000))
    places = [(*rng.uniform(-1000, 1000, 2).tolist(), 0.0) for _ in range(1000)]
    friction = after(*(CreateMapObject(k + 1, "Puddle", place) for k, place in enumerate(places)))
    find_friction(friction, rig.parameter, rig.state)
    runs = []
    for _ in range(5):
        start = time.perf_counter()
        find_friction(friction, rig.parameter, rig.state)
        runs.append(time.perf_counter() - start)
    assert min(runs) < 0.01, runs


def test_braking_with_one_side_on_ice_turns_the_vehicle_to_the_other_side() -> None:
    """Ice under the left wheels: the right ones brake more, so the nose goes right; on even ice it stays straight."""
    ice = {"vertical_radius": 200.0, "horizontal_radius": 1.0}
    both = {"vertical_radius": 200.0, "horizontal_radius": 10.0}
    headings, speeds = [], []
    for commands in (area(1, 0, 1.0, 0.1, **ice), area(1, 0, 0, 0.1, **both), ()):
        friction, rig = after(*commands), Rig(speed=20.0)
        rig.command(ControlKind.PEDALS, target_brake=1.0)

        def find(_: float, friction: Friction = friction, rig: Rig = rig) -> None:
            find_friction(friction, rig.parameter, rig.state)

        rig.run(1.0, each=find)
        headings.append(float(rig.state.yaw[0]))
        speeds.append(float(rig.state.velocity_x[0]))
    assert headings[0] < -0.05
    assert headings[1:] == [0.0, 0.0]
    # half the wheels brake: between ice and asphalt
    assert speeds[2] + 2 < speeds[0] < speeds[1] - 2


def test_a_slippery_rear_axle_breaks_away_first() -> None:
    """Cornering at 0.4 g: with grip at the front wheels only, the tail slides; the other way the nose pushes out."""
    slip = []
    for surface in ([1, 1, 0.2, 0.2], [0.2, 0.2, 1, 1]):
        rig = Rig(speed=20.0).command(ControlKind.VELOCITY, target_velocity=20.0, target_steer=0.035)
        rig.state.surface_friction[:, 0] = surface
        rig.run(1.5)
        slip.append((float(rig.state.angular_velocity[2, 0]), float(rig.state.velocity_y[0])))
    assert slip[0][1] < -3
    assert abs(slip[1][1]) < 1
    assert slip[1][0] < 0.15
