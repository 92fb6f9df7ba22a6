"""What is painted or stands at the road: stop lines, crosswalks, lane arrows, signs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dorosim.mapmaking.curve import CurvePose
from dorosim.mapmaking.draft import STOP_LINE, YIELD_LINE, MapDraft, Paint, map_degrees
from dorosim.mapmaking.junction import LEFT, RIGHT, STRAIGHT, Junction
from dorosim.mapmaking.street import Mouth
from dorosim.road.mgeo.record import Crosswalk, Link, SingleCrosswalk, SurfaceMarking, TrafficSign

SIGN_SPEED, SIGN_STOP, SIGN_YIELD = "224", "227", "228"
SIGN_ROUNDABOUT, SIGN_PARKING, SIGN_ONE_WAY = "304", "319", "328"
"""Sign numbers of the Korean Road Traffic Act, enforcement rule, annex 6."""

_ARROW_CODE = {
    frozenset({STRAIGHT}): "5371",
    frozenset({LEFT}): "5372",
    frozenset({RIGHT}): "5373",
    frozenset({LEFT, RIGHT}): "5374",
    frozenset({LEFT, STRAIGHT, RIGHT}): "5379",
    frozenset({LEFT, STRAIGHT}): "5381",
    frozenset({STRAIGHT, RIGHT}): "5382",
}
"""NGII kinds of surface marks (layer B3)."""

_SHAFT, _BARB = 0.11, 0.42
_CROSSWALK_FROM, _CROSSWALK_TO = 2.2, 6.2
"""Where a crosswalk begins and ends beyond the stop line [m]."""


def draw_stop_line(draft: MapDraft, mouth: Mouth, *, give_way: bool = False) -> None:
    """Draw the line across the entry lanes of an arm, and mark the lanes' ends as being on it."""
    paint: Paint = YIELD_LINE if give_way else STOP_LINE
    first, last = mouth.entries[0], mouth.entries[-1]
    ends = [first.pose.moved(-0.4, 0.5 * first.width), last.pose.moved(-0.4, -0.5 * last.width)]
    draft.add_polyline(draft.ground_points([(end.x, end.y) for end in ends]), paint)
    if not give_way:
        for lane in mouth.entries:
            draft.mark_stop(lane.link)


def draw_crosswalk(draft: MapDraft, junction: Junction, arm: int) -> str:
    """Draw the crosswalk over an arm; returns its id. Its lights are added by `join_crosswalk_lights`."""
    mouth = junction.mouths[arm]
    right, left = mouth.extents
    corners = [
        mouth.inward.moved(_CROSSWALK_FROM, -right),
        mouth.inward.moved(_CROSSWALK_FROM, left),
        mouth.inward.moved(_CROSSWALK_TO, left),
        mouth.inward.moved(_CROSSWALK_TO, -right),
    ]
    crosswalk = draft.name("CW")
    single = SingleCrosswalk(
        idx=draft.name("SCW"),
        points=draft.ground_points([(corner.x, corner.y) for corner in (*corners, corners[0])]),
        ref_crosswalk_id=crosswalk,
        link_id_list=[m.link.idx for m in junction.movements if arm in (m.origin, m.target)],
    )
    draft.town.single_crosswalks.append(single)
    draft.town.crosswalks.append(Crosswalk(idx=crosswalk, single_crosswalk_list=[single.idx]))
    return crosswalk


def join_crosswalk_lights(draft: MapDraft) -> None:
    """Write into every crosswalk which lights refer to it."""
    lights: dict[str, list[str]] = {}
    for light in draft.town.traffic_lights:
        if light.ref_crosswalk_id:
            lights.setdefault(light.ref_crosswalk_id, []).append(light.idx)
    for crosswalk in draft.town.crosswalks:
        crosswalk.ref_traffic_light_list = lights.get(crosswalk.idx, [])


def draw_arrows(draft: MapDraft, junction: Junction, arm: int, distances: Sequence[float]) -> None:
    """Draw an arrow on every entry lane of an arm, at each of the distances before its end [m]."""
    for lane, end in enumerate(junction.mouths[arm].entries):
        turns = junction.turns_of(arm, lane)
        for distance in distances:
            tail = _pose_before_end(end.link, distance)
            if tail is not None:
                _add_arrow(draft, end.link, tail, turns)


