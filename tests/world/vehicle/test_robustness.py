"""Whatever finite numbers arrive, the state stays finite and the energy bounded."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.mode import ControlKind, Gear, SteerType
from dorosim.world.vehicle.single_track_kernel import MAX_DYNAMICS_SPEED, MAX_DYNAMICS_YAW_RATE
from tests.world.vehicle.rig import Rig

NAMES = [model.name for model in VEHICLE_MODELS]
number = st.one_of(
    st.floats(-2, 2), st.floats(-100, 100), st.floats(allow_nan=False, allow_infinity=False), st.just(0.0)
)
COMMAND_COLUMNS = (
    "target_accelerator",
    "target_brake",
    "target_velocity",
    "target_acceleration",
    "target_steer",
    "target_rear_steer",
    "throttle",
    "skid_steering",
    "axle_steer",
    "target_yaw_rate",
)
command = st.fixed_dictionaries(
    {
        "kind": st.sampled_from([kind for kind in ControlKind if kind != ControlKind.GHOST]),
        "gear": st.sampled_from(list(Gear)),
        "steer_type": st.sampled_from([0, *SteerType, 99]),
        "friction": st.floats(0.0, 1.5),
        "slope": st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)),
        "columns": st.fixed_dictionaries(dict.fromkeys(COMMAND_COLUMNS, number)),
    }
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(speed=st.floats(-20, 60), commands=st.lists(command, min_size=1, max_size=5))
def test_any_finite_commands_keep_every_vehicle_finite_and_slow_enough(
    speed: float, commands: list[dict[str, object]]
) -> None:
    limits = [(-model.max_reverse_speed, model.max_speed) for model in VEHICLE_MODELS]
    rig = Rig(NAMES, speed=[min(max(speed, low), high) for low, high in limits])
    for held in commands:
        rig.slope = held["slope"]
        rig.state.gear[:] = held["gear"]
        rig.state.steer_type[:] = held["steer_type"]
        rig.state.surface_friction[:] = held["friction"]
        rig.command(held["kind"], **held["columns"])
        for _ in range(100):
            rig.tick()
        s = rig.state
        assert np.isfinite(s.floats).all()
        assert (np.hypot(s.velocity_x, s.velocity_y) < 80).all()
        assert (np.abs(s.angular_velocity[2]) < MAX_DYNAMICS_YAW_RATE).all()
        assert ((s.accelerator >= 0) & (s.accelerator <= 1) & (s.brake >= 0) & (s.brake <= 1)).all()
        assert (np.abs(s.steer) <= np.maximum(rig.parameter.max_steer, 1.58) + 1e-12).all()
    assert MAX_DYNAMICS_SPEED > 80


def test_the_smallest_speeds_are_no_numerical_trap() -> None:
    """A speed whose square is zero in double precision, with nothing that drives or brakes."""
    rig = Rig(NAMES, speed=4e-228, rolling_resistance=0.0, slope=(0.0, 0.4))
    rig.command(ControlKind.VELOCITY, target_velocity=6e-58, target_steer=0.1).run(0.5)
    rig.command(ControlKind.PEDALS).run(0.5)
    assert np.isfinite(rig.state.floats).all()


@settings(max_examples=40, deadline=None)
@given(
    velocity=st.tuples(st.floats(-30, 30), st.floats(-30, 30), st.floats(-8, 8)),
    steer=st.floats(-0.6, 0.6),
    friction=st.floats(0.05, 1.2),
)
def test_a_sliding_vehicle_only_loses_energy(
    velocity: tuple[float, float, float], steer: float, friction: float
) -> None:
    """Thrown in any direction with any spin and with locked throttle, kinetic energy does not rise, and it stops."""
    rig = Rig("2015_Kia_K5").command(ControlKind.PEDALS, target_steer=steer, target_brake=0.3)
    s, p = rig.state, rig.parameter
    s.surface_friction[:] = friction
    s.velocity_x[0], s.velocity_y[0], s.angular_velocity[2, 0] = velocity

    def energy() -> float:
        lateral = s.velocity_y[0] + p.rear_distance[0] * s.angular_velocity[2, 0]
        translation = p.mass[0] * (s.velocity_x[0] ** 2 + lateral**2)
        return 0.5 * (translation + p.yaw_inertia[0] * s.angular_velocity[2, 0] ** 2)

    last = energy()
    for _ in range(3000):
        rig.tick()
        now = energy()
        assert now <= last * 1.002 + 5.0
        last = now
    if friction > 0.3:
        assert s.velocity_x[0] == s.velocity_y[0] == s.angular_velocity[2, 0] == 0.0
