"""Reports, once for each, what clients put far above or below the ground: ghosts, replays and obstacles."""

from __future__ import annotations

from collections.abc import Sequence

from dorosim.bridge.height import off_ground_text
from dorosim.endpoint.journal import Journal
from dorosim.world.actor.command import CreateAs
from dorosim.world.command import Command, Vector
from dorosim.world.obstacle.command import PlaceObstacle, SpawnObstacle
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.traffic.command import PlaceNpcGhost
from dorosim.world.vehicle.command import PlaceGhost

OFF_GROUND = "off the ground"
"""Kind of event by which a journal counts it."""


class HeightWatch:
    """An observer of the loop. Of what is put again and again, the first place counts.

    Args:
        scene: of the run.
        journal: where events are counted and logged.
    """

    def __init__(self, scene: Scene, journal: Journal) -> None:
        self._scene, self._journal = scene, journal
        self._seen: set[str] = set()

    def __call__(self, _now: Snapshot, commands: Sequence[Command]) -> None:
        """Look at the commands of a tick."""
        for command in commands:
            name, position = _placed(command)
            if name in self._seen or position is None:
                continue
            self._seen.add(name)
            text = off_ground_text(self._scene, position)
            if text:
                self._journal.report(OFF_GROUND, f"{name} at ({position[0]:.1f}, {position[1]:.1f}): {text}")


def _placed(command: Command) -> tuple[str, Vector | None]:
    """What a command puts at a height that a client gives, and where; "" and None for others."""
    match command:
        case PlaceNpcGhost():
            return f"ghost {command.alias}", command.position
        case PlaceGhost():
            return f"ego vehicle {command.actor}", command.position
        case PlaceObstacle():
            return f"obstacle {command.actor}", command.position
        case CreateAs(make=SpawnObstacle() as make) if not make.drop:
            return f"obstacle {command.alias} of the scenario", make.position
    return "", None
