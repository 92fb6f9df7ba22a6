"""Latitude, longitude and altitude from points of the map, and back.

A map lies in a projected coordinate system: a point of the map plus the map's origin is a point there
(facts/ros-grpc-mgeo.md, section 3.3).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dorosim.ground.error import InputError
from dorosim.ground.unit import DEGREE
from dorosim.road.adjacency import FloatArray

if TYPE_CHECKING:
    from pyproj import CRS, Transformer

_ZONE = re.compile(r"^(?:UTM|UTM ZONE|ZONE)?[ _-]*(\d{1,2})[ _-]*([NS])$", re.IGNORECASE)
_LAST_ZONE = 60
_ELLIPSOIDS = {"WGS 84": "WGS84", "GRS 1980": "GRS80", "GRS80": "GRS80"}
"""Names of ellipsoids as messages have them, by those of PROJ."""
_VERTICAL = re.compile(r"\+(geoidgrids|vunits|vto_meter|geoid_crs)=\S*")
"""Parts of a PROJ string about heights above a geoid. They need grid files, and the product does without: the
altitude that it reports is the map's own."""


class Geographic(NamedTuple):
    """Geographic coordinates in WGS 84, each `(N,)`: latitude and longitude [rad], altitude [m]."""

    latitude: FloatArray
    longitude: FloatArray
    altitude: FloatArray


class ProjectionParameters(NamedTuple):
    """What defines a projection; what it does not have is 0, its scale 1.

    Attributes:
        ellipsoid: its name, "WGS84" or "GRS80" for these.
        latitude, longitude: of the origin [rad].
        scale: at the origin.
        false_easting, false_northing: coordinates of the origin [m].
    """

    ellipsoid: str
    latitude: float
    longitude: float
    scale: float
    false_easting: float
    false_northing: float


class MapProjection:
    """The projection of one map.

    Attributes:
        origin: east, north, up of the map's origin in the projection [m].
        utm_zone: number of the UTM zone, 0 if the projection is another one.
        utm_north: whether the zone is one of the northern hemisphere.
        parameters: what defines the projection.

    Args:
        coordinate_system: a UTM zone such as "UTM52N", a PROJ string, or any name that PROJ knows ("EPSG:5186").
        origin: east, north, up of the map's origin in that system [m].
        source: what names the system, such as a file, for messages.

    Raises:
        InputError: if the system is empty, unknown, or not measured in metres east and north.
    """

    def __init__(self, coordinate_system: str, origin: tuple[float, float, float], source: str = "map") -> None:
        # Importing pyproj takes 80 ms, which only callers that need latitudes should spend.
        from pyproj import CRS, Transformer
        from pyproj.exceptions import ProjError

        place = "global_coordinate_system"
        if not coordinate_system.strip():
            raise InputError(source, place, "the map names no projection", "add global_info.json to the map")
        try:
            projected = CRS.from_user_input(proj_text(coordinate_system)).to_2d()
        except ProjError as error:
            cure = 'give a zone like "UTM52N" or a PROJ string'
            raise InputError(source, place, f"PROJ does not know {coordinate_system!r}", cure) from error
        if not projected.is_projected or any(axis.unit_conversion_factor != 1.0 for axis in projected.axis_info):
            problem = f"{coordinate_system!r} is not a projection measured in metres"
            raise InputError(source, place, problem, 'give a zone like "UTM52N" or a PROJ string')
        self.origin = origin
        zone = projected.utm_zone
        self.utm_zone = int(zone[:-1]) if zone else 0
        self.utm_north = zone is None or zone.endswith("N")
        self.parameters = _parameters(projected)
        geographic = CRS.from_user_input("OGC:CRS84")
        self._transformer: Transformer = Transformer.from_crs(projected, geographic, always_xy=True)

    def geographic_from_map(self, points: ArrayLike) -> Geographic:
        """Geographic coordinates of points.

        Args:
            points: `(N, 3)` or `(3,)` in map [m].

        Returns:
            Coordinates `(N,)` in WGS 84; the altitude is the map's z plus the origin's. Latitude and longitude of
            points that the projection cannot reach are NaN.
        """
        projected = np.asarray(points, np.float64).reshape(-1, 3) + np.array(self.origin)
        longitude, latitude = self._transformer.transform(projected[:, 0], projected[:, 1])
        lost = ~(np.isfinite(latitude) & np.isfinite(longitude))
        return Geographic(
            np.where(lost, np.nan, latitude) * DEGREE.factor,
            np.where(lost, np.nan, longitude) * DEGREE.factor,
            projected[:, 2],
        )

    def geographic_from_point(self, x: float, y: float) -> tuple[float, float]:
        """Latitude and longitude of one point in map [m], in WGS 84 [rad]; infinite where the projection ends.

        It takes a tenth of the time that arrays of one row take.
        """
        longitude, latitude = self._transformer.transform(x + self.origin[0], y + self.origin[1])
        return latitude * DEGREE.factor, longitude * DEGREE.factor

    def point_from_geographic(self, latitude: float, longitude: float) -> tuple[float, float]:
        """The point of the map [m] at a latitude and longitude in WGS 84 [rad]; infinite where the projection ends."""
        x, y = self._transformer.transform(longitude / DEGREE.factor, latitude / DEGREE.factor, direction="INVERSE")
        return x - self.origin[0], y - self.origin[1]


def _parameters(projected: CRS) -> ProjectionParameters:
    """Parameters of a projection by their EPSG codes: those of a natural origin, else those of a false one."""
    operation, ellipsoid = projected.coordinate_operation, projected.ellipsoid
    values = {one.code: float(one.value) * one.unit_conversion_factor for one in operation.params} if operation else {}

    def value(natural: str, false: str, default: float = 0.0) -> float:
        return values.get(natural, values.get(false, default))

    name = ellipsoid.name if ellipsoid else ""
    return ProjectionParameters(
        _ELLIPSOIDS.get(name, name.replace(" ", "")),
        value("8801", "8821"),
        value("8802", "8822"),
        value("8805", "", 1.0),
        value("8806", "8826"),
        value("8807", "8827"),
    )


def proj_text(coordinate_system: str) -> str:
    """A coordinate system in words that PROJ knows, without what needs files.

    Args:
        coordinate_system: a UTM zone such as "UTM52N", or anything else, which stays as it is.
    """
    text = coordinate_system.strip()
    if found := _ZONE.match(text):
        zone = int(found[1])
        if 1 <= zone <= _LAST_ZONE:
            south = " +south" if found[2].upper() == "S" else ""
            return f"+proj=utm +zone={zone}{south} +datum=WGS84 +units=m +no_defs +type=crs"
    if "+proj" in text:
        return f"{_VERTICAL.sub('', text)} +type=crs"
    return text
