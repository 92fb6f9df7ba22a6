"""Makes readings of messages and arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dorosim.client.error import ClientError
from dorosim.client.quantity import triple
from dorosim.client.reading import (
    CameraPicture,
    GpsFix,
    ImuSample,
    PlanarScan,
    PointCloud,
    RadarDetections,
    SeenBoxes,
    SeenObjects,
    SensorReading,
    UltrasonicEcho,
)
from dorosim.client.states import SEEN_KINDS

Arrays = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Form:
    """How a kind of readings is made of arrays.

    Attributes:
        kind: class. more: makes arguments that are not arrays of the same name; `names`: those that are.
    """

    kind: type[SensorReading]
    names: tuple[str, ...] = ()
    more: Callable[[Arrays], dict[str, Any]] = field(default=lambda _: {})


def _boxes_of(arrays: Arrays) -> SeenBoxes | None:
    if "box_actor" not in arrays:
        return None
    names = ("actor", "label", "corners", "bounds", "visible", "covered")
    return SeenBoxes(**{name: arrays[f"box_{name}"] for name in names})


def _seen(arrays: Arrays) -> dict[str, Any]:
    kinds = tuple(SEEN_KINDS.get(code, str(code)) for code in arrays["kind"].tolist())
    return {"kind": kinds, "position_in_map": arrays["position"]}


_RADAR = ("point", "distance", "azimuth", "elevation", "range_rate", "cross_section", "amplitude", "actor")
_SEEN = ("actor", "model", "heading", "velocity", "acceleration", "size")
_IN_SENSOR = ("heading_in_sensor", "position_in_sensor", "velocity_in_sensor")
_FIX = ("latitude", "longitude", "altitude", "speed", "course", "east", "north")
_FORMS: dict[int, _Form] = {
    1: _Form(
        CameraPicture,
        ("image",),
        lambda found: {
            "boxes": _boxes_of(found),
            **{name: found.get(name) for name in ("depth", "semantic", "instance")},
        },
    ),
    2: _Form(PointCloud, ("points",), lambda found: {"start": int(found["start_ns"]) / 1e9}),
    3: _Form(PlanarScan, ("distance", "intensity")),
    4: _Form(
        GpsFix,
        (),
        lambda found: {"valid": not found["denied"], **{name: float(found[name]) for name in _FIX}},
    ),
    5: _Form(ImuSample, ("orientation", "angular_velocity", "acceleration")),
    6: _Form(RadarDetections, _RADAR),
    7: _Form(UltrasonicEcho, (), lambda found: {"distance": float(found["distance"])}),
    8: _Form(SeenObjects, (*_SEEN, *_IN_SENSOR), _seen),
}
"""By number of the SensorType (sensor_enum.proto)."""


def reading_from_message(message: Any, arrays: Arrays) -> Any:
    """A reading of a Reading message (wire/grpc/proto/dorosim/sensing.proto) and its arrays.

    Raises:
        ClientError: it is of no kind that is known, or lacks an array.
    """
    form = _FORMS.get(message.kind)
    if form is None:
        raise ClientError(f"a sensor of kind {message.kind} is not known", "use a newer version of dorosim.client")
    try:
        return form.kind(
            sensor=str(message.sensor),
            time=message.time_ns / 1e9,
            stamp=message.stamp_ns,
            position=triple(message.position),
            rotation=triple(message.rotation),
            **{name: arrays[name] for name in form.names},
            **form.more(arrays),
        )
    except KeyError as error:
        raise ClientError(f"a reading lacks {error}", "do simulator and client have one version?") from None
