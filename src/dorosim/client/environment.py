"""Weather, time of day, season and friction."""

from __future__ import annotations

from typing import Literal

from dorosim.client.operation import Session, Steps, call, do, operation
from dorosim.client.quantity import Vector, identity, transform, word

Weather = Literal["sunny", "cloudy", "foggy", "storm", "rainy", "snowy"]
Season = Literal["winter", "spring", "summer", "fall"]
_WEATHER: tuple[Weather, ...] = ("sunny", "cloudy", "foggy", "storm", "rainy", "snowy")
_SEASON: tuple[Season, ...] = ("winter", "spring", "summer", "fall")
_WEATHER_TYPES = {name: f"WEATHER_TYPE_{name.upper()}" for name in _WEATHER}
_SEASON_TYPES = {name: f"SEASON_TYPE_{name.upper()}" for name in _SEASON}


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
    def hour(self) -> Steps[int]:
        """The time of day, 0 to 23."""
        answer = yield call("Environment/GetTime")
        return int(answer.hour)

    @operation
    def set_hour(self, hour: int, *, at_once: bool = True) -> Steps[None]:
        """Set the time of day, 0 to 23; at once, or bit by bit."""
        yield from do("Environment/SetTime", hour=hour, instantly=at_once)

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
