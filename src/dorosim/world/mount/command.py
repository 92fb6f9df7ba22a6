"""Commands about sensors. Values are in SI, angles in rad, times in ns."""

from __future__ import annotations

from dorosim.world.command import ActorCommand, Command, Vector
from dorosim.world.mount.setting import AnySettings

NEW_SENSOR = 0
"""`sensor` of a command that leaves the number to the world."""
LAST_SENSOR = 32767
"""The greatest number: it is an int16 on the wire (UDP page, Sensor Control)."""
MAX_SENSORS = 1000
MAX_MOUNT_DISTANCE = 100.0
"""No sensor is mounted farther from the body origin than this [m]."""
MIN_SENSOR_PERIOD, MAX_SENSOR_PERIOD = 100_000, 3_600_000_000_000
"""Bounds of the time from one reading to the next [ns]."""
MIN_LIDAR_TURN, MAX_LIDAR_TURN = 50_000_000, 200_000_000
"""Bounds of the time of a turn of a spinning lidar [ns]: 20 and 5 Hz."""
MAX_SENSOR_PHASE = 1 << 60
NANOSECONDS = 1_000_000_000


class AddSensor(ActorCommand, frozen=True, tag=True, kw_only=True):
    """Mounts a sensor on a vehicle of any kind.

    Attributes:
        sensor: number of the sensor; `NEW_SENSOR`: the next one. One that another sensor has is refused.
        settings: of its kind.
        position: in the body frame [m]. rotation: roll, pitch, yaw from the body frame [rad].
        period: from one reading to the next [ns]; None: as usual for its kind (`RATE_HZ` of its settings).
        phase: time of one reading, from which the others are counted [ns].
        enabled: whether it reads.
    """

    settings: AnySettings
    sensor: int = NEW_SENSOR
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Vector = (0.0, 0.0, 0.0)
    period: int | None = None
    phase: int = 0
    enabled: bool = True


class RemoveSensor(Command, frozen=True, tag=True):
    """Takes a sensor off its vehicle."""

    sensor: int


class RemoveAllSensors(Command, frozen=True, tag=True):
    """Takes all sensors off a vehicle, or off all vehicles.

    Attributes:
        of: id of the vehicle, 0 for all.
    """

    of: int = 0


class MoveSensor(Command, frozen=True, tag=True):
    """Mounts a sensor elsewhere on its vehicle (UDP page, Sensor Control); None leaves a part.

    Attributes:
        sensor: its number.
        position: in the body frame [m]. rotation: roll, pitch, yaw from the body frame [rad].
    """

    sensor: int
    position: Vector | None = None
    rotation: Vector | None = None


class SetSensor(Command, frozen=True, tag=True):
    """Changes how a sensor reads; None leaves a part. Its kind stays.

    Attributes: as of `AddSensor`, and
        captured: whether all that it reads is saved as files (Standard API, SetSensorCaptureMode).
    """

    sensor: int
    settings: AnySettings | None = None
    period: int | None = None
    phase: int | None = None
    enabled: bool | None = None
    captured: bool | None = None


MountCommand = AddSensor | RemoveSensor | RemoveAllSensors | MoveSensor | SetSensor
"""Every command about sensors."""
