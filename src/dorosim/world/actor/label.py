"""Names and owners that clients give to what they make.

The world's ids are numbers that are never used twice; a client may give an actor a name of its own choice, and an
owner, so that it can remove its own actors later (facts/ros-grpc-mgeo.md, 2.3: client_key).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

import numpy as np

from dorosim.ground.column import Columns, IntArray, int64, read_only
from dorosim.ground.packed_text import ByteArray, packed_texts, text_at
from dorosim.world.command import CommandError

MAX_LABEL_BYTES = 256
"""Longest name and longest owner [bytes in UTF-8]."""
_BETWEEN = b"\x00"


class LabelTable(Columns):
    """One row per actor that has a name or an owner, in the order in which they were given."""

    actor = int64("id in the world")
    key = ("actor",)


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """All names; never changed, only replaced.

    Attributes:
        table: one row an actor, read-only.
        first: `(rows + 1,)` where the texts of each begin in `text`, read-only.
        text: name, a zero byte and owner of each, end to end, in UTF-8, read-only.
    """

    table: LabelTable
    first: IntArray
    text: ByteArray

    @classmethod
    def empty(cls) -> Self:
        """No names."""
        return cls(LabelTable.zeros(0).freeze(), *packed_texts(()))

    def __len__(self) -> int:
        """How many there are."""
        return self.table.rows

    def all(self) -> dict[int, tuple[str, str]]:
        """Name and owner of every actor that has one, by id; either may be empty."""
        found = {}
        for row, actor in enumerate(self.table.actor.tolist()):
            name, _, owner = text_at(self.first, self.text, row).partition(_BETWEEN)
            found[actor] = (name.decode("utf-8", "replace"), owner.decode("utf-8", "replace"))
        return found

    def bearers_of(self, name: str) -> list[int]:
        """Ids of all actors that have a name, in the order in which they got it."""
        wanted, text = name.encode() + _BETWEEN, self.text.tobytes()
        found, at = [], text.find(wanted)
        while at >= 0:
            row = int(np.searchsorted(self.first, at))
            if self.first[row] == at:
                found.append(int(self.table.actor[row]))
            at = text.find(wanted, at + 1)
        return found

    def with_label(self, actor: int, name: str, owner: str) -> Self:
        """With the name of an actor, in place of the one that it had."""
        rest = self.without_actors([actor])
        row = LabelTable.zeros(1)
        row.actor[0] = actor
        # packed by hand: thousands may be named one after another
        added = np.frombuffer(name.encode() + _BETWEEN + owner.encode(), np.uint8)
        first, text = np.append(rest.first, len(rest.text) + len(added)), np.concatenate((rest.text, added))
        return type(self)(rest.table.append(row).freeze(), read_only(first), read_only(text))

    def without_actors(self, actors: Collection[int]) -> Self:
        """Without the names of actors that left the world; the same object if none of them has one."""
        keep = ~np.isin(self.table.actor, list(actors))
        if keep.all():
            return self
        texts = [text_at(self.first, self.text, row) for row in np.flatnonzero(keep).tolist()]
        return type(self)(self.table.take(keep).freeze(), *packed_texts(texts))


def check_label(name: str, owner: str) -> None:
    """Refuse texts that cannot be a name and an owner."""
    for what, text in (("name", name), ("owner", owner)):
        if not text.isprintable():
            raise CommandError(f"{what} {text!r} has signs that cannot be printed")
        if len(text.encode("utf-8", "surrogatepass")) > MAX_LABEL_BYTES:
            raise CommandError(f"a {what} of {len(text)} signs is too long; {MAX_LABEL_BYTES} bytes fit")
