"""What is remembered of agents from step to step, and what is worked out of a step."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import NamedTuple

from dorosim.ground.column import Columns, FloatArray, IntArray, float64, int64
from dorosim.ground.unit import METRE, METRE_PER_SECOND, RADIAN, RATIO


class AgentState(Columns):
    """One row per agent: a vehicle with full dynamics that a program drives."""

    travelled = float64(METRE, "along its way so far, at the origin of its body")
    offset = float64(METRE, "from the middle of the way, left positive")
    heading_error = float64(RADIAN, "of the body from the way, left positive, -pi to pi")
    limit = float64(METRE_PER_SECOND, "speed limit where it is")
    goal_distance = float64(METRE, "from the goal, in the plan")
    goal_error = float64(RADIAN, "of the body from the heading at the goal, -pi to pi")
    front = float64(METRE, "along its way, at its front bumper, at the most so far")
    stood = float64(METRE, "along its way, where its front stood last; -1 for nowhere")
    steer = float64(RATIO, "front wheel angle over the largest one, a step ago")
    goal_x = float64(METRE, "of the goal, east", frame="map")
    goal_y = float64(METRE, "of the goal, north", frame="map")
    goal_heading = float64(RADIAN, "at the goal", frame="map")
    id = int64("of the vehicle")
    point = int64("point of its way that it has passed last")
    points = int64("how many points its way has")
    fresh = int64("1 until its first step: nothing can be compared with the step before")


class EgoFeature(IntEnum):
    """What an agent perceives of itself, in this order; each number is in -1 to 1."""

    SPEED = 0
    SIDE_SPEED = 1
    YAW_RATE = 2
    ACCELERATION = 3
    SIDE_ACCELERATION = 4
    STEER = 5
    ACCELERATOR = 6
    BRAKE = 7
    OFFSET = 8
    HEADING_SINE = 9
    HEADING_COSINE = 10
    LEFT_EDGE = 11
    RIGHT_EDGE = 12
    LIMIT = 13
    WAY_LEFT = 14
    GOAL_X = 15
    GOAL_Y = 16
    GOAL_SINE = 17
    GOAL_COSINE = 18
    REVERSE = 19


class NeighbourFeature(IntEnum):
    """What an agent perceives of each body near it, the nearest first, in the frame of its own body."""

    PRESENT = 0
    X = 1
    Y = 2
    SINE = 3
    COSINE = 4
    VELOCITY_X = 5
    VELOCITY_Y = 6
    LENGTH = 7
    WIDTH = 8
    KIND = 9


class RoadFeature(IntEnum):
    """What an agent perceives of each point of its way ahead, in the frame of its own body."""

    X = 0
    Y = 1
    SINE = 2
    COSINE = 3
    CURVATURE = 4


class LightFeature(IntEnum):
    """What an agent perceives of each stop line with a light ahead; after these, 1 for its `Permission`, of 6."""

    PRESENT = 0
    DISTANCE = 1


class RewardTerm(IntEnum):
    """The terms of a reward, each before its weight.

    PROGRESS: metres gained on the way over those at the speed limit. APPROACH: metres by which the goal is nearer.
    SPEEDING: speed over the limit, as a share of it, at most 1. LANE: the square of the offset over half of the lane's
    width, at most 1. HEADING: 1 less the cosine of the angle to the way, over 2. STEERING: change of the wheel angle
    over the largest angle. COMFORT: the square of the acceleration over that of 5 m/s², at most 1. WRONG_WAY: 1 against
    the direction of the way. TIME: 1 in each step. COLLISION, OFF_ROAD, RED_LIGHT, ARRIVAL: 1 in the step in which
    it happens.
    """

    PROGRESS = 0
    APPROACH = 1
    SPEEDING = 2
    LANE = 3
    HEADING = 4
    STEERING = 5
    COMFORT = 6
    WRONG_WAY = 7
    TIME = 8
    COLLISION = 9
    OFF_ROAD = 10
    RED_LIGHT = 11
    ARRIVAL = 12


class AgentEvent(IntFlag):
    """What happened to an agent in a step. LOST: it is beside its way, or near its end, and wants another one."""

    COLLISION = 1
    OFF_ROAD = 2
    RED_LIGHT = 4
    ARRIVAL = 8
    LOST = 16


class AgentShape(NamedTuple):
    """How much agents perceive, as kernels see it.

    Attributes:
        neighbours, road_points, lights, rays, rings: how many of each; rings 0, 1 (bodies) or 2 (bodies, road edge).
        neighbour_reach, road_spacing, light_reach, ray_reach: [m].
        step: simulated time of a step [s].
        goal_radius, goal_angle, goal_speed: within these of its goal an agent has arrived [m, rad, m/s]; a radius
            below 0: there is no arriving.
        lost_offset: farther than this beside its way an agent wants another one [m].
        way_left: with less of its way before it than this likewise [m]; 0 for a way that ends at a goal.
        has_terrain: whether the map knows what is under a wheel.
    """

    neighbours: int
    road_points: int
    lights: int
    rays: int
    rings: int
    neighbour_reach: float
    road_spacing: float
    light_reach: float
    ray_reach: float
    step: float
    goal_radius: float
    goal_angle: float
    goal_speed: float
    lost_offset: float
    way_left: float
    has_terrain: bool

    @property
    def sizes(self) -> tuple[int, int, int, int, int]:
        """Floats of each part of an observation: ego, neighbours, road points, lights, rays."""
        return (
            len(EgoFeature),
            self.neighbours * len(NeighbourFeature),
            self.road_points * len(RoadFeature),
            self.lights * LIGHT_WIDTH,
            self.rays * self.rings,
        )


class WorldArrays(NamedTuple):
    """The world at a moment, as kernels see it: blocks of its tables.

    Attributes:
        vehicle, vehicle_ints, parameter: vehicles with full dynamics.
        body, body_ints: all bodies, those of these vehicles first (`BodyTable`); there may be room for more.
        bodies: how many they are.
        contact, link: int blocks of the contacts and of what lights let links do.
        since: contacts after this simulated time count [ns].
    """

    vehicle: FloatArray
    vehicle_ints: IntArray
    parameter: FloatArray
    body: FloatArray
    body_ints: IntArray
    bodies: int
    contact: IntArray
    link: IntArray
    since: int


LIGHT_WIDTH = len(LightFeature) + 6
