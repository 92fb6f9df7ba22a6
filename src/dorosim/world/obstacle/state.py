"""Things that stand or move on the road: cones, boxes, trees."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Self

from dorosim.ground.column import Columns, float64, float64_vector, int64
from dorosim.ground.unit import METRE, METRE_PER_SECOND, METRE_PER_SECOND2, RADIAN, RADIAN_PER_SECOND, RATIO
from dorosim.road.scenery.pole import BREAKAWAY_SPEED
from dorosim.world.waypoint import WaypointRoutes
from dorosim.world.waypoint_follower import Travellers


@dataclass(frozen=True, slots=True)
class ObstacleModel:
    """A model of an obstacle.

    Attributes:
        name: as it is asked for.
        length, width, height: of its box at scale 1, length along its heading [m].
        mass: [kg]; 0 for what stands fast in the ground.
        breakaway_speed: closing speed from which on it comes off the ground [m/s]; 0 for what stands on it loosely, or
            never gives way.
    """

    name: str
    length: float
    width: float
    height: float
    mass: float
    breakaway_speed: float = 0.0


OBSTACLE_MODELS: tuple[ObstacleModel, ...] = (
    ObstacleModel("box", 1.0, 1.0, 1.0, 20.0),
    ObstacleModel("cone", 0.37, 0.37, 0.70, 3.0),
    ObstacleModel("drum", 0.45, 0.45, 0.80, 9.0),
    ObstacleModel("barrier", 1.00, 0.60, 0.90, 40.0),
    ObstacleModel("concrete_barrier", 3.00, 0.61, 0.81, 2000.0),
    ObstacleModel("bollard", 0.15, 0.15, 0.90, 12.0, BREAKAWAY_SPEED),
    ObstacleModel("sign_stand", 0.60, 0.90, 1.20, 12.0),
    ObstacleModel("pallet", 1.10, 1.10, 0.15, 20.0),
    ObstacleModel("tire", 0.65, 0.65, 0.22, 10.0),
    ObstacleModel("stone", 0.50, 0.50, 0.40, 150.0),
    ObstacleModel("tree", 0.40, 0.40, 6.00, 0.0),
    ObstacleModel("container", 6.06, 2.44, 2.59, 2300.0),
    ObstacleModel("trailer", 12.20, 2.50, 4.00, 7000.0),
    ObstacleModel("dog", 0.90, 0.30, 0.60, 25.0),
    ObstacleModel("deer", 1.60, 0.50, 1.40, 60.0),
)
"""All models; the `model` column of `ObstacleState` is a row of it.

Container: ISO 668, 1CC. Pallet: KS T 2002 (T11). Cone, drum and barriers: usual Korean road-work sizes (0.7 m cone,
Jersey barrier of 0.81 m). The bollard is a steel tube with its foot, fixed to the ground. The rest are estimates. The
product's names are not public (facts/ros-grpc-mgeo.md, 4)."""

_ROW_OF_NAME = {model.name: row for row, model in enumerate(OBSTACLE_MODELS)}


def obstacle_model_row(name: str) -> tuple[int, bool]:
    """The row of a model in `OBSTACLE_MODELS`, and whether it has the name that was asked for.

    Upper and lower case are the same. For a name that is not in the catalogue, the row is that of the longest model
    name in it, else of the model with the most similar name, else of the box of 1 m; show this to the user if the
    second value is False.
    """
    plain = name.strip().casefold()
    if plain in _ROW_OF_NAME:
        return _ROW_OF_NAME[plain], True
    within = [row for known, row in _ROW_OF_NAME.items() if known.replace("_", "") in plain.replace("_", "")]
    if within:
        return max(within, key=lambda row: len(OBSTACLE_MODELS[row].name)), False
    near = get_close_matches(plain, _ROW_OF_NAME, n=1)
    return (_ROW_OF_NAME[near[0]] if near else 0), False


class ObstacleState(Columns):
    """One row per obstacle, in ascending order of ids. The origin is the centre of the base (seams, Frames).

    Roll, pitch and yaw turn the map frame into the body frame in the order z, y, x by the right-hand rule (REP-103).
    """

    x = float64(METRE, "centre of the base, east", frame="map")
    y = float64(METRE, "centre of the base, north", frame="map")
    z = float64(METRE, "centre of the base, up", frame="map")
    roll = float64(RADIAN, "left side up positive", frame="map")
    pitch = float64(RADIAN, "nose down positive", frame="map")
    yaw = float64(RADIAN, "counter-clockwise from east", frame="map")
    scale = float64_vector(3, RATIO, "length, width and height over those of the model")
    length = float64(METRE, "along body x, scaled")
    width = float64(METRE, "along body y, scaled")
    height = float64(METRE, "along body z, scaled")
    velocity_x = float64(METRE_PER_SECOND, "east", frame="map")
    velocity_y = float64(METRE_PER_SECOND, "north", frame="map")
    velocity_z = float64(METRE_PER_SECOND, "up", frame="map")
    yaw_rate = float64(RADIAN_PER_SECOND, "counter-clockwise; only with driven", frame="map")
    acceleration_x = float64(METRE_PER_SECOND2, "east", frame="map")
    acceleration_y = float64(METRE_PER_SECOND2, "north", frame="map")
    acceleration_z = float64(METRE_PER_SECOND2, "up", frame="map")
    move_speed = float64(METRE_PER_SECOND, "along its waypoints")
    active_distance = float64(METRE, "it starts when an ego vehicle is nearer than this; 0: at once")
    drive_x = float64(METRE_PER_SECOND, "driven: commanded velocity, forward", frame="body")
    drive_y = float64(METRE_PER_SECOND, "driven: commanded velocity, to the left", frame="body")
    drive_yaw_rate = float64(RADIAN_PER_SECOND, "driven: commanded, counter-clockwise")
    id = int64("actor id")
    model = int64("row of the catalogue")
    moving = int64("1 while it goes along its waypoints")
    waypoint = int64("the point of its route that it goes to; as many as it has points at the end")
    driven = int64("1 if it moves as commanded")
    paused = int64("1 while it is paused: it does not move")
    loose = int64("1 once it was hit: it moves by the law of collisions only, until it is placed")
    fallback = int64("1 if the model was not the one asked for")


_MOTION = slice(ObstacleState.at.velocity_x, ObstacleState.at.acceleration_z + 1)
"""What an obstacle that stands has none of: columns that stand side by side."""


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles(Travellers[ObstacleState]):
    """All obstacles of a run.

    Attributes:
        state: one row each. route: the points that each goes along; empty for one that stands.
    """

    state: ObstacleState
    route: WaypointRoutes

    @classmethod
    def empty(cls) -> Self:
        """None."""
        return cls(ObstacleState.zeros(0).freeze(), WaypointRoutes.from_routes([]))

    def can_move(self) -> bool:
        """Whether a step may change anything; if not, a table can be shared from snapshot to snapshot."""
        state = self.state
        return bool(len(self.route.point)) or bool(state.driven.any()) or bool(state.floats[_MOTION].any())
