"""A damaged tyre lacks grip and stiffness and drags its vehicle to its side."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.world.fault.command import SetFault
from dorosim.world.fault.table import FaultTable
from dorosim.world.fault.tire import damage_tires
from dorosim.world.vehicle.mode import ControlKind
from tests.world.effect import changed
from tests.world.fault.orders import tire
from tests.world.vehicle.rig import Rig


def drive(rig: Rig, *commands: SetFault, seconds: float = 2.0, time: int = 0) -> Rig:
    faults = FaultTable.zeros(0)
    for command in commands:
        faults, problem = changed("fault", faults, command, 0)
        assert not problem

    def before_tick(elapsed: float) -> None:
        rig.state.surface_friction[:] = 1.0
        damage_tires(faults, rig.state, time + round(elapsed * 1e9))

    rig.run(seconds, each=before_tick)
    return rig


@pytest.mark.parametrize("wheel", range(4))
def test_a_puncture_pulls_to_its_side(wheel: int) -> None:
    rig = drive(Rig(speed=25.0).command(ControlKind.PEDALS), tire(wheel, 301))
    side = 1 if wheel % 2 == 0 else -1
    assert side * rig.state.yaw[0] > 0.01
    assert side * rig.state.y[0] > 0.1
    sound = drive(Rig(speed=25.0).command(ControlKind.PEDALS))
    assert sound.state.yaw[0] == 0
    assert rig.state.velocity_x[0] < sound.state.velocity_x[0] - 0.4


def test_drag_decelerates_by_its_share_of_the_load() -> None:
    """c F_z of one front wheel: deceleration c g b / (2 (a + b)), above that of a sound vehicle."""
    braked = drive(Rig(speed=20.0).command(ControlKind.PEDALS), tire(0, 301, drag=0.2, onset=0.0), seconds=0.2)
    sound = drive(Rig(speed=20.0).command(ControlKind.PEDALS), seconds=0.2)
    p = sound.parameter
    expected = 0.2 * 9.81 * p.rear_distance[0] / (2 * p.wheelbase[0])
    assert (sound.state.velocity_x[0] - braked.state.velocity_x[0]) / 0.2 == pytest.approx(expected, rel=0.03)


def test_four_equal_punctures_pull_nowhere() -> None:
    rig = drive(Rig(speed=25.0).command(ControlKind.PEDALS), *[tire(wheel, 301) for wheel in range(4)])
    assert abs(rig.state.yaw[0]) < 1e-9


def test_soft_front_tyres_steer_less() -> None:
    """Stiffness halved on both front wheels: understeer at the same wheel angle."""
    rates = []
    for loss in (0.0, 0.5):
        faults = [tire(wheel, 302, stiffness_loss=loss, drag=0.0, friction_loss=0.0) for wheel in (0, 1)]
        rig = Rig(speed=15.0).command(ControlKind.VELOCITY, target_velocity=15.0, target_steer=0.02)
        rates.append(drive(rig, *faults).state.angular_velocity[2, 0])
    assert 0.3 * rates[0] < rates[1] < 0.9 * rates[0]


def test_damage_grows_over_its_onset() -> None:
    rig = Rig()
    faults, _ = changed("fault", FaultTable.zeros(0), tire(2, 301, onset=2.0, drag=0.2, friction_loss=0.4), 0)
    for time, share in ((0, 0.0), (500_000_000, 0.25), (2_000_000_000, 1.0), (9_000_000_000, 1.0)):
        rig.state.surface_friction[:] = 0.5
        damage_tires(faults, rig.state, time)
        np.testing.assert_allclose(rig.state.tire_drag[:, 0], [0, 0, 0.2 * share, 0])
        np.testing.assert_allclose(rig.state.surface_friction[:, 0], [0.5, 0.5, 0.5 * (1 - 0.4 * share), 0.5])


def test_two_damages_of_a_tyre_add_up() -> None:
    rig, faults = Rig(), FaultTable.zeros(0)
    for command in (tire(1, 301, onset=0, stiffness_loss=0.5, drag=0.1), tire(1, 302, stiffness_loss=0.5, drag=0.1)):
        faults, _ = changed("fault", faults, command, 0)
    damage_tires(faults, rig.state, 1)
    assert rig.state.tire_stiffness_loss[1, 0] == pytest.approx(0.75)
    assert rig.state.tire_drag[1, 0] == pytest.approx(0.2)


def test_a_mended_tyre_is_as_before() -> None:
    rig, faults = Rig(), FaultTable.zeros(0)
    faults, _ = changed("fault", faults, tire(1, 301, duration=1.0), 0)
    damage_tires(faults, rig.state, 500_000_000)
    assert rig.state.tire_drag.any()
    damage_tires(faults, rig.state, 1_000_000_000)
    assert not rig.state.tire_drag.any()
    assert not rig.state.tire_stiffness_loss.any()
