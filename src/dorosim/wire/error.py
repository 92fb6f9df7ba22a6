"""The errors of the wire floor."""

from __future__ import annotations

from typing import Literal

from dorosim.ground.error import DorosimError

Fault = Literal["size", "header", "length", "tail", "text", "value", "non-finite", "range"]
"""What can be wrong with bytes: total size, header name, data length, tail, characters, a code that the
documents do not know, NaN or infinity, or a number outside its documented range."""


class WireError(DorosimError):
    """Bytes that are not a message, or a message that has no bytes.

    Args:
        fault: the kind of fault, by which endpoints count.
        problem: one sentence with the field or offset.
        message: name of the message that the bytes were taken for, or an empty string.
    """

    def __init__(self, fault: Fault, problem: str, message: str = "") -> None:
        self.fault = fault
        self.problem = problem
        self.message = message
        super().__init__(f"{message}: {problem}" if message else problem)


class RosError(DorosimError):
    """Bytes or a tree that are not a message of ROS of the type that they should be, or a type that is not there."""
