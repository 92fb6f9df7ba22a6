"""A message on its way to subscribers, in the forms that they ask for; each is made once, by whoever needs it first."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from dorosim.wire.ros.registry import Registry


class Post:
    """A message of a topic.

    Args:
        topic: name. type: of the message. message: as `registry.make` made it. registry: of its type.
    """

    def __init__(self, topic: str, type: str, message: Any, registry: Registry) -> None:  # noqa: A002
        self.topic, self.type, self.message, self.registry = topic, type, message, registry

    @cached_property
    def ros1(self) -> bytes | memoryview:
        """As TCPROS and bags have it, without its length."""
        return self.registry.encode(self.message)
