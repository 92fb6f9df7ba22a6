"""The projection of an OpenDRIVE file (ASAM OpenDRIVE 1.8, header)."""

from __future__ import annotations

import re

from dorosim.road.opendrive.own_data import GEO, SYSTEM
from dorosim.road.opendrive.record import OdrHeader

_DEFAULT = "+proj=tmerc +k=1 +x_0=0 +y_0=0 +ellps=WGS84 +units=m +no_defs"
"""What CARLA's files leave out, which have the latitude and longitude of the origin only."""


def coordinate_system_of(header: OdrHeader) -> str:
    """The projection as PROJ reads it; "" where the file has none.

    A file of dorosim has it in the words of the map that it was, as long as it is unchanged. A PROJ string without
    projection gets a transverse Mercator projection about its own origin.
    """
    text = " ".join(header.geo_reference.split())
    if header.user_data.get(GEO) == text and header.user_data.get(SYSTEM):
        return header.user_data[SYSTEM]
    if not text.startswith("+") or "+proj=" in text or "+init=" in text:
        return text
    given = {part.partition("=")[0] for part in text.split()}
    missing = [part for part in _DEFAULT.split() if part.partition("=")[0] not in given]
    if "+datum" in given:
        missing = [part for part in missing if not re.match(r"\+ellps", part)]
    return " ".join([*missing, *text.split()])


def origin_of(header: OdrHeader) -> tuple[float, float, float]:
    """East, north, up of the map's origin in its projection [m]."""
    offset = header.offset
    return (0.0, 0.0, 0.0) if offset is None else (offset.x, offset.y, offset.z)
