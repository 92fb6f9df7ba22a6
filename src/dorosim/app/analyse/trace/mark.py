"""What happens to an actor at moments: collisions and faults."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dorosim.world.collision.body import BodyKind
from dorosim.world.fault.code import FaultLocation, FaultSubclass, FaultTarget
from dorosim.world.snapshot import Snapshot

WHEELS = ("front left", "front right", "rear left", "rear right")


@dataclass(frozen=True, slots=True)
class Collision:
    """Two bodies began to touch.

    Attributes:
        time: simulated [s]. other: actor id. kind: what that is.
        x, y: where, in map [m].
        closing_speed: before the impact [m/s].
    """

    time: float
    other: int
    kind: str
    x: float
    y: float
    closing_speed: float


@dataclass(frozen=True, slots=True)
class FaultSpan:
    """A fault, from when to when it is seen to act.

    Attributes:
        begin, end: simulated [s]. name: what is at fault, and how.
    """

    begin: float
    end: float
    name: str


class MarkReader:
    """Reads collisions and faults of an actor out of snapshots, one after another.

    Attributes:
        collisions: in their order. faults: by place, kind and start.
    """

    def __init__(self, actor: int) -> None:
        self._actor = actor
        self.collisions: list[Collision] = []
        self.faults: dict[tuple[int, int, int, int], FaultSpan] = {}
        self._known: set[tuple[int, int]] = set()

    def add(self, now: Snapshot) -> None:
        """One snapshot."""
        if now.contact.rows:
            self._add_contacts(now)
        if now.fault.rows:
            self._add_faults(now)

    def _add_contacts(self, now: Snapshot) -> None:
        contact = now.contact
        for row in range(contact.rows):
            first, second = int(contact.first_id[row]), int(contact.second_id[row])
            if self._actor not in (first, second):
                continue
            other = second if first == self._actor else first
            kind = contact.second_kind[row] if first == self._actor else contact.first_kind[row]
            key = (other, int(contact.begin[row]))
            if key in self._known:
                continue
            self._known.add(key)
            self.collisions.append(
                Collision(
                    time=key[1] * 1e-9,
                    other=other,
                    kind=_BODIES[BodyKind(int(kind))],
                    x=float(contact.x[row]),
                    y=float(contact.y[row]),
                    closing_speed=float(contact.closing_speed[row]),
                )
            )

    def _add_faults(self, now: Snapshot) -> None:
        fault, time = now.fault, now.time * 1e-9
        for row in range(fault.rows):
            if fault.actor[row] != self._actor or not fault.start[row] <= now.time < fault.end[row]:
                continue
            key = (int(fault.target[row]), int(fault.place[row]), int(fault.subclass[row]), int(fault.start[row]))
            before = self.faults.get(key)
            if before is None:
                self.faults[key] = FaultSpan(time, time, _fault_name(*key[:3]))
            else:
                self.faults[key] = replace(before, end=time)


_BODIES = {
    BodyKind.EGO: "ego vehicle",
    BodyKind.NPC: "NPC vehicle",
    BodyKind.GHOST: "ghost",
    BodyKind.PEDESTRIAN: "pedestrian",
    BodyKind.OBSTACLE: "obstacle",
    BodyKind.SCENERY: "scenery",
}


def _fault_name(target: int, place: int, subclass: int) -> str:
    kind = FaultSubclass(subclass).name.lower().replace("_", " ")
    if target == FaultTarget.CONTROL:
        return f"{FaultLocation(place).name.lower()}: {kind}"
    if target == FaultTarget.TIRE:
        return f"{WHEELS[place]} tyre: {kind}"
    return f"sensor {place}: {kind}"
