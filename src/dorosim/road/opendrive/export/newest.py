"""A file of any version as one of OpenDRIVE 1.8: what that has other words for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dorosim.road.opendrive.curve import curve_of
from dorosim.road.opendrive.plan_record import ParamPoly3Shape, PlanGeometry, Poly3Shape
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap

_NEWEST, _WITH_CROSSFALL = 8, 5
"""Minor versions: the newest one, and the newest one that has `<crossfall>`."""


def newest_form(town: OpenDriveMap) -> OpenDriveMap:
    """A file with the words of 1.8, which its lines and lanes are the same in.

    A cubic in u (poly3), which 1.8 does not have, becomes one in a parameter. A file with crossfall, for which there is
    no other word, becomes one of 1.5.
    """
    minor = _WITH_CROSSFALL if any(road.crossfalls for road in town.roads) else _NEWEST
    header = replace(town.header, rev_major=1, rev_minor=minor)
    return replace(town, header=header, roads=tuple(map(_newest_road, town.roads)))


def _newest_road(road: OdrRoad) -> OdrRoad:
    """A road without a poly3."""
    if not any(isinstance(one.shape, Poly3Shape) for one in road.geometries):
        return road
    return replace(road, geometries=tuple(map(_newest_geometry, road.geometries)))


def _newest_geometry(geometry: PlanGeometry) -> PlanGeometry:
    """A poly3 as a paramPoly3 whose parameter runs from 0 to 1; any other geometry as it is."""
    shape = geometry.shape
    if not isinstance(shape, Poly3Shape):
        return geometry
    end = float(curve_of(geometry).at(np.array([geometry.length])).x[0])
    return replace(
        geometry,
        shape=ParamPoly3Shape(
            a_u=0.0,
            b_u=end,
            c_u=0.0,
            d_u=0.0,
            a_v=shape.a,
            b_v=shape.b * end,
            c_v=shape.c * end**2,
            d_v=shape.d * end**3,
        ),
    )
