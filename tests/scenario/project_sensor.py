"""A sensor as a project of MORAI SIM has it."""

from __future__ import annotations


def sensor(name="Camera_1", kind="BP_SensorCamera_C", parent="Car_1", at=(160, 0, 150), turn=(0, 0, 0, 1), **more):
    """A sensor, by default a camera of 640 by 480 pixels: place [cm], quaternion (x, y, z, w), further keys."""
    return {
        "sensorName": name,
        "sensorType": kind,
        "parentFrame": parent,
        "frameRate": 50,
        "focalLength": 320,
        "sensorTransform": {
            "translation": dict(zip("xyz", at, strict=True)),
            "rotation": dict(zip("xyzw", turn, strict=True)),
        },
    } | more
