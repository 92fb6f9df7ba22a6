"""The files of an MGeo map, version 2.9, one record a line.

The keys are those of the product's own 2.9 writer (facts/ros-grpc-mgeo.md, section 3.2), so its loader reads them.
The same map always gives the same bytes: nothing of the day or the machine enters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import msgspec
import numpy as np

from dorosim.ground.error import InputError
from dorosim.road.mgeo.record import NOT_IN_FILES, SET_FILES, GlobalInfo, LaneBoundary, Link, MGeoMap, is_finite

_GEOMETRY = [{"id": 0, "method": "poly3"}]
"""How the product fits a curve to the points: required by its loader, of no meaning here."""


def mgeo_files(m: MGeoMap) -> dict[str, bytes]:
    """The map's files, by name: every set file of version 2.9, and global_info.json.

    Raises:
        InputError: if a number in the map is not finite, which JSON cannot hold.
    """
    files = {file: _lines(f"{m.name}/{file}", getattr(m, records)) for records, file in SET_FILES.items()}
    files["global_info.json"] = msgspec.json.format(msgspec.json.encode(_info(m.info, files)), indent=2)
    return files


def _lines(source: str, records: Sequence[Any]) -> bytes:
    """A JSON array with one record a line."""
    if not records:
        return b"[]\n"
    lines = [msgspec.json.encode(_object(source, record)) for record in records]
    return b"[\n" + b",\n".join(lines) + b"\n]\n"


def _object(source: str, record: Any) -> dict[str, Any]:
    """A record as a JSON object."""
    found = {one.name: _plain(getattr(record, one.name)) for one in fields(record) if one.metadata != NOT_IN_FILES}
    for key, value in found.items():
        if not is_finite(value):
            place = f"record {found.get('idx')}, key {key!r}"
            raise InputError(source, place, "a number is not finite", "correct the map before writing it")
    return found | _COMPLETE.get(type(record), {})


def _plain(value: Any) -> Any:
    """A field's value in JSON's own types."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list) and value and hasattr(value[0], "__dataclass_fields__"):
        return [{field.name: _plain(getattr(item, field.name)) for field in fields(item)} for item in value]
    return value


_COMPLETE: dict[type, dict[str, Any]] = {
    Link: {"geometry": _GEOMETRY, "speed_offset": [], "speed_list": {}},
    LaneBoundary: {"geometry": _GEOMETRY},
}
"""Keys that 2.9 has and the records do not keep."""


def _info(info: GlobalInfo, files: dict[str, bytes]) -> dict[str, Any]:
    """global_info.json. The time of saving stays empty, so that the same map gives the same file."""
    hashes = {file: hashlib.sha256(content).hexdigest() for file, content in sorted(files.items())}
    return {
        "saved_utc_time": "",
        "mgeo_file_hash": str(hashes),
        "maj_ver": 2,
        "min_ver": 9,
        "global_coordinate_system": info.coordinate_system,
        "local_origin_in_global": list(info.origin),
        "workspace_origin": list(info.workspace_origin),
        "lane_change_link_included": info.lane_change_link_included,
        "traffic_dir": info.traffic_dir,
        "country": info.country,
        "road_type": info.road_type,
        "road_type_def": info.road_type_def,
        "license": info.license,
    }
