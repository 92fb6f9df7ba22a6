"""Event commands: several changes of a vehicle in one message, picked by a bit mask.

ROS sends them as EventInfo (documents/ros-messages-ko.txt, Morai Event Cmd), gRPC as MultiEgoEventCmdRequest
(documents/grpc-api-en.txt); the codes are the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import IntFlag

from dorosim.bridge.answer import Answer, Refusal
from dorosim.bridge.control_mode import EVENT_MODES
from dorosim.world.actor.command import PauseRun
from dorosim.world.vehicle.command import SelectMode, SetLamps
from dorosim.world.vehicle.mode import ControlMode, Gear, TurnLamp


class EventOption(IntFlag):
    """Which fields of an event count.

    The comments of the official EventInfo.msg write 0x0001 to 0x1000, which its int8 cannot hold; clients send sums of
    1, 2, 4 and 8 (facts/ros-grpc-mgeo.md, 1.6, row 17).
    """

    CTRL_MODE = 1
    GEAR = 2
    LAMPS = 4
    PAUSE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event as it was sent, in the product's codes; fields that `option` does not pick may hold anything.

    MultiEgoEventCmdRequest of gRPC has the same fields, and may be given in its place.

    Attributes:
        option: sum of `EventOption`.
        ctrl_mode: 1 keyboard, 2 game wheel, 3 auto or external, 4 or 6 cruise.
        gear: -1 keep, 0 M, 1 P, 2 R, 3 N, 4 D, 5 L.
        turn_signal: 0 none, 1 left, 2 right, 3 keep.
        emergency_signal: 0 off, 1 on.
        set_pause: True stops simulated time, False lets it go on.
    """

    option: int
    ctrl_mode: int = 0
    gear: int = 0
    turn_signal: int = 0
    emergency_signal: int = 0
    set_pause: bool = False


GEARS: dict[int, Gear | None] = {-1: None} | {gear.value: gear for gear in Gear}
"""Gear by code; None keeps it."""
TURN_SIGNALS: dict[int, TurnLamp | None] = {0: TurnLamp.OFF, 1: TurnLamp.LEFT, 2: TurnLamp.RIGHT, 3: None}
"""Turn signal by code; None keeps it."""
EMERGENCY_SIGNALS: dict[int, bool] = {0: False, 1: True}


def answers_of_event(event: Event, actor: int) -> Iterator[Answer]:
    """What an event asks for, field by field; a field that cannot be done does not stop the others.

    Args:
        event: as it was sent.
        actor: id of the vehicle that it is about.

    Yields:
        commands, and refusals of unknown codes and of options that pick nothing.
    """
    known = event.option & sum(EventOption)
    if not known or event.option != known:
        picks = ", ".join(f"{one.value} {one.name.lower()}" for one in EventOption if one.name)
        yield Refusal(f"event: option {event.option} is not a sum of {picks}")
    yield from _mode_and_gear(event, known, actor)
    if known & EventOption.LAMPS:
        yield from _lamps(event, actor)
    if known & EventOption.PAUSE:
        yield PauseRun(paused=event.set_pause)


def _mode_and_gear(event: Event, option: int, actor: int) -> Iterator[Answer]:
    """Both in one command: a mode may bring its gear along, and a gear that is asked for then counts."""
    mode, gear = ControlMode.KEEP, None
    if option & EventOption.CTRL_MODE:
        mode = EVENT_MODES.get(event.ctrl_mode, ControlMode.KEEP)
        yield from _unknown("ctrl_mode", event.ctrl_mode, EVENT_MODES)
    if option & EventOption.GEAR:
        gear = GEARS.get(event.gear)
        yield from _unknown("gear", event.gear, GEARS)
    if mode is not ControlMode.KEEP or gear is not None:
        yield SelectMode(actor=actor, mode=mode, gear=gear)


def _lamps(event: Event, actor: int) -> Iterator[Answer]:
    yield from _unknown("turnSignal", event.turn_signal, TURN_SIGNALS)
    yield from _unknown("emergencySignal", event.emergency_signal, EMERGENCY_SIGNALS)
    turn, emergency = TURN_SIGNALS.get(event.turn_signal), EMERGENCY_SIGNALS.get(event.emergency_signal)
    if turn is not None or emergency is not None:
        yield SetLamps(actor=actor, turn=turn, emergency=emergency)


def _unknown(field: str, code: int, known: Collection[int]) -> Iterator[Refusal]:
    """A refusal of a code that is not known, or nothing."""
    if code not in known:
        yield Refusal(f"event: {field} {code} is not valid: it must be one of {', '.join(map(str, known))}")
