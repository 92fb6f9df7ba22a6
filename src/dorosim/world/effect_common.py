"""What effects of commands have in common: bounds of numbers, and how they find and make actors.

Messages are held to their documented ranges before they become commands, but commands come from files and recordings
too. Only finite numbers get into the state of a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec

from dorosim.ground.physics import MAX_COORDINATE
from dorosim.world.actor.number import LAST_NUMBER
from dorosim.world.command import NEW_ACTOR, Vector
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene

Effect = Callable[[Scene, Draft, Any], str]
"""What a command does to a draft. It returns why the command is refused, or an empty string; a refused command changes
nothing."""
RowEffect = Callable[[Draft, int, Any], str]
"""What a command does to the actor of a row."""
ALL_IDS_GIVEN = f"{LAST_NUMBER} actors are there, and no more can be told apart; remove some"
"""Why nothing can be made."""
MAX_COMMANDED_SPEED = 300.0
"""Bound of speeds [m/s]."""


def problem_with_pose(position: Vector, rotation: Vector) -> str:
    """Why a place in the map [m] with roll, pitch and yaw [rad] is refused, or an empty string."""
    if all(abs(part) <= MAX_COORDINATE for part in position) and all(map(math.isfinite, rotation)):
        return ""
    return f"no pose on a map: {position}, {rotation}"


def problem_with_speed(speed: float) -> str:
    """Why a speed [m/s], forward or backward, is refused, or an empty string."""
    return "" if abs(speed) <= MAX_COMMANDED_SPEED else f"speeds are up to {MAX_COMMANDED_SPEED:g} m/s, not {speed:g}"


def problem_with_numbers(*numbers: float) -> str:
    """Why numbers that are clamped to what a vehicle can do are refused, or an empty string: they must be finite."""
    wrong = [number for number in numbers if not math.isfinite(number)]
    return f"{wrong[0]} is no number to drive by" if wrong else ""


def creates_actor(effect: Effect) -> Effect:
    """The effect whose command gets the next id for the actor that it makes; a refused command uses none up."""

    @wraps(effect)
    def apply(scene: Scene, draft: Draft, command: Any) -> str:
        if command.actor != NEW_ACTOR:
            return "give no id; the world does"
        last, actor = draft.last_id, draft.new_id()
        numbered = msgspec.structs.replace(command, actor=actor)
        problem = effect(scene, draft, numbered) if actor else ALL_IDS_GIVEN
        if problem:
            draft.take_back(last)
        return problem

    return apply


def _on_row(kind: str, row_of: Callable[[Draft, int], int]) -> Callable[[RowEffect], Effect]:
    """Makes the effect of a command to an actor from one that takes the actor's row."""

    def made(effect: RowEffect) -> Effect:
        @wraps(effect)
        def apply(_: Scene, draft: Draft, command: Any) -> str:
            row = row_of(draft, command.actor)
            return effect(draft, row, command) if row >= 0 else f"no {kind} {command.actor}"

        return apply

    return made


on_pedestrian = _on_row("pedestrian", lambda draft, actor: draft.people.row_of(actor))
"""Makes the effect of a command to a pedestrian from one that takes the pedestrian's row."""
on_obstacle = _on_row("obstacle", lambda draft, actor: draft.obstacles.row_of(actor))
"""The same for an obstacle."""
