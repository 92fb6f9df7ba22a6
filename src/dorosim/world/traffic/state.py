"""The state of NPC traffic, and of what stands in its way."""

from __future__ import annotations

from enum import IntEnum

from dorosim.ground.column import Columns, float64, float64_vector, int64
from dorosim.ground.unit import (
    METRE,
    METRE_PER_SECOND,
    METRE_PER_SECOND2,
    NONE,
    PER_METRE,
    RADIAN,
    RADIAN_PER_SECOND,
    RATIO,
    SECOND,
)

MANOEUVRE_PARTS = 10
"""A manoeuvre has so many turns and straight pieces at most."""


class SpeedMode(IntEnum):
    """What a driver's `desired_speed` is: a ratio of each link's limit, or a constant speed [m/s]."""

    LINK_RATIO = 0
    CONSTANT = 1


class Presence(IntEnum):
    """Where a vehicle is.

    OFF_MAP: it left the map at a dead end and waits for room to come back in. ON_LANE: in the world, and drives.
    OFF_LANE: in the world, knocked off its lane by a collision: a body that slides or lies. Traffic neither decides
    for it nor moves it, and sees it only as an `Obstruction`; the code that moves it writes its pose. PLACED: in the
    world, stands off the lanes or across one, where a command put it, until a command lets it drive. RETURNING: drives
    from there, or out of a lane that stays blocked, onto a lane (`lane_return`, `manoeuvre`). Traffic sees both as it
    sees those OFF_LANE.
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


class Passing(IntEnum):
    """Over what a vehicle passes something, if it does.

    OWN_LANE: its own lane. LANE_BESIDE: a lane that leads the same way. ONCOMING_LANE: one for oncoming traffic. VERGE:
    beside the lanes, where there is no other way.
    """

    NOTHING = 0
    OWN_LANE = 1
    LANE_BESIDE = 2
    ONCOMING_LANE = 3
    VERGE = 4


class TrafficState(Columns):
    """One row per NPC vehicle, sorted by id.

    An ego vehicle in cruise mode has a row too: its driver's plan, which its body with full dynamics follows.

    A vehicle's place is that of its front bumper: `link` and `s`. Its body follows the lane's centre line shifted by
    `lateral`; the pose is that of the body origin, the centre of the rear axle on the ground. The velocity of the body
    origin is (`speed`, 0) in the body frame, its acceleration (`acceleration`, `speed` * `yaw_rate`).
    """

    id = int64("of the actor")
    model = int64("vehicle model, an index into the scene's models")
    present = int64("Presence")
    paused = int64("1 stands where it is")
    plan_of_ego = int64("not 0: is what the driver of the ego of this id means to do: it stops at dead ends of the map")
    link = int64("link under the front bumper; while it changes lanes, the one that it changes to")
    previous = int64("link driven before, -1 none")
    before_previous = int64("link driven before that, -1 none")
    change_from = int64("link that it is leaving by a lane change, -1 none")
    counter = int64("links driven so far: the address of the next random choice")
    route = int64("row of the route table, -1 chooses at random at every fork")
    cursor = int64("its place in the route: index into the table's links, -1 none")
    close_loop = int64("1 begins its route again where it ends; 0 goes on at random")
    may_change = int64("1 changes lanes for its own advantage; for its route it always does")
    speed_mode = int64("SpeedMode")
    spawn_point = int64("id of the spawn point that it came from, 0 for none; it leaves where its route ends")
    waiting = int64("Waiting: why it may not enter the junction ahead")
    passing = int64("Passing: over what it drives around what stands in its way")
    making_room = int64("1 to the left, -1 to the right: moves aside in its lane for an emergency vehicle; 0 for none")
    way_back_word = int64("which turns its way onto a lane has, a row of `lane_return.WORDS`; counts while RETURNING")
    manoeuvring = int64("1 is RETURNING to a lane by a manoeuvre of its own, since its lane was blocked")
    manoeuvre_turns = int64("the turns of its manoeuvre's parts, as `manoeuvre.code_of_turns` writes them")

    s = float64(METRE, "place of the front bumper, arc length on `link`")
    speed = float64(METRE_PER_SECOND, "along the lane, never negative")
    acceleration = float64(METRE_PER_SECOND2, "along the lane, as decided last")
    authority = float64(METRE, "arc length from the start of `link` up to which it has reserved the junctions ahead")
    patience = float64(SECOND, "how long it has stood before a junction that others keep it from, or has been OFF_MAP")
    change_start = float64(METRE, "where on `link` its lane change began")
    change_length = float64(METRE, "way over which the body moves from lane to lane")
    lateral = float64(METRE, "offset of the body origin from the centre line, left positive")
    lateral_slope = float64(RATIO, "how much `lateral` grows on each metre of its way")
    pass_lateral = float64(METRE, "offset at which it passes; counts while it does")
    pass_end = float64(METRE, "place on `link` from which its front goes back to the middle of the lane")
    pass_curvature = float64(PER_METRE, "of its path aside and back, at most")
    pass_slope = float64(RATIO, "of its path aside and back over the lane, at most")
    pass_speed = float64(METRE_PER_SECOND, "at most, while it passes")
    blocked_time = float64(SECOND, "for how long what stands ahead has stood there without a reason to wait")

    desired_speed = float64(NONE, "ratio of the limit or m/s, by `speed_mode`")
    lateral_bias = float64(RATIO, "offset that it keeps on open road, over half the width of the lane, left positive")
    time_gap = float64(SECOND, "IDM: desired time gap T")
    standstill_gap = float64(METRE, "IDM: gap at standstill s0")
    comfortable_acceleration = float64(METRE_PER_SECOND2, "IDM: a")
    comfortable_deceleration = float64(METRE_PER_SECOND2, "IDM: b, positive")
    politeness = float64(RATIO, "MOBIL: weight of what others lose, p")
    change_threshold = float64(METRE_PER_SECOND2, "MOBIL: advantage below which it stays, Δa_th")

    reaction_time = float64(SECOND, "from when its way is free to when it drives off, where it stands")
    start_delay = float64(SECOND, "for how long its way has been free while it stands")
    mistake_interval = float64(SECOND, "mean time between two mistakes of its driver, 0: it makes none")
    distraction = float64(SECOND, "for how long its driver will not look ahead: it keeps its acceleration")

    length = float64(METRE, "of the body")
    width = float64(METRE, "of the body")
    wheelbase = float64(METRE, "between the axles")
    front_overhang = float64(METRE, "from the front axle to the bumper")

    x = float64(METRE, "body origin, east", frame="map")
    y = float64(METRE, "body origin, north", frame="map")
    z = float64(METRE, "body origin, up", frame="map")
    yaw = float64(RADIAN, "counter-clockwise from east, -pi to pi", frame="map")
    pitch = float64(RADIAN, "nose down positive", frame="map")
    roll = float64(RADIAN, "left side up positive; 0 on a lane", frame="map")
    fall_speed = float64(METRE_PER_SECOND, "off the lanes: downwards, where the ground has fallen away")
    yaw_rate = float64(RADIAN_PER_SECOND, "of the body about its up axis", frame="body")

    slide_x = float64(METRE_PER_SECOND, "velocity of the middle of the body off the lanes, east", frame="map")
    slide_y = float64(METRE_PER_SECOND, "velocity of the middle of the body off the lanes, north", frame="map")
    slide_acceleration_x = float64(METRE_PER_SECOND2, "of the body origin off the lanes, east", frame="map")
    slide_acceleration_y = float64(METRE_PER_SECOND2, "of the body origin off the lanes, north", frame="map")

    way_back = float64_vector(
        3, METRE, "what is left of the three parts of its way onto a lane, while RETURNING; else 0"
    )
    standing_time = float64(SECOND, "for how long it has stood, but at red, while bodies stand on lanes somewhere")
    manoeuvre = float64_vector(
        MANOEUVRE_PARTS, METRE, "what is left of the parts of its manoeuvre, negative backwards; else 0"
    )


class Obstruction(Columns):
    """Bodies on lanes that are not of the traffic: egos, ghosts, pedestrians, obstacles. One row per body and lane.

    Vehicles of the traffic have rows on lanes other than their own while they pass something.
    A body that covers several lanes, as in a junction, has a row on each of them.
    """

    link = int64("the lane")
    rear = float64(METRE, "arc length of its rear end on the lane")
    front = float64(METRE, "arc length of its front end on the lane")
    right = float64(METRE, "lateral offset of its right side from the centre line, left positive")
    left = float64(METRE, "lateral offset of its left side")
    speed = float64(METRE_PER_SECOND, "along the lane, negative against it")
    emergency = float64(NONE, "1 if its emergency lamps flash")
    passing_vehicle = float64(NONE, "1 + row of the vehicle of the traffic that it is, while that passes; 0 for none")


NO_OBSTRUCTION = Obstruction.zeros(0).freeze()


class Crossing(Columns):
    """Crosswalks that people use, where lanes lead over them. One row per crosswalk and lane, sorted by lane."""

    link = int64("the lane")
    begin = float64(METRE, "arc length on the lane where the crosswalk begins")
    end = float64(METRE, "arc length on the lane where it ends")
    time = float64(SECOND, "until the first of them is in the lane; 0 if one is, or waits to be let over")


NO_CROSSING = Crossing.zeros(0).freeze()
