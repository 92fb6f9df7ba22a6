"""The trees of a registry's messages, in all forms; made once a registry."""

from __future__ import annotations

from functools import cache
from typing import Any

from dorosim.wire.ros.dict_reader import DictReader
from dorosim.wire.ros.dict_writer import DictWriter
from dorosim.wire.ros.error import RosError
from dorosim.wire.ros.registry import Registry


class MessageConversion:
    """Converts messages to trees, and trees to messages.

    Args:
        registry: of their types.
    """

    def __init__(self, registry: Registry) -> None:
        self._reader = DictReader(registry)
        self._json, self._cbor = DictWriter(registry, "json"), DictWriter(registry, "cbor")
        self._bson, self._nan = DictWriter(registry, "bson"), DictWriter(registry, "nan")

    def json(self, message: Any) -> dict[str, Any]:
        """For JSON by msgspec: null for what is no number, base64 text for arrays of bytes, long ones as `msgspec.Raw`.

        Raises:
            RosError: a field holds what it cannot.
        """
        return _tree(self._json, message)

    def nan(self, message: Any) -> dict[str, Any]:
        """For JSON as Python writes it: as for JSON, but with NaN and infinities.

        Raises:
            RosError: a field holds what it cannot.
        """
        return _tree(self._nan, message)

    def cbor(self, message: Any) -> dict[str, Any]:
        """For CBOR: byte strings and typed arrays.

        Raises:
            RosError: a field holds what it cannot.
        """
        return _tree(self._cbor, message)

    def bson(self, message: Any) -> dict[str, Any]:
        """For BSON: byte strings and lists.

        Raises:
            RosError: a field holds what it cannot.
        """
        return _tree(self._bson, message)

    def message(self, name: str, tree: Any) -> Any:
        """The message of a type in a tree of any form.

        Raises:
            RosError: there is no such type, or the tree is none; the text names the path.
        """
        return self._reader.message(name, tree)


@cache
def conversion_of(registry: Registry) -> MessageConversion:
    """The trees of a registry."""
    return MessageConversion(registry)


def _tree(writer: DictWriter, message: Any) -> dict[str, Any]:
    try:
        return writer.tree(message)
    except (AttributeError, OverflowError, TypeError, ValueError) as error:
        raise RosError(f"{message.__msgtype__.replace('/msg/', '/')} cannot be written: {error}") from None
