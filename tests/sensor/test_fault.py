"""Faults of sensors: which moment they show, what values, and from where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from dorosim.sensor.fault import FaultFilter
from dorosim.sensor.reading import Range
from dorosim.world.fault.command import SetFault
from dorosim.world.fault.sensor import displace_mount, oldest_needed, shown_moment
from dorosim.world.fault.table import FaultTable
from tests.world.effect import changed
from tests.world.fault.orders import SECOND, sensor

LOW, HIGH = np.array([-10.0, 0.0]), np.array([10.0, 100.0])


def faulty(*commands: SetFault, time: int = SECOND) -> FaultTable:
    faults = FaultTable.zeros(0)
    for command in commands:
        faults, problem = changed("fault", faults, command, time)
        assert not problem
    return faults


@dataclass(frozen=True, kw_only=True)
class Channels:
    """As a `Reading` with two signals; one that derives from it would be a kind of sensor."""

    SIGNALS: ClassVar[Mapping[str, Range]] = {"values": (LOW, HIGH)}
    SPANS: ClassVar[Mapping[str, float]] = {}

    sensor: int
    time: int
    values: np.ndarray

    def restamped(self, time: int) -> Channels:
        return replace(self, time=time)


class Ranges(Channels):
    """A reading with one signal of many values."""

    SIGNALS: ClassVar[Mapping[str, Range]] = {"values": (0.0, 200.0)}


def sound(moment: int) -> Channels:
    """A reading that tells its moment [ns]."""
    return Channels(sensor=4, time=moment, values=np.array([1.0 + moment * 1e-9, 50.0]))


def reading(faults: FaultTable, time: int, actor: int = 1, number: int = 4) -> list[float] | None:
    """What a sensor delivers that reads every quarter of a second, and at a time."""
    passed = FaultFilter(actor, number)
    for moment in range(0, time, SECOND // 4):
        passed.pass_on(faults, sound(moment), moment)
    shown = passed.pass_on(faults, sound(time), time)
    return None if shown is None else shown.values.tolist()


def test_a_sound_sensor_shows_the_present() -> None:
    assert reading(FaultTable.zeros(0), 3 * SECOND) == [4.0, 50.0]
    assert reading(faulty(sensor(4, 201)), SECOND - 1) == [pytest.approx(2.0), 50.0]


def test_a_fault_is_of_one_sensor_of_one_vehicle() -> None:
    faults = faulty(sensor(4, 101))
    assert reading(faults, 2 * SECOND) is None
    assert reading(faults, 2 * SECOND, number=5) == [3.0, 50.0]
    assert reading(faults, 2 * SECOND, actor=2) == [3.0, 50.0]


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (sensor(4, 101), None),
        (sensor(4, 102, delay=0.25), [3.75, 50.0]),
        (sensor(4, 201), [0.0, 0.0]),
        (sensor(4, 202), [10.0, 100.0]),
        (sensor(4, 203, magnitude=0.1), [6.0, 60.0]),
        (sensor(4, 203, magnitude=0.9), [10.0, 100.0]),
        (sensor(4, 204), [2.0, 50.0]),
        (sensor(4, 205, magnitude=0.1), [12.0, 110.0]),
        (sensor(4, 206, rate=0.01, amplitude=0.1, period=8.0), [4.0 + 20 * 0.12, 50 + 100 * 0.12]),
        (sensor(4, 302), [4.0, 50.0]),
    ],
    ids=lambda value: str(value.fault_subclass) if isinstance(value, SetFault) else "",
)
def test_each_fault_has_its_formula(fault: SetFault, expected: list[float] | None) -> None:
    """The fault began at 1 s; read at 3 s. Values stay in range, except OUT_OF_DATA, which means to leave it."""
    values = reading(faulty(fault), 3 * SECOND)
    assert values == (expected if expected is None else pytest.approx(expected))


def test_a_delay_before_the_first_reading_gives_none() -> None:
    assert reading(faulty(sensor(4, 102, delay=5.0)), 3 * SECOND) is None


def test_faults_follow_each_other() -> None:
    faults = faulty(sensor(4, 102, delay=0.25), sensor(4, 203, magnitude=0.1))
    assert reading(faults, 3 * SECOND) == [5.75, 60.0]
    assert oldest_needed(faults, 1, 4, 3 * SECOND) == shown_moment(faults, 1, 4, 3 * SECOND) == 11 * SECOND // 4


def test_it_works_on_arrays_of_any_size_and_leaves_them_alone() -> None:
    ranges = np.linspace(0, 200, 100_000)
    ranges.flags.writeable = False
    scan = Ranges(sensor=4, time=2 * SECOND, values=ranges)
    shown = FaultFilter(1, 4).pass_on(faulty(sensor(4, 203, magnitude=0.1)), scan, scan.time)
    assert shown is not None
    np.testing.assert_allclose(shown.values, np.minimum(ranges + 20, 200))


def test_a_displaced_sensor_looks_from_elsewhere() -> None:
    """An offset in the sensor's own frame: a camera that looks left and slips forward moves left in the body."""
    left = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    faults = faulty(sensor(4, 302, position_offset=(0.5, 0, 0.1), rotation_offset=(0, 0, np.pi / 2)))
    position, rotation = displace_mount(faults, 1, 4, 2 * SECOND, np.array([1.0, 0, 2]), left)
    np.testing.assert_allclose(position, [1.0, 0.5, 2.1])
    np.testing.assert_allclose(rotation, left @ left, atol=1e-15)
    same, _ = displace_mount(faults, 1, 5, 2 * SECOND, np.array([1.0, 0, 2]), left)
    np.testing.assert_array_equal(same, [1.0, 0, 2])


def test_pitch_is_nose_down_positive() -> None:
    """REP-103, as vehicles: a camera pitched by +90 degrees looks down."""
    faults = faulty(sensor(4, 302, rotation_offset=(0, np.pi / 2, 0)))
    _, rotation = displace_mount(faults, 1, 4, 2 * SECOND, np.zeros(3), np.eye(3))
    np.testing.assert_allclose(rotation @ [1, 0, 0], [0, 0, -1], atol=1e-15)
