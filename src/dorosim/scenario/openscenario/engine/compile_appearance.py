"""Lights and animations of a file, made ready."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dorosim.scenario.openscenario.engine.action.appearance import Animate, SwitchLight
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.program import ActionPlan, Use
from dorosim.scenario.openscenario.record.animation import AnimationAction, PedestrianAnimation
from dorosim.scenario.openscenario.record.light import Color, LightMode, LightStateAction
from dorosim.scenario.openscenario.record.table import OscRecord
from dorosim.world.storyboard.control_state import LampMode

_FLASH = 500_000_000
"""A light that flashes is on, and off, for so long where the file says nothing [ns] (1.3, LightState)."""
_MODES = {LightMode.ON: LampMode.ON, LightMode.OFF: LampMode.OFF, LightMode.FLASHING: LampMode.FLASHING}
_UNKNOWN = (math.nan, math.nan, math.nan)
COMPONENT, MOTION, GESTURE, FILE, USER = "component ", "motion ", "gesture ", "file ", "animation "
"""How the texts begin that name what moves."""
USER_COMPONENT, USER_LIGHT, USER_MOTION = "component user ", "user ", "motion user "


def light_plan(names: ScenarioNames, one: LightStateAction) -> SwitchLight:
    """A light that is to be switched.

    Raises:
        InputError: it says neither a light of a vehicle nor one of its own.
    """
    names.uses.add(Use.APPEARANCE)
    if one.light_type.vehicle_light is not None:
        kind = str(one.light_type.vehicle_light.vehicle_light_type.value)
    elif one.light_type.user_defined_light is not None:
        kind = USER_LIGHT + one.light_type.user_defined_light.user_defined_light_type
    else:
        raise names.refuse(one, "the action has no light", "give a VehicleLight")
    state = one.light_state
    return SwitchLight(
        kind,
        _MODES[state.mode],
        _time(one.transition_time, 0),
        _time(state.flashing_on_duration, _FLASH),
        _time(state.flashing_off_duration, _FLASH),
        math.nan if state.luminous_intensity is None else state.luminous_intensity,
        colour_of(state.color),
        "" if state.color is None else str(state.color.color_type.value),
    )


def _time(value: float | None, otherwise: int) -> int:
    return otherwise if value is None else max(round(value * 1e9), 0)


def colour_of(one: Color | None) -> tuple[float, float, float]:
    """Red, green and blue of a colour, 0 to 1; NaN where it is not known."""
    if one is None:
        return _UNKNOWN
    if one.color_rgb is not None:
        rgb = one.color_rgb
        return rgb.red, rgb.green, rgb.blue
    if one.color_cmyk is not None:
        ink = one.color_cmyk
        left = 1.0 - ink.key
        return (1.0 - ink.cyan) * left, (1.0 - ink.magenta) * left, (1.0 - ink.yellow) * left
    return _UNKNOWN


def animation_plan(names: ScenarioNames, one: AnimationAction) -> Animate:
    """An animation that is to run.

    Raises:
        InputError: it says not what moves, or not how far a part of a vehicle moves.
    """
    names.uses.add(Use.APPEARANCE)
    kind, duration, loop = one.animation_type, _time(one.animation_duration, 0), bool(one.loop)
    goal = 1.0 if one.animation_state is None else min(max(one.animation_state.state, 0.0), 1.0)
    if kind.component_animation is not None:
        if one.animation_state is None:
            raise names.refuse(one, "the action does not say how far the part moves", "give an AnimationState")
        part = kind.component_animation
        if part.vehicle_component is not None:
            text = COMPONENT + str(part.vehicle_component.vehicle_component_type.value)
        elif part.user_defined_component is not None:
            text = USER_COMPONENT + part.user_defined_component.user_defined_component_type
        else:
            raise names.refuse(one, "the action has no part that moves", "give a VehicleComponent")
        return Animate((text,), (), goal, duration, loop)
    if kind.pedestrian_animation is not None:
        motions = _motions(kind.pedestrian_animation)
        if not motions:
            raise names.refuse(one, "the pedestrian does nothing", "give a motion or a gesture")
        alike = (MOTION, GESTURE) if motions[0].startswith(MOTION) else (GESTURE,)
        return Animate(motions, alike, goal, duration, loop)
    if kind.animation_file is not None:
        offset = max(kind.animation_file.time_offset or 0.0, 0.0)
        names.note(one, "the file of an animation is not opened; its time goes on")
        return Animate((FILE + kind.animation_file.file.filepath,), (FILE,), goal, duration, loop, offset)
    if kind.user_defined_animation is not None:
        text = USER + kind.user_defined_animation.user_defined_animation_type
        return Animate((text,), (text,), goal, duration, loop)
    raise names.refuse(one, "the action has nothing that moves", "give one of its elements")


def _motions(one: PedestrianAnimation) -> tuple[str, ...]:
    """What a pedestrian does: the motion, and gestures besides."""
    found = [] if one.motion is None else [MOTION + str(one.motion.value)]
    if one.user_defined_pedestrian_animation:
        found.append(USER_MOTION + one.user_defined_pedestrian_animation)
    return (*found, *(GESTURE + str(each.gesture.value) for each in one.pedestrian_gestures))


APPEARANCE_ACTIONS: dict[type[OscRecord], Callable[[ScenarioNames, Any], ActionPlan]] = {
    LightStateAction: light_plan,
    AnimationAction: animation_plan,
}
"""How actions on what entities look like are made ready."""
