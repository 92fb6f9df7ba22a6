"""Lights of entities."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.table import (
    Content,
    OscRecord,
    Word,
    attribute,
    child,
    choice,
    sequence,
    words,
)


@words(since="1.2")
class ColorType(Word):
    """A colour, by name."""

    OTHER = "other"
    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    VIOLET = "violet"
    ORANGE = "orange"
    BROWN = "brown"
    BLACK = "black"
    GREY = "grey"
    WHITE = "white"


@words(since="1.2")
class LightMode(Word):
    """Whether a light is on, off or flashes."""

    ON = "on"
    OFF = "off"
    FLASHING = "flashing"


@words(since="1.2")
class VehicleLightType(Word):
    """A light of a vehicle."""

    DAYTIME_RUNNING_LIGHTS = "daytimeRunningLights"
    LOW_BEAM = "lowBeam"
    HIGH_BEAM = "highBeam"
    FOG_LIGHTS = "fogLights"
    FOG_LIGHTS_FRONT = "fogLightsFront"
    FOG_LIGHTS_REAR = "fogLightsRear"
    BRAKE_LIGHTS = "brakeLights"
    WARNING_LIGHTS = "warningLights"
    INDICATOR_LEFT = "indicatorLeft"
    INDICATOR_RIGHT = "indicatorRight"
    REVERSING_LIGHTS = "reversingLights"
    LICENSE_PLATE_ILLUMINATION = "licensePlateIllumination"
    SPECIAL_PURPOSE_LIGHTS = "specialPurposeLights"


@sequence(since="1.2")
class LightStateAction(OscRecord):
    """Switch a light."""

    transition_time: float | None = attribute("time until it is so [s]", default=None)
    light_type: LightType = child()
    light_state: LightState = child()


@choice(since="1.2", content_before=("1.2", Content.SEQUENCE), choice_required="1.3")
class LightType(OscRecord):
    """Which light."""

    vehicle_light: VehicleLight | None = child(default=None, required=("1.2", "1.2"), assumed=None)
    user_defined_light: UserDefinedLight | None = child(default=None, required=("1.2", "1.2"), assumed=None)


@sequence(since="1.2")
class VehicleLight(OscRecord):
    """A light of a vehicle."""

    vehicle_light_type: VehicleLightType = attribute("which one")


@sequence(since="1.2")
class UserDefinedLight(OscRecord):
    """A light that the standard does not name."""

    user_defined_light_type: str = attribute("which one")


@sequence(since="1.2")
class LightState(OscRecord):
    """The state of a light."""

    flashing_off_duration: float | None = attribute("time off while it flashes [s]", default=None)
    flashing_on_duration: float | None = attribute("time on while it flashes [s]", default=None)
    luminous_intensity: float | None = attribute("[cd]", default=None)
    mode: LightMode = attribute("on, off or flashing")
    color: Color | None = child(default=None)


@choice(since="1.2")
class Color(OscRecord):
    """A colour."""

    color_type: ColorType = attribute("by name")
    color_rgb: ColorRgb | None = child(default=None)
    color_cmyk: ColorCmyk | None = child(default=None)


@sequence(since="1.2")
class ColorRgb(OscRecord):
    """A colour by light."""

    red: float = attribute("0 to 1")
    green: float = attribute("0 to 1")
    blue: float = attribute("0 to 1")


@sequence(since="1.2")
class ColorCmyk(OscRecord):
    """A colour by ink."""

    cyan: float = attribute("0 to 1")
    magenta: float = attribute("0 to 1")
    yellow: float = attribute("0 to 1")
    key: float = attribute("0 to 1")
