"""Running actions as the kernels of quiet ticks let them go on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from dorosim.scenario.openscenario.engine.action.lane_change import LaneChange
from dorosim.scenario.openscenario.engine.action.lane_offset import LaneOffset
from dorosim.scenario.openscenario.engine.action.longitudinal_distance import LongitudinalDistance
from dorosim.scenario.openscenario.engine.action.speed import SpeedChange
from dorosim.scenario.openscenario.engine.action.speed_profile import SpeedProfile
from dorosim.scenario.openscenario.engine.program import ActorAction, Program
from dorosim.scenario.openscenario.engine.quiet_writer import NotQuietError, QuietWriter
from dorosim.scenario.openscenario.engine.transition_shape import Following
from dorosim.world.storyboard.quiet_code import RunKind

Running = tuple[RunKind, tuple[int, ...], tuple[float, ...]]
"""What an action does, and its own ints and floats."""


def run_action(writer: QuietWriter, action: ActorAction, at: int, kept: Sequence[float]) -> None:
    """Write an action that runs for an entity.

    Args:
        writer: of the tables.
        action: with its rows.
        at: which of its entities.
        kept: what the action keeps.

    Raises:
        NotQuietError: the kernels do not know it.
    """
    make = _ACTIONS.get(type(action.plan))
    if make is None or action.entities[at] < 0:
        raise NotQuietError
    kind, ints, floats = make(writer, action.plan, kept)
    row = action.first_row + at
    writer.runs.append((row, action.entities[at], kind, writer.add_ints(ints), writer.add_floats(floats)))


def kept_rows(program: Program) -> tuple[tuple[int, int, int], ...]:
    """What the tables hold of actions' memory: rows of `ActionTable`, and the first and last one of its floats."""
    actions = [*program.init, *(one.action for one in program.elements if one.action is not None)]
    return tuple(
        (one.first_row + at, *_KEPT[type(one.plan)])
        for one in actions
        if type(one.plan) in _KEPT
        for at in range(len(one.entities))
    )


def _speed(_writer: QuietWriter, one: SpeedChange, _kept: Sequence[float]) -> Running:
    if one.following is Following.FOLLOW or (one.target.entity >= 0 and not one.target.is_continuous):
        raise NotQuietError
    exact, target = one.following is Following.POSITION, one.target
    ints = (one.shape, one.dimension, int(exact), int(target.is_continuous), target.entity, int(target.is_factor))
    return RunKind.SPEED, ints, (one.value, target.value)


def _lane_change(_writer: QuietWriter, one: LaneChange, _kept: Sequence[float]) -> Running:
    return RunKind.LANE_CHANGE, (one.shape, one.dimension), ()


def _lane_offset(_writer: QuietWriter, one: LaneOffset, _kept: Sequence[float]) -> Running:
    return RunKind.LANE_OFFSET, (one.shape, int(one.is_continuous), one.entity), (one.value,)


def _keep_distance(writer: QuietWriter, one: LongitudinalDistance, _kept: Sequence[float]) -> Running:
    if math.isinf(one.limits.acceleration) != math.isinf(one.limits.deceleration):
        raise NotQuietError
    ints = (int(one.is_time), *writer.metre(one.plan, one.other), int(one.is_continuous))
    limits = one.limits
    rates = (limits.acceleration_rate, limits.deceleration_rate)
    return RunKind.KEEP_DISTANCE, ints, (one.distance, limits.acceleration, limits.deceleration, *rates, limits.speed)


def _profile(_writer: QuietWriter, one: SpeedProfile, kept: Sequence[float]) -> Running:
    pieces = one.pieces(kept)
    return RunKind.PROFILE, (len(pieces),), tuple(number for piece in pieces for number in piece)


_KEPT: dict[type, tuple[int, int]] = {SpeedProfile: (0, 3)}
"""Part of the memory of an action that its numbers depend on."""

_ACTIONS: dict[type, Callable[[QuietWriter, Any, Sequence[float]], Running]] = {
    SpeedChange: _speed,
    LaneChange: _lane_change,
    LaneOffset: _lane_offset,
    LongitudinalDistance: _keep_distance,
    SpeedProfile: _profile,
}
"""How the kernels let each action go on."""
