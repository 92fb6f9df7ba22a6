"""The state of NPC traffic, and of what stands in its way."""

from __future__ import annotations

from enum import IntEnum

from dorosim.ground.column import Columns, real, reals, whole
from dorosim.ground.unit import (
    METRE,
    METRE_PER_SECOND,
    METRE_PER_SECOND2,
    NONE,
    RADIAN,
    RADIAN_PER_SECOND,
    RATIO,
    SECOND,
)


class SpeedMode(IntEnum):
    """What a driver's `desired_speed` is: a ratio of each link's limit, or a constant speed [m/s]."""

    LINK_RATIO = 0
    CONSTANT = 1


class Presence(IntEnum):
    """Where a vehicle is.

    OFF_MAP: it left the map at a dead end and waits for room to come back in. ON_LANE: in the world, and drives.
    OFF_LANE: in the world, knocked off its lane by a collision: a body that slides, or a wreck. Traffic neither decides
    for it nor moves it, and sees it only as an `Obstruction`; the code that moves it writes its pose. PLACED: in the
    world, stands off the lanes or across one, where a command put it, until a command lets it drive. RETURNING: drives
    from there onto a lane (`dorosim.world.traffic.lane_return`). Traffic sees both as it sees those OFF_LANE.
    """

    OFF_MAP = 0
    ON_LANE = 1
    OFF_LANE = 2
    PLACED = 3
    RETURNING = 4


class Waiting(IntEnum):
    """Why a vehicle may not enter the junction ahead.

    NOTHING: it may, or none is near. LIGHT: the light. OCCUPIED: a vehicle has still to leave a zone on its way.
    PRIORITY: it gives way. EXIT: there is no room behind the junction. TURN: a vehicle ahead in its lane waits.
    """

    NOTHING = 0
    LIGHT = 1
    OCCUPIED = 2
    PRIORITY = 3
    EXIT = 4
    TURN = 5


class TrafficState(Columns):
    """One row per NPC vehicle, sorted by id.

    An ego vehicle in cruise mode has a row too: its driver's plan, which its body with full dynamics follows.

    A vehicle's place is that of its front bumper: `link` and `s`. Its body follows the lane's centre line shifted by
    `lateral`; the pose is that of the body origin, the centre of the rear axle on the ground. The velocity of the body
    origin is (`speed`, 0) in the body frame, its acceleration (`acceleration`, `speed` * `yaw_rate`).
    """

    id = whole("of the actor")
    model = whole("vehicle model, an index into the scene's models")
    present = whole("Presence")
    paused = whole("1 stands where it is")
    plan_of_ego = whole("not 0: is what the driver of the ego of this id means to do: it stops at dead ends of the map")
    link = whole("link under the front bumper; while it changes lanes, the one that it changes to")
    previous = whole("link driven before, -1 none")
    before_previous = whole("link driven before that, -1 none")
    change_from = whole("link that it is leaving by a lane change, -1 none")
    counter = whole("links driven so far: the address of the next random choice")
    route = whole("row of the route table, -1 chooses at random at every fork")
    cursor = whole("its place in the route: index into the table's links, -1 none")
    close_loop = whole("1 begins its route again where it ends; 0 goes on at random")
    may_change = whole("1 changes lanes for its own advantage; for its route it always does")
    speed_mode = whole("SpeedMode")
    spawn_point = whole("id of the spawn point that it came from, 0 for none; it leaves where its route ends")
    waiting = whole("Waiting: why it may not enter the junction ahead")
    way_back_word = whole("which turns its way onto a lane has, a row of `lane_return.WORDS`; counts while RETURNING")

    s = real(METRE, "place of the front bumper, arc length on `link`")
    speed = real(METRE_PER_SECOND, "along the lane, never negative")
    acceleration = real(METRE_PER_SECOND2, "along the lane, as decided last")
    authority = real(METRE, "arc length from the start of `link` up to which junctions ahead are its own")
    patience = real(SECOND, "how long it has stood before a junction that others keep it from, or has been OFF_MAP")
    change_start = real(METRE, "where on `link` its lane change began")
    change_length = real(METRE, "way over which the body moves from lane to lane")
    lateral = real(METRE, "offset from the centre line, left positive")

    desired_speed = real(NONE, "ratio of the limit or m/s, by `speed_mode`")
    lateral_bias = real(RATIO, "offset that it keeps on open road, over half the width of the lane, left positive")
    time_gap = real(SECOND, "IDM: desired time gap T")
    standstill_gap = real(METRE, "IDM: gap at standstill s0")
    comfortable_acceleration = real(METRE_PER_SECOND2, "IDM: a")
    comfortable_deceleration = real(METRE_PER_SECOND2, "IDM: b, positive")
    politeness = real(RATIO, "MOBIL: weight of what others lose, p")
    change_threshold = real(METRE_PER_SECOND2, "MOBIL: advantage below which it stays, Δa_th")

    length = real(METRE, "of the body")
    width = real(METRE, "of the body")
    wheelbase = real(METRE, "between the axles")
    front_overhang = real(METRE, "from the front axle to the bumper")

    x = real(METRE, "body origin, east", frame="map")
    y = real(METRE, "body origin, north", frame="map")
    z = real(METRE, "body origin, up", frame="map")
    yaw = real(RADIAN, "counter-clockwise from east, -pi to pi", frame="map")
    pitch = real(RADIAN, "nose down positive", frame="map")
    yaw_rate = real(RADIAN_PER_SECOND, "of the body about its up axis", frame="body")

    slide_x = real(METRE_PER_SECOND, "velocity of the centre of gravity off the lanes, east", frame="map")
    slide_y = real(METRE_PER_SECOND, "velocity of the centre of gravity off the lanes, north", frame="map")
    slide_acceleration_x = real(METRE_PER_SECOND2, "of the body origin off the lanes, east", frame="map")
    slide_acceleration_y = real(METRE_PER_SECOND2, "of the body origin off the lanes, north", frame="map")

    way_back = reals(3, METRE, "what is left of the three parts of its way onto a lane, while RETURNING; else 0")


class Obstruction(Columns):
    """Bodies on lanes that are not of the traffic: egos, ghosts, pedestrians, obstacles. One row per body and lane.

    A body that covers several lanes, as in a junction, has a row on each of them.
    """

    link = whole("the lane")
    rear = real(METRE, "arc length of its rear end on the lane")
    front = real(METRE, "arc length of its front end on the lane")
    right = real(METRE, "lateral offset of its right side from the centre line, left positive")
    left = real(METRE, "lateral offset of its left side")
    speed = real(METRE_PER_SECOND, "along the lane, negative against it")


class Crossing(Columns):
    """Crosswalks that people use, where lanes lead over them. One row per crosswalk and lane, sorted by lane."""

    link = whole("the lane")
    begin = real(METRE, "arc length on the lane where the crosswalk begins")
    end = real(METRE, "arc length on the lane where it ends")
    time = real(SECOND, "until the first of them is in the lane; 0 if one is, or waits to be let over")
