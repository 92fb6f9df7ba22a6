"""The weather."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.property import File
from dorosim.scenario.openscenario.record.table import OscRecord, Word, attribute, child, sequence, unordered, words
from dorosim.scenario.openscenario.record.vehicle import BoundingBox


@words(deprecated="1.2")
class CloudState(Word):
    """How cloudy it is, in the words of 1.0."""

    CLOUDY = "cloudy"
    FREE = "free"
    OVERCAST = "overcast"
    RAINY = "rainy"
    SKY_OFF = "skyOff"


@words(since="1.2")
class FractionalCloudCover(Word):
    """How much of the sky is covered, in eighths; nine stands for a sky that cannot be seen."""

    ZERO_OKTAS = "zeroOktas"
    ONE_OKTAS = "oneOktas"
    TWO_OKTAS = "twoOktas"
    THREE_OKTAS = "threeOktas"
    FOUR_OKTAS = "fourOktas"
    FIVE_OKTAS = "fiveOktas"
    SIX_OKTAS = "sixOktas"
    SEVEN_OKTAS = "sevenOktas"
    EIGHT_OKTAS = "eightOktas"
    NINE_OKTAS = "nineOktas"


@words()
class PrecipitationType(Word):
    """What falls."""

    DRY = "dry"
    RAIN = "rain"
    SNOW = "snow"


@unordered()
class Weather(OscRecord):
    """The weather."""

    atmospheric_pressure: float | None = attribute("[Pa]", default=None, since="1.1")
    cloud_state: CloudState | None = attribute(
        "old form of fractionalCloudCover", default=None, required=("1.0", "1.0"), deprecated="1.2", assumed=None
    )
    fractional_cloud_cover: FractionalCloudCover | None = attribute(
        "covered part of the sky", default=None, since="1.2"
    )
    temperature: float | None = attribute("[K]", default=None, since="1.1")
    sun: Sun | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    fog: Fog | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    precipitation: Precipitation | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    wind: Wind | None = child(default=None, since="1.1")
    dome_image: DomeImage | None = child(default=None, since="1.2")


@sequence()
class Sun(OscRecord):
    """Where the sun is, and how bright."""

    azimuth: float = attribute("from north, clockwise [rad]")
    elevation: float = attribute("above the horizon [rad]")
    illuminance: float | None = attribute("[lx]", default=None, since="1.2")
    intensity: float | None = attribute(
        "old name of illuminance", default=None, required=("1.0", "1.1"), deprecated="1.2", assumed=None
    )


@unordered()
class Fog(OscRecord):
    """Fog."""

    visual_range: float = attribute("how far one can see [m]")
    bounding_box: BoundingBox | None = child(default=None)


@sequence()
class Precipitation(OscRecord):
    """Rain or snow."""

    intensity: float | None = attribute(
        "old form of precipitationIntensity", default=None, required=("1.0", "1.0"), deprecated="1.1", assumed=None
    )
    precipitation_intensity: float | None = attribute("[mm/h]", default=None, since="1.1")
    precipitation_type: PrecipitationType = attribute("what falls")


@sequence(since="1.1")
class Wind(OscRecord):
    """Wind."""

    direction: float = attribute("where it blows to, counter-clockwise from east [rad]")
    speed: float = attribute("[m/s]")


@sequence(since="1.2")
class DomeImage(OscRecord):
    """A picture of the sky."""

    azimuth_offset: float | None = attribute("turn of the picture [rad]", default=None)
    dome_file: File = child()
