"""A message on its way to subscribers, in the forms that they ask for; each form is made once, at its first use."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dorosim.wire.ros.registry import Registry

if TYPE_CHECKING:
    from dorosim.wire.ros.message_conversion import MessageConversion


class OutgoingMessage:
    """A message of a topic.

    Args:
        topic: name. type: of the message. message: as `registry.make` made it. registry: of its type.
        stamp: when it is published [ns since 1970]. size: bytes that it came in, 0 if it was made here.
    """

    def __init__(
        self,
        topic: str,
        type: str,  # noqa: A002
        message: Any,
        registry: Registry,
        stamp: int = 0,
        size: int = 0,
    ) -> None:
        self.topic, self.type, self.message, self.registry = topic, type, message, registry
        self.stamp, self._size = stamp, size

    @cached_property
    def bulk(self) -> int:
        """About how many bytes it has: those that it came in, or of its array of data, as of a cloud or picture."""
        data = getattr(self.message, "data", None)
        return max(self._size, len(data) if isinstance(data, str | bytes) else int(getattr(data, "nbytes", 0)))

    @cached_property
    def ros1(self) -> bytes | memoryview:
        """As TCPROS and bags have it, without its length."""
        return self.registry.encode(self.message)

    @cached_property
    def json(self) -> bytes:
        """The publish operation of rosbridge as JSON."""
        from dorosim.wire.ros.frame import encode

        return encode({"op": "publish", "topic": self.topic, "msg": self._conversion.json(self.message)}, "json")

    @cached_property
    def json_nan(self) -> bytes:
        """The same as Python writes JSON, with NaN and Infinity: the standard server refuses null for a number."""
        if b"null" not in self.json:
            return self.json
        operation = {"op": "publish", "topic": self.topic, "msg": self._conversion.nan(self.message)}
        return json.dumps(operation, ensure_ascii=False).encode()

    @cached_property
    def png(self) -> bytes:
        """The same in a picture, as JSON."""
        from dorosim.wire.ros.frame import png_frame

        return png_frame(self.json)

    @cached_property
    def cbor(self) -> bytes:
        """The publish operation of rosbridge as CBOR."""
        from dorosim.wire.ros.frame import encode

        return encode({"op": "publish", "topic": self.topic, "msg": self._conversion.cbor(self.message)}, "cbor")

    @cached_property
    def cbor_raw(self) -> bytes:
        """The publish operation as CBOR around the bytes of ROS 1."""
        from dorosim.wire.ros.frame import cbor_raw_frame

        return cbor_raw_frame(self.topic, self.stamp, self.ros1)

    @cached_property
    def bson(self) -> bytes:
        """The publish operation of rosbridge as BSON."""
        from dorosim.wire.ros.frame import encode

        return encode({"op": "publish", "topic": self.topic, "msg": self._conversion.bson(self.message)}, "bson")

    @property
    def _conversion(self) -> MessageConversion:
        from dorosim.wire.ros.message_conversion import conversion_of

        return conversion_of(self.registry)
