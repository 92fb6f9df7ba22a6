"""The catalogue of commands: one row a command, its class and its effect, and how a tick applies them.

An effect does what the docstring of its command says. `CreateAs` and `CreateNamed` make things by other commands of the
catalogue, so their effects stand beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import fields
from dataclasses import replace as replace_field
from typing import TYPE_CHECKING, Any, Union

from msgspec.structs import replace

from dorosim.world.actor import command as actor_command
from dorosim.world.actor import effect as actor
from dorosim.world.actor import motion_effect as motion
from dorosim.world.actor.alias import AliasKind
from dorosim.world.actor.label import check_label
from dorosim.world.command import Command, CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import Effect
from dorosim.world.environment import command as environment_command
from dorosim.world.environment import effect as environment
from dorosim.world.fault import command as fault_command
from dorosim.world.fault import effect as fault
from dorosim.world.mount import command as mount_command
from dorosim.world.mount import effect as mount
from dorosim.world.obstacle import command as obstacle_command
from dorosim.world.obstacle import effect as obstacle
from dorosim.world.pedestrian import command as pedestrian_command
from dorosim.world.pedestrian import effect as pedestrian
from dorosim.world.scene import Scene
from dorosim.world.signal import command as signal_command
from dorosim.world.signal import effect as signal
from dorosim.world.snapshot import Outcome
from dorosim.world.spawn import command as spawn_command
from dorosim.world.spawn import effect as spawn
from dorosim.world.storyboard import command as storyboard_command
from dorosim.world.storyboard import effect as storyboard
from dorosim.world.storyboard.signal_effect import show_signal
from dorosim.world.storyboard.traffic_effect import spawn_traffic
from dorosim.world.traffic import command as traffic_command
from dorosim.world.traffic import effect as traffic
from dorosim.world.vehicle import command as vehicle_command
from dorosim.world.vehicle import drive_effect as drive
from dorosim.world.vehicle import effect as vehicle
from dorosim.world.vehicle.lane_wish import wish_lane


def create_as(scene: Scene, draft: Draft, command: actor_command.CreateAs) -> None:
    make: Any = command.make
    alias, kind = command.alias, actor_command.ALIAS_KINDS[type(make)]
    label = f"{kind.name.lower().replace('_', ' ')} {alias} of the scenario"
    before, known = copy(draft), draft.alias.actor_of(kind, alias)
    before.new, before.gone = draft.new.copy(), draft.gone.copy()
    if isinstance(make, spawn_command.SetVehicleSpawnPoints | spawn_command.SetPedestrianSpawnPoints):
        if len(make.points) != 1:
            raise CommandError(f"{label}: one id cannot be that of {len(make.points)} spawn points")
        known = known if draft.spawn.holds(known) else 0
        make = replace(make, points=(replace_field(make.points[0], id=known),))
    elif known:
        actor.remove_actor(scene, draft, actor_command.RemoveActor(known))
        known = 0
    # the spawn point that an actor came from is named by its id in the scenario
    if isinstance(make, traffic_command.CreateNpc):
        point = draft.alias.actor_of(AliasKind.VEHICLE_SPAWN_POINT, make.spawn_point)
        make = replace(make, spawn_point=point)
    elif isinstance(make, pedestrian_command.SpawnPedestrian):
        make = replace(make, origin=draft.alias.actor_of(AliasKind.PEDESTRIAN_SPAWN_POINT, make.origin))
    try:
        EFFECTS[type(make)](scene, draft, make)
    except CommandError as error:
        for one in fields(Draft):
            setattr(draft, one.name, getattr(before, one.name))
        raise CommandError(f"{label}: {error}") from None
    draft.alias = draft.alias.with_alias(kind, alias, known or draft.made)


def create_named(scene: Scene, draft: Draft, command: actor_command.CreateNamed) -> None:
    check_label(command.name, command.owner)
    make = command.make
    points = getattr(make, "points", (None,))
    if len(points) != 1:
        raise CommandError(f"one name cannot be that of {len(points)} spawn points")
    EFFECTS[type(make)](scene, draft, make)
    name = "" if actor.is_name_taken(draft, command.name) else command.name
    if draft.made and (name or command.owner):
        draft.label = draft.label.with_label(draft.made, name, command.owner)


EFFECTS: dict[type[Command], Effect] = {
    vehicle_command.CreateVehicle: vehicle.create_vehicle,
    vehicle_command.DriveVehicle: drive.drive_vehicle,
    vehicle_command.DriveGroundVehicle: drive.drive_ground_vehicle,
    vehicle_command.DriveGroundState: drive.drive_ground_state,
    vehicle_command.PlaceGhost: drive.place_vehicle_ghost,
    vehicle_command.PlaceVehicle: drive.place_vehicle,
    vehicle_command.FollowTrajectory: drive.follow_trajectory,
    vehicle_command.SelectMode: drive.set_mode,
    vehicle_command.SetCruise: vehicle.set_cruise,
    vehicle_command.ChangeLimits: vehicle.change_limits,
    vehicle_command.WishLane: wish_lane,
    vehicle_command.SteerVehicle: vehicle.steer_vehicle,
    vehicle_command.LimitControl: vehicle.limit_control,
    vehicle_command.DisturbControl: vehicle.disturb_control,
    vehicle_command.SetLamps: vehicle.set_lamps,
    vehicle_command.SelectCamera: vehicle.select_camera,
    vehicle_command.TakeKeyboard: drive.take_keyboard,
    vehicle_command.DriveByKeyboard: drive.drive_by_keyboard,
    vehicle_command.LeaveKeyboard: drive.leave_keyboard,
    traffic_command.CreateNpc: traffic.create_npc,
    traffic_command.ChangeNpc: traffic.change_npc,
    traffic_command.ChangeDriver: traffic.change_driver,
    traffic_command.PlaceNpcGhost: traffic.place_npc_ghost,
    spawn_command.SetVehicleSpawnPoints: spawn.set_vehicle_spawn_points,
    spawn_command.SetPedestrianSpawnPoints: spawn.set_pedestrian_spawn_points,
    spawn_command.EnableSpawnPoints: spawn.enable_spawn_points,
    spawn_command.RemoveSpawnPoints: spawn.remove_spawn_points,
    pedestrian_command.SpawnPedestrian: pedestrian.spawn_pedestrian,
    pedestrian_command.StartPedestrian: pedestrian.start_pedestrian,
    pedestrian_command.RoutePedestrian: pedestrian.route_pedestrian,
    pedestrian_command.DrivePedestrian: pedestrian.drive_pedestrian,
    pedestrian_command.LeadPedestrian: pedestrian.lead_pedestrian,
    pedestrian_command.PausePedestrian: pedestrian.pause_pedestrian,
    obstacle_command.SpawnObstacle: obstacle.spawn_obstacle,
    obstacle_command.PlaceObstacle: obstacle.place_obstacle,
    obstacle_command.DriveObstacle: obstacle.drive_obstacle,
    obstacle_command.ReleaseObstacle: obstacle.release_obstacle,
    obstacle_command.ScaleObstacle: obstacle.scale_obstacle,
    obstacle_command.PauseObstacle: obstacle.pause_obstacle,
    signal_command.SetLight: signal.set_light,
    signal_command.SetIntersection: signal.set_intersection,
    signal_command.SetSchedule: signal.set_schedule,
    fault_command.SetControlFault: fault.set_fault,
    fault_command.SetTireFault: fault.set_fault,
    fault_command.SetSensorFault: fault.set_fault,
    mount_command.AddSensor: mount.change_sensors,
    mount_command.RemoveSensor: mount.change_sensors,
    mount_command.RemoveAllSensors: mount.change_sensors,
    mount_command.MoveSensor: mount.change_sensors,
    mount_command.SetSensor: mount.change_sensors,
    environment_command.SetWeather: environment.set_weather,
    environment_command.SetSky: environment.set_sky,
    environment_command.SetSeason: environment.set_season,
    environment_command.SetTimeOfDay: environment.set_time_of_day,
    environment_command.SetRoadFriction: environment.set_road_friction,
    environment_command.SetStandingWater: environment.set_standing_water,
    environment_command.ShowPuddles: environment.show_puddles,
    environment_command.CreateMapObject: environment.create_map_object,
    environment_command.CreateFrictionArea: environment.create_map_object,
    environment_command.RemoveMapObject: environment.remove_map_object,
    environment_command.SetFrictionArea: environment.set_friction_area,
    environment_command.PlaceShade: environment.place_denied_area,
    environment_command.RemoveShades: environment.remove_denied_areas,
    actor_command.RemoveActor: actor.remove_actor,
    actor_command.RemoveCategories: actor.remove_categories,
    actor_command.PauseActor: actor.pause_actor,
    actor_command.PauseRun: actor.pause_run,
    actor_command.PlaceActor: motion.place_actor,
    actor_command.SetSpeed: motion.set_speed,
    actor_command.EnableDriver: motion.enable_driver,
    actor_command.SetLaneOffset: motion.set_lane_offset,
    actor_command.SetGoal: motion.set_goal,
    storyboard_command.SetUserDefinedValue: storyboard.set_user_defined_value,
    storyboard_command.StopStoryboard: storyboard.stop_storyboard,
    storyboard_command.ShowSignal: show_signal,
    storyboard_command.SpawnTraffic: spawn_traffic,
    actor_command.CreateAs: create_as,
    actor_command.CreateNamed: create_named,
    actor_command.SetLabel: actor.set_label,
}
"""The effect of each command."""

if TYPE_CHECKING:
    AnyCommand = Command
else:
    AnyCommand = Union[tuple(EFFECTS)]  # noqa: UP007
    """Every command: the union that recordings are read with."""
_DONE = Outcome()


def apply_commands(scene: Scene, draft: Draft, commands: Sequence[Command]) -> None:
    """Apply commands in order; one that cannot be done is refused and changes nothing."""
    for command in commands:
        try:
            EFFECTS[type(command)](scene, draft, command)
            draft.outcomes.append(Outcome("", draft.made) if draft.made else _DONE)
        except CommandError as error:
            what = command.make if isinstance(command, actor_command.CreateNamed) else command
            draft.outcomes.append(Outcome(f"{type(what).__name__}: {error}"))
        draft.made = 0
    draft.pack()
