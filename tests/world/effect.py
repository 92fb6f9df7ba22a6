"""Effects of commands on one part of a world."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace

from dorosim.ground.noise import Noise
from dorosim.road.network import network_from_mgeo
from dorosim.road.scenery.table import Scenery
from dorosim.world.command import NEW_ACTOR, CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect import EFFECTS
from dorosim.world.environment.command import CreateFrictionArea, CreateMapObject
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.signal.update import SignalPlan
from dorosim.world.snapshot import Snapshot
from tests.road.small_map import map_of, straight
from tests.world.stage import FAR_AWAY, Stage

MAKERS = (SpawnPedestrian, SpawnObstacle, CreateMapObject, CreateFrictionArea)


@functools.cache
def nine_egos() -> Snapshot:
    """A world of nothing but vehicles 1 to 9."""
    return Stage(network_from_mgeo(map_of(straight("a", "b", "c", (0, 0, 0), (9, 0, 0)))), (FAR_AWAY,) * 9).now


def changed(part: str, state: Any, command: Any, time: int = 0, plan: SignalPlan | None = None) -> tuple[Any, str]:
    """A part of a world, by its name in the Snapshot, after a command, and why that was refused or an empty string.

    A command that makes an actor gives the id that it gets. `time` [ns]; `plan` of the lights.
    """
    draft = Draft.after(nine_egos(), Noise(0))
    draft.time = time
    setattr(draft, part, state)
    if isinstance(command, MAKERS):
        draft.last_id = command.actor - 1
        command = replace(command, actor=NEW_ACTOR)
    scene: Any = SimpleNamespace(signal_plan=plan, scenery=Scenery.empty())
    problem = ""
    try:
        EFFECTS[type(command)](scene, draft, command)
    except CommandError as error:
        problem = str(error)
    draft.pack()
    return getattr(draft, part), problem
