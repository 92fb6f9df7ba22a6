"""Tables of actors that go from point to point: pedestrians and obstacles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import Columns
from dorosim.ground.growable_array import GrowableArray
from dorosim.world.waypoint import WaypointRoutes

StateT = TypeVar("StateT", bound=Columns)


@dataclass(frozen=True, slots=True, eq=False)
class Travellers(Generic[StateT]):
    """Actors of a kind with their routes. A subclass says what their state is.

    Attributes:
        state: one row each, sorted by id. route: the points of each one's way.
    """

    state: StateT
    route: WaypointRoutes

    def __len__(self) -> int:
        """How many there are."""
        return len(self.state)

    def copy(self) -> Self:
        """The same with a writable state; routes are shared, since they are only ever replaced."""
        return type(self)(self.state.copy(), self.route)

    def freeze(self) -> Self:
        """Make the state read-only, and return the table itself."""
        self.state.freeze()
        return self

    def row_of(self, actor: int) -> int:
        """Row of an actor, -1 if there is none of this id."""
        return self.state.row_of(actor)

    def append(self, other: Self, growth: GrowableArray | None = None) -> Self:
        """A new, writable table with the rows of `other` too; ids must be greater than those that are there.

        `growth`: room for a caller that adds many, one by one; see `packed`.
        """
        return type(self)(self.state.append(other.state, growth), self.route.append(other.route, growth))

    def packed(self) -> Self:
        """The very same if the state is contiguous, as kernels need it, else with a writable copy of it."""
        state = self.state.packed()
        return self if state is self.state else type(self)(state, self.route)

    def keep(self, rows: NDArray[np.bool_]) -> Self:
        """A new, writable table of the rows that are True in `rows` `(N,)`."""
        return type(self)(self.state.take(rows), self.route.keep(rows))

    def without_row(self, row: int, growth: GrowableArray) -> Self:
        """A new, writable table of all rows but one, with room to add others by the growth; see `packed`."""
        return type(self)(self.state.without_row(row, growth), self.route.without_row(row, growth))
