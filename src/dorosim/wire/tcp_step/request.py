"""What clients ask for over TCP (facts/tcp-fixed-step.md).

The numbers of models, entity types and driving modes are those of the examples' own lists. Angles are degrees on the
wire, turns about x, y, z of the map: roll, pitch, yaw.
"""

from __future__ import annotations

from enum import IntEnum

from dorosim.ground.unit import METRE, METRE_PER_SECOND, NONE, RATIO, SECOND
from dorosim.wire.message import (
    Wire,
    f32,
    f64,
    i32,
    map_position,
    record,
    records,
    rest,
    roll_pitch_yaw,
    string,
    u32,
)

SPEED_LIMIT = 1000.0
"""A speed beyond this [m/s] is a mistake."""


class TimeMode(IntEnum):
    """How time passes. The newer clients know VARIABLE and FIXED_DELTA, which they call fixed."""

    VARIABLE = 1
    FIXED_DELTA = 2
    FIXED_STEP = 3


class EntityType(IntEnum):
    """What is to be made."""

    UNSPECIFIED = 0
    VEHICLE = 1
    PEDESTRIAN = 2
    OBSTACLE = 3
    ANIMAL = 4
    SENSOR = 5


class DrivingMode(IntEnum):
    """By what a vehicle moves; UNSPECIFIED counts as DYNAMICS."""

    UNSPECIFIED = 0
    DYNAMICS = 1
    KINEMATICS = 2


class FollowMode(IntEnum):
    """How a trajectory is followed: at its places and times exactly, or driven."""

    POSITION = 1
    FOLLOW = 2


class ScenarioCommand(IntEnum):
    """What a scenario is to do."""

    PLAY = 1
    PAUSE = 2
    STOP = 3
    PREVIOUS = 4
    NEXT = 5


@record
class Empty(Wire):
    """A request without fields."""


@record
class SetSimulatorMode(Wire):
    """Asks for another mode of the program."""

    mode: int = u32("1 scenario, 2 replay, 3 traffic, 4 monitoring, 5 competition")


@record
class LoadMap(Wire):
    """Asks for a run on another map."""

    map_name: str = string("name of a map")


@record
class SetTimeMode(Wire):
    """Says how time passes, in the first form (12 bytes)."""

    mode: TimeMode = i32("1 variable, 2 fixed delta, 3 fixed step", enum=TimeMode)
    fixed_delta: float = f32(NONE, "simulated time of a step [ms]")
    simulation_speed: float = f32(NONE, "simulated over wall time, in mode 1")


@record
class SetVariableTime(Wire):
    """Says how time passes, in the second form of mode 1 (16 bytes)."""

    mode: TimeMode = i32("1 variable", enum=TimeMode)
    target_fps: int = i32("pictures a second; kept and reported")
    physics_delta_time: int = i32("of the physics [ms]; kept and reported")
    simulation_speed: float = f32(NONE, "simulated over wall time")


@record
class SetFixedTime(Wire):
    """Says how time passes, in the second form of mode 2, and in the third form of both modes (20 bytes)."""

    mode: TimeMode = i32("1 variable, in the third form; 2 fixed", enum=TimeMode)
    simulation_delta_time: int = i32("simulated time of a step [ms]; in the third form pictures a second")
    physics_delta_time: int = i32("of the physics [ms]; kept and reported")
    rtf: int = i32("simulated over wall time while time passes by itself; 0 leaves it")
    user_control: int = i32("1: clients step the run")


@record
class FixedStep(Wire):
    """Lets some steps pass, and is answered when they have."""

    step_count: int = u32("how many")


@record
class CreateObject(Wire):
    """Puts a vehicle, a pedestrian or an obstacle into the world."""

    entity_type: EntityType = i32("what", enum=EntityType)
    position: tuple[float, float, float] = map_position("where")
    rotation: tuple[float, float, float] = roll_pitch_yaw("how it stands", "map")
    driving_mode: DrivingMode = i32("by what a vehicle moves", enum=DrivingMode)
    ground_vehicle_model: int = i32("number of the model of a vehicle")


