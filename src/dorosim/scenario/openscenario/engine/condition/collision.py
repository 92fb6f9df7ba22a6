"""CollisionCondition (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.ground.plain_kernel import plain
from dorosim.scenario.openscenario.engine.distance import corners, overlap
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import EntityKind
from dorosim.world.storyboard.vector_kernel import planar_length

_planar_length = plain(planar_length)


@dataclass(frozen=True, slots=True)
class Collides:
    """The boxes of two entities overlap.

    Attributes:
        others: entities with which it counts, None for all. kind: of these, None for all.
    """

    others: tuple[int, ...] | None = None
    kind: EntityKind | None = None

    def of(self, frame: StoryboardFrame, entity: int) -> tuple[bool, float]:
        """Look at the boxes."""
        entities = frame.program.entities
        for one in range(len(entities)) if self.others is None else self.others:
            if one == entity or not frame.present(one):
                continue
            if self.kind is not None and entities[one].kind is not self.kind:
                continue
            if boxes_overlap(frame, entity, one):
                return True, 1.0
        return False, 0.0


def boxes_overlap(frame: StoryboardFrame, entity: int, other: int) -> bool:
    """Whether the boxes of two entities overlap in plan and in height."""
    one, two = frame.entity[entity], frame.entity[other]
    own, theirs = frame.program.entities[entity].box, frame.program.entities[other].box
    reach = (
        _planar_length(own.length, own.width) + abs(own.x) + _planar_length(theirs.length, theirs.width) + abs(theirs.x)
    )
    if _planar_length(one.x - two.x, one.y - two.y) > reach:
        return False
    if abs(one.z + own.z - two.z - theirs.z) > (own.height + theirs.height) / 2.0:
        return False
    return overlap(corners(one.x, one.y, one.heading, own), corners(two.x, two.y, two.heading, theirs))
