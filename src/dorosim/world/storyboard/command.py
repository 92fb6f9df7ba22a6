"""Commands to a storyboard that runs."""

from __future__ import annotations

from dorosim.world.command import Command


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
