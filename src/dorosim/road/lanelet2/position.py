"""Where the nodes of a file are in map, and how the map lies on the Earth.

Autoware's maps give each node its place in map by the tags `local_x` and `local_y`, in metres within a square of the
Military Grid Reference System, that is in UTM less whole 100 km. Others have latitudes and longitudes only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dorosim.ground.error import InputError
from dorosim.road.adjacency import FlagArray, FloatArray
from dorosim.road.lanelet2.element import OsmFile, OsmNode
from dorosim.road.mgeo.record import GlobalInfo

if TYPE_CHECKING:
    from pyproj import Transformer

PROJECTION, ORIGIN, TRAFFIC = "dorosim_projection", "dorosim_origin", "dorosim_traffic"
"""Attributes of <MetaInfo> by which a file that dorosim has written keeps what the format has no word for."""

_SQUARE = 100_000.0
"""Side of a square of the grid [m]."""

_NEAR_SQUARE = 1.0
"""So near to a corner of the grid the origin is taken for it [m]."""

_ROUND = 1000.0
"""The origin of a map without places of its own is rounded to this [m]."""

_MAX_MISS, _MAX_MISS_SHARE = 0.02, 1e-5
"""Latitudes that are farther from the tags than this [m], and than this share of the map's extent, do not fit."""

_DEGREE = 111_200.0
"""Length of a degree of latitude, about [m]."""

_STEPS, _DECIMALS = 6, 12
_FEW = 0.01
_MAX_EXTENT, _MAX_HEIGHT = 200_000.0, 10_000.0
"""Nodes that lie farther from the middle of the map, or from the level of the sea, than this are mistakes [m]."""


def places_of(
    file: OsmFile, used: Sequence[OsmNode], notices: list[str]
) -> tuple[dict[int, int], FloatArray, GlobalInfo]:
    """Places of nodes.

    Args:
        file: that they are from.
        used: nodes.
        notices: takes a line where something is left out.

    Returns:
        The row of each node by its id, places `(N, 3)` in map [m], and the projection of the map.

    Raises:
        InputError: a node has no place, or nodes lie too far apart for a map.
    """
    rows = {node.id: row for row, node in enumerate(used)}
    table = np.round(np.array([node[2:7] for node in used], np.float64).reshape(-1, 5), _DECIMALS)
    info = GlobalInfo(lane_change_link_included=False)
    local: FlagArray = np.isfinite(table[:, 3] + table[:, 4])
    geographic: FlagArray = np.isfinite(table[:, 0] + table[:, 1])
    if local.all():
        points = np.column_stack((table[:, 3:], table[:, 2]))
        _check_places(file, used, points)
        _locate(file, table, geographic, info, notices)
        return rows, points, info
    if not geographic.all():
        missing = used[int(np.flatnonzero(~geographic)[0])]
        cure = "give all nodes lat and lon, or all of them tags local_x and local_y"
        raise file.refuse(missing, "", "has no place", cure)
    if local.any():
        notices.append(
            f"{file.source}: {int(local.sum())} nodes have local_x and local_y, others not; lat and lon count"
        )
    points = _projected(table, info)
    _check_places(file, used, points)
    return rows, points, info


def _projected(table: FloatArray, info: GlobalInfo) -> FloatArray:
    """Places by latitude and longitude, in the UTM zone of their middle, from an origin of whole kilometres."""
    latitude, longitude = (float(np.median(table[:, column])) for column in (0, 1))
    info.coordinate_system = utm_zone(latitude, longitude)
    projected = project(info.coordinate_system, table[:, 0], table[:, 1])
    # a node far away must not move the others
    low = np.quantile(projected, _FEW, axis=0, method="lower")
    east, north = (np.floor(low / _ROUND) * _ROUND).tolist()
    info.origin = (east, north, 0.0)
    return np.column_stack((projected - np.array([east, north]), table[:, 2]))


def _check_places(file: OsmFile, used: Sequence[OsmNode], points: FloatArray) -> None:
    """Refuse places that are on no map.

    Raises:
        InputError: there is one.
    """
    if not len(points):
        return
    far = ~(np.abs(points[:, :2] - np.median(points[:, :2], axis=0)) < _MAX_EXTENT).all(axis=1)
    for wrong, problem, cure in (
        (far, f"lies more than {_MAX_EXTENT / 1000:g} km from the middle", "correct its place"),
        (np.abs(points[:, 2]) > _MAX_HEIGHT, f"lies more than {_MAX_HEIGHT / 1000:g} km high or deep", "correct ele"),
    ):
        if wrong.any():
            raise file.refuse(used[int(np.flatnonzero(wrong)[0])], "", problem, cure)


