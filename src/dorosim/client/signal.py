"""Traffic lights and intersections."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

from dorosim.client.operation import Session, Steps, call, do, operation


class Light(IntFlag):
    """The lit lamps of a traffic light; they can be added: `Light.RED | Light.LEFT`."""

    OFF = 0
    RED = 1
    YELLOW = 4
    GREEN = 16
    LEFT = 32
    RIGHT = 64
    U_TURN = 128


_NO_LIGHT = -2
"""Colour of a place without a light. As a command -1 gives a light back to its programme."""


@dataclass(frozen=True, slots=True)
class TrafficLight:
    """A traffic light.

    Attributes:
        id: of the map. color: its lit lamps.
    """

    id: str
    color: Light


@dataclass(frozen=True, slots=True)
class Intersection:
    """An intersection.

    Attributes:
        lights: of all its roads. phase: index of the present state in its programme.
    """

    lights: tuple[TrafficLight, ...]
    phase: int


class SignalOperations(Session):
    """Reading and setting lights."""

    @operation
    def light(self, light: str) -> Steps[TrafficLight]:
        """A traffic light by its id."""
        answer = yield call("Infrastructure/GetTrafficLightInfo", type="GET_TL_INFO_BY_TL_ID", value=light)
        return _light(answer)

    @operation
    def light_of_link(self, link: str) -> Steps[TrafficLight]:
        """The traffic light that holds for a link."""
        answer = yield call("Infrastructure/GetTrafficLightInfo", type="GET_TL_INFO_BY_LINK_ID", value=link)
        return _light(answer)

    @operation
    def set_light(
        self, light: str, color: Light | None, *, for_good: bool = True, siblings: bool = False
    ) -> Steps[None]:
        """Set the lamps of a traffic light.

        Args:
            light: its id.
            color: the lamps; None gives it back to its programme.
            for_good: else until the next state of the programme.
            siblings: all lights of the same road into the intersection.
        """
        info = {"id": {"value": light}, "color": -1 if color is None else int(color)}
        yield from do("Infrastructure/SetTrafficLightState", info=info, is_impulse=not for_good, set_sibling=siblings)

    @operation
    def intersection(self, intersection: str) -> Steps[Intersection]:
        """An intersection by its id."""
        answer = yield call("Infrastructure/GetIntersectionTLInfo", value=intersection)
        return Intersection(tuple(_light(one) for one in answer.traffic_lights), int(answer.phase))

    @operation
    def set_phase(self, intersection: str, phase: int) -> Steps[None]:
        """Set the present state of an intersection; its programme goes on from there."""
        yield from do("Infrastructure/SetIntersectionPhase", id={"value": intersection}, phase=phase)


def _light(message: object) -> TrafficLight:
    color = int(message.color)  # type: ignore[attr-defined]
    return TrafficLight(message.id.value, Light(color) if color > 0 else Light.OFF)  # type: ignore[attr-defined]
