"""Impacts against the equations of two rigid bodies in the plane."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.world.collision.body import BodyKind
from dorosim.world.collision.impact import ImpactLaw, collide
from tests.world.collision.cars import cars, drift, energy, law, momentum, move_bodies, run, tick


@pytest.mark.parametrize("restitution", [0.0, 0.3, 1.0])
def test_head_on_equal_masses_swap_what_restitution_leaves(restitution: float) -> None:
    """u1 = -e v, u2 = e v for v1 = v, v2 = -v: textbook, both move straight on."""
    bodies = cars({"x": -2.05, "velocity_x": 10}, {"x": 2.05, "velocity_x": -10, "yaw": np.pi})
    tick(bodies, impact=law(restitution))
    np.testing.assert_allclose(bodies.velocity_x, [-10 * restitution, 10 * restitution], atol=1e-9)
    np.testing.assert_allclose(bodies.velocity_y, 0, atol=1e-9)
    np.testing.assert_allclose(bodies.yaw_rate, 0, atol=1e-9)


def test_rear_end_of_unequal_masses() -> None:
    """u = (m1 v1 + m2 v2) / (m1 + m2) for a plastic impact, whatever the masses."""
    bodies = cars({"x": -4.1, "velocity_x": 20, "mass": 1000}, {"velocity_x": 5, "mass": 3000})
    tick(bodies, impact=law(0.0))
    np.testing.assert_allclose(bodies.velocity_x, (1000 * 20 + 3000 * 5) / 4000, rtol=1e-12)


def test_wall_sends_back_what_restitution_leaves() -> None:
    """A car against a wall at 45 degrees, smooth: the speed along the wall stays, that across it is -e times."""
    wall = {"half_length": 20, "half_width": 0.2, "yaw": np.pi / 2, "movable": 0, "kind": BodyKind.OBSTACLE, "x": 2.3}
    bodies = cars({"velocity_x": 10, "velocity_y": 10}, wall)
    tick(bodies, impact=law(0.5))
    assert bodies.velocity_x[0] == pytest.approx(-5)
    assert bodies.velocity_y[0] == pytest.approx(10)
    assert bodies.velocity_x[1] == 0


def test_sliding_along_a_wall_is_slowed_by_friction_times_the_normal_impulse() -> None:
    """A circle of equations less: a point mass (huge inertia) loses mu (1 + e) v_n along the wall."""
    wall = {"half_length": 20, "half_width": 0.2, "yaw": np.pi / 2, "movable": 0, "kind": BodyKind.OBSTACLE, "x": 2.3}
    bodies = cars({"velocity_x": 10, "velocity_y": 30, "inertia": 1e12}, wall)
    tick(bodies, impact=law(0.2, friction=0.4))
    assert bodies.velocity_x[0] == pytest.approx(-2)
    assert bodies.velocity_y[0] == pytest.approx(30 - 0.4 * 1.2 * 10)


def test_oblique_impact_of_rough_bodies_ends_the_sliding() -> None:
    """With friction enough, the contact points have no relative velocity across the normal (Brach's critical ratio)."""
    bodies = cars({"x": -4.04, "y": 0.4, "velocity_x": 8, "velocity_y": 2, "yaw": 0.1}, {"yaw": -0.05})
    contact = tick(bodies, impact=law(0.1, friction=5.0))
    r = np.array([[contact.x[0] - bodies.x[k], contact.y[0] - bodies.y[k]] for k in (0, 1)])
    at_contact = [
        np.array([bodies.velocity_x[k], bodies.velocity_y[k]]) + bodies.yaw_rate[k] * np.array([-r[k, 1], r[k, 0]])
        for k in (0, 1)
    ]
    relative = at_contact[1] - at_contact[0]
    normal = np.array([contact.normal_x[0], contact.normal_y[0]])
    # the lever arms have changed by what the bodies still moved in the tick
    assert abs(relative @ np.array([-normal[1], normal[0]])) < 0.1
    assert relative @ normal == pytest.approx(0.1 * contact.closing_speed[0], abs=0.1)


def test_an_offset_hit_turns_both() -> None:
    """A front corner against a rear corner at an offset d: delta omega = P d / I, by the impulse P that is reported."""
    bodies = cars({"x": -4.05, "y": -1.0, "velocity_x": 15}, {})
    contact = tick(bodies, impact=law(0.0))
    impulse, inertia = contact.normal_impulse[0], 1500 * (4 + 1) / 3
    offset = 0.5
    assert contact.y[0] == pytest.approx(-0.5, abs=0.01)
    np.testing.assert_allclose(bodies.yaw_rate, [impulse * offset / inertia] * 2, rtol=0.02)
    # K_nn = 2/m + 2 d²/I
    assert impulse == pytest.approx(15 / (2 / 1500 + 2 * offset**2 / inertia), rel=0.02)
    assert bodies.yaw_rate[0] > 0


def test_the_centre_of_gravity_counts_and_not_the_middle_of_the_box() -> None:
    """A hit from the side at the centre of gravity does not turn a body; one at the middle of its box does."""
    hitter = {"yaw": np.pi / 2, "y": -3.05, "velocity_y": 10}
    at_cg = cars({"cg_forward": 0.5}, {**hitter, "x": 0.5})
    tick(at_cg, impact=law(0.0))
    assert abs(at_cg.yaw_rate[0]) < 1e-9
    at_middle = cars({"cg_forward": 0.5}, hitter)
    tick(at_middle, impact=law(0.0))
    assert at_middle.yaw_rate[0] < -0.5


def test_nearly_flush_bumpers_meet_in_their_middle() -> None:
    """A yaw of 0.3 degrees must not make a corner hit of a straight one."""
    bodies = cars({"x": -4.03, "velocity_x": 10, "yaw": np.radians(0.3)}, {})
    contact = tick(bodies)
    assert abs(contact.y[0]) < 0.1
    assert np.abs(bodies.yaw_rate).max() < 0.3


@st.composite
def two_bodies(draw):
    """Two bodies of any mass on a collision course, turning, with the centre of gravity anywhere."""
    number = st.floats(-1, 1)
    rows = [
        {
            "x": side * (2.1 + draw(st.floats(0, 0.5))),
            "y": draw(number) * 2,
            "yaw": draw(number) * np.pi,
            "velocity_x": -side * draw(st.floats(0, 50)),
            "velocity_y": draw(number) * 10,
            "yaw_rate": draw(number) * 3,
            "mass": draw(st.sampled_from([75.0, 1500.0, 12000.0])),
            "cg_forward": draw(number),
            "half_width": draw(st.floats(0.2, 1.2)),
        }
        for side in (-1, 1)
    ]
    return cars(*rows)


@settings(max_examples=150, deadline=None)
@given(two_bodies(), st.floats(0, 1), st.floats(0, 2))
def test_momentum_stays_and_energy_does_not_grow(bodies, restitution: float, friction: float) -> None:
    """For any impact of two free bodies, with any restitution and friction."""
    for _ in range(10):
        drift(bodies)
        found = collide(bodies, 0.01, law(restitution, friction))
        if found.change is None:
            continue
        before, energy_before = momentum(bodies), energy(bodies)
        found.change.shift_x[:] = found.change.shift_y[:] = 0
        move_bodies(bodies, found.change)
        scale = np.abs(bodies.mass).sum() * 60
        np.testing.assert_allclose(momentum(bodies)[:2], before[:2], rtol=0, atol=1e-9 * scale)
        assert energy(bodies) <= energy_before * (1 + 1e-9) + 1e-6


@settings(max_examples=50, deadline=None)
@given(two_bodies())
def test_angular_momentum_stays(bodies) -> None:
    """About any point: impulse and counter-impulse act on one point."""
    found = collide(bodies, 1e-9, law(0.2, 0.5))
    if found.change is None:
        return
    before = momentum(bodies)
    found.change.shift_x[:] = found.change.shift_y[:] = 0
    move_bodies(bodies, found.change)
    scale = np.abs(bodies.mass).sum() * 60 * 60
    np.testing.assert_allclose(momentum(bodies), before, rtol=0, atol=1e-9 * scale)


def test_slow_impacts_rebound_more_than_fast_ones() -> None:
    """The default law: about 0.3 at 1 m/s, about 0.1 at 15 m/s, nothing at walking into contact."""
    ratios = []
    for speed in (0.2, 1.0, 15.0):
        bodies = cars({"x": -4.0 - speed * 0.005, "velocity_x": speed}, {})
        tick(bodies)
        ratios.append((bodies.velocity_x[1] - bodies.velocity_x[0]) / speed)
    np.testing.assert_allclose(ratios, [0.0, 0.3, 0.1], atol=0.02)


def test_a_row_of_cars_passes_the_hit_on() -> None:
    """A pile-up in one tick: elastic cars of equal mass hand the momentum to the last, as Newton's cradle does."""
    bodies = cars({"x": -4.05, "velocity_x": 10}, {}, {"x": 4.0}, {"x": 8.0})
    run(bodies, 0.05, impact=law(1.0))
    np.testing.assert_allclose(bodies.velocity_x, [0, 0, 0, 10], atol=1e-6)


def test_a_ghost_does_not_give_way() -> None:
    bodies = cars({"x": -4.05, "velocity_x": 10, "movable": 0, "kind": BodyKind.GHOST}, {})
    tick(bodies, impact=law(0.0))
    assert bodies.velocity_x[0] == 10
    assert bodies.velocity_x[1] == pytest.approx(10)


def test_two_that_do_not_give_way_touch_without_effect() -> None:
    bodies = cars({"x": -3.9, "movable": 0}, {"movable": 0})
    found = collide(bodies, 0.01)
    assert len(found.contacts) == 1
    assert found.change is not None
    assert not found.change.floats.any()
    assert found.change.touched.tolist() == [1, 1]


def test_between_two_that_do_not_give_way_a_light_body_is_not_thrown_faster_than_anybody() -> None:
    left, right = ({"x": 4.2 * side, "velocity_x": -300.0 * side, "movable": 0} for side in (-1, 1))
    bodies = cars(left, {"mass": 1.0}, right)
    fastest = 0.0
    for _ in range(5):
        tick(bodies, impact=law(1.0))
        fastest = max(fastest, float(abs(bodies.velocity_x[1])))
    assert 300.0 < fastest <= 600.0 + 1e-9


def test_collide_leaves_the_bodies_alone() -> None:
    bodies = cars({"x": -3.9, "velocity_x": 10}, {})
    floats, ints = bodies.floats.copy(), bodies.ints.copy()
    assert collide(bodies, 0.01, ImpactLaw()).change is not None
    assert (bodies.floats == floats).all()
    assert (bodies.ints == ints).all()
