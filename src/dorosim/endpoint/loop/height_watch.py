"""Reports, once for each, what clients put beyond the map, or far above or below the ground."""

from __future__ import annotations

from collections.abc import Sequence

from dorosim.bridge.height import place_note, place_of
from dorosim.endpoint.journal import Journal
from dorosim.world.actor.command import CreateAs, CreateNamed
from dorosim.world.command import Command
from dorosim.world.obstacle.command import PlaceObstacle, SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.command import CreateVehicle, PlaceGhost

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

    @property
    def rests(self) -> bool:
        """As of `dorosim.endpoint.loop.at_once.RestingObserver`: ticks without commands put nothing."""
        return True

    def __call__(self, _now: Snapshot, commands: Sequence[Command]) -> None:
        """Look at the commands of a tick."""
        for command in commands:
            known, name = _named(command)
            if not name or known in self._seen:
                continue
            if known:
                self._seen.add(known)
            put = command.make if isinstance(command, (CreateAs, CreateNamed)) else command
            text, place = place_note(self._scene, put), place_of(put)
            if text and place is not None:
                self._journal.report(OFF_GROUND, f"{name} at ({place[0]:.1f}, {place[1]:.1f}): {text}")


def _named(command: Command) -> tuple[str, str]:
    """By what something that a command puts somewhere is known again, "" where each is another one, and its name."""
    match command:
        case PlaceNpcGhost():
            return (name := f"ghost {command.alias}"), name
        case PlaceGhost():
            return (name := f"ego vehicle {command.actor}"), name
        case PlaceObstacle():
            return (name := f"obstacle {command.actor}"), name
        case CreateAs():
            return (name := f"{_made(command.make)} {command.alias} of the scenario"), name
        case CreateNamed():
            made = _made(command.make)
            return "", f"{made} {command.name!r}" if made and command.name else made
    return "", _made(command)


def _made(make: Command) -> str:
    """What a command makes, in words; "" for nothing that has a place."""
    match make:
        case SpawnObstacle():
            return "obstacle"
        case SpawnPedestrian():
            return "pedestrian"
        case CreateNpc():
            return "NPC vehicle"
        case CreateVehicle():
            return "vehicle"
    return ""
