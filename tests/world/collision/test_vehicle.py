"""Vehicles with full dynamics collide like the bodies that they are."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.world.collision.body import BodyKind, BodyTable
from dorosim.world.collision.impact import collide
from dorosim.world.collision.vehicle import bodies_from_vehicles, hit_vehicles
from dorosim.world.vehicle.mode import ControlKind
from tests.world.collision.cars import law, momentum
from tests.world.vehicle.rig import Rig


def bodies_of(rig: Rig) -> BodyTable:
    bodies = BodyTable.zeros(len(rig.names))
    bodies_from_vehicles(bodies, rig.parameter, rig.state)
    return bodies


def test_the_box_spans_from_bumper_to_bumper() -> None:
    """The rear axle is at the body origin: the box reaches from -rear overhang to wheelbase + front overhang."""
    rig = Rig(yaw=np.pi / 2)
    bodies, p = bodies_of(rig), rig.parameter
    assert bodies.y[0] + bodies.half_length[0] == pytest.approx(p.wheelbase[0] + p.front_overhang[0])
    assert bodies.y[0] - bodies.half_length[0] == pytest.approx(-p.rear_overhang[0])
    assert bodies.y[0] + bodies.cg_forward[0] == pytest.approx(p.rear_distance[0])
    assert bodies.z[0] == pytest.approx(p.height[0] / 2)
    assert (bodies.kind[0], bodies.movable[0]) == (BodyKind.EGO, 1)


def test_a_ghost_is_not_movable() -> None:
    rig = Rig().command(ControlKind.GHOST)
    assert bodies_of(rig).movable[0] == 0


def test_a_robot_has_the_inertia_of_its_box() -> None:
    bodies = bodies_of(Rig("Clearpath_Husky_A200"))
    assert bodies.cg_forward[0] == 0
    assert bodies.inertia[0] == 0


def test_impact_reaches_the_vehicle_and_keeps_the_momentum() -> None:
    """A head-on with an offset: what `hit_vehicles` writes is what the bodies would have."""
    rig = Rig(["2016_Hyundai_Ioniq", "2018_Hyundai_ElecCity"], speed=[12.0, 8.0])
    rig.state.x[1], rig.state.y[1], rig.state.yaw[1] = 12.0, 0.7, np.pi - 0.05
    rig.state.angular_velocity[2, 0] = 0.3
    for _ in range(200):
        rig.tick()
        bodies = bodies_of(rig)
        before = momentum(bodies)
        found = collide(bodies, 0.01, law(0.1, 0.4))
        if found.change is not None:
            break
    assert found.change is not None
    hit_vehicles(rig.state, rig.parameter, bodies, found.change, 0.01)
    after = bodies_of(rig)
    np.testing.assert_allclose(momentum(after)[:2], before[:2], rtol=1e-9)
    np.testing.assert_allclose(after.velocity_x, bodies.velocity_x + found.change.velocity_x, atol=1e-9)
    np.testing.assert_allclose(after.yaw_rate, bodies.yaw_rate + found.change.yaw_rate, atol=1e-12)
    assert rig.state.acceleration[0, 0] < -300
    assert (found.contacts.first_id[0], found.contacts.second_id[0]) == (1, 2)


def test_a_car_that_drives_at_another_pushes_it_and_never_enters_it() -> None:
    """Full throttle into a held car for five seconds: an hour of bumping in small."""
    rig = Rig(["2016_Hyundai_Ioniq"] * 2, speed=[15.0, 0.0])
    rig.state.x[1], rig.state.y[1] = 15.0, 0.3
    rig.command(ControlKind.PEDALS, target_accelerator=[1.0, 0.0], target_brake=[0.0, 0.6])
    touched = 0
    for _ in range(500):
        rig.tick()
        bodies = bodies_of(rig)
        found = collide(bodies, 0.01)
        if found.change is not None:
            touched += 1
            hit_vehicles(rig.state, rig.parameter, bodies, found.change, 0.01)
            again = collide(bodies_of(rig), 1e-9)
            assert not len(again.contacts) or again.contacts.depth.max() < 0.02
        assert np.isfinite(rig.state.floats).all()
    assert touched > 3
    assert rig.state.x[1] > 15.5
