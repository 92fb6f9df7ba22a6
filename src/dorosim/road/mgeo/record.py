"""The records of an MGeo map, as version 2.9 names them (facts/ros-grpc-mgeo.md, section 3).

A record keeps what the file said, in the file's own units (speeds in km/h, headings in degrees), since a map that
is read and written again must be the same map. `dorosim.road.network` makes SI arrays of it.
All points are `(N, 3)` float64 in the map frame (ENU, metres).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.road.scenery.roadside_object import RoadsideObject

Points = NDArray[np.float64]

SET_FILES = {
    "nodes": "node_set.json",
    "links": "link_set.json",
    "lane_nodes": "lane_node_set.json",
    "lane_boundaries": "lane_boundary_set.json",
    "traffic_lights": "traffic_light_set.json",
    "traffic_signs": "traffic_sign_set.json",
    "synced_traffic_lights": "synced_traffic_light_set.json",
    "intersection_controllers": "intersection_controller_set.json",
    "intersection_programmes": "intersection_controller_data.json",
    "crosswalks": "crosswalk_set.json",
    "single_crosswalks": "singlecrosswalk_set.json",
    "surface_markings": "surface_marking_set.json",
    "parking_spaces": "parking_space_set.json",
    "road_polygons": "road_polygon_set.json",
}
"""The list of an `MGeoMap` to the file that it is written to."""


def is_finite(value: Any) -> bool:
    """Whether all numbers of a record's field are finite, those in arrays and nested lists included."""
    if isinstance(value, np.ndarray):
        return bool(np.isfinite(value).all())
    if isinstance(value, list | tuple):
        return all(is_finite(item) for item in value)
    return not isinstance(value, float) or math.isfinite(value)


@dataclass(slots=True, kw_only=True)
class GlobalInfo:
    """global_info.json: version, projection and origin of the map.

    Attributes:
        coordinate_system: a PROJ string or a UTM zone such as "UTM52N"; empty where the map says nothing.
        origin: east, north, up of the map's origin in that system [m].
        traffic_dir: "RHT" or "LHT" or empty.
    """

    major: int = 2
    minor: int = 9
    coordinate_system: str = ""
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    workspace_origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    lane_change_link_included: bool = True
    traffic_dir: str = "RHT"
    country: str = ""
    road_type: str = ""
    road_type_def: str = ""
    license: str = ""


@dataclass(slots=True, kw_only=True)
class NodeRecord:
    """An end of links (node_set.json) or of lane boundaries (lane_node_set.json)."""

    idx: str
    point: tuple[float, float, float]
    node_type: str | None = None
    junction: list[str] = field(default_factory=list)
    on_stop_line: bool = False


@dataclass(slots=True, kw_only=True)
class Link:
    """One lane between two nodes, in driving direction; or, with `lazy_init`, a change between lanes.

    Attributes:
        max_speed: km/h.
        lane_ch_link_path: of a lane-change link, the lanes that it crosses, first to last.
        related_signal: "straight", "left", "left_unprotected", ... for a link through a junction, else None.
        ego_lane: signed lane index within the road.
        lane_mark_left: ids of the lane boundaries to the left, in order along the link.
    """

    idx: str
    from_node_idx: str | None
    to_node_idx: str | None
    points: Points
    max_speed: float = 50.0
    min_speed: float = 0.0
    speed_unit: str = "km/h"
    lazy_init: bool = False
    can_move_left_lane: bool = False
    can_move_right_lane: bool = False
    left_lane_change_dst_link_idx: str | None = None
    right_lane_change_dst_link_idx: str | None = None
    lane_ch_link_path: list[str] = field(default_factory=list)
    link_type: str | None = None
    link_type_def: str = ""
    road_type: str | None = None
    road_id: str = ""
    ego_lane: int | None = None
    lane_change_dir: str | None = None
    hov: str | None = None
    related_signal: str | None = None
    its_link_id: str | None = None
    width_start: float = 3.5
    width_end: float = 3.5
    force_width_start: bool = False
    force_width_end: bool = False
    enable_side_border: bool = False
    lane_mark_left: list[str] = field(default_factory=list)
    lane_mark_right: list[str] = field(default_factory=list)
    opp_traffic: bool = False
    is_entrance: bool = False
    is_exit: bool = False
    recommended_speed: float | None = None


@dataclass(slots=True, kw_only=True)
class LaneBoundary:
    """A painted line or a kerb (lane_boundary_set.json, up to 2.8 lane_marking_set.json).

    Attributes:
        lane_type: NGII codes: 501 centre line, 503 lane line, 505 edge, 515 no stopping, 525 guide, 530 stop
            line, 535 bicycle; one for each stretch of `lane_type_offset`.
        lane_shape: "Solid", "Broken", "Solid Broken", ...
        lane_width: width of the painted line [m].
        dash_interval_L1: length of a dash [m]. dash_interval_L2: gap between dashes [m].
    """

    idx: str
    from_node_idx: str | None
    to_node_idx: str | None
    points: Points
    lane_type_def: str = ""
    lane_type: list[int] = field(default_factory=list)
    lane_sub_type: int = 0
    lane_color: list[str] = field(default_factory=list)
    lane_shape: list[str] = field(default_factory=list)
    lane_width: float = 0.15
    dash_interval_L1: float = 3.0  # noqa: N815 - the key of the file
    dash_interval_L2: float = 3.0  # noqa: N815 - the key of the file
    double_line_interval: float = 0.1
    pass_restr: str = ""
    lane_type_offset: list[float] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class TrafficLightRecord:
    """A signal head (traffic_light_set.json).

    Attributes:
        type: "car", "pedestrian" or "bus".
        sub_type: the lamps, e.g. ["red", "yellow", "left", "straight"].
        point: where the head hangs. heading: where it faces [deg]. height, width: size [m].
    """

    idx: str
    point: tuple[float, float, float]
    link_id_list: list[str] = field(default_factory=list)
    road_id: str = ""
    type: str = "car"
    sub_type: list[str] = field(default_factory=list)
    dynamic: bool = True
    orientation: str = "horizontal"
    value: str = ""
    country: str = ""
    z_offset: float = 0.0
    height: float = 0.0
    width: float = 0.0
    type_def: str = ""
    ref_crosswalk_id: str = ""
    heading: float = 0.0


