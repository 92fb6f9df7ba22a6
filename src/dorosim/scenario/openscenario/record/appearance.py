"""Lights and animations of entities."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.property import File
from dorosim.scenario.openscenario.record.table import (
    Content,
    Record,
    Word,
    attribute,
    child,
    children,
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


@words(since="1.2")
class VehicleComponentType(Word):
    """A part of a vehicle that moves."""

    HOOD = "hood"
    TRUNK = "trunk"
    DOOR_FRONT_RIGHT = "doorFrontRight"
    DOOR_FRONT_LEFT = "doorFrontLeft"
    DOOR_REAR_RIGHT = "doorRearRight"
    DOOR_REAR_LEFT = "doorRearLeft"
    WINDOW_FRONT_RIGHT = "windowFrontRight"
    WINDOW_FRONT_LEFT = "windowFrontLeft"
    WINDOW_REAR_RIGHT = "windowRearRight"
    WINDOW_REAR_LEFT = "windowRearLeft"
    SIDE_MIRRORS = "sideMirrors"
    SIDE_MIRROR_RIGHT = "sideMirrorRight"
    SIDE_MIRROR_LEFT = "sideMirrorLeft"


@words(since="1.2")
class PedestrianMotionType(Word):
    """A motion of a pedestrian."""

    STANDING = "standing"
    SITTING = "sitting"
    LYING = "lying"
    SQUATTING = "squatting"
    WALKING = "walking"
    RUNNING = "running"
    REELING = "reeling"
    CRAWLING = "crawling"
    CYCLING = "cycling"
    JUMPING = "jumping"
    DUCKING = "ducking"
    BENDING_DOWN = "bendingDown"


@words(since="1.2")
class PedestrianGestureType(Word):
    """A gesture of a pedestrian."""

    PHONE_CALL_RIGHT_HAND = "phoneCallRightHand"
    PHONE_CALL_LEFT_HAND = "phoneCallLeftHand"
    PHONE_TEXT_RIGHT_HAND = "phoneTextRightHand"
    PHONE_TEXT_LEFT_HAND = "phoneTextLeftHand"
    WAVING_RIGHT_ARM = "wavingRightArm"
    WAVING_LEFT_ARM = "wavingLeftArm"
    UMBRELLA_RIGHT_HAND = "umbrellaRightHand"
    UMBRELLA_LEFT_HAND = "umbrellaLeftHand"
    CROSS_ARMS = "crossArms"
    COFFEE_RIGHT_HAND = "coffeeRightHand"
    COFFEE_LEFT_HAND = "coffeeLeftHand"
    SANDWICH_RIGHT_HAND = "sandwichRightHand"
    SANDWICH_LEFT_HAND = "sandwichLeftHand"


@choice(since="1.2", content_before=("1.2", Content.SEQUENCE), choice_required="1.3")
class AppearanceAction(Record):
    """An action on what an entity looks like."""

    light_state_action: LightStateAction | None = child(default=None, required=("1.2", "1.2"), assumed=None)
    animation_action: AnimationAction | None = child(default=None, required=("1.2", "1.2"), assumed=None)


@sequence(since="1.2")
class LightStateAction(Record):
    """Switch a light."""

    transition_time: float | None = attribute("time until it is so [s]", default=None)
    light_type: LightType = child()
    light_state: LightState = child()


@choice(since="1.2", content_before=("1.2", Content.SEQUENCE), choice_required="1.3")
class LightType(Record):
    """Which light."""

    vehicle_light: VehicleLight | None = child(default=None, required=("1.2", "1.2"), assumed=None)
    user_defined_light: UserDefinedLight | None = child(default=None, required=("1.2", "1.2"), assumed=None)


@sequence(since="1.2")
class VehicleLight(Record):
    """A light of a vehicle."""

    vehicle_light_type: VehicleLightType = attribute("which one")


@sequence(since="1.2")
class UserDefinedLight(Record):
    """A light that the standard does not name."""

    user_defined_light_type: str = attribute("which one")


@sequence(since="1.2")
class LightState(Record):
    """The state of a light."""

    flashing_off_duration: float | None = attribute("time off while it flashes [s]", default=None)
    flashing_on_duration: float | None = attribute("time on while it flashes [s]", default=None)
    luminous_intensity: float | None = attribute("[cd]", default=None)
    mode: LightMode = attribute("on, off or flashing")
    color: Color | None = child(default=None)


@choice(since="1.2")
class Color(Record):
    """A colour."""

    color_type: ColorType = attribute("by name")
    color_rgb: ColorRgb | None = child(default=None)
    color_cmyk: ColorCmyk | None = child(default=None)


@sequence(since="1.2")
class ColorRgb(Record):
    """A colour by light."""

    red: float = attribute("0 to 1")
    green: float = attribute("0 to 1")
    blue: float = attribute("0 to 1")


@sequence(since="1.2")
class ColorCmyk(Record):
    """A colour by ink."""

    cyan: float = attribute("0 to 1")
    magenta: float = attribute("0 to 1")
    yellow: float = attribute("0 to 1")
    key: float = attribute("0 to 1")


@sequence(since="1.2")
class AnimationAction(Record):
    """Move a part of an entity."""

    loop: bool | None = attribute("whether it goes on and on", default=None)
    animation_duration: float | None = attribute("time until the end state [s]", default=None)
    animation_type: AnimationType = child()
    animation_state: AnimationState | None = child(default=None)


@choice(since="1.2")
class AnimationType(Record):
    """What moves."""

    component_animation: ComponentAnimation | None = child(default=None)
    pedestrian_animation: PedestrianAnimation | None = child(default=None)
    animation_file: AnimationFile | None = child(default=None)
    user_defined_animation: UserDefinedAnimation | None = child(default=None)


@sequence(since="1.2")
class AnimationState(Record):
    """The state that an animation ends in."""

    state: float = attribute("0 to 1")


@sequence(since="1.2")
class AnimationFile(Record):
    """An animation from a file."""

    time_offset: float | None = attribute("where in it to start [s]", default=None)
    file: File = child()


@choice(since="1.2", content_before=("1.2", Content.SEQUENCE), choice_required="1.3")
class ComponentAnimation(Record):
    """A part that moves."""

    vehicle_component: VehicleComponent | None = child(default=None, required=("1.2", "1.2"), assumed=None)
    user_defined_component: UserDefinedComponent | None = child(default=None, required=("1.2", "1.2"), assumed=None)


@sequence(since="1.2")
class VehicleComponent(Record):
    """A part of a vehicle."""

    vehicle_component_type: VehicleComponentType = attribute("which one")


@sequence(since="1.2")
class UserDefinedComponent(Record):
    """A part that the standard does not name."""

    user_defined_component_type: str = attribute("which one")


@sequence(since="1.2")
class PedestrianAnimation(Record):
    """A motion of a pedestrian."""

    motion: PedestrianMotionType | None = attribute("motion", default=None)
    user_defined_pedestrian_animation: str | None = attribute("motion that the standard does not name", default=None)
    pedestrian_gestures: tuple[PedestrianGesture, ...] = children("PedestrianGesture", default=())


@sequence(since="1.2")
class PedestrianGesture(Record):
    """A gesture of a pedestrian."""

    gesture: PedestrianGestureType = attribute("gesture")


@sequence(since="1.2")
class UserDefinedAnimation(Record):
    """An animation that the standard does not name."""

    user_defined_animation_type: str = attribute("which one")
