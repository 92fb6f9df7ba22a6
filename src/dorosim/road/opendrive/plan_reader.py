"""Plan views of an OpenDRIVE file: reference lines of roads and junctions (ASAM OpenDRIVE 1.8, 9 and 12.9)."""

from __future__ import annotations

from dorosim.road.opendrive.element import OdrElement
from dorosim.road.opendrive.plan_record import (
    ArcShape,
    ParamPoly3Shape,
    PlanGeometry,
    PlanShape,
    Poly3Shape,
    SpiralShape,
    StraightShape,
)

_SHAPES: dict[str, type[PlanShape]] = {
    "line": StraightShape,
    "arc": ArcShape,
    "spiral": SpiralShape,
    "poly3": Poly3Shape,
    "paramPoly3": ParamPoly3Shape,
}

MAX_ROAD_LENGTH = 1e6
"""A road longer than this [m] is a mistake."""

_MAX_TURN = 1e4
"""A road that turns by more than this [rad], 1600 full circles, is a mistake."""

_MIN_LENGTH = 1e-9
"""A geometry shorter than this [m] is left out: exporters write them where two curves meet."""


def plan_view(element: OdrElement, notices: list[str]) -> tuple[PlanGeometry, ...]:
    """The plan view of a road or junction, ordered by s, without pieces of no length.

    Args:
        element: that has `<planView>`.
        notices: takes a line for what is left out.

    Raises:
        InputError: there is no geometry with a length, or a value cannot be used.
    """
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
            raise shape.refuse("", f"the line turns by {turn:g} rad", "give curvature in 1/m")
        found.append(piece)
    if left_out:
        notices.append(f"{element.place}: {left_out} geometries without length are left out")
    if not found:
        raise element.refuse("", "has no geometry with a length", "add a <planView>")
    return tuple(sorted(found, key=lambda one: one.s))


def _turn_of(element: OdrElement, shape: OdrElement, piece: PlanGeometry) -> float:
    """How far a geometry turns at most [rad]; a polynomial turns by little, whatever its coefficients.

    Raises:
        InputError: the geometry is longer than any road, or is a point.
    """
    if piece.length > MAX_ROAD_LENGTH:
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
