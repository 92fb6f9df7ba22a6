"""The one writer of the world: from one snapshot to the next.

The order of work in a tick:

| # | work | reads | writes |
|---|---|---|---|
| 1 | storyboard | the last snapshot | its next state, what it commands, which of its entities there are |
| 2 | commands, in the order given | commands | all that can be commanded |
| 3 | spawn points | points, places of actors | new actors, draws of the points |
| 4 | lights, weather | programmes, clocks | lamps, permissions, sky |
| 5 | plans of cruising vehicles | control modes, lanes | rows of the traffic |
| 6 | NPC drivers: decisions every tenth of a second, motion every tick | lights, all bodies | NPC vehicles |
| 7 | built-in drivers of egos | plans, trajectories, poses | what they ask of their vehicles |
| 8 | ground, grip, faults of tyres and controls | map, friction, faults | what the dynamics start from |
| 9 | vehicle dynamics, in sub-steps | commands held, ground | poses, velocities, forces |
| 10 | what the storyboard moves | its entities | poses, velocities, accelerations |
| 11 | pedestrians, obstacles | lights, vehicles | places, stages |
| 12 | collisions | bodies of all | velocities, contacts, which NPC vehicles are off their lane |
| 13 | slow errors of sensors | settings | what they remember |
| 14 | ends: arrivals, rests, faults that are over | places, clocks | which actors and faults remain |
| 15 | what the storyboard does not move | vehicles | where its entities are |

A tick of no duration, while the simulation is paused, does 2 and the ground of 8 only.

A tick in which nothing rare happens, and whose commands only drive vehicles, is made in compiled code with equal bits
(`dorosim.world.ordinary`); `any_tick` makes all others, and says what a tick is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.ground.column import holds, read_only
from dorosim.ground.noise import Noise
from dorosim.road.surface_kernel import follow_surface
from dorosim.world.actor.body import Bodies, add_obstacles, add_people, vehicle_bodies
from dorosim.world.actor.command import PauseRun
from dorosim.world.collision.response import collide_actors
from dorosim.world.collision.scenery import around_people, is_near_scenery
from dorosim.world.command import Command
from dorosim.world.draft import Draft
from dorosim.world.effect import apply_commands
from dorosim.world.environment.driving_conditions import GOOD_CONDITIONS, driving_conditions
from dorosim.world.environment.friction_wheel import find_friction
from dorosim.world.environment.weather import advance_environment
from dorosim.world.fault.code import FaultTarget
from dorosim.world.fault.control import disturb_controls
from dorosim.world.fault.table import without_ended
from dorosim.world.fault.tire import damage_tires
from dorosim.world.mount.drift import advance_mounts
from dorosim.world.obstacle.motion import step_obstacles, velocities_of, write_accelerations
from dorosim.world.ordinary.driven import driven_tick
from dorosim.world.ordinary.tick import keep_frame, ordinary_tick
from dorosim.world.pedestrian.state import Stage
from dorosim.world.pedestrian.walk import crossings_of_people, look_for_bodies, step_pedestrians
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.spawn.spawning import leave, maintain_routes, spawn_due
from dorosim.world.storyboard.advance import advance_storyboard, follow_entities, place_entities, place_others
from dorosim.world.storyboard.visibility import HiddenFrom, hidden_actors, without_hidden
from dorosim.world.traffic.ghost import rest_ghosts
from dorosim.world.traffic.lane_return import return_to_lanes
from dorosim.world.traffic.manoeuvre import advance_manoeuvres, begin_manoeuvres, count_standing
from dorosim.world.traffic.npc_recovery import drive_on
from dorosim.world.traffic.obstruction import obstructions_in
from dorosim.world.traffic.state import NO_OBSTRUCTION, Crossing, Presence
from dorosim.world.traffic.step import step_traffic
from dorosim.world.traffic.verge import roadside_bodies
from dorosim.world.traffic.verge_kernel import NO_ROADSIDE
from dorosim.world.vehicle.cruise import follow_plans, keep_plans
from dorosim.world.vehicle.disturbance import add_disturbances
from dorosim.world.vehicle.driver import drive_trajectories
from dorosim.world.vehicle.kernel import step_vehicles
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.rollover_kernel import step_rolled_vehicles
from dorosim.world.vehicle.state import VehicleState
from dorosim.world.vehicle.wheel_ground_kernel import find_wheel_ground

_VEHICLE = VehicleState.at


def step(
    scene: Scene,
    now: Snapshot,
    commands: Sequence[Command],
    noise: Noise,
    *,
    paused: bool = False,
) -> Snapshot:
    """The snapshot one tick later.

    Args:
        scene: what does not change.
        now: the present snapshot; it is not touched.
        commands: in the order in which they apply.
        noise: the run's randomness.
        paused: apply the commands in a tick of no duration; also while the snapshot is paused.
    """
    if not commands and not paused:
        ordinary = ordinary_tick(scene, now, noise.seed)
        if ordinary is not None:
            return ordinary
    elif commands and not now.paused:
        driven = driven_tick(scene, now, commands, noise.seed, holds=paused)
        if driven is not None:
            return driven
    made = any_tick(scene, now, commands, noise, paused=paused)
    keep_frame(now, made)
    return made


def any_tick(
    scene: Scene, now: Snapshot, commands: Sequence[Command], noise: Noise, *, paused: bool = False
) -> Snapshot:
    """The snapshot one tick later, whatever happens in it: what `step` does, without compiled ticks."""
    draft = Draft.after(now, noise)
    advance_storyboard(scene, draft, stands=paused or _is_paused_by(commands, now.paused))
    if commands:
        apply_commands(scene, draft, commands)
    if paused or draft.paused:
        find_ground(scene, draft.parameter, draft.vehicle)
        return draft.finish()
    dt = scene.tick * 1e-9
    spawn_due(scene, draft)
    draft.signal = scene.signal_plan.advance(draft.signal, scene.tick)
    draft.environment = advance_environment(draft.environment, scene.tick)
    cruising = keep_plans(scene, draft)
    alone = draft.is_empty()
    if not alone:
        _move_traffic(scene, draft, dt)
    if cruising:
        follow_plans(scene, draft)
    _move_vehicles(scene, draft)
    draft.time += scene.tick
    place_entities(scene, draft)
    if (
        not alone
        or len(draft.egos) > 1
        or draft.contact.rows
        or draft.displaced.rows
        or is_near_scenery(scene.scenery, draft.vehicle, draft.parameter, dt)
    ):
        bodies = vehicle_bodies(scene, draft)
        obstacles = draft.obstacles.state
        before = velocities_of(obstacles) if obstacles.rows else None
        _move_people_and_obstacles(scene, draft, bodies, dt)
        collide_actors(scene, draft, bodies, dt)
        if before is not None:
            write_accelerations(obstacles, before, dt)
        # what was hit goes on as the storyboard has it
        place_others(scene, draft)
        if bodies.knocked_off:
            drive_on(scene, draft, dt)
    if draft.mounts.table.rows:
        draft.mounts = advance_mounts(draft.mounts, noise, draft.tick, dt)
    if not alone:
        leave(scene, draft, dt)
        maintain_routes(scene, draft, decides=_decides(scene, draft))
        rest_ghosts(draft.ghost, draft.time)
    if len(draft.goal):
        draft.goal = draft.goal.with_arrivals(draft.vehicle, draft.parameter, draft.traffic)
    draft.fault = without_ended(draft.fault, draft.time)
    follow_entities(scene, draft)
    return draft.finish()


def _move_traffic(scene: Scene, draft: Draft, dt: float) -> None:
    """NPC vehicles decide and move."""
    if not draft.traffic.rows:
        return
    ticks = scene.decision_ticks
    # by time and not by tick, so that drivers that were paused decide as if they had not been
    turn, rest = divmod(draft.time // scene.tick, ticks)
    obstruction = NO_OBSTRUCTION if rest else obstructions_in(scene, draft)
    step_traffic(
        scene.traffic_plan,
        draft.traffic,
        draft.signal.link.entry,
        dt=dt,
        seed=draft.noise.seed,
        turn=turn,
        decision=0.0 if rest else ticks * dt,
        routes=draft.route,
        obstruction=obstruction,
        crossing=_NO_CROSSING if rest else _crossings(scene, draft),
        roadside=NO_ROADSIDE if rest else roadside_bodies(scene, draft),
        conditions=GOOD_CONDITIONS if rest else driving_conditions(draft.environment),
    )
    if not rest:
        count_standing(draft.traffic, obstruction.rows > 0, ticks * dt)
        begin_manoeuvres(scene, draft, turn)
    if holds(draft.traffic.present, _RETURNING):
        return_to_lanes(scene, draft, dt)
        advance_manoeuvres(scene, draft, dt)


def _crossings(scene: Scene, draft: Draft) -> Crossing:
    """Where pedestrians cross lanes."""
    seen = draft.crosswalk
    if not draft.people.state.rows or seen.rows != scene.pedestrian_plan.crosswalk_count:
        return _NO_CROSSING
    return crossings_of_people(scene.pedestrian_plan, draft.people, seen.walk)


def _is_paused_by(commands: Sequence[Command], paused: bool) -> bool:
    """Whether simulated time stands still once some commands are done."""
    return next((one.paused for one in reversed(commands) if type(one) is PauseRun), paused)


def _move_people_and_obstacles(scene: Scene, draft: Draft, bodies: Bodies, dt: float) -> None:
    """Pedestrians and obstacles move; `bodies` has those of the vehicles, and gets theirs."""
    vehicle = draft.vehicle
    if draft.obstacles.state.rows:
        step_obstacles(draft.obstacles, vehicle.x, vehicle.y, dt)
        place_others(scene, draft)
        add_obstacles(bodies, draft)
    if not draft.people.state.rows:
        return
    plan, table = scene.pedestrian_plan, bodies.table
    decides = _decides(scene, draft)
    if decides or draft.crosswalk.rows != plan.crosswalk_count:
        hidden = hidden_actors(draft.storyboard, HiddenFrom.TRAFFIC)
        coming, vehicles = table, bodies.person
        if hidden:
            coming = table.take(without_hidden(table, np.arange(vehicles), hidden))
            vehicles = coming.rows
        draft.crosswalk = plan.look(draft.signal.light, coming, vehicles)
        around, rows = around_people(scene.scenery, bodies, draft)
        rows = without_hidden(around, rows, hidden)
        lying = np.flatnonzero(draft.people.state.stage == Stage.DOWN)
        if len(lying):
            rows = np.concatenate((rows, bodies.person + lying))
        look_for_bodies(plan, draft.people, around, rows)
    seen = draft.crosswalk
    step_pedestrians(
        plan, draft.people, seen.walk, seen.gap, vehicle.x, vehicle.y, draft.noise.seed, dt, settle=decides
    )
    add_people(bodies, draft)


def _decides(scene: Scene, draft: Draft) -> bool:
    """Whether pedestrians look around in this tick, in which drivers decide; the clock is at its end by now."""
    return (draft.time // scene.tick - 1) % scene.decision_ticks == 0


def _move_vehicles(scene: Scene, draft: Draft) -> None:
    """Vehicles with full dynamics move."""
    vehicle, parameter = draft.vehicle, draft.parameter
    paused = np.flatnonzero(vehicle.paused) if holds(vehicle.paused, 1) else _NOBODY
    held = vehicle.take(paused) if len(paused) else None
    if holds(vehicle.control_kind, _TRAJECTORY):
        drive_trajectories(draft.trajectory, parameter, vehicle)
    find_ground(scene, parameter, vehicle, scene.tick * 1e-9)
    # faults and slippery ground may have gone with the last tick, or in a paused one: what they left is looked for
    floats = vehicle.floats
    faulty = bool(
        draft.fault.rows or np.count_nonzero(floats[_FAULTY_TIRES]) or np.count_nonzero(floats[_FAULTY_CONTROLS])
    )
    disturbed = bool(np.count_nonzero(floats[_DISTURBED]))
    friction = draft.friction
    tires = bool(np.count_nonzero(floats[_FAULTY_TIRES]) or np.count_nonzero(draft.fault.target == FaultTarget.TIRE))
    water, snow = float(draft.environment.water_depth[0]), float(draft.environment.snow_depth[0])
    other = tires or friction.objects.rows or friction.road != 1.0 or water or snow
    if other or np.count_nonzero(vehicle.surface_friction != 1.0) or np.count_nonzero(floats[_OFF_ASPHALT]):
        find_friction(friction, parameter, vehicle, water, snow)
    if faulty or disturbed:
        damage_tires(draft.fault, vehicle, draft.time)
        disturb_controls(draft.fault, parameter, vehicle, draft.time, scene.tick)
    if disturbed:
        add_disturbances(vehicle, scene.tick)
    dt = scene.tick / scene.substeps * 1e-9
    step_vehicles(parameter.floats, parameter.ints, floats, vehicle.ints, dt, scene.substeps)
    if scene.terrain is not None and holds(vehicle.rolled, 1):
        step_rolled_vehicles(scene.terrain.arrays, parameter.floats, floats, vehicle.ints, scene.tick * 1e-9)
    if held is not None:
        floats[:, paused], vehicle.ints[:, paused] = held.floats, held.ints


_TRAJECTORY = int(ControlKind.TRAJECTORY)
_RETURNING = int(Presence.RETURNING)
_NO_CROSSING = Crossing.zeros(0).freeze()
_NOBODY = np.zeros(0, np.int64)
_FAULTY_TIRES = slice(_VEHICLE.tire_stiffness_loss, _VEHICLE.tire_drag + VehicleState.tire_drag.count)
_FAULTY_CONTROLS = slice(_VEHICLE.control_loss, _VEHICLE.control_bias + VehicleState.control_bias.count)
"""What only faults and disturbances write: columns that stand side by side."""
_OFF_ASPHALT = slice(_VEHICLE.wheel_gap, _VEHICLE.surface_drag + VehicleState.surface_drag.count)
"""What is zero where all wheels stand on asphalt: columns that stand side by side."""
_DISTURBED = slice(_VEHICLE.disturbance_left, _VEHICLE.disturbance_left + VehicleState.disturbance_left.count)


def find_ground(scene: Scene, parameter: VehicleParameter, vehicle: VehicleState, dt: float = 0.0) -> None:
    """Write height and slope of the ground under every vehicle, and what its wheels stand on.

    Args:
        scene: gives the ground; where it has none, the lanes are the ground.
        parameter: read-only.
        vehicle: the writable table.
        dt: the tick [s]; 0 while the simulation is paused.
    """
    floats, ints, surface = vehicle.floats, vehicle.ints, scene.network.surface
    if scene.terrain is not None:
        find_wheel_ground(surface, scene.terrain.arrays, read_only(parameter.floats), floats, ints, dt)
        return
    follow_surface(
        surface,
        floats[_VEHICLE.x],
        floats[_VEHICLE.y],
        floats[_VEHICLE.z],
        ints[_VEHICLE.segment],
        floats[_VEHICLE.ground_height],
        floats[_VEHICLE.ground_slope_x],
        floats[_VEHICLE.ground_slope_y],
    )
