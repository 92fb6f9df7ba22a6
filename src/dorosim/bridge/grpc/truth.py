"""Ground truth in messages: both APIs have the same settings and send the same fields of each object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dorosim.bridge.actor import Names
from dorosim.bridge.grpc.call import DEGREE, KMH
from dorosim.bridge.sensor.truth import along_heading
from dorosim.ground.error import InputError
from dorosim.ground.unit import degrees_of
from dorosim.sensor.reading import TruthReading
from dorosim.world.mount.setting import MAX_DRAWN_SEGMENTS, TruthShape
from dorosim.world.snapshot import NO_ACTOR

UNLIMITED = -1
"""max_count that sets no limit; so does 0, which is also what a client sends that leaves it out."""
_NONE = 0
"""The kind of no object."""
_SHAPES = {shape.value: shape for shape in TruthShape}
_PARTS = {TruthShape.CYLINDER: "cylinder_setting", TruthShape.CONE: "cone_setting"}
_MAX_ANGLES = {"vertical_fov": 180.0, "horizontal_fov": 360.0}
"""Largest angles [deg]."""


def changes_from_message(message: Any, drawn: bool) -> dict[str, Any]:
    """What settings ask for, as fields of `GroundTruthSettings`. A number of 0 leaves what the sensor has.

    The kind 0, None, is that of a filter which names nothing, so it adds nothing to one; alone it is no filter.

    Args:
        message: GT_setting of the documented API, or GroundTruthSensorSetting of the Standard API.
        drawn: whether the live page shows the volume (`viz_range`, which the two have in different messages).

    Raises:
        InputError: settings that do not fit together, or are out of range.
    """
    shape = _shape_of(message)
    if message.max_count < UNLIMITED:
        raise _error(f"max_count {message.max_count} is not a valid number of objects; {UNLIMITED} sets no limit")
    part: Any = getattr(message, _PARTS[shape]) if shape and message.HasField(_PARTS[shape]) else None
    for name, limit in _MAX_ANGLES.items():
        if not 0.0 <= getattr(part, name, 0.0) <= limit:
            raise _error(f"{name} is {getattr(part, name):g} deg, not within 0 to {limit:g}")
    for name in ("segments", "resolution"):
        if not 0 <= getattr(part, name, 0) <= MAX_DRAWN_SEGMENTS:
            raise _error(f"{name} is {getattr(part, name)}, not within 0 to {MAX_DRAWN_SEGMENTS}")
    given = {
        "shape": shape,
        "range_max": getattr(part, "range_max" if shape is TruthShape.CONE else "range", 0.0),
        "fov": getattr(part, "horizontal_fov", 0.0) * DEGREE,
        "vertical_fov": getattr(part, "vertical_fov", 0.0) * DEGREE,
        "segments": getattr(part, "segments", 0),
        "resolution": getattr(part, "resolution", 0),
    }
    changes = {name: value for name, value in given.items() if value}
    if hasattr(part, "range_min"):  # which may be 0
        changes["range_min"] = part.range_min
    kinds = tuple(sorted({kind for kind in message.filter if kind != _NONE}))
    return {**changes, "drawn": drawn, "filter": kinds, "most": max(message.max_count, 0)}


def _shape_of(message: Any) -> TruthShape | None:
    """The shape that is asked for; where none is named, that whose settings are sent; None if none are."""
    if message.shape_type:
        if message.shape_type not in _SHAPES:
            raise _error(f"shape_type {message.shape_type} is not a valid shape")
        return _SHAPES[message.shape_type]
    sent = [shape for shape, name in _PARTS.items() if message.HasField(name)]
    if len(sent) > 1:
        raise _error("cylinder and cone are both set; say in shape_type which of them holds")
    return sent[0] if sent else None


def _error(problem: str) -> InputError:
    return InputError("", "", problem)


def object_fields(reading: TruthReading, names: Names) -> Iterator[tuple[str, dict[str, Any]]]:
    """The id of each object, and the fields of its ObjectStatus.

    Position, heading and size are as the reading has them; velocity [km/h] and acceleration [m/s²] are along the
    object's heading, as those of objects on UDP.

    Args:
        reading: of the sensor.
        names: by which clients know actors.
    """
    heading = [degrees_of(angle) for angle in reading.heading.tolist()]
    vectors = {
        "position": reading.position,
        "acceleration": along_heading(reading.acceleration, reading.heading),
        "velocity": along_heading(reading.velocity, reading.heading) / KMH,
        "size": reading.size,
    }
    columns = zip(*([{"x": x, "y": y, "z": z} for x, y, z in rows.tolist()] for rows in vectors.values()), strict=True)
    rows = zip(reading.actor.tolist(), reading.kind.tolist(), reading.name, heading, columns, strict=True)
    for actor, kind, name, yaw, parts in rows:
        yield (
            names.text_of(actor) if actor != NO_ACTOR else "",
            {"type": kind, "name": name, "heading": yaw, **dict(zip(vectors, parts, strict=True))},
        )
