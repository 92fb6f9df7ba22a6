"""Programmes of intersections, which both APIs describe by the same fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dorosim.ground.error import InputError
from dorosim.road.signal import PedestrianPhase
from dorosim.world.signal.command import SetSchedule, TimedColours


def set_schedule(controller: int, states: Iterable[Any], yellow: Iterable[Any], phases: Iterable[Any]) -> SetSchedule:
    """Another programme, which starts at once.

    A list that is empty leaves that part as it is; yellow and pedestrian times that fit no more states are gone.

    Args:
        controller: row of the intersection's controller.
        states: with `duration` [s] and `str_light_color_list`, a colour for each group of lights.
        yellow: with `duration` [s] of the yellow after each state.
        phases: with the five numbers of PSSchedule; `synced_tl_idx` is the index of a group.

    Raises:
        InputError: all lists are empty.
    """
    pedestrian = tuple(
        PedestrianPhase(
            state=one.tl_state_idx,
            group=one.synced_tl_idx,
            before=float(one.before_sec),
            green=float(one.green_light_sec),
            flicker=float(one.flicker_light_sec),
        )
        for one in phases
    )
    command = SetSchedule(
        controller=controller,
        states=tuple(TimedColours(float(one.duration), tuple(one.str_light_color_list)) for one in states),
        yellow=tuple(float(one.duration) for one in yellow),
        pedestrian=pedestrian or None,
    )
    if not (command.states or command.yellow or command.pedestrian):
        raise InputError("intersection", "schedule", "is empty", "give states, yellow times or pedestrian times")
    return command
