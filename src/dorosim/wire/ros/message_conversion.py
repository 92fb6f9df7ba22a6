"""Messages of a registry as trees of dicts and lists, and trees as messages; made once a registry."""

from __future__ import annotations

from functools import cache

from dorosim.wire.ros.dict_reader import DictReader
from dorosim.wire.ros.dict_writer import DictWriter
from dorosim.wire.ros.registry import Registry


class MessageConversion:
    """Converts messages to trees, and trees to messages.

    Args:
        registry: of their types.

    Attributes:
        json: the tree of a message for JSON by msgspec: null for what is no number, base64 text for arrays of bytes,
            long ones as `msgspec.Raw`. RosError: a field holds what it cannot; so of all forms.
        nan: for JSON as Python writes it: as for JSON, but with NaN and infinities.
        cbor: for CBOR: byte strings and typed arrays. bson: for BSON: byte strings and lists.
        message: the message of a type in a tree of any form (`DictReader.message`).
    """

    def __init__(self, registry: Registry) -> None:
        self.message = DictReader(registry).message
        self.json, self.nan = DictWriter(registry, "json").tree, DictWriter(registry, "nan").tree
        self.cbor, self.bson = DictWriter(registry, "cbor").tree, DictWriter(registry, "bson").tree


@cache
def conversion_of(registry: Registry) -> MessageConversion:
    """The trees of a registry."""
    return MessageConversion(registry)
