"""Actions on trailers (ASAM OpenSCENARIO XML 1.3, TrailerAction)."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.action.place_action import AtOnce
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.scenario.openscenario.engine.trailer import connect, disconnect


@dataclass(frozen=True, slots=True)
class ConnectTrailer(AtOnce):
    """Take a trailer; one that is towed already is left."""

    trailer: int
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Fix it to the vehicle."""
        connect(frame, entity, self.trailer)
        row.finish()


@dataclass(frozen=True, slots=True)
class DisconnectTrailer(AtOnce):
    """Leave the trailer: it stands where it is."""

    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Let it go."""
        if frame.control[entity].trailer < 0:
            frame.journal.append(f"{frame.program.entities[entity].name} has no trailer to leave")
        disconnect(frame, entity)
        row.finish()
