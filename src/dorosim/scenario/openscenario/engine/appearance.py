"""Lights and animations that actions have switched on, as they go on in each tick.

They are state of the storyboard (`LightTable`, `AnimationTable`), where sensors and interfaces read them.
"""

from __future__ import annotations

import math

from dorosim.scenario.openscenario.engine.control_rows import AnimationRow, LightRow
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Use
from dorosim.world.storyboard.control_state import AnimationTable, LampMode, LightTable


def light_of(frame: StoryboardFrame, entity: int, kind: str) -> LightRow:
    """A light of an entity; one that no action has switched yet is off and gets a row."""
    text = frame.text_row(kind)
    for one in frame.lights:
        if one.entity == entity and one.kind == text:
            return one
    made = LightRow.new(LightTable)
    made.entity, made.kind, made.mode = entity, text, int(LampMode.OFF)
    made.intensity = made.red = made.green = made.blue = math.nan
    frame.lights.append(made)
    return made


def animation_of(frame: StoryboardFrame, entity: int, kind: str) -> AnimationRow:
    """A part of an entity that moves; one that no action has moved yet rests at 0 and gets a row."""
    text = frame.text_row(kind)
    for one in frame.animations:
        if one.entity == entity and one.kind == text:
            return one
    made = AnimationRow.new(AnimationTable)
    made.entity, made.kind = entity, text
    frame.animations.append(made)
    return made


def step_appearance(frame: StoryboardFrame) -> None:
    """Let lights change and animations go on to the end of a tick."""
    if Use.APPEARANCE not in frame.program.uses:
        return
    now = frame.time + round(frame.dt * 1e9)
    for light in frame.lights:
        _step_light(light, now)
    for animation in frame.animations:
        if animation.running:
            _step_animation(animation, now, frame.dt)


def _step_light(light: LightRow, now: int) -> None:
    """The brightness of a light: it changes evenly from one state to the next."""
    goal = 0.0 if light.mode == LampMode.OFF else 1.0
    share = 1.0 if light.transition <= 0 else min((now - light.since) / light.transition, 1.0)
    light.brightness = light.start + (goal - light.start) * share


def _step_animation(animation: AnimationRow, now: int, dt: float) -> None:
    """The progress of an animation; one that is not looped rests at its end."""
    animation.clock += dt
    elapsed = now - animation.since
    if animation.duration <= 0:
        animation.progress = animation.goal
        animation.running = animation.loop
        return
    if not animation.loop and elapsed >= animation.duration:
        animation.progress, animation.running = animation.goal, 0
        return
    share = elapsed % animation.duration / animation.duration
    animation.progress = animation.start + (animation.goal - animation.start) * share
