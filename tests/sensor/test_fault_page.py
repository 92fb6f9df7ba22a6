"""The page on faults tells the sizes that count."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dorosim.sensor.lidar.planar import PlanarReading
from dorosim.sensor.lidar.reading import LidarReading
from dorosim.sensor.reading import (
    EARTH_RADIUS,
    CameraReading,
    GpsReading,
    ImuReading,
    RadarReading,
    Reading,
    UltrasonicReading,
)
from dorosim.world.fault.code import FaultSubclass, FaultTarget
from dorosim.world.fault.table import default_model

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "fault.md").read_text(encoding="utf-8")
ROWS = {
    tuple(cell.strip() for cell in line.strip("|").split("|"))[:2]: line
    for line in PAGE.splitlines()
    if line.startswith("| ")
}
"""Lines of tables, by their first two cells."""
OFFSET = default_model(FaultTarget.SENSOR, FaultSubclass.OFFSET).magnitude


@pytest.mark.parametrize(
    ("reading", "signal", "sensor", "named", "unit", "scale"),
    [
        (CameraReading, "image", "camera", "brightness of each colour", "", 1.0),
        (LidarReading, "distance", "3D lidar", "distance", "m", 0.002),
        (PlanarReading, "distance_mm", "2D lidar", "distance", "m", 0.001),
        (RadarReading, "distance", "radar", "distance", "m", 1.0),
        (RadarReading, "azimuth", "radar", "azimuth", "rad", 1.0),
        (RadarReading, "range_rate", "radar", "range rate", "m/s", 1.0),
        (UltrasonicReading, "distance", "ultrasonic", "distance", "m", 1.0),
        (GpsReading, "altitude", "GPS", "altitude", "m", 1.0),
        (ImuReading, "angular_velocity", "IMU", "angular velocity, each axis", "rad/s", 1.0),
        (ImuReading, "acceleration", "IMU", "acceleration, each axis", "m/s²", 1.0),
    ],
)
def test_the_page_tells_range_and_offset_of_a_signal(reading, signal, sensor, named, unit, scale):
    low, high = (scale * end for end in reading.SIGNALS[signal])
    offset = OFFSET * scale * reading.SPANS.get(signal, (high - low) / scale)
    cells = f"{low:g} to {high:.6g} {unit}".strip(), f"{round(offset, 2):g} {unit}".strip()
    assert ROWS[sensor, named] == f"| {sensor} | {named} | {' | '.join(cells)} |"


def test_the_page_tells_the_offset_of_a_fix():
    assert OFFSET * GpsReading.SPANS["latitude"] * EARTH_RADIUS == pytest.approx(5.0)
    assert GpsReading.SPANS["longitude"] == GpsReading.SPANS["latitude"]
    assert GpsReading.SIGNALS["latitude"][1] == np.pi / 2
    assert "5 m north" in ROWS["GPS", "latitude, longitude"]


def test_the_page_leaves_no_signal_out():
    def readings(kind: type[Reading]) -> set[tuple[str, str]]:
        return {(kind.__name__, name) for name in kind.SIGNALS}.union(*map(readings, kind.__subclasses__()))

    assert len(readings(Reading)) == 12, "eleven lines of the page, one of them of two signals"


def percent(value: float) -> str:
    return f"{round(100 * value, 3):g} %"


def test_the_page_tells_sizes_of_controls_sensors_and_tyres():
    for target, column in ((FaultTarget.CONTROL, 2), (FaultTarget.SENSOR, 3)):
        told = {key[0]: line.split("|")[column] for key, line in ROWS.items() if line.count("|") == 4}
        delayed, offset, drift, beyond, lost = (
            default_model(target, kind)
            for kind in (
                FaultSubclass.DELAYED,
                FaultSubclass.OFFSET,
                FaultSubclass.DRIFT_AND_OSCILLATION,
                FaultSubclass.OUT_OF_DATA,
                FaultSubclass.LOSS_AND_TIMEOUT,
            )
        )
        assert told["`delayed`"].strip() == f"by {delayed.delay:g} s"
        assert told["`offset`"].strip().startswith(f"+ {percent(offset.magnitude)} of ")
        assert told["`drift`"].strip().startswith(f"+ {percent(drift.rate)} ")
        assert told["`drift`"].strip().endswith(f"each second and ± {percent(drift.amplitude)} in {drift.period:g} s")
        if target is FaultTarget.SENSOR:
            assert f"by {percent(beyond.magnitude)} of it" in told["`out_of_data`"]
        else:
            assert f"for {lost.delay:g} s" in told["`lost`"]
    for name, kind in (("puncture", FaultSubclass.PUNCTURE), ("moved", FaultSubclass.TRANSFORM)):
        model = default_model(FaultTarget.TIRE, kind)
        when = f"within {model.onset:g} s" if model.onset else "at once"
        told_so = (
            f"| `{name}` | {when}: grip - {percent(model.friction_loss)}, cornering stiffness - "
            f"{percent(model.stiffness_loss)}, rolling resistance + {model.drag:g} of the load |"
        )
        assert told_so in PAGE.splitlines()
