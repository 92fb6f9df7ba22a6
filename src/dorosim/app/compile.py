"""Compiles every kernel: `python -m dorosim.app.compile`.

A run that has only an ego vehicle needs a third of them. The first start of all compiles those itself and lets this
program compile the others beside it, so that they are there when the first NPC vehicle comes.
"""

from __future__ import annotations

import os
from pathlib import Path

from dorosim.app.build import Build, build
from dorosim.app.settings import Settings
from dorosim.ground.jit import mark_complete
from dorosim.ground.noise import Noise
from dorosim.world.command.catalogue import Command
from dorosim.world.command.traffic import CreateNpc
from dorosim.world.command.vehicle import FollowTrajectory
from dorosim.world.friction.command import CreateMapObject
from dorosim.world.neighbour import neighbours_of
from dorosim.world.obstacle import SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO
from dorosim.world.step import step

POLITENESS = 5
"""How far this stands back behind others on the machine (nice)."""


def rehearsal(made: Build) -> tuple[Command, ...]:
    """Commands after which a step uses every kernel: somebody of each kind, and some who touch."""
    network, vehicle = made.scene.network, made.first.vehicle
    link = int((network.link_length * network.link_drivable).argmax())
    here = (float(vehicle.x[0]), float(vehicle.y[0]), float(vehicle.z[0]))
    ahead = (here[0] + 10.0, here[1], here[2])
    return (
        CreateNpc(model=made.scene.models[0].name, link=link, s=0.5 * float(network.link_length[link])),
        SpawnPedestrian(actor=0, model=0, position=here, yaw=0.0),
        SpawnObstacle(actor=0, model=1, position=here),
        CreateMapObject(actor=0, model="Puddle", position=here),
        FollowTrajectory(actor=EGO, points=((*here, 1.0), (*ahead, 1.0))),
    )


def compile_all() -> None:
    """Use every kernel once, in a world that is thrown away, and note down that all are there."""
    made = build(Settings(), Path())
    now = step(made.scene, made.first, rehearsal(made), Noise(0))
    neighbours_of(made.scene, now, EGO, 1)
    mark_complete()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    compile_all()
