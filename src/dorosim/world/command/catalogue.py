"""Every command there is. The union is what recordings are read with."""

from __future__ import annotations

from dorosim.world.actor.alias_command import CreateAs
from dorosim.world.actor.category import RemoveCategories
from dorosim.world.actor.label_command import CreateNamed, SetLabel
from dorosim.world.actor.motion_command import EnableDriver, PlaceActor, SetGoal, SetLaneOffset, SetSpeed
from dorosim.world.environment.friction_command import (
    CreateFrictionArea,
    CreateMapObject,
    RemoveMapObject,
    SetFrictionArea,
    SetRoadFriction,
)
from dorosim.world.environment.gnss_denied_area import PlaceShade, RemoveShades
from dorosim.world.environment.weather import SetSeason, SetSky, SetTimeOfDay, SetWeather, ShowPuddles
from dorosim.world.fault.command import SetControlFault, SetSensorFault, SetTireFault
from dorosim.world.mount.command import AddSensor, MoveSensor, RemoveAllSensors, RemoveSensor, SetSensor
from dorosim.world.obstacle.state import (
    DriveObstacle,
    PauseObstacle,
    PlaceObstacle,
    ReleaseObstacle,
    ScaleObstacle,
    SpawnObstacle,
)
from dorosim.world.pedestrian.command import (
    DrivePedestrian,
    LeadPedestrian,
    PausePedestrian,
    RoutePedestrian,
    SpawnPedestrian,
    StartPedestrian,
)
from dorosim.world.signal.command import SetIntersection, SetLight, SetSchedule
from dorosim.world.traffic.command import (
    ChangeNpc,
    CreateNpc,
    EnableSpawnPoints,
    PauseActor,
    PauseRun,
    PlaceNpcGhost,
    RemoveActor,
    RemoveSpawnPoints,
    SetPedestrianSpawnPoints,
    SetVehicleSpawnPoints,
)
from dorosim.world.vehicle.command import (
    ChangeLimits,
    CreateVehicle,
    DisturbControl,
    DriveGroundState,
    DriveGroundVehicle,
    DriveVehicle,
    FollowTrajectory,
    LimitControl,
    PlaceGhost,
    PlaceVehicle,
    SelectCamera,
    SelectMode,
    SetCruise,
    SetLamps,
    SteerVehicle,
)
from dorosim.world.vehicle.keyboard_command import DriveByKeyboard, LeaveKeyboard, TakeKeyboard

VehicleCommand = (
    CreateVehicle
    | DriveVehicle
    | DriveGroundVehicle
    | DriveGroundState
    | PlaceGhost
    | PlaceVehicle
    | FollowTrajectory
    | SelectMode
    | SetCruise
    | ChangeLimits
    | SteerVehicle
    | LimitControl
    | DisturbControl
    | SetLamps
    | SelectCamera
    | TakeKeyboard
    | DriveByKeyboard
    | LeaveKeyboard
)
TrafficCommand = (
    CreateNpc
    | ChangeNpc
    | PlaceNpcGhost
    | SetVehicleSpawnPoints
    | SetPedestrianSpawnPoints
    | EnableSpawnPoints
    | RemoveSpawnPoints
)
PedestrianCommand = (
    SpawnPedestrian | StartPedestrian | RoutePedestrian | DrivePedestrian | LeadPedestrian | PausePedestrian
)
ObstacleCommand = SpawnObstacle | PlaceObstacle | DriveObstacle | ReleaseObstacle | ScaleObstacle | PauseObstacle
SignalCommand = SetLight | SetIntersection | SetSchedule
FaultCommand = SetControlFault | SetTireFault | SetSensorFault
SensorCommand = AddSensor | RemoveSensor | RemoveAllSensors | MoveSensor | SetSensor
SurroundingsCommand = (
    SetWeather
    | SetSky
    | SetSeason
    | SetTimeOfDay
    | SetRoadFriction
    | ShowPuddles
    | CreateMapObject
    | CreateFrictionArea
    | RemoveMapObject
    | SetFrictionArea
    | PlaceShade
    | RemoveShades
)
MotionCommand = PlaceActor | SetSpeed | EnableDriver | SetLaneOffset | SetGoal
ActorsCommand = RemoveActor | RemoveCategories | PauseActor | PauseRun

Command = (
    VehicleCommand
    | TrafficCommand
    | PedestrianCommand
    | ObstacleCommand
    | SignalCommand
    | FaultCommand
    | SensorCommand
    | SurroundingsCommand
    | ActorsCommand
    | MotionCommand
    | CreateAs
    | CreateNamed
    | SetLabel
)
"""Every command."""
