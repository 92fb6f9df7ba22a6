"""What commands to a storyboard do."""

from __future__ import annotations

from dataclasses import replace

from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.storyboard.command import SetUserDefinedValue, StopStoryboard
from dorosim.world.storyboard.state import NEVER

MAX_OUTSIDE_VALUES = 1_000
"""So many values from outside a storyboard keeps."""
MAX_OUTSIDE_TEXT = 1_000
"""Letters that a name or a value has at most."""


def set_user_defined_value(scene: Scene, draft: Draft, command: SetUserDefinedValue) -> None:
    """Keep a value."""
    del scene
    if draft.storyboard.is_empty():
        raise CommandError("no storyboard runs; start a scenario first")
    if not command.name:
        raise CommandError("the value has no name")
    longest = max(len(command.name), len(command.value))
    if longest > MAX_OUTSIDE_TEXT:
        raise CommandError(f"a text of {longest} letters is too long; give at most {MAX_OUTSIDE_TEXT}")
    known = draft.storyboard.outside_values()
    if command.name not in known and len(known) >= MAX_OUTSIDE_VALUES:
        raise CommandError(f"there are {MAX_OUTSIDE_VALUES} values already; use the names of these")
    draft.storyboard = draft.storyboard.with_outside_value(command.name, command.value)


def stop_storyboard(scene: Scene, draft: Draft, command: StopStoryboard) -> None:
    """End it."""
    del scene, command
    state = draft.storyboard
    if state.is_empty():
        raise CommandError("no storyboard runs; start a scenario first")
    if state.ended == NEVER:
        draft.storyboard = replace(state, ended=draft.time - state.started)
