"""Readings to files: PNG or JPEG, NPY and PCD, JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.sensor.packet import jpeg_of
from dorosim.sensor.reading import CameraReading, Reading
from dorosim.wire.device.png import png_bytes
from dorosim.world.mount.setting import SensorKind


def save_name(name: str, kind: SensorKind, sensor: int, time: int) -> str:
    """The name of a file without its suffix: "<name or time in ms>_<kind>_<number>"."""
    start = name or f"{time // 1_000_000:010d}"
    return f"{start}_{kind.name.lower()}_{sensor}"


def saved_files(reading: Reading) -> Mapping[str, bytes]:
    """What is saved of a reading, by suffix.

    | sensor | files |
    |---|---|
    | camera, colours | .jpg, with the boxes as .json |
    | camera, other pictures | .png, and .npy with metres, class numbers or actor ids |
    | spinning lidar | .pcd and .npy with points in the sensor's frame |
    | others | .json |
    """
    if isinstance(reading, CameraReading):
        return _camera_files(reading)
    if hasattr(reading, "points"):
        points = reading.points()
        return {".pcd": pcd_bytes(points), ".npy": npy_bytes(points)}
    return {".json": json_bytes(reading)}


def _camera_files(reading: CameraReading) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    values = next((one for one in (reading.depth, reading.semantic, reading.instance) if one is not None), None)
    if values is None:
        found[".jpg"] = jpeg_of(reading)
    else:
        found[".png"] = png_bytes(reading.image)
        found[".npy"] = npy_bytes(values)
    if reading.boxes is not None:
        found[".json"] = _dump({"time_ns": reading.time, "boxes": _plain(reading.boxes)})
    return found


def json_bytes(reading: Reading) -> bytes:
    """A reading as JSON: its attributes by name, in SI."""
    values = {field.name: _plain(getattr(reading, field.name)) for field in fields(reading)}
    values["time_ns"] = values.pop("time")
    return _dump(values)


def npy_bytes(array: NDArray[Any]) -> bytes:
    """An array in numpy's own format."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def pcd_bytes(points: NDArray[Any]) -> bytes:
    """Points `(N,)`, records of numbers, as a binary PCD file, version 0.7 (pointclouds.org, "The PCD file format")."""
    names = points.dtype.names or ()
    kinds = [points.dtype[name] for name in names]
    head = (
        "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n"
        f"FIELDS {' '.join(names)}\n"
        f"SIZE {' '.join(str(kind.itemsize) for kind in kinds)}\n"
        f"TYPE {' '.join({'f': 'F', 'i': 'I', 'u': 'U'}[kind.kind] for kind in kinds)}\n"
        f"COUNT {' '.join('1' for _ in names)}\n"
        f"WIDTH {len(points)}\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS {len(points)}\nDATA binary\n"
    )
    packed = np.empty(len(points), np.dtype([(name, points.dtype[name]) for name in names]))
    for name in names:
        packed[name] = points[name]
    return head.encode() + packed.tobytes()


def _plain(value: Any) -> Any:
    """A value as JSON knows it; what is no finite number is null."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, np.generic):
        return _plain(value.item())
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return value


def _dump(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, indent=1, allow_nan=False).encode() + b"\n"
