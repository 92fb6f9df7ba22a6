"""Lights and intersections as clients name them, and what they ask of them.

A light is known by its MGeo id; an intersection by its MGeo id ("IntTL3") or by its number ("3"), as on UDP and ROS.
"""

from __future__ import annotations

from typing import NamedTuple

from dorosim.bridge.answer import Refusal
from dorosim.bridge.surroundings import LightFinder
from dorosim.ground.error import InputError
from dorosim.road.signal import Signals
from dorosim.world.signal.command import SetIntersection, SetLight, SetSchedule
from dorosim.world.signal.state import NO_LAMP
from dorosim.world.signal.update import SignalPlan
from dorosim.world.snapshot import Snapshot

LIGHT_ID_WIDTH = 12
"""Characters of an id for which UDP messages have room (facts/udp-wire.md, section 3.5)."""
NOT_DETECTED = -2
"""Colour where no light is seen (facts/ros-grpc-mgeo.md, row L10)."""


class LightInfo(NamedTuple):
    """A light, as it is reported to clients.

    Attributes:
        id: MGeo id, "" for no light. colour: sum of `Lamp`; -1 nothing is known of it, -2 there is no light.
    """

    id: str
    colour: int


NO_LIGHT = LightInfo("", NOT_DETECTED)


class SignalNames:
    """By which ids and numbers messages know the lights and controllers of a map.

    Args:
        signals: the lights of the map.
    """

    def __init__(self, signals: Signals) -> None:
        lights = signals.lights
        self.numbers: tuple[int, ...] = tuple(signals.number_of(row) for row in range(len(signals.controllers)))
        # of several with one name the first counts, and so does a full id before one that a message had to cut
        self._lights = {light.id[:LIGHT_ID_WIDTH]: row for row, light in reversed(list(enumerate(lights)))}
        self._lights |= {light.id: row for row, light in reversed(list(enumerate(lights)))}
        self._controllers = {number: row for row, number in reversed(list(enumerate(self.numbers)))}

    def light_row(self, index: str) -> int:
        """Returns the row of the light with an MGeo id, in full or cut as in messages; -1 if the map has none."""
        return self._lights.get(index, -1)

    def controller_row(self, number: int) -> int:
        """Row of the controller with a number, -1 if the map has none."""
        return self._controllers.get(number, -1)


def known_light(plan: SignalPlan, light_id: str) -> int:
    """Row of a light by its MGeo id.

    Raises:
        InputError: the map has no such light.
    """
    row = plan.light_row(light_id)
    if row < 0:
        raise InputError("traffic light", "", f"the map has no traffic light {light_id!r}")
    return row


def known_intersection(plan: SignalPlan, names: SignalNames, text: str) -> int:
    """Row of the controller of an intersection by its MGeo id, or by its number in decimal.

    Raises:
        InputError: the map has no such intersection.
    """
    row = plan.controller_row(text)
    if row < 0 and text.isascii() and text.isdecimal() and len(text) < 7:
        row = names.controller_row(int(text))
    if row < 0:
        some = ", ".join(plan.controller_ids[:8]) + (", ..." if len(plan.controller_ids) > 8 else "")
        raise InputError("intersection", "", f"the map has no intersection {text!r}; it has {some or 'none'}")
    return row


def light_info(plan: SignalPlan, now: Snapshot, light: int) -> LightInfo:
    """What burns on a light."""
    return LightInfo(plan.ids[light], plan.status_of(light, now.signal))


def light_of_link(plan: SignalPlan, finder: LightFinder, now: Snapshot, link: int) -> LightInfo:
    """Returns the light that holds for vehicles on a link, or the next one ahead; `NO_LIGHT` where none is near.

    On real maps lights govern the links inside a junction, so the light of a link that leads to one is the next one
    along it, up to `dorosim.bridge.surroundings.MAX_LIGHT_DISTANCE`.
    """
    light = finder.ahead(link)
    return NO_LIGHT if light is None else light_info(plan, now, light.row)


def lights_of_intersection(plan: SignalPlan, now: Snapshot, controller: int) -> list[LightInfo]:
    """All lights of an intersection, in the map's order."""
    return [light_info(plan, now, int(light)) for light in plan.lights_of(controller)]


def set_light(plan: SignalPlan, light_id: str, colour: int, *, once: bool, siblings: bool) -> SetLight:
    """Sets the colour of a light; -1 gives it back to its programme.

    Args:
        plan: gives ids.
        light_id: MGeo id.
        colour: sum of `Lamp`.
        once: until the programme's next state only.
        siblings: all heads on the same entry road.

    Raises:
        InputError: there is no such light, or a code is no colour.
    """
    row = known_light(plan, light_id)
    if colour <= 0 and colour != NO_LAMP:
        raise InputError("traffic light", light_id, f"{colour} is no colour to show", "-1 gives it to its programme")
    return SetLight(light=row, lamps=colour, once=once, siblings=siblings)


def set_intersection(plan: SignalPlan, names: SignalNames, text: str, state: int) -> SetIntersection:
    """Sets the state of an intersection's programme, which begins now.

    Raises:
        InputError: the map has no such intersection.
    """
    return SetIntersection(controller=known_intersection(plan, names, text), state=state)


def set_light_named(signals: SignalNames, light_id: str, lamps: int) -> SetLight | Refusal:
    """Sets the lamps of one light until it is set again; -1 gives it back to its programme.

    The light alone: siblings and "for once" are flags that only gRPC has.

    Args:
        signals: names of the map's lights.
        light_id: MGeo id, in full or as much of it as a UDP message has room for.
        lamps: sum of `Lamp`.
    """
    row = signals.light_row(light_id)
    if row < 0:
        return Refusal("refused", f"the map has no traffic light {light_id!r}")
    return SetLight(light=row, lamps=lamps)


def set_intersection_numbered(
    signals: SignalNames, number: int, state: int, elapsed: float
) -> SetIntersection | Refusal:
    """Sets the state of an intersection's programme by the number of its controller.

    Args:
        signals: numbers of the map's controllers.
        number: of the controller.
        state: index of the state.
        elapsed: how long it has lasted already [s].
    """
    row = signals.controller_row(number)
    if row < 0:
        known = ", ".join(map(str, signals.numbers)) or "none"
        return Refusal("refused", f"the map has no intersection {number}; it has {known}")
    return SetIntersection(controller=row, state=state, elapsed=elapsed)


def check_schedule(command: SetSchedule) -> SetSchedule:
    """A schedule that says anything at all.

    Raises:
        InputError: it is empty.
    """
    if not (command.states or command.yellow or command.pedestrian):
        raise InputError("intersection", "schedule", "is empty", "give states, yellow times or pedestrian times")
    return command
