"""Animations of entities."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.property import File
from dorosim.scenario.openscenario.record.table import (
    Content,
    OscRecord,
    Word,
    attribute,
    child,
    children,
    choice,
    sequence,
    words,
)


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


@sequence(since="1.2")
class AnimationAction(OscRecord):
    """Move a part of an entity."""

    loop: bool | None = attribute("whether it goes on and on", default=None)
    animation_duration: float | None = attribute("time until the end state [s]", default=None)
    animation_type: AnimationType = child()
    animation_state: AnimationState | None = child(default=None)


@choice(since="1.2")
class AnimationType(OscRecord):
    """What moves."""

    component_animation: ComponentAnimation | None = child(default=None)
    pedestrian_animation: PedestrianAnimation | None = child(default=None)
    animation_file: AnimationFile | None = child(default=None)
    user_defined_animation: UserDefinedAnimation | None = child(default=None)


@sequence(since="1.2")
class AnimationState(OscRecord):
    """The state that an animation ends in."""

    state: float = attribute("0 to 1")


@sequence(since="1.2")
class AnimationFile(OscRecord):
    """An animation from a file."""

    time_offset: float | None = attribute("where in it to start [s]", default=None)
    file: File = child()


@choice(since="1.2", content_before=("1.2", Content.SEQUENCE), choice_required="1.3")
class ComponentAnimation(OscRecord):
    """A part that moves."""

    vehicle_component: VehicleComponent | None = child(default=None, required=("1.2", "1.2"), assumed=None)
    user_defined_component: UserDefinedComponent | None = child(default=None, required=("1.2", "1.2"), assumed=None)


@sequence(since="1.2")
class VehicleComponent(OscRecord):
    """A part of a vehicle."""

    vehicle_component_type: VehicleComponentType = attribute("which one")


@sequence(since="1.2")
class UserDefinedComponent(OscRecord):
    """A part that the standard does not name."""

    user_defined_component_type: str = attribute("which one")


@sequence(since="1.2")
class PedestrianAnimation(OscRecord):
    """A motion of a pedestrian."""

    motion: PedestrianMotionType | None = attribute("motion", default=None)
    user_defined_pedestrian_animation: str | None = attribute("motion that the standard does not name", default=None)
    pedestrian_gestures: tuple[PedestrianGesture, ...] = children("PedestrianGesture", default=())


@sequence(since="1.2")
class PedestrianGesture(OscRecord):
    """A gesture of a pedestrian."""

    gesture: PedestrianGestureType = attribute("gesture")


@sequence(since="1.2")
class UserDefinedAnimation(OscRecord):
    """An animation that the standard does not name."""

    user_defined_animation_type: str = attribute("which one")
