"""A message on its way to subscribers, in the forms that they ask for; each form is made once, at its first use."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dorosim.wire.ros.registry import Registry

if TYPE_CHECKING:
    from dorosim.wire.ros.frame import Encoding
    from dorosim.wire.ros.message_conversion import MessageConversion


class PublishOperation:
    """The publish operation of rosbridge in its forms.

    Attributes:
        topic: its name.
    """

    topic: str

    def tree(self, encoding: Encoding) -> Any:
        """The message as dicts and lists of what an encoding can hold."""
        raise NotImplementedError

    @cached_property
    def json(self) -> bytes:
        """As JSON."""
        return self._encoded("json")

    @cached_property
    def png(self) -> bytes:
        """As JSON in a picture."""
        from dorosim.wire.ros.frame import png_frame

        return png_frame(self.json)

    @cached_property
    def cbor(self) -> bytes:
        """As CBOR."""
        return self._encoded("cbor")

    @cached_property
    def bson(self) -> bytes:
        """As BSON."""
        return self._encoded("bson")

    def _encoded(self, encoding: Encoding) -> bytes:
        from dorosim.wire.ros.frame import encode

        return encode({"op": "publish", "topic": self.topic, "msg": self.tree(encoding)}, encoding)


class OutgoingMessage(PublishOperation):
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
    def json_nan(self) -> bytes:
        """The same as Python writes JSON, with NaN and Infinity: the standard server refuses null for a number."""
        if b"null" not in self.json:
            return self.json
        operation = {"op": "publish", "topic": self.topic, "msg": self._conversion.nan(self.message)}
        return json.dumps(operation, ensure_ascii=False).encode()

    @cached_property
    def cbor_raw(self) -> bytes:
        """The publish operation as CBOR around the bytes of ROS 1."""
        from dorosim.wire.ros.frame import cbor_raw_frame

        return cbor_raw_frame(self.topic, self.stamp, self.ros1)

    def tree(self, encoding: Encoding) -> Any:
        """The message as dicts and lists of what an encoding can hold."""
        return getattr(self._conversion, encoding)(self.message)

    @property
    def _conversion(self) -> MessageConversion:
        from dorosim.wire.ros.message_conversion import conversion_of

        return conversion_of(self.registry)