@record
class ManualControl(Wire):
    """Pedals and wheels of a vehicle: the datagram to the simulator, and what follows the id over TCP."""

    throttle: float = f64(RATIO, "accelerator; less than 0 counts as 0", low=-1.0, high=1.0)
    brake: float = f64(RATIO, "brake; less than 0 counts as 0", low=-1.0, high=1.0)
    steer_angle: float = f64(RATIO, "of the largest wheel angle, left positive", low=-1.0, high=1.0)


@record
class ManualControlById(Wire):
    """Drives a vehicle by its pedals and its wheels."""

    entity_id: str = string("which")
    throttle: float = f64(RATIO, "accelerator; less than 0 counts as 0", low=-1.0, high=1.0)
    brake: float = f64(RATIO, "brake; less than 0 counts as 0", low=-1.0, high=1.0)
    steer_angle: float = f64(RATIO, "of the largest wheel angle, left positive", low=-1.0, high=1.0)


@record
class TransformControlById(Wire):
    """Puts an actor elsewhere; a vehicle has no physics from then on, until it is driven."""

    entity_id: str = string("which")
    position: tuple[float, float, float] = map_position("where")
    rotation: tuple[float, float, float] = roll_pitch_yaw("how it stands", "map")
    steer_angle: float = f32(RATIO, "of the largest wheel angle, left positive", low=-1.0, high=1.0)
    speed: float = f64(METRE_PER_SECOND, "forward", low=-SPEED_LIMIT, high=SPEED_LIMIT, beyond="refuse")


@record
class TransformControlWithoutSpeed(Wire):
    """The same as clients had it before they sent a speed; it is 0 then."""

    entity_id: str = string("which")
    position: tuple[float, float, float] = map_position("where")
    rotation: tuple[float, float, float] = roll_pitch_yaw("how it stands", "map")
    steer_angle: float = f32(RATIO, "of the largest wheel angle, left positive", low=-1.0, high=1.0)


@record
class StepTrajectoryPoint(Wire):
    """A place of a trajectory."""

    x: float = f64(METRE, "east", frame="map", low=-1e6, high=1e6, beyond="refuse")
    y: float = f64(METRE, "north", frame="map", low=-1e6, high=1e6, beyond="refuse")
    z: float = f64(METRE, "up", frame="map", low=-1e6, high=1e6, beyond="refuse")
    time: float = f64(SECOND, "from the beginning of the trajectory", low=0.0, high=1e6, beyond="refuse")


@record
class SetTrajectory(Wire):
    """Lets an actor go along points."""

    entity_id: str = string("which")
    follow_mode: FollowMode = i32("1 at the places at their times, 2 driven along them", enum=FollowMode)
    trajectory_name: str = string("for messages to users")
    points: tuple[StepTrajectoryPoint, ...] = records(StepTrajectoryPoint, "in order of time")


@record
class DeleteObject(Wire):
    """Takes an actor out of the world."""

    entity_id: str = rest("which")


@record
class LoadSuite(Wire):
    """Loads a suite: the projects and scenarios that can be played."""

    suite_path: str = string("a .msuite file")


@record
class ScenarioControl(Wire):
    """Plays, pauses or stops a scenario, or goes to another one of the suite."""

    command: ScenarioCommand = u32("what to do", enum=ScenarioCommand)
    scenario_name: str = string("which, empty for the active one")


@record
class LoadTrafficScenario(Wire):
    """Asks for a traffic scenario (.anmroutes), a form that is not public."""

    file_path: str = string("a file")


@record
class TrafficGenerate(Wire):
    """Asks for the traffic of such a scenario."""

    autonomous: int = i32("whether its vehicles drive by themselves")
    lc_rate: int = i32("how often they change lanes")
