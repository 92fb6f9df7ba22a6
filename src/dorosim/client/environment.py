"""Weather, time of day, season and friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dorosim.client.error import RefusedError
from dorosim.client.operation import Session, Steps, call, do, operation
from dorosim.client.quantity import Vector, identity, transform, word

Weather = Literal["sunny", "cloudy", "foggy", "storm", "rainy", "snowy"]
Season = Literal["winter", "spring", "summer", "fall"]
_WEATHER: tuple[Weather, ...] = ("sunny", "cloudy", "foggy", "storm", "rainy", "snowy")
_SEASON: tuple[Season, ...] = ("winter", "spring", "summer", "fall")
_WEATHER_TYPES = {name: f"WEATHER_TYPE_{name.upper()}" for name in _WEATHER}
_SEASON_TYPES = {name: f"SEASON_TYPE_{name.upper()}" for name in _SEASON}

MAX_FALL = 200.0
"""Most rain, and most snow as water, that the simulator takes [mm/h]."""
_HOUR = 3600.0
"""[s]"""
_MM_PER_HOUR = 1e-3 / _HOUR
"""[m/s]"""


@dataclass(frozen=True, slots=True)
class Sky:
    """The numbers of the weather.

    Attributes:
        hour: time of day, 0 to 24. rain: [mm/h], as forecasts have it, and not in SI. snow: as water [mm/h].
        visibility: in the air without rain and snow [m]. cloud: cover, 0 to 1. wind: [m/s].
        water_depth: on sealed ground [m]. snow_depth: that lies on the ground [m].
    """

    hour: float
    rain: float
    snow: float
    visibility: float
    cloud: float
    wind: float
    water_depth: float
    snow_depth: float


class EnvironmentOperations(Session):
    """Weather, time of day and lights, which are the same for all actors."""

    @operation
    def weather(self) -> Steps[Weather]:
        """The weather."""
        answer = yield call("Environment/GetWeather")
        return _WEATHER[int(answer.type)]

    @operation
    def set_weather(self, weather: Weather, *, at_once: bool = True) -> Steps[None]:
        """Set the weather: "sunny", "cloudy", "foggy", "storm", "rainy" or "snowy"; at once, or bit by bit."""
        yield from do("Environment/SetWeather", type=word("weather", weather, _WEATHER_TYPES), instantly=at_once)

    @operation
    def hour(self) -> Steps[float]:
        """The time of day in hours, 0 to 24: 13.5 is half past one."""
        answer = yield call("Sky/GetSky")
        return float(answer.time_of_day_s) / _HOUR

    @operation
    def set_hour(self, hour: float, *, at_once: bool = True) -> Steps[None]:
        """Set the time of day in hours, 0 to 24; at once, or within 10 simulated seconds."""
        if not 0.0 <= hour <= 24.0:
            raise RefusedError(f"{hour} is not a valid hour", "use 0 to 24, such as 13.5")
        yield call("Sky/SetSky", time_of_day_s=hour * _HOUR, gradually=not at_once)

    @operation
    def sky(self) -> Steps[Sky]:
        """The numbers of the weather, and what lies on the ground, as they are now."""
        answer = yield call("Sky/GetSky")
        return Sky(
            hour=answer.time_of_day_s / _HOUR,
            rain=answer.rain / _MM_PER_HOUR,
            snow=answer.snow / _MM_PER_HOUR,
            visibility=answer.visibility,
            cloud=answer.cloud,
            wind=answer.wind,
            water_depth=answer.water_depth,
            snow_depth=answer.snow_depth,
        )

    @operation
    def set_sky(
        self,
        *,
        rain: float | None = None,
        snow: float | None = None,
        visibility: float | None = None,
        cloud: float | None = None,
        wind: float | None = None,
        at_once: bool = True,
    ) -> Steps[None]:
        """Set single numbers of the weather; the others stay, and so does the kind of weather.

        Args:
            rain: [mm/h], 0 to 200.
            snow: as water [mm/h], 0 to 200.
            visibility: in the air without rain and snow [m], 10 to 100,000.
            cloud: cover, 0 to 1.
            wind: [m/s], 0 to 100.
            at_once: else it comes within 10 simulated seconds.

        Raises:
            RefusedError: nothing is given, or a number is out of bounds.
        """
        for name, rate in (("rain", rain), ("snow", snow)):
            if rate is not None and not 0.0 <= rate <= MAX_FALL:  # here, in the unit that it was given in
                raise RefusedError(f"{name}: {rate:g} mm/h is out of bounds", f"give 0 to {MAX_FALL:g} mm/h")
        given = {"visibility": visibility, "cloud": cloud, "wind": wind}
        given |= {name: None if one is None else one * _MM_PER_HOUR for name, one in (("rain", rain), ("snow", snow))}
        yield call("Sky/SetSky", gradually=not at_once, **{name: one for name, one in given.items() if one is not None})

    @operation
    def season(self) -> Steps[Season]:
        """The season."""
        answer = yield call("Environment/GetSeason")
        return _SEASON[int(answer.type)]

    @operation
    def set_season(self, season: Season) -> Steps[None]:
        """Set the season: "winter", "spring", "summer" or "fall"."""
        yield from do("Environment/SetSeason", type=word("season", season, _SEASON_TYPES))

    @operation
    def friction(self) -> Steps[float]:
        """The factor on the friction of the whole road, 1 as the map has it."""
        answer = yield call("Environment/GetRoadFriction")
        return float(answer.value)

    @operation
    def set_friction(self, factor: float) -> Steps[None]:
        """Set the factor on the friction of the whole road."""
        yield from do("Environment/SetRoadFriction", value=factor)

    @operation
    def spawn_puddle(
        self,
        position: Vector,
        *,
        factor: float,
        radii: tuple[float, float] = (2.0, 2.0),
        height: float = 1.0,
        rotation: Vector | float = 0.0,
        model: str = "puddle",
        name: str = "",
    ) -> Steps[str]:
        """Make something on the road that changes the friction around it.

        Args:
            position: in the map [m].
            factor: on the friction of the road.
            radii: half axes of its ellipse [m].
            height: up to which it holds [m].
            rotation: yaw, or roll, pitch and yaw [rad].
            model: its name.
            name: by which it is to be known.

        Returns:
            Its id.
        """
        return (
            yield from do(
                "Scenario/CreateFrictionControlArea",
                object_info=identity(name, "UNSPECIFIED", self.key),
                transform=transform(position, rotation),
                object_name=model,
                vertical_radius=radii[0],
                horizontal_radius=radii[1],
                height=height,
                multiplier=factor,
            )
        )
