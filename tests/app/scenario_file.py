"""A scenario file, and where it begins."""

from __future__ import annotations

import json
from pathlib import Path


def scenario(folder: Path, name: str, ego: dict) -> Path:
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"egoVehicle": ego}))
    return path


START = {"initPosition": {"pos": {"x": 12.0, "y": -3.0, "z": 0.0}, "rot": {"yaw": "90"}}}
