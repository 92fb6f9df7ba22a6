"""Collisions as a run sees them: who moves, who is slowed, who falls, and how long it is told of."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.world.actor.body import bodies_of
from dorosim.world.actor.command import PauseActor
from dorosim.world.collision.body import BodyKind, BodyTable
from dorosim.world.collision.contact import CONTACT_REPORT_TIME
from dorosim.world.draft import Draft
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import OBSTACLE_MODELS, obstacle_model_row
from dorosim.world.pedestrian.command import DrivePedestrian, SpawnPedestrian
from dorosim.world.pedestrian.state import Stage
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.traffic.npc_recovery import NPC_RECOVERY_TIME, drive_on
from dorosim.world.traffic.state import Presence
from dorosim.world.vehicle.command import CreateVehicle, DriveVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from dorosim.world.waypoint import Waypoint
from tests.road.small_map import network_of, straight
from tests.world.world import CAR, World, scene_of, street

DT = 0.01
TICKS = round(CONTACT_REPORT_TIME / 1e7)
"""Ticks for which a contact is told of after the last touch."""


def beside_the_road(*egos, seed: int = 0) -> World:
    """Ego vehicles, each (x, y, heading), on the level ground of a street; the first may stand far away."""
    return World(street(10.0), [(CAR, (x, y, 0.0), heading) for x, y, heading in egos], seed)


def rolling(world: World, speed: float, actor: int = EGO) -> None:
    """Let a vehicle roll in neutral, with a speed [m/s]."""
    row = world.now.row_of(actor)
    vehicle = world.now.vehicle
    world.do(
        PlaceVehicle(
            actor=actor,
            position=(float(vehicle.x[row]), float(vehicle.y[row]), float(vehicle.z[row])),
            rotation=(0.0, 0.0, float(vehicle.yaw[row])),
            speed=speed,
            gear=Gear.N,
        )
    )


def table(world: World) -> BodyTable:
    return bodies_of(world.scene, world.now).table


def momentum(bodies: BodyTable) -> np.ndarray:
    return np.array([(bodies.mass * bodies.velocity_x).sum(), (bodies.mass * bodies.velocity_y).sum()])


def energy(bodies: BodyTable) -> float:
    box = bodies.mass * (bodies.half_length**2 + bodies.half_width**2) / 3.0
    inertia = np.where(bodies.inertia > 0.0, bodies.inertia, box)
    turning = 0.5 * (inertia * bodies.yaw_rate**2).sum()
    return float(0.5 * (bodies.mass * (bodies.velocity_x**2 + bodies.velocity_y**2)).sum() + turning)


def overlap(bodies: BodyTable, first: int, second: int) -> float:
    """By how much two boxes overlap [m], by separating axes; negative where there is a gap."""
    least = math.inf
    for k in (first, second):
        for yaw in (bodies.yaw[k], bodies.yaw[k] + math.pi / 2):
            axis = np.array((math.cos(yaw), math.sin(yaw)))
            half = sum(_reach(bodies, b, axis) for b in (first, second))
            apart = abs(axis @ (bodies.x[first] - bodies.x[second], bodies.y[first] - bodies.y[second]))
            least = min(least, half - float(apart))
    return least


def _reach(bodies: BodyTable, b: int, axis: np.ndarray) -> float:
    c, s = math.cos(bodies.yaw[b]), math.sin(bodies.yaw[b])
    along, across = abs(axis @ (c, s)), abs(axis @ (-s, c))
    return float(bodies.half_length[b] * along + bodies.half_width[b] * across)


def until_contact(world: World, seconds: float = 5.0) -> BodyTable:
    """Let time pass up to the first contact; the bodies a tick before."""
    for _ in range(round(seconds / DT)):
        before = table(world)
        world.run(DT)
        if len(world.now.contact):
            return before
    raise AssertionError("nobody met")


# obstacles ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["box", "drum", "stone", "container"])
def test_an_obstacle_that_is_hit_slides_and_the_ego_is_slowed_by_its_momentum(model):
    world = beside_the_road((100.0, 60.0, 0.0))
    (thing,) = world.do(SpawnObstacle(actor=0, model=obstacle_model_row(model)[0], position=(112.0, 60.2, 0.0)))
    rolling(world, 10.0)
    before = until_contact(world)
    after = table(world)
    assert momentum(after)[0] == pytest.approx(momentum(before)[0], rel=0.02)
    assert energy(after) <= energy(before)
    mass = OBSTACLE_MODELS[obstacle_model_row(model)[0]].mass
    assert after.velocity_x[1] > 0.9 * 10.0 * before.mass[0] / (before.mass[0] + mass)
    lost = before.velocity_x[0] - after.velocity_x[0]
    assert lost == pytest.approx(mass * after.velocity_x[1] / before.mass[0], rel=0.1, abs=0.02)
    world.do(DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, brake=1.0))
    world.run(6.0)
    obstacle = world.now.obstacles.state
    assert obstacle.velocity_x[0] == 0.0, "it comes to rest"
    assert obstacle.x[0] > 113.0
    assert obstacle.id[0] == thing


def test_what_stands_fast_stops_the_ego():
    world = beside_the_road((100.0, 60.0, 0.0))
    world.do(SpawnObstacle(actor=0, model=obstacle_model_row("tree")[0], position=(112.0, 60.0, 0.0)))
    rolling(world, 10.0)
    until_contact(world)
    front = []

    def look(now: Snapshot) -> None:
        front.append(float(now.vehicle.x[0]))

    world.run(3.0, look)
    assert -2.0 < world.now.vehicle.velocity_x[0] <= 0.01, "it bounces back a little"
    nose = table(world).half_length[0] + float(table(world).x[0] - world.now.vehicle.x[0])
    assert max(front) + nose < 112.0 - 0.2 + 0.02
    assert world.now.obstacles.state.x[0] == 112.0


# vehicles -------------------------------------------------------------------------------------------------------


def npc_at(world: World, s: float, **more) -> int:
    (npc,) = world.do(CreateNpc(model=CAR, link=world.scene.network.link_index("E1"), s=s, lane_change=False, **more))
    return npc


def test_a_standing_npc_that_is_hit_at_10_mps_is_thrown_forward_and_is_told_of_for_100_ms():
    world = beside_the_road((100.0, -3.5, 0.0))
    npc = npc_at(world, 112.0, desired_speed=0.01)
    rolling(world, 10.0)
    before = until_contact(world)
    contact = world.now.contact
    assert {int(contact.first_id[0]), int(contact.second_id[0])} == {EGO, npc}
    assert contact.closing_speed[0] == pytest.approx(10.0, abs=0.3)
    after = table(world)
    assert momentum(after)[0] == pytest.approx(momentum(before)[0], rel=0.02)
    assert energy(after) < energy(before)
    assert after.velocity_x[1] > after.velocity_x[0] > 0.0, "they part"
    assert world.now.traffic.present[0] == Presence.OFF_LANE
    deepest, energies, touched = -math.inf, [energy(after)], world.now.tick

    def look(now: Snapshot) -> None:
        nonlocal deepest, touched
        bodies = bodies_of(world.scene, now).table
        deepest = max(deepest, overlap(bodies, 0, 1))
        energies.append(energy(bodies))
        if len(now.contact) and int(now.contact.last[0]) == now.time:
            touched = now.tick
        assert (len(now.contact) > 0) == (now.tick - touched <= TICKS)

    world.run(4.0, look)
    assert deepest < 0.02
    assert max(np.diff(energies)) < 1e-6 * energies[0], "energy does not grow"
    assert world.now.traffic.speed[0] == 0.0, "it slides to rest"
    assert world.now.traffic.x[0] > before.x[1] + 1.0


@pytest.mark.parametrize("speed", [5.0, 15.0, 40.0])
@pytest.mark.parametrize("offset", [0.0, 0.8, -1.2])
def test_egos_that_meet_head_on_do_not_pass_through_one_another(speed, offset):
    world = beside_the_road((100.0, 60.0, 0.0), (140.0, 60.0 + offset, math.pi))
    second = world.now.egos[1]
    rolling(world, speed)
    rolling(world, speed, second)
    before = until_contact(world)
    after = table(world)
    assert energy(after) < energy(before)
    assert np.abs(momentum(after) - momentum(before)).max() < 0.03 * before.mass[0] * speed
    deepest = -math.inf

    def look(now: Snapshot) -> None:
        nonlocal deepest
        deepest = max(deepest, overlap(bodies_of(world.scene, now).table, 0, 1))

    world.run(3.0, look)
    assert deepest < 0.05
    if offset == 0.0:
        assert world.now.vehicle.x[0] < world.now.vehicle.x[1]


def test_a_side_impact_throws_the_other_sideways_and_turns_it():
    world = beside_the_road((100.0, 60.0, 0.0), (115.0, 61.5, math.pi / 2))
    rolling(world, 12.0)
    before = until_contact(world)
    after = table(world)
    assert momentum(after)[0] == pytest.approx(momentum(before)[0], rel=0.03)
    assert after.velocity_x[1] > 2.5
    assert abs(after.yaw_rate[1]) > 0.3, "it is hit behind its centre of gravity"
    world.run(5.0)
    assert np.isfinite(world.now.vehicle.floats).all()
    assert overlap(table(world), 0, 1) < 0.02


def test_a_gentle_touch_does_not_knock_an_npc_off_its_lane_and_nobody_is_pushed_through():
    world = beside_the_road((100.0, -3.5, 0.0))
    world.do(PauseActor(npc_at(world, 105.0), paused=True))
    world.do(DriveVehicle(actor=EGO, kind=ControlKind.VELOCITY, velocity=0.4))
    seen = set()

    def look(now: Snapshot) -> None:
        seen.add(int(now.traffic.present[0]))
        if len(now.contact):
            assert overlap(bodies_of(world.scene, now).table, 0, 1) < 0.03

    world.run(15.0, look)
    assert world.now.contact.rows == 1, "it leans on the other"
    assert seen == {Presence.ON_LANE}


def test_who_was_hit_drives_on_after_a_while_and_who_was_thrown_off_the_road_stays():
    world = beside_the_road((100.0, -3.5, 0.0), (296.0, -15.0, math.pi / 2))
    second = world.now.egos[1]
    npc_at(world, 110.0, desired_speed=6.0)
    npc_at(world, 295.0, desired_speed=6.0)
    rolling(world, 18.0)
    rolling(world, 20.0, second)
    world.run(3.0)
    assert (world.now.traffic.present == Presence.OFF_LANE).all()
    world.do(DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.R, accelerator=0.3))
    world.run(4.0)
    rest = world.now.traffic.x.copy()
    world.do(DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, brake=1.0))
    world.run(NPC_RECOVERY_TIME + 6.0)
    traffic = world.now.traffic
    assert traffic.present.tolist() == [Presence.ON_LANE, Presence.OFF_LANE]
    assert traffic.x[0] > rest[0] + 5.0
    assert traffic.x[1] == rest[1]


@pytest.mark.parametrize(("model", "stays"), [(CAR, False), ("2016_Hyundai_Universe", True)])
def test_a_long_vehicle_that_rests_across_its_lane_stays(model, stays):
    """Turned by 40 degrees on its rear axle, a coach stands with its front beside the road, a car on its lane."""
    world = beside_the_road((300.0, 60.0, 0.0))
    world.do(CreateNpc(model=model, link=world.scene.network.link_index("E1"), s=100.0))
    draft = Draft.after(world.now, Noise(0))
    draft.traffic = traffic = draft.traffic.copy()
    traffic.present[0], traffic.yaw[0], traffic.speed[0] = Presence.OFF_LANE, math.radians(40.0), 0.0
    traffic.patience[0] = NPC_RECOVERY_TIME
    drive_on(world.scene, draft, DT)
    assert bool(traffic.present[0] == Presence.OFF_LANE) is stays


def test_others_stop_behind_a_wreck():
    world = beside_the_road((100.0, 60.0, 0.0), (200.0, -15.0, math.pi / 2))
    second = world.now.egos[1]
    npc_at(world, 199.0, desired_speed=0.01)
    rolling(world, 8.0, second)
    world.run(3.0)
    assert world.now.traffic.present[0] == Presence.OFF_LANE
    npc_at(world, 120.0, speed=10.0)
    world.run(14.0)
    rear = world.now.traffic
    assert rear.speed[1] == pytest.approx(0.0, abs=0.05)
    assert 170.0 < rear.s[1] < 199.0


def test_a_bridge_over_a_road_keeps_those_on_it_and_under_it_apart():
    network = network_of(
        straight("below", "A", "B", (0, 0, 0), (300, 0, 0)), straight("above", "C", "D", (150, -150, 6), (150, 150, 6))
    )
    world = World(scene_of(network), [(CAR, (120.0, 0.0, 0.0), 0.0), (CAR, (150.0, -30.0, 6.0), math.pi / 2)])
    for actor in world.now.egos:
        rolling(world, 10.0, actor)
    nearest = math.inf

    def look(now: Snapshot) -> None:
        nonlocal nearest
        nearest = min(nearest, math.hypot(*np.diff(now.vehicle.x), *np.diff(now.vehicle.y)))
        assert len(now.contact) == 0

    world.run(5.0, look)
    assert nearest < 2.0
    assert np.ptp(world.now.vehicle.z) == pytest.approx(6.0, abs=0.1)


# people ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", [3.0, 15.0])
def test_a_pedestrian_who_is_hit_falls_slides_and_stays(speed):
    world = beside_the_road((100.0, 60.0, 0.0))
    (person,) = world.do(SpawnPedestrian(actor=0, model=0, position=(112.0, 60.3, 0.0), yaw=math.pi / 2))
    rolling(world, speed)
    before = until_contact(world)
    after = table(world)
    assert world.now.people.state.stage[0] == Stage.DOWN
    assert after.velocity_x[1] > 0.9 * speed, "thrown with about the speed of the vehicle"
    assert before.velocity_x[0] - after.velocity_x[0] == pytest.approx(
        after.mass[1] / after.mass[0] * after.velocity_x[1], rel=0.2
    )
    world.do(DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, brake=1.0))
    world.run(6.0)
    people = world.now.people.state
    assert (people.speed[0], people.stage[0], people.id[0]) == (0.0, Stage.DOWN, person)
    # a body that slides with 0.66 g; a vehicle that brakes behind it may push it on
    assert people.x[0] - 112.0 > 0.8 * speed**2 / (2 * 0.66 * 9.81)


def test_a_body_lies_as_long_as_the_person_is_tall_and_others_walk_around_it():
    """An adult of 1.725 m, 0.5 m from back to front, who is hit from behind and falls on his face."""
    world = beside_the_road((100.0, 60.0, 0.0))
    world.do(SpawnPedestrian(actor=0, model=0, position=(112.0, 60.3, 0.0), yaw=0.0))
    rolling(world, 6.0)
    until_contact(world)
    assert table(world).half_height[1] == pytest.approx(0.86, abs=0.01), "it begins to fall"
    world.do(DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, brake=1.0))
    world.run(0.3)
    assert 0.1 * math.pi < world.now.people.state.fall_angle[0] < 0.4 * math.pi
    world.run(6.0)
    assert world.now.people.state.fall_angle[0] == pytest.approx(0.5 * math.pi)
    body = table(world)
    assert (body.half_length[1], body.half_height[1], body.z[1]) == pytest.approx((0.8625, 0.25, 0.25))
    x, y, yaw = (float(column[0]) for column in world.now.people.state.floats[[0, 1, 3]])
    side = np.array((-math.sin(yaw), math.cos(yaw)))
    start, end = np.array((x, y)) + 4.0 * side, np.array((x, y)) - 4.0 * side
    way = (Waypoint(float(end[0]), float(end[1])),)
    world.do(SpawnPedestrian(actor=0, model=0, position=(*start.tolist(), 0.0), yaw=0.0, way=way, start=True))
    nearest = math.inf

    def look(now):
        nonlocal nearest
        gap = now.people.state.floats[:2, 1] - now.people.state.floats[:2, 0]
        along, across = gap @ (math.cos(yaw), math.sin(yaw)), gap @ side
        nearest = min(nearest, math.hypot(max(abs(along) - 0.8625, 0.0), max(abs(across) - 0.25, 0.0)))

    world.run(20.0, look)
    assert nearest > 0.2, "a circle of 0.25 m beside a box"
    assert np.hypot(*(world.now.people.state.floats[:2, 1] - end)) < 0.5


def test_a_person_who_bumps_into_a_standing_car_stays_on_his_feet():
    world = beside_the_road((100.0, 60.0, 0.0))
    (person,) = world.do(SpawnPedestrian(actor=0, model=0, position=(101.0, 66.0, 0.0), yaw=-math.pi / 2))
    world.do(DrivePedestrian(actor=person, direction=(0.0, -1.0, 0.0), speed=1.3))
    world.run(8.0)
    assert world.now.people.state.stage[0] == Stage.DRIVEN


# ghosts ---------------------------------------------------------------------------------------------------------


def test_a_ghost_does_not_give_way_but_is_told_of():
    world = beside_the_road((100.0, 60.0, 0.0))
    world.do(PlaceNpcGhost(alias=7, model=CAR, position=(112.0, 60.0, 0.0), rotation=(0.0, 0.0, 0.0)))
    rolling(world, 8.0)
    until_contact(world)
    contact = world.now.contact
    assert BodyKind.GHOST in {int(contact.first_kind[0]), int(contact.second_kind[0])}
    world.run(1.0)
    assert world.now.ghost.x[0] == 112.0
    assert world.now.vehicle.velocity_x[0] < 1.0


def test_a_vehicle_that_is_put_where_another_stands_is_pushed_out_without_violence():
    world = beside_the_road((100.0, 60.0, 0.0))
    (actor,) = world.do(CreateVehicle(model=CAR, position=(130.0, 60.8, 0.0), mode=ControlMode.AUTO))
    world.do(PlaceVehicle(actor, (100.5, 60.8, 0.0), (0.0, 0.0, 0.0), 0.0, Gear.P))
    most = 0.0

    def look(now: Snapshot) -> None:
        nonlocal most
        most = max(most, float(np.abs(now.vehicle.velocity_x).max()), float(np.abs(now.vehicle.velocity_y).max()))

    world.run(3.0, look)
    assert overlap(table(world), 0, 1) < 0.02
    assert most < 1.0
