"""TrafficAction (ASAM OpenSCENARIO XML 1.3): sources, sinks, swarms and areas of our own traffic.

What they make belongs to them by its owner in the world (`Labels`). They look ten times a second, and what is random in
them is drawn by the scenario's seed, their number and how often they have drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.scenario.openscenario.engine.action.place_action import AtOnce
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.scenario.openscenario.engine.traffic_mix import TrafficMix
from dorosim.scenario.openscenario.engine.traffic_place import (
    Ellipse,
    LanePlace,
    Point,
    TrafficShape,
    find_place,
    taken_places,
)
from dorosim.world.actor.command import RemoveActor
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.command import SpawnTraffic

_OWED, _DRAWN, _LAST = range(3)
_PAUSE = 0.1
"""Between two looks [s]."""
_SAME_WAY = 0.0
MAX_TRAFFIC_AT_ONCE = 200
"""So many vehicles an action makes in a tick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpawnedTraffic:
    """What all actions on traffic have.

    Attributes:
        name: by which they are stopped. number: among those of the scenario. mix: what they make.
    """

    name: str
    number: int
    mix: TrafficMix
    domain: Domain = Domain.NONE

    @property
    def owner(self) -> str:
        """Of what it makes, in the world."""
        return f"scenario traffic {self.number} {self.name}".strip()

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """There is traffic in the world only."""
        if frame.world is None:
            frame.journal.append("there is no world, and no traffic in it")
            row.finish()
        row.memory[_LAST] = -math.inf

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Look, ten times a second."""
        now = frame.time * 1e-9
        if frame.world is None or now < row.memory[_LAST] + _PAUSE - 1e-9:
            return
        passed = now - row.memory[_LAST] if math.isfinite(row.memory[_LAST]) else 0.0
        row.memory[_LAST] = now
        self.look(frame, frame.world, row, passed)

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """What it has made goes on."""

    def look(self, frame: StoryboardFrame, world: Snapshot, row: ActionRow, passed: float) -> None:
        """Make and take out what there is to make and to take out; `passed` since the last look [s]."""
        raise NotImplementedError

    def _random(self, frame: StoryboardFrame, row: ActionRow) -> np.random.Generator:
        """What draws this time."""
        row.memory[_DRAWN] += 1.0
        return Noise(frame.program.seed).stream(f"scenario/traffic/{self.number}", round(row.memory[_DRAWN]))

    def _make(
        self, frame: StoryboardFrame, world: Snapshot, row: ActionRow, shape: TrafficShape, count: int, tries: int
    ) -> int:
        """Make some at free places of a shape, and return how many."""
        random, taken, made = self._random(frame, row), taken_places(world), 0
        for _ in range(min(count, MAX_TRAFFIC_AT_ONCE)):
            kind = self.mix.draw(random)
            if kind is None:
                return made
            forward = self._is_same_way(random)
            place = find_place(
                frame,
                shape,
                random,
                taken,
                lambda found, wanted=forward: self._suits(frame, found, wanted),  # type: ignore[misc]
                walks=kind.person >= 0,
                tries=tries,
            )
            if place is None:
                continue
            taken.append((place.x, place.y))
            frame.commands.append(
                SpawnTraffic(
                    model=kind.model,
                    person=kind.person,
                    position=(place.x, place.y, place.z),
                    yaw=place.heading,
                    speed=self._speed(random, place, kind.desired_speed),
                    desired_speed=kind.desired_speed,
                    lane_change=kind.lane_change,
                    owner=self.owner,
                )
            )
            made += 1
        return made

    def _is_same_way(self, random: np.random.Generator) -> bool | None:
        """Whether the next one drives as the entity in the middle does; None: either way."""
        del random
        return None

    def _suits(self, frame: StoryboardFrame, place: LanePlace, wanted: bool | None) -> bool:
        """Whether a place may be taken."""
        del frame, place, wanted
        return True

    def _speed(self, random: np.random.Generator, place: LanePlace, desired: float) -> float:
        """The speed at the start [m/s]: that of the road where none is given."""
        del random
        return desired or place.limit

    def _members(self, world: Snapshot) -> Iterator[tuple[int, Point]]:
        """Ids and places of what it has made and is still there."""
        owner = self.owner
        mine = {actor for actor, (_, of) in world.label.all().items() if of == owner}
        for table in (world.traffic, world.people.state):
            for actor, x, y in zip(table.id.tolist(), table.x.tolist(), table.y.tolist(), strict=True):
                if actor in mine:
                    yield actor, (x, y)

    def _keep_in(self, frame: StoryboardFrame, world: Snapshot, shape: TrafficShape) -> int:
        """Take out those that have left a shape, and return how many are left."""
        left = 0
        for actor, point in self._members(world):
            if shape.holds(frame, point):
                left += 1
            else:
                frame.commands.append(RemoveActor(actor))
        return left


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafficSource(SpawnedTraffic):
    """Make traffic around a position.

    Attributes:
        shape: where. rate: how many a second [1/s]. speed: at their start [m/s]; NaN: that of the road.
    """

    shape: TrafficShape
    rate: float
    speed: float = math.nan

    def look(self, frame: StoryboardFrame, world: Snapshot, row: ActionRow, passed: float) -> None:
        """Make as many as are due; one for whom there is no room comes later."""
        row.memory[_OWED] += self.rate * passed
        if row.memory[_OWED] >= 1.0:
            row.memory[_OWED] -= self._make(frame, world, row, self.shape, int(row.memory[_OWED]), 20)

    def _speed(self, random: np.random.Generator, place: LanePlace, desired: float) -> float:
        return SpawnedTraffic._speed(self, random, place, desired) if math.isnan(self.speed) else self.speed


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafficSink(SpawnedTraffic):
    """Take traffic out around a position: vehicles and persons that are no entities of the scenario.

    Attributes:
        shape: where. rate: how many a second at most [1/s].
    """

    shape: TrafficShape
    rate: float = math.inf

    def look(self, frame: StoryboardFrame, world: Snapshot, row: ActionRow, passed: float) -> None:
        """Take out as many as may go."""
        if math.isfinite(self.rate):
            # what was not used is kept for one only: a sink does not save up
            row.memory[_OWED] = min(row.memory[_OWED] + self.rate * passed, max(1.0, self.rate * passed))
        for actor, point in self._arrived(frame, world):
            if math.isfinite(self.rate) and row.memory[_OWED] < 1.0:
                return
            if self.shape.holds(frame, point):
                row.memory[_OWED] -= 1.0
                frame.commands.append(RemoveActor(actor))

    def _arrived(self, frame: StoryboardFrame, world: Snapshot) -> Iterator[tuple[int, Point]]:
        """Ids and places of the traffic that the sink is for."""
        entities = {one.actor for one in frame.entity}
        traffic, people = world.traffic, world.people.state
        for row, actor in enumerate(traffic.id.tolist()):
            if actor not in entities and not traffic.plan_of_ego[row] and self.mix.has_vehicle(int(traffic.model[row])):
                yield actor, (float(traffic.x[row]), float(traffic.y[row]))
        for row, actor in enumerate(people.id.tolist()):
            if actor not in entities and self.mix.has_persons:
                yield actor, (float(people.x[row]), float(people.y[row]))


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafficSwarm(SpawnedTraffic):
    """Keep traffic around an entity.

    Attributes:
        shape: where. count: how many at most. speeds: least and greatest at their start [m/s]; NaN: that of the road.
        same, opposite: weights of the directions of travel; both 0: either way.
    """

    shape: Ellipse
    count: int
    speeds: tuple[float, float] = (math.nan, math.nan)
    same: float = 0.0
    opposite: float = 0.0

    def look(self, frame: StoryboardFrame, world: Snapshot, row: ActionRow, passed: float) -> None:
        """Take out those that have left, and make others."""
        if not frame.present(self.shape.entity):
            return
        left = self._keep_in(frame, world, self.shape)
        if left < self.count:
            first = row.memory[_DRAWN] == 0.0
            self._make(frame, world, row, self.shape, self.count - left, 40 if first else 8)

    def _is_same_way(self, random: np.random.Generator) -> bool | None:
        both = self.same + self.opposite
        return None if both <= 0.0 else bool(random.random() * both < self.same)

    def _suits(self, frame: StoryboardFrame, place: LanePlace, wanted: bool | None) -> bool:
        if wanted is None:
            return True
        middle = frame.entity[self.shape.entity]
        return (math.cos(place.heading - middle.heading) > _SAME_WAY) == wanted

    def _speed(self, random: np.random.Generator, place: LanePlace, desired: float) -> float:
        least, greatest = self.speeds
        if math.isnan(least):
            return SpawnedTraffic._speed(self, random, place, desired)
        return float(random.uniform(least, max(least, greatest)))


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaTraffic(SpawnedTraffic):
    """Fill an area with traffic.

    Attributes:
        shapes: where; each has its share. count: how many. is_continuous: what leaves is made again.
    """

    shape: TrafficShape
    count: int
    is_continuous: bool

    def look(self, frame: StoryboardFrame, world: Snapshot, row: ActionRow, passed: float) -> None:
        """Fill it at the start; go on where that is wanted."""
        first = row.memory[_DRAWN] == 0.0
        left = self._keep_in(frame, world, self.shape) if self.is_continuous and not first else 0
        if left < self.count:
            self._make(frame, world, row, self.shape, self.count - left, 40 if first else 8)
        if not self.is_continuous:
            row.finish()


@dataclass(frozen=True, slots=True)
class TrafficStop(AtOnce):
    """Stop the actions on traffic of a name; all, where it has none."""

    name: str
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """They are done."""
        actions = [*frame.program.init, *(one.action for one in frame.program.elements if one.action is not None)]
        for action in actions:
            if not isinstance(action.plan, SpawnedTraffic) or (self.name and action.plan.name != self.name):
                continue
            for at in range(len(action.entities)):
                other = frame.action[action.first_row + at]
                if other.is_running:
                    other.finish()
        row.finish()
