"""Faults of accelerator, brake and steering, seen at the actuators of a vehicle that drives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dorosim.world.fault.command import SetFault
from dorosim.world.fault.control import disturb_controls
from dorosim.world.fault.table import FaultTable
from dorosim.world.vehicle.mode import ControlKind
from tests.world.effect import changed
from tests.world.fault.orders import SECOND, control
from tests.world.vehicle.rig import History, Rig

TICK = 10_000_000
ACCELERATOR, BRAKE, STEERING = 2, 3, 4


def drive(rig: Rig, *commands: SetFault, seconds: float = 3.0, each: Callable[[float], None] | None = None) -> History:
    """Drive; the faults begin after one second."""
    faults, now = FaultTable.zeros(0), 0

    def before_tick(time: float) -> None:
        nonlocal faults, now
        if now == SECOND:
            for command in commands:
                faults, problem = changed("fault", faults, command, now)
                assert not problem
        if each is not None:
            each(time)
        disturb_controls(faults, rig.parameter, rig.state, now, TICK)
        now += TICK

    return rig.run(seconds, each=before_tick)


def pedals(rig: Rig) -> Callable[[float], None]:
    """A ramp of the accelerator and of the steering, so that late and stuck values can be told apart."""

    def each(time: float) -> None:
        rig.command(ControlKind.PEDALS, target_accelerator=0.1 + 0.1 * time, target_steer=0.01 * time)

    return each


def at(history: History, name: str, time: float) -> float:
    """The value after the tick that begins at a time."""
    return float(getattr(history, name)[round(time / 0.01) + 1])


def test_without_faults_an_actuator_does_what_is_asked() -> None:
    rig = Rig(speed=10.0)
    history = drive(rig, each=pedals(rig))
    assert at(history, "accelerator", 2.0) == pytest.approx(0.3)
    np.testing.assert_array_equal(rig.state.asked_control[0], rig.state.accelerator)


def test_loss_holds_the_last_value_and_then_lets_go() -> None:
    rig = Rig(speed=10.0)
    history = drive(rig, control(ACCELERATOR, 101, delay=0.5), control(STEERING, 101), each=pedals(rig))
    assert at(history, "accelerator", 1.45) == pytest.approx(0.2, abs=0.002)
    assert at(history, "accelerator", 1.50) == 0
    assert at(history, "steer", 2.9) == pytest.approx(0.01, abs=2e-4)


@pytest.mark.parametrize("delay", [0.01, 0.3, 0.63, 1.5])
def test_delayed_gives_what_was_asked_before(delay: float) -> None:
    """Exact to the tick up to 0.63 s; 1.5 s is sampled every third tick. Until then the last value holds."""
    rig = Rig(speed=10.0)
    history = drive(rig, control(ACCELERATOR, 102, delay=delay), seconds=4.0, each=pedals(rig))
    for time in (3.0, 3.5, 3.9):
        within = 1e-9 if delay < 0.64 else 0.1 * 0.03
        assert at(history, "accelerator", time) == pytest.approx(0.1 + 0.1 * (time - delay), abs=within)
    if delay > 0.1:
        assert at(history, "accelerator", 1.0 + delay / 2) == pytest.approx(0.2, abs=0.002)


def test_open_releases_and_straightens() -> None:
    rig = Rig(speed=10.0)
    history = drive(rig, control(ACCELERATOR, 201), control(STEERING, 201), each=pedals(rig))
    assert at(history, "accelerator", 1.0) == 0
    assert at(history, "steer", 2.0) == 0


def test_short_applies_fully() -> None:
    rig = Rig(speed=10.0)
    history = drive(rig, control(BRAKE, 202), control(STEERING, 202), each=pedals(rig))
    assert at(history, "brake", 1.0) == 1
    assert at(history, "steer", 2.9) == pytest.approx(rig.parameter.max_steer[0])
    assert at(history, "velocity_x", 2.9) < 1


def test_offset_is_added() -> None:
    rig = Rig(speed=10.0)
    faults = (control(ACCELERATOR, 203, magnitude=0.25), control(STEERING, 203, magnitude=-0.05))
    history = drive(rig, *faults, each=pedals(rig))
    assert at(history, "accelerator", 2.0) == pytest.approx(0.3 + 0.25)
    assert at(history, "steer", 2.0) == pytest.approx(0.02 - 0.05 * rig.parameter.max_steer[0])


def test_stuck_keeps_the_last_value() -> None:
    rig = Rig(speed=10.0)
    history = drive(rig, control(ACCELERATOR, 204), control(STEERING, 204), each=pedals(rig))
    for time in (1.0, 2.0, 2.9):
        assert at(history, "accelerator", time) == pytest.approx(0.2, abs=0.002)
        assert at(history, "steer", time) == pytest.approx(0.01, abs=2e-4)


def test_out_of_data_is_refused_by_the_receiver() -> None:
    rig = Rig(speed=10.0)
    history = drive(rig, control(ACCELERATOR, 205), control(STEERING, 205), each=pedals(rig))
    assert at(history, "accelerator", 1.0) == 0
    assert at(history, "steer", 2.9) == pytest.approx(0.01, abs=2e-4)


def test_drift_and_oscillation_follow_their_formula() -> None:
    rig = Rig(speed=10.0)
    fault = control(ACCELERATOR, 206, rate=0.05, amplitude=0.1, period=0.8)
    history = drive(rig, fault, each=pedals(rig))
    for time in (1.2, 1.77, 2.6):
        t = time - 1.0
        expected = 0.1 + 0.1 * time + 0.05 * t + 0.1 * np.sin(2 * np.pi * t / 0.8)
        assert at(history, "accelerator", time) == pytest.approx(expected)


def test_faults_follow_each_other() -> None:
    """Stuck after an offset: the stuck value; an offset of a delayed value: both."""
    rig = Rig(speed=10.0)
    faults = (control(ACCELERATOR, 102, delay=0.3), control(ACCELERATOR, 203, magnitude=0.2))
    assert at(drive(rig, *faults, each=pedals(rig)), "accelerator", 2.5) == pytest.approx(0.1 + 0.1 * 2.2 + 0.2)
    rig = Rig(speed=10.0)
    faults = (control(ACCELERATOR, 203, magnitude=0.2), control(ACCELERATOR, 204))
    assert at(drive(rig, *faults, each=pedals(rig)), "accelerator", 2.5) == pytest.approx(0.2, abs=0.002)


def test_a_fault_that_ends_leaves_nothing_behind() -> None:
    rig = Rig(speed=10.0)
    history = drive(rig, control(ACCELERATOR, 202, duration=0.5), each=pedals(rig))
    assert at(history, "accelerator", 1.49) == 1
    assert at(history, "accelerator", 1.50) == pytest.approx(0.25)
    assert not rig.state.control_loss.any()
    assert not rig.state.control_bias.any()


def test_speed_control_feels_its_pedals_faults() -> None:
    """A cruising vehicle without an accelerator slows down; one with a shorted brake stops."""
    for fault, slowest in ((control(ACCELERATOR, 201), 14.5), (control(BRAKE, 202), 0.1)):
        rig = Rig(speed=15.0).command(ControlKind.VELOCITY, target_velocity=15.0)
        drive(rig, fault, seconds=6.0)
        assert rig.state.velocity_x[0] < slowest
        assert rig.state.asked_control[0, 0] > 0
    rig = Rig(speed=15.0).command(ControlKind.VELOCITY, target_velocity=0.0)
    drive(rig, control(BRAKE, 201), seconds=8.0)
    assert rig.state.velocity_x[0] > 5


def test_a_held_vehicle_rolls_when_its_brake_is_open() -> None:
    rig = Rig(slope=(-0.05, 0.0)).command(ControlKind.HOLD)
    drive(rig, control(BRAKE, 201), control(STEERING, 203), seconds=3.0)
    assert rig.state.velocity_x[0] > 0.5
    assert rig.state.steer[0] == 0


def test_each_vehicle_has_its_own_faults_and_strangers_none() -> None:
    rig = Rig(["2016_Hyundai_Ioniq"] * 3, speed=10.0)
    rig.command(ControlKind.PEDALS, target_accelerator=0.3)
    drive(rig, control(ACCELERATOR, 202, 2), control(ACCELERATOR, 201, 7), control(BRAKE, 202, 3))
    assert rig.state.accelerator.tolist() == [0.3, 1.0, 0.3]
    assert rig.state.brake.tolist() == [0.0, 0.0, 1.0]


def test_a_run_that_is_cut_in_two_goes_on_the_same() -> None:
    """All memory is in the tables: copies of them continue byte for byte."""
    rig, faults = Rig(speed=10.0), FaultTable.zeros(0)
    for command in (control(ACCELERATOR, 102, delay=0.4), control(STEERING, 206), control(BRAKE, 204)):
        faults, _ = changed("fault", faults, command, 0)
    each = pedals(rig)
    digests = []
    for k in range(120):
        if k == 57:
            faults, rig.state = faults.copy(), rig.state.copy()
        each(k * 0.01)
        disturb_controls(faults, rig.parameter, rig.state, k * TICK, TICK)
        rig.tick()
        digests.append(rig.state.floats.tobytes())
    again, other = Rig(speed=10.0), FaultTable.zeros(0)
    for command in (control(ACCELERATOR, 102, delay=0.4), control(STEERING, 206), control(BRAKE, 204)):
        other, _ = changed("fault", other, command, 0)
    each = pedals(again)
    for k in range(120):
        each(k * 0.01)
        disturb_controls(other, again.parameter, again.state, k * TICK, TICK)
        again.tick()
        assert again.state.floats.tobytes() == digests[k]