def _pose_before_end(link: Link, distance: float) -> CurvePose | None:
    """The pose on a lane so far before its end; None where the lane is shorter."""
    back = link.points[::-1, :2]
    legs = np.hypot(*np.diff(back, axis=0).T)
    arc = np.concatenate(([0.0], np.cumsum(legs)))
    if distance > arc[-1] - 1.0:
        return None
    leg = int(np.searchsorted(arc, distance)) - 1
    x, y = (back[leg] + (distance - arc[leg]) / legs[leg] * (back[leg + 1] - back[leg])).tolist()
    dx, dy = (back[leg] - back[leg + 1]).tolist()
    return CurvePose(x, y, math.atan2(dy, dx))


def _add_arrow(draft: MapDraft, link: Link, tail: CurvePose, turns: frozenset[str]) -> None:
    places = [tail.moved(forward, left) for forward, left in _arrow_outline(turns)]
    draft.town.surface_markings.append(
        SurfaceMarking(
            idx=draft.name("SM"),
            points=draft.ground_points([(place.x, place.y) for place in places]),
            link_id_list=[link.idx],
            road_id=link.road_id,
            type="1",
            sub_type=_ARROW_CODE[turns],
        )
    )


def _arrow_outline(turns: frozenset[str]) -> list[tuple[float, float]]:
    """A closed outline of (forward, left) [m], 4 to 5 m long."""
    stem_end = 3.3 if STRAIGHT in turns else 2.75
    barb_at = 1.55 if STRAIGHT in turns else stem_end
    right = [(0.0, -_SHAFT)]
    if RIGHT in turns:
        right += _barb(barb_at, -1.0)
    left = [(0.0, _SHAFT)]
    if LEFT in turns:
        left += _barb(barb_at, 1.0)
    if STRAIGHT in turns:
        tip = [(stem_end, -_SHAFT), (stem_end, -_BARB), (5.0, 0.0), (stem_end, _BARB), (stem_end, _SHAFT)]
    else:
        tip = [(stem_end + 2 * _SHAFT, -_SHAFT), (stem_end + 2 * _SHAFT, _SHAFT)]
        tip = [point for point, kept in zip(tip, (RIGHT not in turns, LEFT not in turns), strict=True) if kept]
    outline = [*right, *tip, *left[::-1]]
    return [*outline, outline[0]]


def _barb(at: float, side: float) -> list[tuple[float, float]]:
    """The points of a branch to one side, from its lower to its upper root."""
    low, high, middle = at, at + 2 * _SHAFT, at + _SHAFT
    return [
        (low, side * _SHAFT),
        (low, side * 0.5),
        (middle - _BARB - 0.1, side * 0.5),
        (middle, side * 1.15),
        (middle + _BARB + 0.1, side * 0.5),
        (high, side * 0.5),
        (high, side * _SHAFT),
    ]


def add_sign(draft: MapDraft, link: Link, pose: CurvePose, aside: float, code: str, value: str = "") -> None:
    """Add a sign `aside` metres to the right of a pose on a lane, facing the vehicles that drive there."""
    place = pose.moved(0.0, -aside)
    height = 2.2
    draft.town.traffic_signs.append(
        TrafficSign(
            idx=draft.name("TS"),
            point=draft.ground_point(place.x, place.y, height),
            link_id_list=[link.idx],
            road_id=link.road_id,
            type="3" if code.startswith("3") else "2",
            sub_type=[code],
            dynamic=False,
            orientation="vertical",
            value=value,
            country="KR",
            z_offset=height,
            height=0.6,
            width=0.6,
            type_def="ngii_model2",
            heading=map_degrees(pose.heading + math.pi),
        )
    )


def add_exit_signs(draft: MapDraft, mouth: Mouth, *, one_way: bool) -> None:
    """Signs at the start of a street: the speed limit, and one-way traffic."""
    if not mouth.exits:
        return
    lane = mouth.exits[-1]
    pose = lane.pose.moved(6.0)
    aside = 0.5 * lane.width + 1.4
    add_sign(draft, lane.link, pose, aside, SIGN_SPEED, f"{mouth.speed_kmh:.0f}")
    if one_way:
        add_sign(draft, lane.link, lane.pose.moved(9.0), aside, SIGN_ONE_WAY)


def add_entry_sign(draft: MapDraft, mouth: Mouth, code: str, before: float = 1.0) -> None:
    """A sign at the end of a street, `before` metres before its stop line."""
    lane = mouth.entries[-1]
    add_sign(draft, lane.link, lane.pose.moved(-before), 0.5 * lane.width + 1.4, code)
