"""Junctions of an OpenDRIVE file (ASAM OpenDRIVE 1.8, 12)."""

from __future__ import annotations

from dorosim.road.opendrive.element import OdrElement
from dorosim.road.opendrive.junction_record import (
    BoundarySegment,
    CrossPath,
    CrossPathLink,
    ElevationGrid,
    GridElevation,
    JunctionController,
    JunctionLaneLink,
    JunctionPriority,
    OdrConnection,
    OdrJunction,
)
from dorosim.road.opendrive.plan_reader import plan_view

_MIN_SPACING = 0.01
"""Points of a grid are at least so far apart [m]."""

_MAX_GRID = 250_000
"""A grid with more places is a mistake."""


def junction_from_element(element: OdrElement, notices: list[str]) -> OdrJunction:
    """A junction.

    Args:
        element: `<junction>`.
        notices: takes a line for what is left out or mended.

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
        geometries=() if element.child("planView") is None else plan_view(element, notices),
        boundary=tuple(one.record(BoundarySegment) for one in element.inside("boundary", "segment")),
        elevation_grid=_grid(element.child("elevationGrid")),
    )


def _grid(element: OdrElement | None) -> ElevationGrid | None:
    """The elevation grid of a junction; None where it has none."""
    if element is None:
        return None
    rows = tuple(
        one.record(GridElevation, left=one.numbers("left"), right=one.numbers("right"))
        for one in element.children("elevation")
    )
    grid = element.record(ElevationGrid, elevations=rows)
    if grid.grid_spacing < _MIN_SPACING:
        raise element.refuse("gridSpacing", f"{grid.grid_spacing:g} is no spacing", f"give {_MIN_SPACING} m or more")
    width = 1 + sum(max((len(side) for side in sides), default=0) for sides in _sides(grid))
    if width * len(rows) > _MAX_GRID:
        raise element.refuse("", f"the grid has {width * len(rows)} places", f"give {_MAX_GRID} at most")
    return grid


def _sides(grid: ElevationGrid) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    """The heights on the left and on the right of a grid, by row."""
    return [one.left for one in grid.elevations], [one.right for one in grid.elevations]


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
