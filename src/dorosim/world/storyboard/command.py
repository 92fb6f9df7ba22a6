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
