"""Time of day, weather and road."""

from __future__ import annotations

from datetime import datetime

from dorosim.scenario.openscenario.record.parameter import ParameterDeclarations
from dorosim.scenario.openscenario.record.property import Properties
from dorosim.scenario.openscenario.record.table import OscRecord, Word, attribute, child, sequence, unordered, words
from dorosim.scenario.openscenario.record.weather import Weather


@words(since="1.2")
class Wetness(Word):
    """How wet the road is."""

    DRY = "dry"
    MOIST = "moist"
    WET_WITH_PUDDLES = "wetWithPuddles"
    LOW_FLOODED = "lowFlooded"
    HIGH_FLOODED = "highFlooded"


@unordered()
class Environment(OscRecord):
    """Time of day, weather and road."""

    name: str = attribute("name", assumed="")
    parameter_declarations: ParameterDeclarations | None = child(default=None)
    time_of_day: TimeOfDay | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    weather: Weather | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    road_condition: RoadCondition | None = child(default=None, required=("1.0", "1.0"), assumed=None)


@sequence()
class TimeOfDay(OscRecord):
    """The time of day."""

    animation: bool = attribute("whether it goes on with the simulated time", assumed=False)
    date_time: datetime = attribute("date and time at the start")


@sequence()
class RoadCondition(OscRecord):
    """The state of the road."""

    friction_scale_factor: float = attribute("factor of its friction")
    wetness: Wetness | None = attribute("how wet it is", default=None, since="1.2")
    properties: Properties | None = child(default=None)
