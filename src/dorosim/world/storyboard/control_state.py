"""What a storyboard keeps of entities and surroundings besides places: controls, lights, animations, environment.

Parts of `StoryboardState` (`dorosim.world.storyboard.state`), which says who makes them.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

from dorosim.ground.column import Columns, float64, float64_vector, int64
from dorosim.ground.unit import METRE, METRE_PER_SECOND, NANOSECOND, NONE, RADIAN, SECOND, Unit

CANDELA = Unit("cd", "cd")
KELVIN = Unit("K", "K")
LUX = Unit("lx", "lx")
NEWTON_METRE = Unit("N·m", "N·m")
PASCAL = Unit("Pa", "Pa")


class VehicleControl(IntEnum):
    """A control of a vehicle that can be overridden, by its place in `ControlTable.value`."""

    THROTTLE = 0
    BRAKE = 1
    BRAKE_FORCE = 2
    CLUTCH = 3
    PARKING_BRAKE = 4
    PARKING_BRAKE_FORCE = 5
    STEERING_WHEEL = 6


class Override(IntFlag):
    """Which controls are overridden."""

    THROTTLE = 1
    BRAKE = 2
    CLUTCH = 4
    PARKING_BRAKE = 8
    STEERING_WHEEL = 16
    GEAR = 32


class GearKind(IntEnum):
    """How a gear was given."""

    NONE = 0
    MANUAL = 1
    AUTOMATIC = 2


REVERSE, NEUTRAL, DRIVE, PARK = -1, 0, 1, -100
"""Gears of automatic gearboxes in `ControlTable.gear`. Manual ones have any number above -100: 1 to 6, 0, -1."""


class LampMode(IntEnum):
    """Whether a light is on, off or flashes."""

    OFF = 0
    ON = 1
    FLASHING = 2


class RoadWetness(IntEnum):
    """How wet the road is."""

    DRY = 0
    MOIST = 1
    WET_WITH_PUDDLES = 2
    LOW_FLOODED = 3
    HIGH_FLOODED = 4


CONTROLS = len(VehicleControl)


class ControlTable(Columns):
    """One row per entity: what overrides its controllers, which of them are active, and what it tows."""

    value = float64_vector(CONTROLS, NONE, "of each control: share of its range, force [N], or angle [rad]")
    goal = float64_vector(CONTROLS, NONE, "what it goes to")
    rate = float64_vector(CONTROLS, NONE, "how fast it may go there [1/s, N/s or rad/s], 0: at once")
    torque = float64(NEWTON_METRE, "greatest torque at the steering wheel, 0: not bound")
    wheel_angle = float64(RADIAN, "of the front wheels, left positive, while the steering wheel is overridden")
    overridden = int64("bits by `Override`")
    gear = int64("the overridden gear: above 0 forward, 0 neutral, below 0 reverse")
    gear_kind = int64("a `GearKind`")
    assigned = int64("bits: the controllers that the entity has")
    lateral = int64("number of the controller that steers, -1: the default controller")
    longitudinal = int64("the same of the one that drives and brakes")
    lighting = int64("the same of the one that switches lights")
    animation = int64("the same of the one that animates")
    trailer = int64("row of the entity that it tows, -1 none")
    tractor = int64("row of the entity that tows it, -1 none")
    wanders = int64("1: it turns at random where roads divide")
    blind = int64("row of the text that names the sensors to which `hidden` applies, a line each; -1: all sensors")


class LightTable(Columns):
    """One row per light that an action has switched, by entity and kind."""

    brightness = float64(NONE, "as it shines now, 0 to 1, before it flashes")
    start = float64(NONE, "brightness at the start of the transition")
    intensity = float64(CANDELA, "luminous intensity when on, NaN: as the light has it")
    red = float64(NONE, "of its colour, 0 to 1; NaN: as the light has it")
    green = float64(NONE, "the same")
    blue = float64(NONE, "the same")
    entity = int64("row of the entity")
    kind = int64("row of the text that names the light")
    colour = int64("row of the text that names its colour")
    mode = int64("a `LampMode`")
    since = int64("when it was switched, since the storyboard's start [ns]", NANOSECOND)
    transition = int64("how long it takes until it is so [ns]", NANOSECOND)
    on_time = int64("how long it is on while it flashes [ns]", NANOSECOND)
    off_time = int64("how long it is off [ns]", NANOSECOND)


class AnimationTable(Columns):
    """One row per part of an entity that an action has moved."""

    progress = float64(NONE, "0 to 1: where the motion is; of a part of a vehicle how far it is open")
    start = float64(NONE, "progress at its start")
    goal = float64(NONE, "progress at its end")
    clock = float64(SECOND, "time in the animation, with the offset of a file")
    entity = int64("row of the entity")
    kind = int64("row of the text that names what moves")
    since = int64("when it started, since the storyboard's start [ns]", NANOSECOND)
    duration = int64("of one run of it [ns], 0: at once", NANOSECOND)
    loop = int64("1: it begins again at its end")
    running = int64("1: it moves")


class EnvironmentTable(Columns):
    """No row until an action sets an environment, then one: what the world's own environment has no column for.

    NaN stands for what no action has set.
    """

    sun_azimuth = float64(RADIAN, "of the sun, from north, clockwise")
    sun_elevation = float64(RADIAN, "of the sun, above the horizon")
    illuminance = float64(LUX, "of the sun on the ground")
    temperature = float64(KELVIN, "of the air")
    pressure = float64(PASCAL, "of the air")
    wind_direction = float64(RADIAN, "where it blows to, counter-clockwise from east", frame="map")
    wind_speed = float64(METRE_PER_SECOND, "of the wind")
    fog_range = float64(METRE, "how far one sees inside of the fog's box, inf: nothing but air")
    fog_x = float64(METRE, "middle of the fog's box, east", frame="map")
    fog_y = float64(METRE, "the same, north", frame="map")
    fog_z = float64(METRE, "the same, up", frame="map")
    fog_length = float64(METRE, "size of the box to the east, NaN: fog everywhere")
    fog_width = float64(METRE, "the same to the north")
    fog_height = float64(METRE, "the same upwards")
    friction = float64(NONE, "factor of the friction of roads")
    day_time = float64(SECOND, "since midnight at `since`, as the file has it")
    date_time = int64("date and time of day at `since`: nanoseconds since 1970 without leap seconds", NANOSECOND)
    since = int64("when that was set, since the storyboard's start; -1: it was not [ns]", NANOSECOND)
    animation = int64("1: the time of day goes on with the simulated time")
    wetness = int64("a `RoadWetness`, -1: not set")