def _locate(file: OsmFile, table: FloatArray, known: FlagArray, info: GlobalInfo, notices: list[str]) -> None:
    """Enter the projection in which latitudes and longitudes fit the tags, where there is one."""
    if PROJECTION in file.meta:
        info.coordinate_system, info.origin = file.meta[PROJECTION], _origin(file)
        return
    table = table[known]
    if not len(table) or not np.ptp(table[:, :2], axis=0).any():
        return
    zone = utm_zone(float(np.median(table[:, 0])), float(np.median(table[:, 1])))
    origin = _fitting_origin(zone, table)
    if origin is not None:
        corner = np.round(origin / _SQUARE) * _SQUARE
        east, north = (corner if (np.abs(origin - corner) < _NEAR_SQUARE).all() else origin).tolist()
        info.coordinate_system, info.origin = zone, (east, north, 0.0)
        return
    tangent = _tangent_plane(table)
    if _fitting_origin(tangent, table) is not None:
        info.coordinate_system = tangent
        return
    notices.append(f"{file.source}: lat and lon do not fit local_x and local_y in {zone}; the map has no projection")


def _fitting_origin(system: str, table: FloatArray) -> FloatArray | None:
    """East and north `(2,)` of the origin in a projection [m]; None where places do not fit it."""
    offset = project(system, table[:, 0], table[:, 1]) - table[:, 3:]
    if not np.isfinite(offset).all():
        return None
    origin: FloatArray = np.median(offset, axis=0)
    most = max(_MAX_MISS, _MAX_MISS_SHARE * float(np.ptp(table[:, 3:], axis=0).max()))
    return origin if bool((np.abs(offset - origin) < most).all()) else None


def _tangent_plane(table: FloatArray) -> str:
    """A projection without scale about the place that the tags count from, as local maps have it."""
    latitude, longitude = (float(np.median(table[:, column])) for column in (0, 1))
    x, y = np.median(table[:, 3:], axis=0).tolist()
    system = ""
    for _ in range(_STEPS):
        system = f"+proj=tmerc +lat_0={latitude:.12f} +lon_0={longitude:.12f} +k=1 +datum=WGS84 +units=m +no_defs"
        east, north = (np.median(project(system, table[:, 0], table[:, 1]), axis=0) - [x, y]).tolist()
        if not math.isfinite(east + north):
            break
        latitude = max(-89.0, min(89.0, latitude + north / _DEGREE))
        longitude += east / (_DEGREE * math.cos(math.radians(latitude)))
    return system


def _origin(file: OsmFile) -> tuple[float, float, float]:
    """The origin that a file of dorosim gives."""
    try:
        east, north, up = (float(part) for part in file.meta.get(ORIGIN, "0 0 0").split())
    except ValueError:
        east = north = up = math.nan
    if not math.isfinite(east + north + up):
        raise InputError(
            file.source, f"<MetaInfo>, attribute {ORIGIN!r}", "expected three finite numbers", "correct it"
        )
    return east, north, up


def utm_zone(latitude: float, longitude: float) -> str:
    """The UTM zone of a place [deg], such as "UTM52N"."""
    number = min(int((longitude + 180.0) // 6.0), 59) + 1
    return f"UTM{number}{'N' if latitude >= 0.0 else 'S'}"


def project(coordinate_system: str, latitude: FloatArray, longitude: FloatArray) -> FloatArray:
    """East and north `(N, 2)` of places [deg] in a projection [m]; infinite where it does not reach."""
    return np.column_stack(_transformer(coordinate_system).transform(longitude, latitude))


@lru_cache(8)
def _transformer(coordinate_system: str) -> Transformer:
    from pyproj import Transformer

    from dorosim.road.projection import proj_text

    return Transformer.from_crs("OGC:CRS84", proj_text(coordinate_system), always_xy=True)


def geographic(info: GlobalInfo, points: FloatArray) -> Mapping[str, FloatArray]:
    """Latitudes and longitudes "lat" and "lon" `(N,)` [deg] of points `(N, 3)` in map.

    A map that does not say where it is gets those of a place in the Atlantic.

    Raises:
        InputError: the projection is not known.
    """
    from dorosim.road.projection import MapProjection

    system, origin = (info.coordinate_system, info.origin) if info.coordinate_system.strip() else NOWHERE
    found = MapProjection(system, origin).geographic_from_map(points)
    return {"lat": np.degrees(found.latitude), "lon": np.degrees(found.longitude)}


NOWHERE = ("UTM27N", (500_000.0, 4_000_000.0, 0.0))
"""The projection and origin by which maps without any get latitudes: 36 degrees north and 21 west."""