@dataclass(slots=True, kw_only=True)
class TrafficSign(TrafficLightRecord):
    """A sign (traffic_sign_set.json): the same fields as a light; `sub_type` holds its code."""


@dataclass(slots=True, kw_only=True)
class SyncedTrafficLight:
    """Signal heads that always show the same (synced_traffic_light_set.json)."""

    idx: str
    link_id_list: list[str] = field(default_factory=list)
    point: Points = field(default_factory=lambda: np.zeros((0, 3)))
    intersection_controller_id: str = ""
    signal_id_list: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class IntersectionController:
    """A controller (intersection_controller_set.json): `TL` holds the signal ids of each group."""

    idx: str
    TL: list[list[str]] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class SignalStateRecord:
    """One state of a programme: how long it lasts [s] and the colour of each group ("R", "SG", ...)."""

    duration: float
    lightcolor: list[str]


@dataclass(slots=True, kw_only=True)
class IntersectionProgramme:
    """A controller's programme (intersection_controller_data.json).

    Attributes:
        TLState: the states in order.
        yelloduration: yellow after each state [s] (the product's own spelling).
        PSState: pedestrian rows (state index, synced light index, before [s], green [s], flicker [s]).
    """

    idx: str
    TLState: list[SignalStateRecord] = field(default_factory=list)
    yelloduration: list[float] = field(default_factory=list)
    PSState: list[list[float]] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class SingleCrosswalk:
    """One crosswalk area (singlecrosswalk_set.json)."""

    idx: str
    points: Points
    sign_type: str = "5"
    ref_crosswalk_id: str = ""
    link_id_list: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Crosswalk:
    """Crosswalk areas and the lights that belong to them (crosswalk_set.json)."""

    idx: str
    single_crosswalk_list: list[str] = field(default_factory=list)
    ref_traffic_light_list: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class SurfaceMarking:
    """An arrow or text on the road (surface_marking_set.json); `type` "5" is a crosswalk."""

    idx: str
    points: Points
    link_id_list: list[str] = field(default_factory=list)
    road_id: str = ""
    type: str = ""
    sub_type: str = ""


@dataclass(slots=True, kw_only=True)
class ParkingSpace:
    """A bay (parking_space_set.json)."""

    idx: str
    points: Points
    center_point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    parking_type: str = ""
    parking_target_type: str = ""
    parking_direction: str = ""
    distance: float = 0.0
    width: float = 0.0
    length: float = 0.0
    angle: float = 0.0
    linked_left_list_idx: list[str] = field(default_factory=list)
    linked_right_list_idx: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class RoadPolygon:
    """A piece of road mesh (road_polygon_set.json): triangles over points, with texture coordinates."""

    idx: str
    points: Points
    type: str = ""
    faces: list[list[int]] = field(default_factory=list)
    uv: list[list[float]] = field(default_factory=list)


@dataclass(slots=True)
class MGeoMap:
    """A whole map, one list a file.

    Attributes:
        name: the map's name (its folder).
        notices: what the reader had to leave out or guess, one line each.
        precedences: ids of links of which the first goes before the second where they meet; MGeo's files have none.
        roadside_objects: what the map itself puts beside its roads; MGeo's files have none.
        programme_files: file name to programmes, of all files that have some, the newest file name first; of these
            `intersection_programmes` are those that fit the controllers.
    """

    name: str
    info: GlobalInfo = field(default_factory=GlobalInfo)
    nodes: list[NodeRecord] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    lane_nodes: list[NodeRecord] = field(default_factory=list)
    lane_boundaries: list[LaneBoundary] = field(default_factory=list)
    traffic_lights: list[TrafficLightRecord] = field(default_factory=list)
    traffic_signs: list[TrafficSign] = field(default_factory=list)
    synced_traffic_lights: list[SyncedTrafficLight] = field(default_factory=list)
    intersection_controllers: list[IntersectionController] = field(default_factory=list)
    intersection_programmes: list[IntersectionProgramme] = field(default_factory=list)
    crosswalks: list[Crosswalk] = field(default_factory=list)
    single_crosswalks: list[SingleCrosswalk] = field(default_factory=list)
    surface_markings: list[SurfaceMarking] = field(default_factory=list)
    parking_spaces: list[ParkingSpace] = field(default_factory=list)
    road_polygons: list[RoadPolygon] = field(default_factory=list)
    precedences: list[tuple[str, str]] = field(default_factory=list)
    roadside_objects: list[RoadsideObject] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    programme_files: dict[str, list[IntersectionProgramme]] = field(default_factory=dict)
