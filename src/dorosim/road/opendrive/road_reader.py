"""Roads of an OpenDRIVE file, with their reference lines and profiles (ASAM OpenDRIVE 1.8, 9 and 10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dorosim.road.opendrive.element import OdrElement
from dorosim.road.opendrive.lane_reader import lane_section_from_element
from dorosim.road.opendrive.lane_record import Cubic, OdrLaneSection
from dorosim.road.opendrive.object_reader import object_from_element, object_reference_from_element
from dorosim.road.opendrive.object_record import OdrBridge, OdrTunnel
from dorosim.road.opendrive.record import (
    ArcShape,
    LateralShape,
    OdrCrossfall,
    OdrCrossSectionSurface,
    OdrRoad,
    OdrRoadLink,
    OdrSurfaceStrip,
    ParamPoly3Shape,
    PlanGeometry,
    PlanShape,
    Poly3Shape,
    RoadTypeRange,
    SpiralShape,
    StraightShape,
)
from dorosim.road.opendrive.signal_reader import signal_from_element, signal_reference_from_element
from dorosim.road.opendrive.speed import max_speed_of

_SHAPES: dict[str, type[PlanShape]] = {
    "line": StraightShape,
    "arc": ArcShape,
    "spiral": SpiralShape,
    "poly3": Poly3Shape,
    "paramPoly3": ParamPoly3Shape,
}

_ENDS = ("predecessor", "successor")

_MAX_LENGTH = 1e6
"""A road longer than this [m] is a mistake."""

_MAX_TURN = 1e4
"""A road that turns by more than this [rad], 1600 full circles, is a mistake."""

_MAX_LENGTH_RATIO = 1.1
_MAX_LENGTH_EXCESS = 10.0
"""A road may be longer than its geometries by that factor and so many metres; beyond, its length is a mistake."""

_MIN_LENGTH = 1e-9
"""A geometry shorter than this [m] is left out: exporters write them where two curves meet."""


def road_from_element(element: OdrElement, notices: list[str]) -> OdrRoad:
    """A road.

    Args:
        element: `<road>`.
        notices: takes a line for what is left out or mended.

    Raises:
        InputError: the road has no length or no geometry, or a value cannot be used.
    """
    element.enter("road")
    links = {tag: one.record(OdrRoadLink) for tag in _ENDS for one in element.inside("link", tag)}
    road = element.record(
        OdrRoad,
        predecessor=links.get("predecessor"),
        successor=links.get("successor"),
        types=_ordered(_road_type(one) for one in element.children("type")),
        geometries=_geometries(element, notices),
        elevations=cubics_of(element, "elevationProfile", "elevation"),
        superelevations=cubics_of(element, "lateralProfile", "superelevation"),
        crossfalls=_ordered(one.record(OdrCrossfall) for one in element.inside("lateralProfile", "crossfall")),
        shapes=tuple(
            sorted(
                (one.record(LateralShape) for one in element.inside("lateralProfile", "shape")),
                key=lambda one: (one.s, one.t),
            )
        ),
        cross_section_surface=_surface(element),
        lane_offsets=cubics_of(element, "lanes", "laneOffset"),
        lane_sections=_lane_sections(element),
        **_furniture(element),
    )
    if not 0.0 < road.length <= _MAX_LENGTH:
        raise element.refuse("length", f"{road.length:g} is not a length of a road", "give metres, more than 0")
    end = max(one.s + one.length for one in road.geometries)
    if road.length > end * _MAX_LENGTH_RATIO + _MAX_LENGTH_EXCESS:
        problem = f"the road is {road.length:g} m long, and its geometries end at {end:g} m"
        raise element.refuse("length", problem, "correct the length, or add what is missing")
    return road


def _ordered(records: Any) -> tuple[Any, ...]:
    """Records by their `s`, those at one place in the order of the file."""
    return tuple(sorted(records, key=lambda one: one.s))


def cubics_of(element: OdrElement, *path: str) -> tuple[Cubic, ...]:
    """The cubics along a path of names, ordered by s.

    Raises:
        InputError: a coefficient is missing or not a finite number.
    """
    return _ordered(one.record(Cubic) for one in element.inside(*path))


_POWERS = {"constants": "constant", "linears": "linear", "quadratics": "quadratic", "cubics": "cubic"}


def _surface(element: OdrElement) -> OdrCrossSectionSurface | None:
    """The cross section surface of a road; None where it has none."""
    one = next(element.inside("lateralProfile", "crossSectionSurface"), None)
    if one is None:
        return None
    strips = tuple(
        strip.record(
            OdrSurfaceStrip,
            widths=_coefficients(strip, "width"),
            **{name: _coefficients(strip, tag) for name, tag in _POWERS.items()},
        )
        for strip in one.inside("surfaceStrips", "strip")
    )
    return OdrCrossSectionSurface(t_offsets=_coefficients(one, "tOffset"), strips=strips)


def _coefficients(element: OdrElement, tag: str) -> tuple[Cubic, ...]:
    """The cubics of a part of a surface; a coefficient that is not there is 0."""
    return _ordered(
        one.record(Cubic, **{name: one.number(name, 0.0) for name in "abcd"})
        for one in element.inside(tag, "coefficients")
    )


def _road_type(element: OdrElement) -> RoadTypeRange:
    """A type, with its speed."""
    speed = element.child("speed")
    return element.record(RoadTypeRange, max_speed=None if speed is None else max_speed_of(speed))


def _geometries(element: OdrElement, notices: list[str]) -> tuple[PlanGeometry, ...]:
    """The plan view, ordered, without pieces of no length."""
    found: list[PlanGeometry] = []
    left_out, turn = 0, 0.0
    for one in element.inside("planView", "geometry"):
        shape = one.child(*_SHAPES)
        if shape is None:
            raise one.refuse("", "has no shape", f"add one of {', '.join(_SHAPES)}")
        piece = one.record(PlanGeometry, shape=shape.record(_SHAPES[shape.tag]))
        if piece.length < _MIN_LENGTH:
            left_out += 1
            continue
        turn += _turn_of(one, shape, piece)
        if turn > _MAX_TURN:
            raise shape.refuse("", f"the road turns by {turn:g} rad", "give curvature in 1/m")
        found.append(piece)
    if left_out:
        notices.append(f"{element.place}: {left_out} geometries without length are left out")
    if not found:
        raise element.refuse("", "has no geometry with a length", "add a <planView>")
    return _ordered(found)


def _turn_of(element: OdrElement, shape: OdrElement, piece: PlanGeometry) -> float:
    """How far a geometry turns at most [rad]; a polynomial turns by little, whatever its coefficients.

    Raises:
        InputError: the geometry is longer than any road, or is a point.
    """
    if piece.length > _MAX_LENGTH:
        raise element.refuse("length", f"{piece.length:g} m is longer than any road", "give metres")
    match piece.shape:
        case ArcShape(curvature=curvature):
            return abs(curvature) * piece.length
        case SpiralShape(curv_start=start, curv_end=end):
            return max(abs(start), abs(end)) * piece.length
        case ParamPoly3Shape() as poly if not any((poly.b_u, poly.c_u, poly.d_u, poly.b_v, poly.c_v, poly.d_v)):
            raise shape.refuse("", "the curve is a point", "give its coefficients")
        case _:
            return 0.0


def _lane_sections(element: OdrElement) -> tuple[OdrLaneSection, ...]:
    """The lane sections, ordered."""
    return _ordered(lane_section_from_element(one) for one in element.inside("lanes", "laneSection"))


_FURNITURE: dict[str, tuple[str, str, Callable[[OdrElement], Any]]] = {
    "objects": ("objects", "object", object_from_element),
    "object_references": ("objects", "objectReference", object_reference_from_element),
    "tunnels": ("objects", "tunnel", lambda one: one.record(OdrTunnel)),
    "bridges": ("objects", "bridge", lambda one: one.record(OdrBridge)),
    "signals": ("signals", "signal", signal_from_element),
    "signal_references": ("signals", "signalReference", signal_reference_from_element),
}
"""Field of a road to the path of its elements, and what reads one."""


def _furniture(element: OdrElement) -> dict[str, Any]:
    """What stands beside and on the road."""
    return {
        name: tuple(read(one) for one in element.inside(group, tag)) for name, (group, tag, read) in _FURNITURE.items()
    }
