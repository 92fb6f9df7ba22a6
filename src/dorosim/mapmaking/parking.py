"""A parking lot: a driveway, a one-way aisle round an island, and rows of bays along it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dorosim.mapmaking.curve import Chain, Curve, CurvePose, line, turn
from dorosim.mapmaking.draft import LINK_ORDINARY, UNPAINTED, DraftLine, MapDraft
from dorosim.mapmaking.street import Mouth, Street, build_street
from dorosim.road.mgeo.record import Link, ParkingSpace

DRIVEWAY = 24.0
"""Length of the driveway [m]."""

LANE_WIDTH, SPEED_KMH = 3.0, 20.0

_NEAR, _FAR, _HALF = 10.0, 30.0, 41.0
"""Aisles at these distances beyond the driveway, and half the length of the lot across it [m]."""

_TURN = 10.0
_AISLE_WIDTH = 5.5
_BAY_WIDTH, _BAY_LENGTH = 2.5, 5.0
_AISLE_SPEED_KMH = 15.0
_GATE = 11.5
"""Half the width of the entrance to the lot, where the near aisle forks [m]."""


def build_lot(draft: MapDraft, mouth: CurvePose) -> Mouth:
    """Draw a driveway and its lot.

    Args:
        draft: the town.
        mouth: pose of the driveway's start, heading away from the street.

    Returns:
        The driveway's mouth at the street.
    """
    driveway = Street(
        road=draft.road_id(),
        curve=line(mouth, DRIVEWAY),
        lanes=(1, 1),
        width=LANE_WIDTH,
        speed_kmh=SPEED_KMH,
    )
    street_end, lot_end = build_street(draft, driveway)
    origin = mouth.moved(DRIVEWAY)
    near, far = _build_aisles(draft, origin, lot_end)
    rows = (
        (_NEAR - 8.0, near, (_GATE + 2.5, _HALF - 4.5), False),
        (_NEAR - 8.0, near, (-_HALF + 4.5, -_GATE - 2.5), False),
        (_NEAR + 3.0, near, (-_HALF + 10.0, _HALF - 10.0), True),
        (_FAR - 8.0, far, (-_HALF + 10.0, _HALF - 10.0), True),
        (_FAR + 3.0, far, (-_HALF + 10.0, _HALF - 10.0), False),
    )
    for depth, aisle, (first, last), on_left in rows:
        for number in range(int((last - first) / _BAY_WIDTH)):
            _add_bay(draft, origin, (depth, first + number * _BAY_WIDTH), aisle, on_left=on_left)
    return street_end


def _build_aisles(draft: MapDraft, origin: CurvePose, lot_end: Mouth) -> tuple[list[Link], list[Link]]:
    """Draw the aisles; returns the links along the near and along the far one."""
    south, north = -0.5 * math.pi, 0.5 * math.pi

    def at(depth: float, across: float, turned: float) -> CurvePose:
        place = origin.moved(depth, across)
        return CurvePose(place.x, place.y, origin.heading + turned)

    fork, join = at(_NEAR, _GATE, south), at(_NEAR, -_GATE, south)
    into, out = lot_end.entries[0].pose, lot_end.exits[0].pose
    middle = 0.5 * (_NEAR + _FAR)
    reach = 0.5 * (_FAR - _NEAR)
    first_turn = at(middle, -_HALF, 0.0)
    second_turn = at(middle, _HALF, math.pi)
    up, down = at(_FAR, -_HALF + reach + 1, north), at(_FAR, _HALF - reach - 1, north)
    near_end = Chain([turn(join, first_turn, reach), turn(first_turn, up, reach)])
    near_start = Chain([turn(down, second_turn, reach), turn(second_turn, fork, reach)])
    _add_aisle(draft, turn(into, join, _TURN))
    first = _add_aisle(draft, near_end)
    far = _add_aisle(draft, turn_or_line(up, down))
    last = _add_aisle(draft, near_start)
    through = _add_aisle(draft, turn_or_line(fork, join))
    _add_aisle(draft, turn(fork, out, _TURN))
    return [last, through, first], [first, far, last]


def turn_or_line(start: CurvePose, end: CurvePose) -> Curve:
    """The straight line between two poses in line."""
    return line(start, math.hypot(end.x - start.x, end.y - start.y))


def _add_aisle(draft: MapDraft, curve: Curve) -> Link:
    path = DraftLine(curve, (0.0, curve.length))
    left, right = (draft.add_line(path.beside(side * 0.5 * _AISLE_WIDTH), UNPAINTED) for side in (1, -1))
    return draft.add_single_lane(
        path,
        (_AISLE_WIDTH, _AISLE_WIDTH),
        ([left], [right]),
        link_type=LINK_ORDINARY,
        max_speed=_AISLE_SPEED_KMH,
    )


def _add_bay(
    draft: MapDraft, origin: CurvePose, corner: tuple[float, float], aisles: Sequence[Link], *, on_left: bool
) -> None:
    """Add a bay whose corner is given as (depth beyond the driveway, across)."""
    depth, across = corner
    places = [
        origin.moved(depth, across),
        origin.moved(depth + _BAY_LENGTH, across),
        origin.moved(depth + _BAY_LENGTH, across + _BAY_WIDTH),
        origin.moved(depth, across + _BAY_WIDTH),
    ]
    middle = origin.moved(depth + 0.5 * _BAY_LENGTH, across + 0.5 * _BAY_WIDTH)
    centre = draft.ground_point(middle.x, middle.y)
    gaps = [min(math.dist(centre, point) for point in link.points.tolist()) for link in aisles]
    nearest = aisles[gaps.index(min(gaps))]
    linked = [nearest.idx]
    draft.town.parking_spaces.append(
        ParkingSpace(
            idx=draft.name("PS"),
            points=draft.ground_points([(place.x, place.y) for place in (*places, places[0])]),
            center_point=centre,
            parking_type="perpendicular",
            parking_target_type="normal",
            parking_direction="forward",
            distance=round(min(gaps), 3),
            width=_BAY_WIDTH,
            length=_BAY_LENGTH,
            angle=90.0,
            linked_left_list_idx=linked if on_left else [],
            linked_right_list_idx=[] if on_left else linked,
        )
    )
