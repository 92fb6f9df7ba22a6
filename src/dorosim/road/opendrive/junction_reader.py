"""Junctions of an OpenDRIVE file (ASAM OpenDRIVE 1.8, 12)."""

from __future__ import annotations

from dorosim.road.opendrive.element import OdrElement
from dorosim.road.opendrive.junction_record import (
    CrossPath,
    CrossPathLink,
    JunctionController,
    JunctionLaneLink,
    JunctionPriority,
    OdrConnection,
    OdrJunction,
)


def junction_from_element(element: OdrElement) -> OdrJunction:
    """A junction.

    Raises:
        InputError: an id is missing, or a value cannot be used.
    """
    element.enter("junction")
    return element.record(
        OdrJunction,
        connections=tuple(_connection(one) for one in element.children("connection")),
        priorities=tuple(one.record(JunctionPriority) for one in element.children("priority")),
        controllers=tuple(one.record(JunctionController) for one in element.children("controller")),
        cross_paths=tuple(_cross_path(one) for one in element.children("crossPath")),
    )


def _cross_path(element: OdrElement) -> CrossPath:
    """A cross path, with its ends."""
    start, end = element.child("startLaneLink"), element.child("endLaneLink")
    return element.record(
        CrossPath,
        start=None if start is None else start.record(CrossPathLink),
        end=None if end is None else end.record(CrossPathLink),
    )


def _connection(element: OdrElement) -> OdrConnection:
    """A connection, with its links from lane to lane."""
    links = tuple(one.record(JunctionLaneLink) for one in element.children("laneLink"))
    return element.record(OdrConnection, lane_links=links)
