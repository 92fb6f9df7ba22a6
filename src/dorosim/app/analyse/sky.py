"""Another sky over a recording: weather and time of day of its pictures, which change nothing of what is run again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dorosim.app.run.build import check_settings
from dorosim.app.run.initial_commands import sky_commands
from dorosim.app.setting.environment import EnvironmentSettings
from dorosim.app.setting.override import option_values, overridden
from dorosim.app.setting.settings import Settings
from dorosim.world.environment.effect import SkyCommand, with_sky
from dorosim.world.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class ShownSky:
    """What pictures show of the surroundings.

    Attributes:
        commands: that would make them so; none: they are shown as they are.
    """

    commands: tuple[SkyCommand, ...] = ()

    def over(self, now: Snapshot) -> Snapshot:
        """A snapshot to be looked at, with this sky; not one to go on from."""
        if not self.commands:
            return now
        return replace(now, environment=with_sky(now.environment, self.commands))


AS_IT_WAS = ShownSky()
"""The sky of the recording."""


def sky_of(weather: str | None, time_of_day: float | None, rain: float | None, visibility: float | None) -> ShownSky:
    """The sky of options of the command line.

    Args:
        weather: kind of weather.
        time_of_day: hours after midnight.
        rain: in place of that of the weather [mm/h].
        visibility: in place of that of the weather [m].

    Raises:
        InputError: there is no such weather, or a number is out of range.
    """
    given = {"weather": weather, "time_of_day": time_of_day, "rain": rain, "visibility": visibility}
    base = Settings()
    options = option_values({f"environment.{key}": value for key, value in given.items()}, base)
    settings = overridden(base, options)
    check_settings(settings)
    environment: EnvironmentSettings = settings.environment
    return ShownSky(tuple(sky_commands(environment)))
