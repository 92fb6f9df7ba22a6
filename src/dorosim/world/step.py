"""The one writer of the world: from one snapshot to the next.

The order of work in a tick:

| # | work | reads | writes |
|---|---|---|---|
| 1 | commands, in the order given | commands | who drives, held commands, placements, camera |
| 2 | built-in driver | trajectories, poses | target velocity and steering of those who follow one |
| 3 | ground under the vehicles | map, poses | ground height and slopes |
| 4 | vehicle dynamics, in sub-steps | held commands, ground | poses, velocities, forces |
| 5 | traffic light programmes | time | controller states |

Collisions, faults, friction areas, pedestrians, obstacles, spawn points and weather have modules of their own beside
this one, which are not part of the step yet (ARCHITECTURE.md).

A tick of no duration, while the simulation is paused, does 1 and 3 only.
"""

from __future__ import annotations

from collections.abc import Sequence

from dorosim.ground.noise import Noise
from dorosim.road.surface import SurfaceArrays
from dorosim.road.surface_kernel import follow_surface
from dorosim.world.apply import Draft, apply_commands
from dorosim.world.command import Command
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.driver import drive_trajectories
from dorosim.world.vehicle.kernel import step_vehicles
from dorosim.world.vehicle.state import VehicleState


def step(
    scene: Scene,
    now: Snapshot,
    commands: Sequence[Command],
    noise: Noise,  # noqa: ARG001 - nothing in the world is random yet
    *,
    paused: bool = False,
) -> Snapshot:
    """The snapshot one tick later.

    Args:
        scene: what does not change.
        now: the present snapshot; it is not touched.
        commands: in the order in which they apply.
        noise: the run's randomness.
        paused: apply the commands in a tick of no duration.
    """
    draft = Draft(now.vehicle.copy(), now.trajectory, now.camera)
    if commands:
        apply_commands(now, draft, commands)
    vehicle = draft.vehicle
    find_ground(scene.network.surface, vehicle)
    signal, time = now.signal, now.time
    if not paused:
        drive_trajectories(draft.trajectory, now.parameter, vehicle)
        parameter, dt = now.parameter, scene.tick / scene.substeps * 1e-9
        step_vehicles(parameter.real, parameter.whole, vehicle.real, vehicle.whole, dt, scene.substeps)
        signal = scene.signal_plan.advance(signal, scene.tick)
        time += scene.tick
    return Snapshot(
        tick=now.tick + 1,
        time=time,
        egos=now.egos,
        vehicle=vehicle.freeze(),
        parameter=now.parameter,
        trajectory=draft.trajectory,
        signal=signal,
        camera=draft.camera,
        refusals=tuple(draft.refusals),
    )


_S = VehicleState
_X, _Y, _Z, _SEGMENT = _S.x.index, _S.y.index, _S.z.index, _S.segment.index
_HEIGHT, _SLOPE_X, _SLOPE_Y = _S.ground_height.index, _S.ground_slope_x.index, _S.ground_slope_y.index


def find_ground(surface: SurfaceArrays, vehicle: VehicleState) -> None:
    """Write height and slope of the ground under every vehicle."""
    real, whole = vehicle.real, vehicle.whole
    follow_surface(
        surface, real[_X], real[_Y], real[_Z], whole[_SEGMENT], real[_HEIGHT], real[_SLOPE_X], real[_SLOPE_Y]
    )
