"""TeleportAction, and actions that put entities into the world or take them out (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.place import put
from dorosim.scenario.openscenario.engine.position import PositionPlan
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.world.storyboard.state import NEVER


class AtOnce:
    """An action that is done when it has started."""

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """It is done."""
        row.finish()

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Nothing to do."""


@dataclass(frozen=True, slots=True)
class Teleport(AtOnce):
    """Be at a position at once."""

    position: PositionPlan
    domain: Domain = Domain.LONGITUDINAL | Domain.LATERAL

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Put the entity there."""
        body = frame.entity[entity]
        put(frame.program.roads, body, self.position.place(frame))
        body.end_of_road_since = NEVER
        row.finish()


@dataclass(frozen=True, slots=True)
class AddEntity(AtOnce):
    """Put an entity into the world, with the speed that it had; one that is there stays as it is."""

    entity: int
    position: PositionPlan
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Put it there."""
        body = frame.entity[self.entity]
        if not body.present:
            body.present = 1
            put(frame.program.roads, body, self.position.place(frame))
        else:
            frame.journal.append(f"{frame.program.entities[self.entity].name} is in the world, and cannot be added")
        row.finish()


@dataclass(frozen=True, slots=True)
class DeleteEntity(AtOnce):
    """Take an entity out of the world."""

    entity: int
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Take it out; its actions end with it."""
        body = frame.entity[self.entity]
        if not body.present:
            frame.journal.append(
                f"{frame.program.entities[self.entity].name} is not in the world, and cannot be deleted"
            )
        body.present = 0
        row.finish()


@dataclass(frozen=True, slots=True)
class Visibility(AtOnce):
    """Be seen or not.

    Attributes:
        hidden: bits of what does not see it. sensors: names of those that do not see it, none for all.
    """

    hidden: int
    sensors: tuple[str, ...] = ()
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Keep it."""
        frame.entity[entity].hidden = self.hidden
        if self.sensors or "control" in frame.__dict__ or frame.state.control.blind[entity] != NEVER:
            frame.control[entity].blind = frame.text_row("\n".join(self.sensors)) if self.sensors else NEVER
        row.finish()


@dataclass(frozen=True, slots=True)
class NoEffect(AtOnce):
    """An action that changes nothing here."""

    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """It is done."""
        row.finish()
