"""The records of signals and their controllers (ASAM OpenDRIVE 1.8, 14); lengths in m, angles in rad."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dorosim.road.opendrive.object_record import LaneValidity


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalDependency:
    """`<dependency>`: the signal of `id` is switched by this one."""

    id: str
    type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalElementReference:
    """`<reference>` of a signal: a signal or object that it belongs to, such as a pole or a stop line."""

    element_id: str
    element_type: str = ""
    type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalRoadPosition:
    """`<positionRoad>`: where the signal stands, on another road than the one it counts for."""

    road_id: str
    s: float
    t: float
    z_offset: float = 0.0
    h_offset: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalMapPosition:
    """`<positionInertial>`: where the signal stands, in map."""

    x: float
    y: float
    z: float = 0.0
    hdg: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrSignal:
    """`<signal>`: a sign, light or stop line.

    Attributes:
        s, t, z_offset: where it counts, along the road. h_offset, pitch, roll: its direction to that of the road.
        orientation: "+", "-" or "none": for which direction of driving it counts.
        type, subtype: by the catalogue of `country`. value: in `unit`, such as a speed.
        user_data: dorosim's own, see `own_data`.
    """

    id: str
    name: str = ""
    s: float
    t: float
    z_offset: float = 0.0
    h_offset: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0
    dynamic: bool = False
    orientation: str = "none"
    country: str = ""
    country_revision: str = ""
    type: str = ""
    subtype: str = ""
    value: float | None = None
    unit: str = ""
    text: str = ""
    height: float | None = None
    width: float | None = None
    length: float | None = None
    validities: tuple[LaneValidity, ...] = ()
    dependencies: tuple[SignalDependency, ...] = ()
    references: tuple[SignalElementReference, ...] = ()
    road_position: SignalRoadPosition | None = None
    map_position: SignalMapPosition | None = None
    user_data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrSignalReference:
    """`<signalReference>`: a signal of another road, or place, that counts here too."""

    id: str
    s: float
    t: float
    orientation: str = "none"
    validities: tuple[LaneValidity, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlledSignal:
    """`<control>`: a signal that a controller switches."""

    signal_id: str
    type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrController:
    """`<controller>`: signals that switch together; `user_data` is dorosim's own, see `own_data`."""

    id: str
    name: str = ""
    sequence: int | None = None
    signals: tuple[ControlledSignal, ...] = ()
    user_data: Mapping[str, str] = field(default_factory=dict)
