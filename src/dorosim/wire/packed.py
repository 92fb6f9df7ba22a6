"""Slots of a repeated record that are in wire form already."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

R = TypeVar("R")


class PackedSlots(Sequence[R], Generic[R]):
    """The slots of a message as the bytes that stand on the wire; reading one decodes them.

    Where many slots are sent often, they are packed from columns at once (`dorosim.wire.batch.SlotPacker`), and a
    record is made only when a slot is read.

    Args:
        area: bytes of all slots of the message, zero behind the last one used.
        read: makes records of them.
    """

    __slots__ = ("_read", "area")

    def __init__(self, area: bytes, read: Callable[[bytes], tuple[R, ...]]) -> None:
        self.area = area
        self._read = read

    def __getitem__(self, index: Any) -> Any:
        """A record, or several."""
        return self._read(self.area)[index]

    def __len__(self) -> int:
        """How many slots are used."""
        return len(self._read(self.area))

    def __iter__(self) -> Iterator[R]:
        """The records in order."""
        return iter(self._read(self.area))

    def __eq__(self, other: object) -> bool:
        """Whether another sequence holds the same records."""
        if isinstance(other, PackedSlots):
            return self.area == other.area
        return self._read(self.area) == other

    def __hash__(self) -> int:
        """That of the records."""
        return hash(self._read(self.area))

    def __repr__(self) -> str:
        """That of the records."""
        return repr(self._read(self.area))
