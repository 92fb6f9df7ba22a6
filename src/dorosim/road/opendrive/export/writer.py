"""An OpenDRIVE file from its records: the inverse of the reader (ASAM OpenDRIVE 1.8).

The same records give the same bytes. Elements stand in the order of the standard's schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lxml import etree

from dorosim.road.opendrive.export.element_writer import add, add_cubic, add_user_data
from dorosim.road.opendrive.export.furniture_writer import add_objects, add_signals
from dorosim.road.opendrive.export.lane_writer import add_lanes
from dorosim.road.opendrive.junction_record import OdrJunction
from dorosim.road.opendrive.lane_record import Cubic
from dorosim.road.opendrive.plan_record import (
    ArcShape,
    ParamPoly3Shape,
    PlanGeometry,
    PlanShape,
    Poly3Shape,
    SpiralShape,
    StraightShape,
)
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap
from dorosim.road.opendrive.road_reader import POWERS

_SHAPES: dict[type[PlanShape], str] = {
    StraightShape: "line",
    ArcShape: "arc",
    SpiralShape: "spiral",
    Poly3Shape: "poly3",
    ParamPoly3Shape: "paramPoly3",
}


def write_opendrive(town: OpenDriveMap) -> bytes:
    """The bytes of an OpenDRIVE file.

    Args:
        town: the map; what `unsupported` and `notices` say is not written.

    Raises:
        InputError: a number is not finite.
    """
    root = etree.Element("OpenDRIVE")
    header = add(root, "header", town.header, "rev_major rev_minor north south east west", geoReference=None)
    if town.header.geo_reference:
        etree.SubElement(header, "geoReference").text = etree.CDATA(town.header.geo_reference.replace("]]>", ""))
    if town.header.offset is not None:
        add(header, "offset", town.header.offset, "x y z hdg")
    add_user_data(header, town.header.user_data)
    for road in town.roads:
        _add_road(root, road)
    for controller in town.controllers:
        node = add(root, "controller", controller)
        for one in controller.signals:
            add(node, "control", one)
        add_user_data(node, controller.user_data)
    for junction in town.junctions:
        _add_junction(root, junction)
    content: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True, pretty_print=True)
    return content


def _add_road(root: Any, road: OdrRoad) -> None:
    """A road."""
    node = add(root, "road", road, "junction rule")
    if road.predecessor or road.successor:
        link = add(node, "link")
        for tag, end in (("predecessor", road.predecessor), ("successor", road.successor)):
            if end is not None:
                add(link, tag, end, "element_type")
    for kind in road.types:
        one = add(node, "type", kind, maxSpeed=None)
        if kind.max_speed is not None:
            add(one, "speed", max=kind.max_speed, unit="m/s")
    _add_plan(node, road.geometries)
    if road.elevations:
        profile = add(node, "elevationProfile")
        for cubic in road.elevations:
            add_cubic(profile, "elevation", "s", cubic)
    _add_cross_section(node, road)
    add_lanes(node, road)
    add_objects(node, road)
    add_signals(node, road)


def _add_cross_section(node: Any, road: OdrRoad) -> None:
    """How a road lies across its reference line."""
    surface = road.cross_section_surface
    if not (road.superelevations or road.crossfalls or road.shapes or surface):
        return
    profile = add(node, "lateralProfile")
    for cubic in road.superelevations:
        add_cubic(profile, "superelevation", "s", cubic)
    for crossfall in road.crossfalls:
        add(profile, "crossfall", crossfall, "side")
    for shape in road.shapes:
        add(profile, "shape", shape)
    if surface is not None:
        node = add(profile, "crossSectionSurface")
        _add_coefficients(node, "tOffset", surface.t_offsets)
        strips = add(node, "surfaceStrips")
        for strip in surface.strips:
            one = add(strips, "strip", strip, "mode")
            for tag, cubics in (
                ("width", strip.widths),
                *((tag, getattr(strip, name)) for name, tag in POWERS.items()),
            ):
                _add_coefficients(one, tag, cubics)


def _add_coefficients(parent: Any, tag: str, cubics: Sequence[Cubic]) -> None:
    """A part of a surface, where it has cubics."""
    node = add(parent, tag) if cubics else None
    for cubic in cubics:
        add_cubic(node, "coefficients", "s", cubic)


def _add_junction(root: Any, junction: OdrJunction) -> None:
    """A junction."""
    node = add(root, "junction", junction, "type" if junction.type != "default" else "")
    for connection in junction.connections:
        one = add(node, "connection", connection)
        for link in connection.lane_links:
            add(one, "laneLink", link)
    for path in junction.cross_paths:
        one = add(node, "crossPath", path)
        for tag, end in (("startLaneLink", path.start), ("endLaneLink", path.end)):
            if end is not None:
                add(one, tag, end)
    for priority in junction.priorities:
        add(node, "priority", priority)
    for controller in junction.controllers:
        add(node, "controller", controller)
    _add_plan(node, junction.geometries)
    boundary = add(node, "boundary") if junction.boundary else None
    for segment in junction.boundary:
        add(boundary, "segment", segment)
    grid = junction.elevation_grid
    if grid is not None:
        one = add(node, "elevationGrid", grid, "s_start")
        for row in grid.elevations:
            left, right = (" ".join(map(repr, heights)) or None for heights in (row.left, row.right))
            add(one, "elevation", row, left=left, right=right)


def _add_plan(parent: Any, geometries: Sequence[PlanGeometry]) -> None:
    """A plan view, where there is one."""
    plan = add(parent, "planView") if geometries else None
    for geometry in geometries:
        add(add(plan, "geometry", geometry), _SHAPES[type(geometry.shape)], geometry.shape, "p_range")
