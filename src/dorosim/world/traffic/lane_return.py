"""NPC vehicles beside the lanes: they stand where a command placed them, and drive onto a lane on another command.

The way back is the shortest one of turns of one radius and a straight line or a third turn between them (L. E. Dubins,
"On curves of minimal length with a constraint on average curvature", American Journal of Mathematics 79, 1957). It ends
on the lane and along it, so that the vehicle goes on from there as all others do. What is left of each of its three
parts stands in the row of the traffic. The vehicle stops before bodies ahead of it, and waits for room on the lane.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.world.actor.body import bodies_of
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.traffic.lane_insertion import rear_of_next
from dorosim.world.traffic.lane_matching import along_lane
from dorosim.world.traffic.road import LINK
from dorosim.world.traffic.state import Passing, Presence, SpeedMode, TrafficState

MAX_RETURN_DISTANCE = 200.0
"""A vehicle farther than this from every lane [m] cannot drive to one."""
MAX_RETURN_SPEED = 4.0
"""Highest speed beside the lanes [m/s]."""
RETURN_STEER_SHARE = 0.8
"""Share of its largest wheel angle with which a vehicle turns."""
MIN_RETURN_RADIUS = 3.0
"""Smallest radius of a turn [m]."""
RETURN_DECELERATION = 2.0
"""Deceleration with which a vehicle stops before a body in its way [m/s²]."""
MIN_RETURN_GAP = 1.0
"""Least gap to a body in its way [m]."""
RETURN_SIDE_GAP = 0.3
"""Room beside a vehicle; a body farther aside is not in its way [m]."""
MAX_RETURN_LOOK_AHEAD = 15.0
"""A body farther ahead than this does not matter yet [m]."""
RETURN_LEADS = (1.0, 2.0, 3.0, 4.0, 6.0, 9.0)
"""Ways back may end so far along the lane from its nearest place, over the radius."""
_PLACED, _RETURNING = int(Presence.PLACED), int(Presence.RETURNING)
_LEFT, _STRAIGHT, _RIGHT = 1.0, 0.0, -1.0
WORDS = (
    (_LEFT, _STRAIGHT, _LEFT),
    (_RIGHT, _STRAIGHT, _RIGHT),
    (_LEFT, _STRAIGHT, _RIGHT),
    (_RIGHT, _STRAIGHT, _LEFT),
    (_LEFT, _RIGHT, _LEFT),
    (_RIGHT, _LEFT, _RIGHT),
)
"""The forms of a way back: the turn in each of its parts; `TrafficState.way_back_word` is a row of it."""
_WORDS = np.array(WORDS)


class WayBack(NamedTuple):
    """A way onto a lane.

    Attributes:
        word: row of `WORDS`. lengths: of its three parts [m].
        link, s: link under the front bumper at its end, and arc length [m]. previous: link under the rear axle then, if
            it is another link, else -1.
    """

    word: int
    lengths: tuple[float, float, float]
    link: int
    s: float
    previous: int

    @property
    def length(self) -> float:
        """The length of the whole way [m]."""
        return sum(self.lengths)


def stand(traffic: TrafficState, row: int) -> None:
    """Let a vehicle stand at the pose in its row, off the lanes, until a command lets it drive."""
    traffic.present[row], traffic.manoeuvring[row] = _PLACED, 0
    for link in (traffic.previous, traffic.before_previous, traffic.change_from):
        link[row] = -1
    _hold(traffic, row)
    traffic.lateral[row] = traffic.authority[row] = traffic.patience[row] = 0.0
    traffic.lateral_slope[row] = traffic.blocked_time[row] = 0.0
    traffic.passing[row] = Passing.NOTHING
    traffic.way_back[:, row] = 0.0


def _hold(traffic: TrafficState, rows: int | IntArray) -> None:
    """Set speeds, accelerations and yaw rates of vehicles to 0."""
    for column in (traffic.speed, traffic.acceleration, traffic.yaw_rate, traffic.slide_x, traffic.slide_y):
        column[rows] = 0.0
    traffic.slide_acceleration_x[rows] = traffic.slide_acceleration_y[rows] = 0.0


def is_beside(traffic: TrafficState, row: int) -> bool:
    """Whether a vehicle stands where it was placed off the lanes, or is on its way back."""
    return int(traffic.present[row]) in (_PLACED, _RETURNING)


def begin_return(scene: Scene, traffic: TrafficState, row: int, onto: int = -1) -> None:
    """Let a vehicle that was placed off the lanes drive onto one; refuses the command if it cannot.

    Args:
        scene: the lanes.
        traffic: writable.
        row: of the vehicle. One that is on its way already goes on, unless `onto` is given.
        onto: row of the link that it is to drive onto, -1 for the nearest.
    """
    if traffic.present[row] == _RETURNING and onto < 0:
        return
    way = way_back(scene, traffic, row, onto)
    if way is None:
        raise CommandError(f"there is no lane within {MAX_RETURN_DISTANCE:g} m that it could drive to")
    traffic.present[row], traffic.manoeuvring[row] = _RETURNING, 0
    traffic.link[row], traffic.s[row], traffic.previous[row] = way.link, way.s, way.previous
    traffic.way_back[:, row], traffic.way_back_word[row] = way.lengths, way.word


def way_back(scene: Scene, traffic: TrafficState, row: int, onto: int = -1) -> WayBack | None:
    """The shortest way of a vehicle onto the nearest lane, or onto link `onto`; None if that is too far.

    MAX_RETURN_DISTANCE is the farthest.

    It ends on no link of a junction, if there is another place.
    """
    network = scene.network
    if not network.link_count:
        return None
    point = (float(traffic.x[row]), float(traffic.y[row]), float(traffic.z[row]))
    yaw = float(traffic.yaw[row])
    if onto >= 0:
        link, s = _foot_on(network, onto, point)
    else:
        found = locate(network, point, yaw, drivable_only=True, reach=MAX_RETURN_DISTANCE)
        link, s = int(found.link[0]), float(found.s[0])
    if link < 0:
        return None
    radius = float(_radii(scene)[int(traffic.model[row])])
    front = float(traffic.wheelbase[row] + traffic.front_overhang[row])
    ends = [end for lead in RETURN_LEADS for end in _ends(network, link, s + lead * radius, front)]
    # a short lane that leads nowhere has none of them: the way ends at its end
    ends = ends or [(link, max(float(network.link_length[link]) - front, 0.0), link, float(network.link_length[link]))]
    free = [end for end in ends if scene.traffic_plan.road.link_ints[end[2], LINK.conflicting] == 0]
    best: WayBack | None = None
    for rear_link, rear_s, front_link, front_s in free or ends:
        pose = network.pose_at(rear_link, rear_s)
        x, y = float(pose.point[0, 0]) - point[0], float(pose.point[0, 1]) - point[1]
        word, lengths = shortest_turns(x, y, yaw, float(pose.heading[0]), radius)
        previous = rear_link if rear_link != front_link else -1
        way = WayBack(word, lengths, front_link, front_s, previous)
        if best is None or way.length < best.length:
            best = way
    return best


def _foot_on(network: RoadNetwork, link: int, point: tuple[float, float, float]) -> tuple[int, float]:
    """Link and arc length [m] of the place on a link that is nearest to a point; -1 beyond MAX_RETURN_DISTANCE."""
    lines = network.lines
    first, end = int(lines.first[link]), int(lines.first[link + 1])
    line, arc = lines.points[first:end, :2], lines.arc[first:end]
    edge, away = np.diff(line, axis=0), np.array(point[:2]) - line[:-1]
    share = np.clip((edge * away).sum(axis=1) / np.maximum((edge * edge).sum(axis=1), 1e-12), 0.0, 1.0)
    gap = np.hypot(*(away - share[:, None] * edge).T)
    nearest = int(gap.argmin())
    if gap[nearest] > MAX_RETURN_DISTANCE:
        return -1, 0.0
    return link, float(arc[nearest] + share[nearest] * (arc[nearest + 1] - arc[nearest]))


def _ends(network: RoadNetwork, link: int, s: float, front: float) -> list[tuple[int, float, int, float]]:
    """Rear axle at `s` along a lane and front bumper, as link and arc length [m]; empty where the lane ends before."""
    rear = along_lane(network, link, s)
    nose = along_lane(network, rear[0], rear[1] + front)
    # a body lies on two links at most
    fits = nose[0] == rear[0] or nose[0] in network.successors.of(rear[0])
    return [(*rear, *nose)] if fits and nose[1] <= network.link_length[nose[0]] else []


def _radii(scene: Scene) -> FloatArray:
    """`(models,)` radius of the turns of each vehicle model [m]; MIN_RETURN_RADIUS for one without steered wheels."""
    return np.array(
        [
            max(model.wheelbase / math.tan(RETURN_STEER_SHARE * model.max_steer), MIN_RETURN_RADIUS)
            if model.max_steer > 0.0
            else MIN_RETURN_RADIUS
            for model in scene.models
        ]
    )


def shortest_turns(
    x: float, y: float, yaw: float, goal_yaw: float, radius: float
) -> tuple[int, tuple[float, float, float]]:
    """The shortest way from one pose to another by turns of a radius.

    Args:
        x: east to the goal [m].
        y: north to the goal [m].
        yaw: at the start [rad].
        goal_yaw: at the goal [rad].
        radius: [m].

    Returns:
        Row of `WORDS`, and the lengths of its parts [m].
    """
    distance, bearing = math.hypot(x, y) / radius, math.atan2(y, x)
    a, b = _turn(yaw - bearing), _turn(goal_yaw - bearing)
    candidates = [(word, lengths) for word, lengths in enumerate(_ways(distance, a, b)) if lengths is not None]
    word, best = min(candidates, key=lambda one: sum(one[1]))
    first, second, third = (part * radius for part in best)
    return word, (first, second, third)


def _ways(d: float, a: float, b: float) -> list[tuple[float, float, float] | None]:
    """Lengths of the ways of `WORDS` over the radius, None where there is no such way.

    Args:
        d: distance over the radius.
        a: heading at the start against the straight line to the end [rad].
        b: heading at the end against the same [rad].
    """
    # a way that begins to the right is the mirror image of one that begins to the left
    pairs = zip(_left_ways(d, a, b), _left_ways(d, -a, -b), strict=True)
    return [way for pair in pairs for way in pair]


def _left_ways(d: float, a: float, b: float) -> list[tuple[float, float, float] | None]:
    """Left straight left, left straight right, and left right left; arguments and result as of `_ways`."""
    sa, sb, ca, cb, cab = math.sin(a), math.sin(b), math.cos(a), math.cos(b), math.cos(a - b)
    found: list[tuple[float, float, float] | None] = [None, None, None]
    turn = math.atan2(cb - ca, d + (sa - sb))
    square = 2.0 + d * d - 2.0 * cab + 2.0 * d * (sa - sb)
    if square >= 0.0:
        found[0] = _turn(turn - a), math.sqrt(square), _turn(b - turn)
    square = -2.0 + d * d + 2.0 * cab + 2.0 * d * (sa + sb)
    if square >= 0.0:
        length = math.sqrt(square)
        swing = math.atan2(-(ca + cb), d + (sa + sb)) - math.atan2(-2.0, length)
        found[1] = _turn(swing - a), length, _turn(swing - b)
    cosine = (6.0 - d * d + 2.0 * cab - 2.0 * d * (sa - sb)) / 8.0
    if abs(cosine) <= 1.0:
        middle = _turn(math.tau - math.acos(cosine))
        first = _turn(turn - a + 0.5 * middle)
        found[2] = first, middle, _turn(b - a - first + middle)
    return found


def _turn(angle: float) -> float:
    """An angle within 0 to a full turn [rad]; one that is less than a full turn by rounding alone is 0."""
    rest = angle % math.tau
    return 0.0 if math.tau - rest < 1e-9 else rest


def return_to_lanes(scene: Scene, draft: Draft, dt: float) -> None:
    """Move all vehicles on their way back by a tick [s]; one that has come to the lane drives on from there."""
    traffic = draft.traffic
    returns = (traffic.present == _RETURNING) & (traffic.manoeuvring == 0)
    rows, held = np.flatnonzero(returns & (traffic.paused == 0)), np.flatnonzero(returns & (traffic.paused != 0))
    _hold(traffic, held)
    if not len(rows):
        return
    left = traffic.way_back[:, rows].sum(axis=0)
    before = traffic.speed[rows]
    wanted = np.where(traffic.speed_mode[rows] == SpeedMode.CONSTANT, traffic.desired_speed[rows], MAX_RETURN_SPEED)
    free = np.minimum(_room_ahead(scene, draft, rows), _room_on_lane(scene, traffic, rows, left))
    wanted = np.minimum(np.minimum(wanted, MAX_RETURN_SPEED), np.sqrt(2.0 * RETURN_DECELERATION * free))
    rise, fall = traffic.comfortable_acceleration[rows] * dt, 2.0 * RETURN_DECELERATION * dt
    speed = np.where(free <= 0.0, 0.0, np.clip(wanted, np.maximum(before - fall, 0.0), before + rise))
    way = 0.5 * (before + speed) * dt
    turn = _move(scene, traffic, rows, np.minimum(way, left), left)
    traffic.acceleration[rows] = (speed - before) / dt
    traffic.speed[rows], traffic.yaw_rate[rows] = speed, turn * speed
    middle = traffic.wheelbase[rows] + traffic.front_overhang[rows] - 0.5 * traffic.length[rows]
    c, s = np.cos(traffic.yaw[rows]), np.sin(traffic.yaw[rows])
    traffic.slide_x[rows] = speed * c - turn * speed * middle * s
    traffic.slide_y[rows] = speed * s + turn * speed * middle * c
    along, across = traffic.acceleration[rows], turn * speed * speed
    traffic.slide_acceleration_x[rows] = along * c - across * s
    traffic.slide_acceleration_y[rows] = along * s + across * c
    there = traffic.way_back[:, rows].sum(axis=0) <= 1e-9
    _enter(traffic, rows[there], (way - left)[there])


def _move(scene: Scene, traffic: TrafficState, rows: IntArray, way: FloatArray, left: FloatArray) -> FloatArray:
    """Go a way `(R,)` [m] along what is left `(R,)` of each way back. Returns the curvature at its end `(R,)` [1/m]."""
    turns = _WORDS[traffic.way_back_word[rows]].T / _radii(scene)[traffic.model[rows]]
    share = np.where(left > 0.0, way / np.maximum(left, 1e-12), 1.0)
    height = scene.network.pose_at(traffic.link[rows], traffic.s[rows]).point[:, 2]
    traffic.z[rows] += (height - traffic.z[rows]) * share
    traffic.pitch[rows] *= 1.0 - share
    traffic.roll[rows] *= 1.0 - share
    curvature = np.zeros(len(rows))
    for part in range(3):
        step = np.minimum(way, traffic.way_back[part, rows])
        yaw, bend = traffic.yaw[rows], turns[part]
        after = yaw + bend * step
        # along the chord, which is as long as the arc where there is none
        half = 0.5 * bend * step
        chord = step * np.sinc(half / np.pi)
        traffic.x[rows] += chord * np.cos(yaw + half)
        traffic.y[rows] += chord * np.sin(yaw + half)
        traffic.yaw[rows] = after - math.tau * np.rint(after / math.tau)
        traffic.way_back[part, rows] -= step
        way = way - step
        curvature = np.where(step > 0.0, bend, curvature)
    return curvature


def _room_ahead(scene: Scene, draft: Draft, rows: IntArray) -> FloatArray:
    """How far each vehicle may go before it must stop for a body ahead `(R,)` [m]; not negative."""
    traffic, table = draft.traffic, bodies_of(scene, draft).table
    c, s = np.cos(traffic.yaw[rows])[:, None], np.sin(traffic.yaw[rows])[:, None]
    x, y = table.x[None] - traffic.x[rows][:, None], table.y[None] - traffic.y[rows][:, None]
    along, across = x * c + y * s, y * c - x * s
    angle = table.yaw[None] - traffic.yaw[rows][:, None]
    cosine, sine = np.abs(np.cos(angle)), np.abs(np.sin(angle))
    long = table.half_length[None] * cosine + table.half_width[None] * sine
    wide = table.half_length[None] * sine + table.half_width[None] * cosine
    nose = (traffic.wheelbase[rows] + traffic.front_overhang[rows])[:, None]
    gap = along - long - nose
    beside = np.abs(across) > wide + 0.5 * traffic.width[rows][:, None] + RETURN_SIDE_GAP
    # a body level with the vehicle is passed, not met
    behind = along + long < 0.5 * nose
    away = np.abs(table.z[None] - table.half_height[None] - traffic.z[rows][:, None]) > 3.0
    own = table.id[None] == traffic.id[rows][:, None]
    gap = np.where(beside | behind | away | own | (gap > MAX_RETURN_LOOK_AHEAD), np.inf, gap - MIN_RETURN_GAP)
    room: FloatArray = np.maximum(gap.min(axis=1, initial=np.inf), 0.0)
    return room


def _room_on_lane(scene: Scene, traffic: TrafficState, rows: IntArray, left: FloatArray) -> FloatArray:
    """How far each vehicle may go while another is where its way ends `(R,)` [m]; infinite where none is."""
    room = np.full(len(rows), np.inf)
    for place in np.flatnonzero(left < MAX_RETURN_LOOK_AHEAD).tolist():
        row = int(rows[place])
        link, front, length = int(traffic.link[row]), float(traffic.s[row]), float(traffic.length[row])
        if rear_of_next(scene.network, traffic, link, front, length) is not None:
            room[place] = max(float(left[place]) - 2.0 * MIN_RETURN_GAP, 0.0)
    return room


def _enter(traffic: TrafficState, rows: IntArray, beyond: FloatArray) -> None:
    """Put vehicles that have come to the end of their way onto the lane, so far beyond that end `(R,)` [m]."""
    traffic.x[rows] += beyond * np.cos(traffic.yaw[rows])
    traffic.y[rows] += beyond * np.sin(traffic.yaw[rows])
    traffic.s[rows] += beyond
    traffic.present[rows] = Presence.ON_LANE
    for link in (traffic.before_previous, traffic.change_from):
        link[rows] = -1
    traffic.passing[rows] = Passing.NOTHING
    traffic.lateral_slope[rows] = traffic.blocked_time[rows] = 0.0
    for column in (traffic.lateral, traffic.authority, traffic.patience, traffic.slide_x, traffic.slide_y):
        column[rows] = 0.0
    traffic.way_back[:, rows] = 0.0
