"""Commands to a storyboard that runs."""

from __future__ import annotations

from dorosim.world.command import Command, Vector


class SetUserDefinedValue(Command, frozen=True, tag=True):
    """Gives a storyboard a value from outside, which its UserDefinedValueConditions see from the next tick on.

    Attributes:
        name: of the value, as the conditions have it.
        value: a text; what is a number is compared as one.
    """

    name: str
    value: str


class StopStoryboard(Command, frozen=True, tag=True):
    """Ends a storyboard that runs (gRPC page, Open Scenario, Stop): its entities stand where they are."""


class ShowSignal(Command, frozen=True, tag=True):
    """Sets what a traffic light of the map shows, from now on.

    Attributes:
        signal: id of the light in the map's file.
        state: a word for each of its lamps from the top, such as "off;off;on", or the colours that are lit, such as
            "red;yellow"; "off" for a dark one. A lamp that is to flash is lit.
    """

    signal: str
    state: str


class SpawnTraffic(Command, frozen=True, tag=True, kw_only=True):
    """Puts a vehicle or a person of our own traffic somewhere; where there is no room, or no lane, nothing happens.

    Attributes:
        model: name of a vehicle in the catalogue; "" for a person.
        person: row of the models of persons, -1 for a vehicle.
        position: of the body origin in the map [m].
        yaw: [rad].
        speed: at the start [m/s].
        desired_speed: constant [m/s]; 0: that of its driver.
        lane_change: whether it may change lanes for its own advantage.
        owner: of what is made.
    """

    model: str = ""
    person: int = -1
    position: Vector
    yaw: float
    speed: float
    desired_speed: float = 0.0
    lane_change: bool = True
    owner: str
