"""Who touches whom, found at any speed and in any number, and told in the order of the messages."""

from __future__ import annotations

import time

import numpy as np
import pytest
from shapely import affinity
from shapely.geometry import box

from dorosim.world.collision.body import BodyKind, BodyTable
from dorosim.world.collision.contact import ContactTable, hit_by, pairs_of_npcs, remember_contacts
from dorosim.world.collision.contact_kernel import FEW_BODIES, find_contacts
from dorosim.world.collision.impact import collide
from dorosim.world.collision.impact_kernel import SLOP
from tests.world.collision.cars import cars, law, run, tick


def crowd(count: int, seed: int, area: float = 400.0, speed: float = 0.0) -> BodyTable:
    """Cars at random, `area` square metres each."""
    rng = np.random.default_rng(seed)
    bodies = cars(*[{}] * count)
    side = np.sqrt(count * area)
    bodies.x[:], bodies.y[:] = rng.uniform(-side / 2, side / 2, (2, count))
    bodies.yaw[:] = rng.uniform(-np.pi, np.pi, count)
    bodies.velocity_x[:], bodies.velocity_y[:] = speed * rng.standard_normal((2, count))
    return bodies


def polygon(bodies: BodyTable, row: int):
    shape = box(-bodies.half_length[row], -bodies.half_width[row], bodies.half_length[row], bodies.half_width[row])
    return affinity.translate(
        affinity.rotate(shape, bodies.yaw[row], (0, 0), use_radians=True), bodies.x[row], bodies.y[row]
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_standing_boxes_touch_where_shapely_says(seed: int) -> None:
    """All pairs of 120 crowded cars."""
    bodies = crowd(120, seed, area=30.0)
    shapes = [polygon(bodies, row) for row in range(len(bodies))]
    expected = [(i, j) for i in range(120) for j in range(i + 1, 120) if shapes[i].intersection(shapes[j]).area > 1e-9]
    contacts = collide(bodies, 0.01).contacts
    assert len(expected) > 60
    found = sorted(zip(contacts.first.tolist(), contacts.second.tolist(), strict=True))
    assert found == expected


@pytest.mark.parametrize("seed", range(6))
def test_few_bodies_touch_as_they_do_among_many(seed: int) -> None:
    """Bodies that are compared each with each, and the same with others far away, for which there is a grid."""
    bodies = crowd(FEW_BODIES - seed, seed, area=40.0, speed=10.0)
    bodies.z[::5], bodies.yaw_rate[:], bodies.movable[::7] = 9.0, 0.4, 0
    bodies.kind[::7], bodies.x[3], bodies.y[4], bodies.yaw[6] = BodyKind.OBSTACLE, np.nan, 1e10, np.inf
    far = crowd(FEW_BODIES, 9)
    far.x[:], far.id[:] = np.arange(FEW_BODIES) * 50.0 + 1e5, np.arange(FEW_BODIES) + 1000
    few, many = (ContactTable.zeros(200) for _ in range(2))
    count, looked = find_contacts(bodies.floats, bodies.ints, 0.1, few.floats, few.ints)
    all_of_them = bodies.append(far)
    assert find_contacts(all_of_them.floats, all_of_them.ints, 0.1, many.floats, many.ints)[0] == count
    assert 10 < count < looked < FEW_BODIES**2 / 2
    assert few.floats.tobytes() == many.floats.tobytes()
    assert few.ints.tobytes() == many.ints.tobytes()


def test_the_normal_is_a_unit_vector_from_the_first_to_the_second() -> None:
    bodies = crowd(400, 3, area=40.0, speed=10.0)
    contacts = collide(bodies, 0.01).contacts
    assert len(contacts) > 100
    np.testing.assert_allclose(np.hypot(contacts.normal_x, contacts.normal_y), 1, atol=1e-12)
    fresh = contacts.meeting > 0
    assert fresh.sum() > 10
    assert (contacts.closing_speed[fresh] > -1e-9).all()


def test_nothing_gets_through_at_50_m_per_s() -> None:
    """A car at 50 m/s against a board of 5 cm and a person of 40 cm, in ticks of 10 ms and of 100 ms."""
    board = {"x": 30.0, "half_length": 0.025, "half_width": 2.0, "movable": 0, "kind": BodyKind.OBSTACLE}
    person = {"x": 30.0, "half_length": 0.2, "half_width": 0.2, "mass": 75.0, "kind": BodyKind.PEDESTRIAN}
    for dt in (0.01, 0.1):
        bodies = cars({"velocity_x": 50}, board)
        assert run(bodies, 1.0, dt)
        assert bodies.x[0] + 2.0 <= 30.0 - 0.025 + SLOP + 1e-9
        bodies = cars({"velocity_x": 50}, person)
        assert run(bodies, 1.0, dt)
        assert bodies.x[1] > bodies.x[0] + 2.0
        assert bodies.velocity_x[1] > 49


def test_a_tiny_body_that_crosses_a_wall_within_a_tick_hits_it() -> None:
    """10 m in a tick through 2 cm of wall."""
    wall = {"x": 5.0, "half_length": 0.01, "half_width": 5.0, "movable": 0, "kind": BodyKind.OBSTACLE}
    bodies = cars({"half_length": 0.05, "half_width": 0.05, "velocity_x": 1000.0, "mass": 1.0}, wall)
    contact = tick(bodies, impact=law(0.0))
    assert contact.meeting[0] == pytest.approx(4.94 / 1000.0, rel=1e-6)
    assert bodies.x[0] <= 4.94 + SLOP + 1e-9


def test_cars_on_a_bridge_do_not_touch_those_below() -> None:
    assert not len(collide(cars({}, {"z": 6.0}), 0.01).contacts)
    assert len(collide(cars({}, {"z": 1.0}), 0.01).contacts) == 1


def test_scenery_does_not_touch_scenery() -> None:
    stands = {"movable": 0, "kind": BodyKind.OBSTACLE}
    assert not len(collide(cars(stands, stands), 0.01).contacts)
    assert len(collide(cars(stands, {**stands, "movable": 1}), 0.01).contacts) == 1


def test_bodies_that_lean_on_each_other_stay_in_contact_and_at_rest() -> None:
    """A car that is pushed against a standing row neither rebounds nor sinks in, and the contact is told each tick."""
    bodies = cars({"x": -4.0 + SLOP}, {}, {"x": 4.0, "movable": 0})
    touching = 0
    for _ in range(500):
        bodies.velocity_x[0] += 2.0 * 0.01
        contacts = tick(bodies)
        touching += len(contacts) > 0
    assert touching == 500
    # the rounds over the contacts halve what is left between the pusher and the wall: 2 cm/s by 2^12
    assert np.abs(bodies.velocity_x).max() < 1e-5
    assert bodies.x[1] - bodies.x[0] > 4.0 - 2 * SLOP - 1e-6
    assert np.abs(bodies.yaw).max() < 1e-6


def test_a_crowd_pushes_itself_apart() -> None:
    """Deep overlaps, as a scenario may load them, dissolve without anyone being thrown."""
    bodies = crowd(150, 5, area=20.0)
    for _ in range(400):
        tick(bodies)
    assert np.hypot(bodies.velocity_x, bodies.velocity_y).max() < 1.0
    contacts = collide(bodies, 0.01).contacts
    assert not len(contacts) or contacts.depth.max() < 2 * SLOP


def test_order_of_rows_decides_nothing_but_the_order_of_ties() -> None:
    bodies = crowd(300, 7, area=60.0, speed=8.0)
    shuffled = np.random.default_rng(0).permutation(300)
    other = BodyTable(bodies.floats.take(shuffled, axis=1), bodies.ints.take(shuffled, axis=1))

    def pairs(contacts: ContactTable) -> list[tuple[int, int]]:
        ids = zip(contacts.first_id.tolist(), contacts.second_id.tolist(), strict=True)
        return sorted((min(pair), max(pair)) for pair in ids)

    assert pairs(collide(bodies, 0.01).contacts) == pairs(collide(other, 0.01).contacts)


def test_the_same_bodies_give_the_same_bytes() -> None:
    bodies = crowd(500, 8, area=40.0, speed=10.0)
    one, two = collide(bodies, 0.01), collide(bodies.copy(), 0.01)
    assert one.contacts.floats.tobytes() == two.contacts.floats.tobytes()
    assert one.contacts.ints.tobytes() == two.contacts.ints.tobytes()
    assert one.change is not None
    assert two.change is not None
    assert one.change.floats.tobytes() == two.change.floats.tobytes()


def test_bodies_that_are_nowhere_touch_nothing() -> None:
    """NaN, infinity, absurd sizes and a wall of a kilometre neither stop nor slow the search."""
    bodies = cars({}, {"x": np.nan}, {"x": np.inf}, {"half_length": np.inf}, {"velocity_x": np.nan}, {"yaw": np.nan})
    assert not len(collide(bodies, 0.01).contacts)
    wall = {"half_length": 1000.0, "half_width": 0.1, "x": 3.0, "movable": 0, "kind": BodyKind.OBSTACLE}
    assert len(collide(cars({}, {**wall, "half_length": 1000.0}), 0.01).contacts) == 1
    assert not len(collide(BodyTable.zeros(0), 0.01).contacts)


@pytest.mark.soak
def test_cost_grows_with_the_number_of_bodies() -> None:
    """Ten times the bodies at the same density cost far less than a hundred times as much."""
    times = []
    for count in (1000, 10000):
        bodies = crowd(count, 9, area=700.0, speed=10.0)
        collide(bodies, 0.01)
        runs = []
        for _ in range(5):
            start = time.perf_counter()
            collide(bodies, 0.01)
            runs.append(time.perf_counter() - start)
        times.append(min(runs))
    assert times[1] < 40 * times[0], times


def test_who_an_actor_touches() -> None:
    rows = [{"kind": BodyKind.EGO, "half_length": 10.0, "half_width": 5.0}]
    rows += [{"x": x, "id": 20 - k, "half_length": 0.3, "half_width": 0.3} for k, x in enumerate((6, -2, 8, 30))]
    contacts = collide(cars(*rows), 0.01).contacts
    assert hit_by(contacts, 1).tolist() == [18, 19, 20], "each once, and not the one that stands apart"
    assert hit_by(contacts, 999).tolist() == []


def test_pairs_of_npcs_are_those_of_npc_vehicles_and_ghosts_with_all_that_they_touch() -> None:
    rows = [{"kind": BodyKind.EGO, "x": 17.0}]
    rows += [{"x": 20.0 + 3.5}, {"x": 20.0, "kind": BodyKind.GHOST}]
    rows += [{"x": 23.0, "y": 2.9, "yaw": np.pi / 2, "kind": BodyKind.PEDESTRIAN}]
    contacts = collide(cars(*rows), 0.01).contacts
    assert len(contacts) > 1
    kinds = {(int(a), int(b)) for a, b in zip(contacts.first_kind, contacts.second_kind, strict=True)}
    assert any(BodyKind.PEDESTRIAN in pair for pair in kinds)
    pairs = {tuple(sorted(pair)) for pair in pairs_of_npcs(contacts).tolist()}
    assert (2, 3) in pairs
    assert {4, 1} <= {one for pair in pairs for one in pair}, "the person too, and the ego vehicle"
    assert any(1 in pair for pair in pairs)


def test_a_contact_is_told_of_a_little_longer_than_it_lasts() -> None:
    """An impact of one tick reaches a peer that is served every other tick; then it is forgotten."""
    bodies = cars({"x": -4.05, "velocity_x": 10}, {})
    told, lasted, now = ContactTable.zeros(0), 0, 0
    begins = set()
    for _ in range(40):
        now += 10_000_000
        told = remember_contacts(told, tick(bodies, impact=law(0.5)), now)
        lasted += len(told) > 0
        begins.update(told.begin.tolist())
    assert 11 <= lasted <= 13
    assert len(begins) == 1
    assert not len(told)
