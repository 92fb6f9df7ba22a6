"""Faults are set and cleared by commands, with codes as the documents number them."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from dorosim.world.fault.code import POSSIBLE, FaultSubclass, FaultTarget
from dorosim.world.fault.command import SetControlFault, SetFault, SetSensorFault, SetTireFault
from dorosim.world.fault.table import (
    FOREVER,
    FaultTable,
    default_model,
    rows_of,
    without_actors,
    without_ended,
)
from tests.world.effect import changed
from tests.world.fault.orders import SECOND, control, sensor, tire


def after(*commands: SetFault, time: int = 0) -> FaultTable:
    faults = FaultTable.zeros(0)
    for command in commands:
        faults, problem = changed("fault", faults, command, time)
        assert not problem
    return faults


def active_subclasses(faults: FaultTable, actor: int, target: FaultTarget, place: int, time: int) -> tuple[int, ...]:
    """The faults that count at a place and time."""
    rows = rows_of(faults, time, target)
    here = rows[(faults.actor[rows] == actor) & (faults.place[rows] == place)]
    return tuple(faults.subclass[here].tolist())


def test_faults_stand_in_the_order_of_actor_target_place_and_subclass() -> None:
    faults = after(tire(3, 301, 2), control(4, 203, 2), control(4, 102, 2), sensor(7, 201, 1), control(2, 201, 1))
    rows = zip(*(block.tolist() for block in (faults.actor, faults.target, faults.place, faults.subclass)), strict=True)
    assert list(rows) == [(1, 0, 2, 201), (1, 2, 7, 201), (2, 0, 4, 102), (2, 0, 4, 203), (2, 1, 3, 301)]


def test_class_and_subclass_zero_clear_the_place_and_nothing_else() -> None:
    faults = after(control(2, 201), control(2, 203), control(3, 201), tire(2, 301), control(2, 201, 5))
    faults, problem = changed("fault", faults, control(2, 0), 0)
    assert not problem
    assert len(faults) == 3
    assert active_subclasses(faults, 1, FaultTarget.CONTROL, 2, 0) == ()
    assert active_subclasses(faults, 1, FaultTarget.CONTROL, 3, 0) == (201,)
    assert active_subclasses(faults, 5, FaultTarget.CONTROL, 2, 0) == (201,)


def test_a_fault_ends_after_its_duration() -> None:
    faults = after(control(2, 201, duration=1.5), control(3, 201), time=SECOND)
    assert active_subclasses(faults, 1, FaultTarget.CONTROL, 2, SECOND) == (201,)
    assert active_subclasses(faults, 1, FaultTarget.CONTROL, 2, 5 * SECOND // 2) == ()
    assert faults.end.tolist() == [5 * SECOND // 2, FOREVER]
    assert without_ended(faults, 2 * SECOND) is faults
    assert without_ended(faults, 3 * SECOND).place.tolist() == [3]


def test_a_fault_that_is_set_again_starts_anew() -> None:
    faults = after(control(2, 203, magnitude=0.4))
    faults, _ = changed("fault", faults, control(2, 203), SECOND)
    assert len(faults) == 1
    assert faults.start[0] == SECOND
    assert faults.magnitude[0] == default_model(FaultTarget.CONTROL, FaultSubclass.OFFSET).magnitude


def test_actors_that_leave_take_their_faults_along() -> None:
    faults = after(control(2, 201, 1), control(2, 201, 2), control(2, 201, 3))
    assert without_actors(faults, frozenset({1, 3})).actor.tolist() == [2]


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (control(1, 201), "no control has the number 1"),
        (control(5, 0), "no control has the number 5"),
        (control(2, 301), "control has no fault 301"),
        (control(2, 207), "control has no fault 207"),
        (tire(4, 301), "no tyre has the index 4"),
        (tire(-1, 301), "no tyre has the index -1"),
        (tire(0, 201), "tire has no fault 201"),
        (sensor(0, 301), "sensor has no fault 301"),
        (SetControlFault(actor=1, location=2, fault_class=1, fault_subclass=201), "201 is not of class 1"),
        (SetControlFault(actor=1, location=2, fault_class=2, fault_subclass=0), "no fault 0"),
        (SetControlFault(actor=1, location=2, fault_class=0, fault_subclass=201), "201 is not of class 0"),
        (control(2, 203, magnitude=np.nan), "magnitude of nan"),
        (control(2, 102, delay=-1.0), "delay of -1"),
        (control(2, 206, period=0.0), "period of 0"),
        (control(2, 201, duration=0.0), "is not a valid duration"),
        (control(2, 201, duration=np.nan), "is not a valid duration"),
        (tire(0, 301, friction_loss=1.5), "friction loss of 1.5"),
        (sensor(0, 302, position_offset=(np.inf, 0, 0)), "offset of the sensor"),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(command: SetFault, problem: str) -> None:
    faults = after(control(2, 201))
    now, told = changed("fault", faults, command, 0)
    assert problem in told
    assert now is faults


def test_every_possible_fault_can_be_set() -> None:
    make = {FaultTarget.CONTROL: control, FaultTarget.TIRE: tire, FaultTarget.SENSOR: sensor}
    for target, subclasses in POSSIBLE.items():
        for subclass in subclasses:
            faults = after(make[target](2, subclass))
            assert active_subclasses(faults, 1, target, 2, 0) == (subclass,)


def test_commands_survive_a_recording() -> None:
    for command in (control(2, 201, duration=3.0), tire(1, 301, drag=0.2), sensor(4, 302, rotation_offset=(0, 0, 1.0))):
        assert (
            msgspec.msgpack.decode(
                msgspec.msgpack.encode(command), type=SetControlFault | SetTireFault | SetSensorFault
            )
            == command
        )
