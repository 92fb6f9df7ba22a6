"""What is wrong with a message of ROS."""

from __future__ import annotations

from dorosim.ground.error import DorosimError


class RosError(DorosimError):
    """Bytes or a tree that are no message of the type that they should be, or a type that is not there."""
