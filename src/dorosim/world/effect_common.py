"""What effects of commands have in common: bounds of numbers, and how they find and make actors.

Messages are held to their documented ranges before they become commands, but commands come from files and recordings
too. Only finite numbers get into the state of a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any

import msgspec

from dorosim.ground.error import InputError
from dorosim.ground.physics import MAX_COORDINATE
from dorosim.world.actor.number import LAST_NUMBER
from dorosim.world.command import NEW_ACTOR, CommandError, Vector
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.waypoint import Waypoint

Effect = Callable[[Scene, Draft, Any], None]
"""What a command does to a draft. It raises a CommandError, before it changes anything, if the command is refused."""
RowEffect = Callable[[Draft, int, Any], None]
"""The same to the actor of a row."""
MAX_COMMANDED_SPEED = 300.0
"""Bound of speeds [m/s]."""


@contextmanager
def refusing_input() -> Iterator[None]:
    """Refuse the command for an InputError."""
    try:
        yield
    except InputError as error:
        text = f"{error.place}: {error.problem}" if error.place else f"{error.problem}; {error.cure}"
        raise CommandError(text) from None


def within(limit: float, *numbers: float) -> bool:
    """Whether numbers are finite and none is farther from 0 than a limit."""
    return all(abs(number) <= limit for number in numbers)


def is_pose(position: Vector, *angles: float) -> bool:
    """Whether a place in the map [m] with angles [rad] can be: finite, and not absurdly far away."""
    return within(MAX_COORDINATE, *position) and all(map(math.isfinite, angles))


def check_pose(position: Vector, rotation: Vector) -> None:
    """Refuse a place in the map [m] with roll, pitch and yaw [rad] that cannot be."""
    if not is_pose(position, *rotation):
        raise CommandError(f"{position}, {rotation} is not a valid pose in the map")


def check_speed(speed: float) -> None:
    """Refuse a speed [m/s], forward or backward, beyond a limit."""
    if not within(MAX_COMMANDED_SPEED, speed):
        raise CommandError(f"speeds are up to {MAX_COMMANDED_SPEED:g} m/s, not {speed:g}")


def check_up_to(limit: float, unit: str, **values: float) -> None:
    """Refuse values of a command, given by their names, that are not within 0 and a limit; `unit` is as " m/s"."""
    for name, value in values.items():
        if not 0.0 <= value <= limit:
            raise CommandError(f"{name.replace('_', ' ')}: 0 to {limit:g}{unit}, not {value:g}")


def check_model(model: int, models: Sequence[object]) -> None:
    """Refuse the number of a model that there is not."""
    if not 0 <= model < len(models):
        raise CommandError(f"there are models 0 to {len(models) - 1}, not {model}")


def check_numbers(*numbers: float) -> None:
    """Refuse numbers that are clamped to what a vehicle can do if they are not finite."""
    for number in numbers:
        if not math.isfinite(number):
            raise CommandError(f"{number} is not a valid number to drive by")


def check_waypoints(points: Sequence[Waypoint], max_speed: float) -> None:
    """Refuse points of a route that are no place in the map, with no time to stay there, or with too high a speed."""
    for number, point in enumerate(points):
        good = within(MAX_COORDINATE, *point[:3]) and 0.0 <= point.pause <= MAX_COORDINATE
        if not good or not 0.0 <= point.speed <= max_speed:
            raise CommandError(f"point {number} of the way: {tuple(point)} is not a valid place, pause and speed")


def new_id(draft: Draft) -> int:
    """The id of a new actor; refuses the command if no id is left."""
    actor = draft.new_id()
    if not actor:
        raise CommandError(f"{LAST_NUMBER} actors are there, and no more can be told apart; remove some")
    return actor


def creates_actor(effect: Effect) -> Effect:
    """The effect whose command gets the next id for the actor that it makes; a refused command uses none up."""

    @wraps(effect)
    def apply(scene: Scene, draft: Draft, command: Any) -> None:
        if command.actor != NEW_ACTOR:
            raise CommandError("give no id; the world does")
        last = draft.last_id
        try:
            effect(scene, draft, msgspec.structs.replace(command, actor=new_id(draft)))
        except CommandError:
            draft.take_back(last)
            raise

    return apply


def _on_row(kind: str, row_of: Callable[[Draft, int], int]) -> Callable[[RowEffect], Effect]:
    """Makes the effect of a command to an actor from one that takes the actor's row."""

    def made(effect: RowEffect) -> Effect:
        @wraps(effect)
        def apply(_: Scene, draft: Draft, command: Any) -> None:
            row = row_of(draft, command.actor)
            if row < 0:
                raise CommandError(f"no {kind} {command.actor}")
            effect(draft, row, command)

        return apply

    return made


on_pedestrian = _on_row("pedestrian", lambda draft, actor: draft.people.row_of(actor))
"""Makes the effect of a command to a pedestrian from one that takes the pedestrian's row."""
on_obstacle = _on_row("obstacle", lambda draft, actor: draft.obstacles.row_of(actor))
"""The same for an obstacle."""
