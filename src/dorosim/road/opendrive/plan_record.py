"""The records of plan views: reference lines in pieces (ASAM OpenDRIVE 1.8, 9).

Lengths are in m, angles in rad, headings counter-clockwise from the x axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from dorosim.road.opendrive.value import Distance, OneOf


@dataclass(frozen=True, slots=True, kw_only=True)
class StraightShape:
    """`<line>`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcShape:
    """`<arc>`: of constant curvature, left positive [1/m]."""

    curvature: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpiralShape:
    """`<spiral>`: an Euler spiral, whose curvature [1/m] changes linearly along it."""

    curv_start: float
    curv_end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Poly3Shape:
    """`<poly3>` (deprecated from 1.6 on): v = a + b u + c u² + d u³ in the frame (u, v) of its start [m]."""

    a: float
    b: float
    c: float
    d: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ParamPoly3Shape:
    """`<paramPoly3>`: u and v [m] of its start's frame as cubics in p.

    Attributes:
        p_range: p runs to the length of the geometry ("arcLength"), or to 1 ("normalized").
    """

    a_u: float
    b_u: float
    c_u: float
    d_u: float
    a_v: float
    b_v: float
    c_v: float
    d_v: float
    p_range: Annotated[str, OneOf(("arcLength", "normalized"))] = "normalized"


PlanShape = StraightShape | ArcShape | SpiralShape | Poly3Shape | ParamPoly3Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanGeometry:
    """`<geometry>` of the plan view.

    Attributes:
        s: where it starts along the road. x, y, hdg: of its start in map. length: along the curve, more than 0.
    """

    s: Distance
    x: float
    y: float
    hdg: float
    length: Distance
    shape: PlanShape
