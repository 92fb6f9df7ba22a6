"""Nodes, links and lane boundaries from the records of their files (facts/ros-grpc-mgeo.md, section 3.2)."""

from __future__ import annotations

from dorosim.road.mgeo.field import MgeoEntry
from dorosim.road.mgeo.record import LaneBoundary, Link, NodeRecord

_FIT = ("geometry", "line_coeff", "link_length")
"""How the product fits a curve to the points, and what follows from them."""


def node_from_entry(entry: MgeoEntry) -> NodeRecord:
    """A node. `junction` is a list since 2.5 and a single value before."""
    return NodeRecord(
        idx=entry.idx(),
        point=entry.point("point"),
        node_type=entry.optional_text("node_type"),
        junction=entry.texts("junction"),
        on_stop_line=entry.flag("on_stop_line"),
    )


def link_from_entry(entry: MgeoEntry) -> Link:
    """A lane or, with `lazy_init`, a change between lanes.

    Files of 2.5 lack the permissions to change lanes: there, a neighbour that is named may be changed into.

    Raises:
        InputError: if a lane has fewer than two points, or a value cannot be read.
    """
    link = Link(
        idx=entry.idx(),
        from_node_idx=entry.optional_text("from_node_idx"),
        to_node_idx=entry.optional_text("to_node_idx"),
        points=entry.points("points"),
        lazy_init=entry.flag("lazy_init"),
        left_lane_change_dst_link_idx=entry.optional_text("left_lane_change_dst_link_idx"),
        right_lane_change_dst_link_idx=entry.optional_text("right_lane_change_dst_link_idx"),
        lane_ch_link_path=entry.texts("lane_ch_link_path"),
        link_type=entry.optional_text("link_type"),
        link_type_def=entry.text("link_type_def"),
        related_signal=entry.optional_text("related_signal"),
        its_link_id=entry.optional_text("its_link_id"),
        lane_mark_left=entry.texts("lane_mark_left"),
        lane_mark_right=entry.texts("lane_mark_right"),
        opp_traffic=entry.flag("opp_traffic", "oppTraffic"),
        is_entrance=entry.flag("is_entrance"),
        is_exit=entry.flag("is_exit"),
    )
    if len(link.points) < 2 and not link.lazy_init:
        raise entry.refuse("points", f"a lane needs two points or more, this has {len(link.points)}", "remove the link")
    link.can_move_left_lane = entry.flag("can_move_left_lane", default=link.left_lane_change_dst_link_idx is not None)
    link.can_move_right_lane = entry.flag(
        "can_move_right_lane", default=link.right_lane_change_dst_link_idx is not None
    )
    _read_speed(link, entry)
    _read_road(link, entry)
    _read_width(link, entry)
    entry.skip(*_FIT)
    return link


def _read_speed(link: Link, entry: MgeoEntry) -> None:
    """Speeds, as the file gives them."""
    link.max_speed = entry.number("max_speed", default=link.max_speed)
    link.min_speed = entry.number("min_speed", default=link.min_speed)
    link.speed_unit = entry.text("speed_unit", default=link.speed_unit)
    link.recommended_speed = entry.optional_number("recommended_speed")


def _read_road(link: Link, entry: MgeoEntry) -> None:
    """Where the lane lies within its road (since 2.4)."""
    link.road_type = entry.optional_text("road_type")
    link.road_id = entry.text("road_id")
    link.ego_lane = entry.optional_int("ego_lane")
    link.lane_change_dir = entry.optional_text("lane_change_dir")
    link.hov = entry.optional_text("hov")


def _read_width(link: Link, entry: MgeoEntry) -> None:
    """Widths of the lane [m]."""
    link.width_start = entry.number("width_start", default=link.width_start)
    link.width_end = entry.number("width_end", default=link.width_end)
    link.force_width_start = entry.flag("force_width_start")
    link.force_width_end = entry.flag("force_width_end")
    link.enable_side_border = entry.flag("enable_side_border")


def boundary_from_entry(entry: MgeoEntry) -> LaneBoundary:
    """A painted line or kerb.

    Type, colour and shape are single values or lists, and files before 2.9 keep the lists of a line that changes
    along its way in keys of their own (`lane_type_list`, ...). Where the line does not change, the older files list
    the strokes of a double line one by one (["Solid", "Broken"]): they are one shape, "Solid Broken".
    """
    boundary = LaneBoundary(
        idx=entry.idx(),
        from_node_idx=entry.optional_text("from_node_idx"),
        to_node_idx=entry.optional_text("to_node_idx"),
        points=entry.points("points"),
        lane_type_def=entry.text("lane_type_def", "lane_code_def"),
        lane_sub_type=entry.optional_int("lane_sub_type") or 0,
        lane_color=entry.texts("lane_color_list") or entry.texts("lane_color"),
        pass_restr=entry.text("pass_restr", "passRestr"),
        lane_type_offset=entry.numbers("lane_type_offset", "lane_type_start"),
    )
    codes = entry.numbers("lane_type_list") or entry.numbers("lane_type", "lane_code")
    boundary.lane_type = [int(code) for code in codes]
    shapes = entry.texts("lane_shape_list") or entry.texts("lane_shape")
    if len(shapes) > 1 and len(boundary.lane_type_offset) <= 1:
        shapes = [" ".join(shapes)]
    boundary.lane_shape = shapes
    boundary.lane_width = entry.number("lane_width", default=boundary.lane_width)
    boundary.dash_interval_L1 = entry.number("dash_interval_L1", default=boundary.dash_interval_L1)
    boundary.dash_interval_L2 = entry.number("dash_interval_L2", default=boundary.dash_interval_L2)
    boundary.double_line_interval = entry.number("double_line_interval", default=boundary.double_line_interval)
    entry.skip(*_FIT, "lane_type_end")
    return boundary
