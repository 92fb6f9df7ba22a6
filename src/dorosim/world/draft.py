"""The next snapshot while it is being made."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from dorosim.ground.growable_array import GrowableArray
from dorosim.ground.noise import Noise
from dorosim.world.actor.number import LAST_NUMBER, NumberTable, renumbered
from dorosim.world.snapshot import EGO, LAST_ID, STATE_FIELDS, Outcome, Snapshot, WorldState
from dorosim.world.storyboard.report import NO_REPORT, StoryboardReport
from dorosim.world.traffic.state import Presence

_OFF_LANE = int(Presence.OFF_LANE)
_WRITABLE = ("traffic", "people", "obstacles", "ghost", "fault")
"""Tables that are changed in place, beside those of vehicles with full dynamics."""


@dataclass(slots=True, eq=False, kw_only=True)
class Draft(WorldState):
    """The next snapshot, as far as it is made.

    `vehicle`, `traffic`, `people`, `obstacles`, `ghost` and `fault` are writable copies, unless they are empty; the
    rest is read-only and replaced as a whole.

    Attributes:
        before: the snapshot that it comes after.
        noise: the run's randomness.
        made: the actor that the present command made, 0 for none.
        storyboard_report: what the storyboard reports of the tick.
        new: ids that were given in this tick, ascending. gone: ids of the actors that left in it.
        growth: room behind the tables to which commands add actors; `pack` after them.
    """

    before: Snapshot
    noise: Noise
    outcomes: list[Outcome] = field(default_factory=list)
    storyboard_report: StoryboardReport = NO_REPORT
    made: int = 0
    new: list[int] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    _held: int = -1
    _ahead: Collection[int] | None = None
    growth: GrowableArray = field(default_factory=GrowableArray)

    @classmethod
    def after(cls, now: Snapshot, noise: Noise) -> Draft:
        """The draft of the snapshot after another one, in which nothing has happened yet."""
        draft = cls(**{name: getattr(now, name) for name in STATE_FIELDS}, before=now, noise=noise)
        draft.tick += 1
        draft.vehicle = now.vehicle.copy()
        for name in _WRITABLE:
            table = getattr(now, name)
            # there is nothing in an empty one to write to
            setattr(draft, name, table.copy() if len(table) else table)
        return draft

    def pack(self) -> None:
        """Make the tables contiguous to which actors were added through `growth`: kernels see them next."""
        self.traffic, self.people, self.obstacles = self.traffic.packed(), self.people.packed(), self.obstacles.packed()
        self.growth = GrowableArray()

    def finish(self) -> Snapshot:
        """The snapshot; the draft must not be used any more."""
        before = self.before
        if self.new or self.gone:
            self.number = self._renumbered()
        for name in (*_WRITABLE, "contact", "displaced", "number"):
            table = getattr(self, name)
            if table is not getattr(before, name):
                table.freeze()
        self.vehicle.freeze()
        return Snapshot.of(self, tuple(self.outcomes), self.storyboard_report)

    def is_empty(self) -> bool:
        """Whether vehicles with full dynamics are the only actors, and none has a plan in the traffic."""
        return not (self.traffic.rows or self.people.state.rows or self.obstacles.state.rows or self.ghost.rows)

    def has_nobody_off_lanes(self) -> bool:
        """Whether there are no pedestrians, obstacles, ghosts or NPC vehicles off the lanes."""
        others = self.people.state.rows or self.obstacles.state.rows or self.ghost.rows
        return not others and int(self.traffic.present.max(initial=0)) < _OFF_LANE

    def has(self, actor: int) -> bool:
        """Whether there is an actor, a map object or a spawn point of an id."""
        if actor == EGO or self.row_of(actor) >= 0 or self.spawn.holds(actor):
            return True
        tables = (self.traffic, self.ghost, self.people.state, self.obstacles.state, self.friction.objects)
        return any(bool((table.id == actor).any()) for table in tables)

    def has_vehicle(self, actor: int) -> bool:
        """Whether there is a vehicle of any kind of an id."""
        return self.row_of(actor) >= 0 or self.traffic.row_of(actor) >= 0 or self.ghost.row_of(actor) >= 0

    def has_number(self, number: int) -> bool:
        """Whether messages report an actor by a number: its id, its number on UDP, or the alias of a ghost."""
        if self.has(number) or self.ghost.row_reported_as(number) >= 0:
            return True
        rows = (self.number.number == number) & (self.number.freed < 0)
        return bool(rows.any()) and int(self.number.actor[rows][0]) not in self.gone

    def new_id(self) -> int:
        """The next id, noted as the actor that the present command made; 0 if there is no room for another actor.

        A number by which a ghost is reported, or was until not long ago, is left out: no other actor gets it as its id.
        """
        actor = self.last_id + 1
        while self._is_told_of(actor):
            actor += 1
        if actor > LAST_ID or not self.room():
            return 0
        self.last_id = self.made = actor
        self.new.append(actor)
        return actor

    def take_back(self, last: int) -> None:
        """Give back the ids above one: the actors that were to get them were not made."""
        self.last_id, self.made = last, 0
        while self.new and self.new[-1] > last:
            self.new.pop()

    def room(self) -> int:
        """How many more things with an id there may be: as many as numbers are free."""
        if self._held < 0:
            self._held = self.before.number.held()
        told = len(self.ghost.reported_besides()) if self.ghost.rows else 0
        return LAST_NUMBER - self._held - len(self.new) + len(self.gone) - told

    def _is_told_of(self, number: int) -> bool:
        """Whether a ghost is reported by a number beyond the ids that were given, or was until not long ago."""
        if self._ahead is None:
            numbers = self.before.number.number
            self._ahead = frozenset(numbers[numbers > self.before.last_id].tolist())
        return number in self._ahead or (self.ghost.rows > 0 and self.ghost.row_reported_as(number) >= 0)

    def _renumbered(self) -> NumberTable:
        """The numbers of the actors in the world at the end of the tick."""
        ghost, before = self.ghost, self.before.ghost
        told, rows = ghost.alias[ghost.reported_besides()], before.reported_besides()
        ghosts = zip(before.id[rows].tolist(), before.alias[rows].tolist(), strict=True)
        left = [(actor, alias) for actor, alias in ghosts if actor in self.gone]
        new = [actor for actor in self.new if actor not in self.gone]
        own = ghost.id[(ghost.is_told != 0) & (ghost.alias == ghost.id) & (ghost.id <= LAST_NUMBER)]
        return renumbered(self.number, new, self.gone, told, left, self.time, own)
