"""Crosswalks, surface markings, parking bays and road mesh from their records (facts/ros-grpc-mgeo.md, 3.2)."""

from __future__ import annotations

from typing import Any

from dorosim.road.mgeo.field import MgeoEntry
from dorosim.road.mgeo.record import Crosswalk, ParkingSpace, RoadPolygon, SingleCrosswalk, SurfaceMarking


def single_crosswalk_from_entry(entry: MgeoEntry) -> SingleCrosswalk:
    """One crosswalk area."""
    return SingleCrosswalk(
        idx=entry.idx(),
        points=entry.points("points"),
        sign_type=entry.text("sign_type", default="5"),
        ref_crosswalk_id=entry.text("ref_crosswalk_id"),
        link_id_list=entry.texts("link_id_list"),
    )


def crosswalk_from_entry(entry: MgeoEntry) -> Crosswalk:
    """A crosswalk of several areas, with its lights."""
    return Crosswalk(
        idx=entry.idx(),
        single_crosswalk_list=entry.texts("single_crosswalk_list"),
        ref_traffic_light_list=entry.texts("ref_traffic_light_list"),
    )


def surface_marking_from_entry(entry: MgeoEntry) -> SurfaceMarking:
    """An arrow or a text on the road."""
    return SurfaceMarking(
        idx=entry.idx(),
        points=entry.points("points"),
        link_id_list=entry.texts("link_id_list"),
        road_id=entry.text("road_id"),
        type=entry.text("type"),
        sub_type=entry.text("sub_type"),
    )


def parking_space_from_entry(entry: MgeoEntry) -> ParkingSpace:
    """A parking bay."""
    return ParkingSpace(
        idx=entry.idx(),
        points=entry.points("points"),
        center_point=entry.point("center_point") if entry.has("center_point") else (0.0, 0.0, 0.0),
        parking_type=entry.text("parking_type"),
        parking_target_type=entry.text("parking_target_type"),
        parking_direction=entry.text("parking_direction"),
        distance=entry.number("distance", default=0.0),
        width=entry.number("width", default=0.0),
        length=entry.number("length", default=0.0),
        angle=entry.number("angle", default=0.0),
        linked_left_list_idx=entry.texts("linked_left_list_idx"),
        linked_right_list_idx=entry.texts("linked_right_list_idx"),
    )


def road_polygon_from_entry(entry: MgeoEntry) -> RoadPolygon:
    """A piece of road mesh.

    Raises:
        InputError: if a face names a point that the polygon has not, or `uv` does not hold numbers.
    """
    points = entry.points("points")
    faces: list[list[int]] = []
    for face in entry.items("faces"):
        corners = face if isinstance(face, list) else [face]
        if not all(_is_index(corner, len(points)) for corner in corners):
            raise entry.refuse("faces", f"face {len(faces)} names a point that is not there", "remove the face")
        faces.append(list(corners))
    uv: list[list[float]] = []
    for pair in entry.items("uv"):
        if not isinstance(pair, list) or not all(isinstance(item, int | float) for item in pair):
            raise entry.refuse("uv", f"coordinate {len(uv)} is not a list of numbers", "give pairs of numbers")
        uv.append([float(item) for item in pair])
    return RoadPolygon(idx=entry.idx(), points=points, type=entry.text("type"), faces=faces, uv=uv)


def _is_index(corner: Any, count: int) -> bool:
    """Whether `corner` is the index of one of `count` points."""
    return isinstance(corner, int) and not isinstance(corner, bool) and 0 <= corner < count
