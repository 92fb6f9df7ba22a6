"""The lanes beside a place on a link, as the drivers see them."""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.road import BESIDE, IN_JUNCTION, LINK, RoadArrays


@inner_kernel
def station_at(road: RoadArrays, link: int, s: float, side: int) -> int:
    """The row of `RoadArrays.beside` for the station of a link that is nearest to `s`; -1 for none."""
    first = road.station_first[link]
    count = road.station_first[link + 1] - first
    if count == 0:
        return -1
    number = int(s / max(road.link[link, LINK.length], 1e-9) * (count - 1) + 0.5)
    return int(2 * (first + min(max(number, 0), count - 1)) + side)


@inner_kernel
def lane_beyond(road: RoadArrays, at: int) -> tuple[int, float, float, float]:
    """The lane beyond the one that is beside a station.

    Args:
        road: the roads.
        at: the station, a row of `RoadArrays.beside` with a lane.

    Returns:
        its row, negative as `BESIDE.link` is for none; its direction against that of the own lane; the place on it that
        is level with the station; and its middle from the middle of the own lane, left positive [m].
    """
    side, other = at % 2, int(road.beside[at, BESIDE.link])
    direction, place = road.beside[at, BESIDE.direction], road.beside[at, BESIDE.place]
    beyond = station_at(road, other, place, side if direction > 0.0 else 1 - side)
    if beyond < 0:
        return int(IN_JUNCTION), 0.0, 0.0, 0.0
    first = road.station_first[other]
    spacing = road.link[other, LINK.length] / max(road.station_first[other + 1] - first - 1, 1)
    ahead = place - (beyond // 2 - first) * spacing
    centre = (road.beside[at, BESIDE.distance] + road.beside[beyond, BESIDE.distance]) * (1.0 if side == 0 else -1.0)
    turned = road.beside[beyond, BESIDE.direction]
    return (
        int(road.beside[beyond, BESIDE.link]),
        direction * turned,
        road.beside[beyond, BESIDE.place] + turned * ahead,
        centre,
    )
