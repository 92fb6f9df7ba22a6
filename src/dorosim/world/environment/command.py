"""Commands about weather, time of day, friction and satellite reception.

Values are in SI, angles in rad, positions in the map frame.
"""

from __future__ import annotations

from dorosim.world.command import NEW_ACTOR, ActorCommand, Command, Vector
from dorosim.world.environment.weather import Season, WeatherKind


class CreateMapObject(ActorCommand, frozen=True, tag=True):
    """Puts a map object such as a puddle somewhere; `actor` is its new id.

    Attributes:
        model: its name.
        position: in the map [m].
        rotation: roll, pitch, yaw [rad].
    """

    model: str
    position: Vector
    rotation: Vector = (0.0, 0.0, 0.0)


class CreateFrictionArea(ActorCommand, frozen=True, tag=True, kw_only=True):
    """Puts a map object with a friction area of its own somewhere: `CreateMapObject` and `SetFrictionArea` at once.

    The Standard API and scenario files make both together. Attributes as of the two.
    """

    actor: int = NEW_ACTOR
    model: str = ""
    position: Vector
    rotation: Vector = (0.0, 0.0, 0.0)
    vertical_radius: float
    horizontal_radius: float
    height: float
    multiplier: float


class RemoveMapObject(ActorCommand, frozen=True, tag=True):
    """Takes a map object away."""


class SetFrictionArea(ActorCommand, frozen=True, tag=True):
    """Gives a map object a friction area (dorosim.world.environment.friction_area).

    Attributes:
        vertical_radius: half axis along the object's x [m].
        horizontal_radius: half axis along its y [m].
        height: [m].
        multiplier: of the grip of wheels in it.
    """

    vertical_radius: float
    horizontal_radius: float
    height: float
    multiplier: float


class SetRoadFriction(Command, frozen=True, tag=True):
    """Sets the friction of all roads, over that of dry asphalt."""

    multiplier: float


class PlaceShade(Command, frozen=True, tag=True, kw_only=True):
    """Puts an area without satellite reception somewhere; one of the same id moves there.

    Attributes:
        alias: id in the scenario.
        position: of its middle in the map [m].
        rotation: roll, pitch, yaw [rad].
        size: along its yaw, across it, and its height, 0 for any height [m].
    """

    alias: int
    position: Vector
    rotation: Vector = (0.0, 0.0, 0.0)
    size: Vector


class RemoveShades(Command, frozen=True, tag=True):
    """Takes all areas without satellite reception away."""


class SetWeather(Command, frozen=True, tag=True):
    """Sets a kind of weather (Standard API, SetWeather).

    Attributes:
        kind: which.
        at_once: whether it comes at once, and with it the water or the snow that it leaves on the ground.
    """

    kind: WeatherKind
    at_once: bool = True


class SetSky(Command, frozen=True, tag=True):
    """Sets single numbers of the weather; None leaves one. The kind of weather stays.

    Attributes:
        rain: [m/s]. snow: as water [m/s]. visibility: [m]. cloud: 0 to 1. wind: [m/s].
        at_once: whether it comes at once.
    """

    rain: float | None = None
    snow: float | None = None
    visibility: float | None = None
    cloud: float | None = None
    wind: float | None = None
    at_once: bool = True


class SetSeason(Command, frozen=True, tag=True):
    """Sets the season (Standard API, SetSeason)."""

    season: Season


class SetTimeOfDay(Command, frozen=True, tag=True):
    """Sets the time of day (Standard API, SetTime, where it is a whole hour).

    Attributes:
        time: since midnight [s], 0 to 86,400.
        at_once: whether it comes at once, else the sun goes on to it.
        clock_only: clocks show it and the light stays as it is (Standard API, SimulationTime.data_only).
    """

    time: float
    at_once: bool = True
    clock_only: bool = False


class SetStandingWater(Command, frozen=True, tag=True):
    """Sets how deep water stands on sealed ground; from then on it drains, dries and grows as ever.

    Attributes:
        depth: [m].
    """

    depth: float


class ShowPuddles(Command, frozen=True, tag=True):
    """Shows or hides puddles (Standard API, SetVisibility of PUDDLE). Their friction stays."""

    shown: bool
