"""NPC vehicles as clients put them into the world: at a place, where there is a lane."""

from __future__ import annotations

from dorosim.bridge.lane import REACH
from dorosim.road.location import locate
from dorosim.world.command.actor import Vector
from dorosim.world.command.traffic import CreateNpc
from dorosim.world.effect.bound import problem_with_pose
from dorosim.world.scene import Scene


def npc_on_lane(
    scene: Scene, model: str, position: Vector, yaw: float, speed: float = 0.0, *, paused: bool = False
) -> CreateNpc | None:
    """What puts an NPC vehicle onto the lane at a place; None where there is none.

    Args:
        scene: the map.
        model: name in the vehicle catalogue.
        position: in map [m].
        yaw: [rad]; of several lanes that along it counts.
        speed: at the start [m/s].
        paused: it stands until it is let go.
    """
    network = scene.network
    if not network.link_count or problem_with_pose(position, (0.0, 0.0, yaw)):
        return None
    found = locate(network, position, yaw, drivable_only=True, reach=REACH)
    link, s = int(found.link[0]), float(found.s[0])
    return CreateNpc(model=model, link=link, s=s, speed=speed, paused=paused) if link >= 0 else None
