"""Layouts of datagrams as MORAI SIM 2 saves them: .tmpl files, which list variables and their types.

A template has a segment of fields, and at most one that is repeated: for each wheel of a vehicle, or for each object
that it has run into. dorosim knows the variables of vehicles, collisions and controls of its own tables; a variable
that it does not know is sent as zero, and a note says so (docs/decisions/0098-what-fixed-step-clients-expect.md).
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from dorosim.ground.error import InputError
from dorosim.wire.codec import text_from_bytes
from dorosim.wire.error import WireError
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step.datagram import CollisionEvent, CollisionObject, VehicleInfo, WheelInfo

_CODES = {
    "FLOAT": "f",
    "DOUBLE": "d",
    "INT32": "i",
    "INT64": "q",
    "UINT32": "I",
    "UINT64": "Q",
    "ENUM": "I",
    "BOOL": "?",
    "BYTES": "",
}
MAX_TEMPLATE_FIELDS, MAX_TEMPLATE_TEXT = 1000, 1024
"""Fields of a template, and bytes of a text in it."""
MAX_TEMPLATE = 1 << 20
"""Bytes of a file."""
_PICTURE = ("image_size", "i"), ("image_data", "")
"""Variables of a camera and their codes, by their last words: a picture behind its size."""
_VEHICLE = "ground_vehicle_attributes"
_AXES = "xyz"
COUNTS = (f"{_VEHICLE}.wheel_count", "collision_event_data.collision_object_count")
"""Variables that say how often the other segment is repeated."""
WHEELS, OBJECTS = f"{_VEHICLE}.wheel_attributes", "collision_event_data.collision_objects"
"""What a segment is repeated for."""


class Variable(NamedTuple):
    """Where a variable is in a table: an attribute, and the place in it of one that has several numbers."""

    attribute: str
    place: int = -1


def _vectors(paths: Mapping[str, str]) -> Iterator[tuple[str, Variable]]:
    for path, attribute in paths.items():
        for place, axis in enumerate(_AXES):
            yield f"{path}.{axis}", Variable(attribute, place)


_OF_VEHICLE = {
    "time_stamp.seconds": Variable("seconds"),
    "time_stamp.nanos": Variable("nanos"),
    "id": Variable("id"),
    f"{_VEHICLE}.vehicle_control_attributes.throttle": Variable("throttle"),
    f"{_VEHICLE}.vehicle_control_attributes.brake": Variable("brake"),
    f"{_VEHICLE}.vehicle_control_attributes.steer_angle": Variable("steer_angle"),
    **dict(
        _vectors(
            {
                f"{_VEHICLE}.chassis_attributes.transform.location": "location",
                f"{_VEHICLE}.chassis_attributes.transform.rotation": "rotation",
                f"{_VEHICLE}.chassis_attributes.local_velocity": "local_velocity",
                f"{_VEHICLE}.chassis_attributes.local_acceleration": "local_acceleration",
                f"{_VEHICLE}.chassis_attributes.angular_velocity": "angular_velocity",
            }
        )
    ),
}
_OF_COLLISION = {
    "collision_object_id": Variable("id"),
    "object_type": Variable("object_type"),
    "collision_time.seconds": Variable("seconds"),
    "collision_time.nanos": Variable("nanos"),
    "dimensions.length": Variable("size", 0),
    "dimensions.width": Variable("size", 1),
    "dimensions.height": Variable("size", 2),
    "vehicle.vehicle_spec.overhang.front": Variable("front_overhang"),
    "vehicle.vehicle_spec.overhang.rear": Variable("rear_overhang"),
    "vehicle.vehicle_spec.wheel_base": Variable("wheel_base"),
    # as the product's own template has one of them
    "collision_jects.vehicle.vehicle_state.acceleration.x": Variable("acceleration", 0),
    **dict(
        _vectors(
            {
                "object_transform.location": "location",
                "object_transform.rotation": "rotation",
                "vehicle.vehicle_state.velocity": "velocity",
                "vehicle.vehicle_state.acceleration": "acceleration",
            }
        )
    ),
}
VARIABLES: dict[type[Wire], dict[str, Variable]] = {
    VehicleInfo: _OF_VEHICLE,
    CollisionEvent: {"id": Variable("id")},
    WheelInfo: dict(_vectors({"world_position": "world_position"})),
    CollisionObject: _OF_COLLISION,
}
"""The variables of a template by the table that has them."""


class TemplateField(NamedTuple):
    """A field of a template.

    Attributes:
        path: of its variable. code: of `struct`; "" for bytes of any length, which only pictures have.
    """

    path: str
    code: str

    @property
    def is_text(self) -> bool:
        """Whether it is a text of fixed width."""
        return self.code.endswith("s")


class Template(NamedTuple):
    """A layout.

    Attributes:
        name: of it.
        fields: those that stand once.
        repeated: those that stand once for each of `repeated_for`; empty for none.
        repeated_for: `WHEELS`, `OBJECTS`, or what is not known; "" for nothing.
        is_control: whether datagrams of this layout come in.
        of: the table whose variables it has: VehicleInfo or CollisionEvent; None for any other, as a sensor's.
    """

    name: str
    fields: tuple[TemplateField, ...]
    repeated: tuple[TemplateField, ...]
    repeated_for: str
    is_control: bool
    of: type[Wire] | None

    @property
    def is_picture(self) -> bool:
        """Whether it is that of a camera: a JPEG behind its size (`dorosim.wire.device.sized_picture`)."""
        found = tuple((one.path.rpartition(".")[2], one.code) for one in self.fields)
        return found == _PICTURE and not self.repeated

    def unknown(self) -> list[str]:
        """Variables that are sent as zero, in their order."""
        once = set(VARIABLES.get(self.of, {}) if self.of is not None else ()) | set(COUNTS)
        each = VARIABLES.get(_ROWS.get(self.repeated_for, Wire), {})
        return [
            *(one.path for one in self.fields if one.path not in once),
            *(one.path for one in self.repeated if one.path not in each),
        ]

    def encode(self, message: Wire, rows: tuple[Wire, ...] = ()) -> bytes:
        """The datagram of a message.

        Args:
            message: of the table `of`.
            rows: for each of which the other segment stands.

        Raises:
            WireError: a number or a text does not fit its field.
        """
        repeated = rows if self.repeated else ()
        parts = [_packed(self.name, self.fields, message, len(rows))]
        parts += [_packed(self.name, self.repeated, row, len(rows)) for row in repeated]
        return b"".join(parts)

    def decode(self, data: bytes) -> dict[str, Any]:
        """The values of a datagram by their variables, of the fields that stand once.

        Raises:
            WireError: it has not the size of them, or a number is not finite.
        """
        layout = struct.Struct("<" + "".join(field.code for field in self.fields))
        if len(data) != layout.size:
            raise WireError("size", f"{len(data)} bytes, {layout.size} are the message", self.name)
        found: dict[str, Any] = {}
        for field, value in zip(self.fields, layout.unpack(data), strict=True):
            if field.is_text:
                try:
                    found[field.path] = text_from_bytes(value)
                except UnicodeDecodeError:
                    raise WireError("text", f"{field.path} is not UTF-8", self.name) from None
            elif not math.isfinite(value):
                raise WireError("non-finite", f"{field.path} is {value}", self.name)
            else:
                found[field.path] = value
        return found


_ROWS: dict[str, type[Wire]] = {WHEELS: WheelInfo, OBJECTS: CollisionObject}


def read_template(source: str, content: bytes) -> Template:
    """A template file.

    Args:
        source: the file, for errors.
        content: its bytes.

    Raises:
        InputError: it is not a template, or has a type that dorosim cannot send; with the place in it.
    """
    body = _object(source, "messageTemplate", _tree(source, content).get("messageTemplate"))
    once: tuple[TemplateField, ...] = ()
    repeated, repeated_for = once, ""
    for number, one in enumerate(_list(source, "messageTemplate.segmentList", body.get("segmentList"))):
        place = f"messageTemplate.segmentList[{number}]"
        segment = _object(source, place, one)
        kind = str(segment.get("type", "FIELDS")).upper()
        fields = tuple(_fields(source, place, segment))
        if kind == "FIELDS" and not once:
            once = fields
        elif kind == "REPEAT" and not repeated:
            repeated, repeated_for = fields, str(segment.get("repeatFieldName", ""))
        else:
            problem = f"a second segment, or type {kind!r}"
            raise InputError(source, place, problem, "a template has one FIELDS and at most one REPEAT")
    if not once:
        raise InputError(source, "messageTemplate.segmentList", "has no FIELDS", "give one")
    paths = {field.path for field in once}
    of: type[Wire] | None = None
    if COUNTS[1] in paths or repeated_for == OBJECTS:
        of = CollisionEvent
    elif any(path.startswith(f"{_VEHICLE}.") for path in paths) or repeated_for == WHEELS:
        of = VehicleInfo
    made = Template(str(body.get("name", "")), once, repeated, repeated_for, bool(body.get("isControl")), of)
    if not made.is_picture and any(not field.code for field in (*once, *repeated)):
        raise InputError(
            source, "messageTemplate.segmentList", "has BYTES", "only a picture has, behind its image_size"
        )
    return made


def _fields(source: str, place: str, segment: Mapping[str, Any]) -> Iterator[TemplateField]:
    fields = _list(source, f"{place}.fieldList", segment.get("fieldList"))
    if len(fields) > MAX_TEMPLATE_FIELDS:
        raise InputError(source, f"{place}.fieldList", f"{len(fields)} fields", f"use at most {MAX_TEMPLATE_FIELDS}")
    for number, one in enumerate(fields):
        where = f"{place}.fieldList[{number}]"
        field = _object(source, where, one)
        kind = str(field.get("variableType", "")).upper()
        path = str(field.get("variableName") or field.get("name") or "")
        if kind == "STRING":
            length = field.get("length")
            if not isinstance(length, int) or isinstance(length, bool) or not 1 <= length <= MAX_TEMPLATE_TEXT:
                raise InputError(
                    source, f"{where}.length", f"{length!r} is not a length", f"use 1 to {MAX_TEMPLATE_TEXT}"
                )
            yield TemplateField(path, f"{length}s")
        elif kind in _CODES:
            yield TemplateField(path, _CODES[kind])
        else:
            cure = f"use one of STRING, {', '.join(_CODES)}"
            raise InputError(source, f"{where}.variableType", f"{kind!r} is not a type that is sent", cure)


def _packed(name: str, fields: tuple[TemplateField, ...], message: Wire, count: int) -> bytes:
    """A segment of a message."""
    known = VARIABLES.get(type(message), {})
    units = _UNITS.get(type(message), {})
    values = []
    for field in fields:
        variable = known.get(field.path)
        if variable is None:
            number: Any = count if field.path in COUNTS else 0
            values.append(b"" if field.is_text else number)
            continue
        value = getattr(message, variable.attribute)
        if field.is_text:
            values.append(str(value).encode()[: int(field.code[:-1])])
            continue
        number = (value[variable.place] if variable.place >= 0 else value) / units[variable.attribute]
        values.append(number if field.code in "fd" else round(number))
    try:
        return struct.pack("<" + "".join(field.code for field in fields), *values)
    except (struct.error, OverflowError) as error:
        raise WireError("value", str(error), name) from None


_UNITS = {table: {field.name: field.unit.factor for field in table.table.fields} for table in VARIABLES}
"""SI value over wire value of each field of the tables."""


def _tree(source: str, content: bytes) -> Mapping[str, Any]:
    if len(content) > MAX_TEMPLATE:
        raise InputError(source, "", f"{len(content):,} bytes", f"a template has at most {MAX_TEMPLATE:,}")
    try:
        return _object(source, "", json.loads(content))
    except (ValueError, RecursionError) as error:
        raise InputError(source, "", f"is not JSON: {error}", "give a .tmpl file as MORAI SIM saves it") from None


def _object(source: str, place: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError(source, place, "is not an object", "give a .tmpl file as MORAI SIM saves it")
    return value


def _list(source: str, place: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(source, place, "is not a list", "give a .tmpl file as MORAI SIM saves it")
    return value
