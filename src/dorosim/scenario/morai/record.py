"""What a scenario file holds, key by key.

Keys, types and units are those of facts/ros-grpc-mgeo.md, section 4, and of `scenario_kcity_sample.json`. Three things
are dorosim's own, since no file or document shows them; the product passes over keys that it does not know:

- `modelName`, `pointOffset`, `isActive`, `frontLink`, `linkPath`, `characterMode`, `waypointIndex`, `waypointBack`,
  `pauseTime` and, at waypoints, `moveSpeed` hold what a file of the product cannot say;
- pedestrian spawn points use the fields of PedestrianSpawnPointInfo (documents/grpc-api-en.txt) in camel case;
- friction areas use those of FrictionControlArea in camel case.

Attribute names give units that are not SI; docstrings name the file's axes where they are not the map's.
"""

from __future__ import annotations

from typing import Any

from msgspec import field

from dorosim.ground.error import InputError
from dorosim.ground.physics import MAX_COORDINATE
from dorosim.scenario.morai.codec import Record, number_text

EGO_UNIQUE_ID = -1
OTHER_MODEL = -1
"""spawnVehicleTypeID of a random model."""


class Vector(Record, frozen=True, kw_only=True):
    """Three numbers. The file has them as texts too, for the product's windows: written with changes, not read."""

    x: float
    y: float
    z: float = 0.0

    def check(self, source: str, path: str) -> None:
        """Refuse coordinates beyond `MAX_COORDINATE`, which are on no map."""
        for axis, value in (("x", self.x), ("y", self.y), ("z", self.z)):
            if abs(value) > MAX_COORDINATE:
                raise InputError(source, f"{path}.{axis}", f"{value:g} is too large", f"stay within {MAX_COORDINATE:g}")

    def complete(self, written: dict[str, Any], changed: frozenset[str]) -> None:
        """Bring the shown texts up to date."""
        for key in changed:
            if self.kept is None or f"_{key}" in self.kept:
                written[f"_{key}"] = f"{written[key]:,.3f}"


class Rotation(Record, frozen=True, kw_only=True):
    """Angles in degrees, which the file holds as texts; yaw is counter-clockwise from east."""

    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0

    def complete(self, written: dict[str, Any], changed: frozenset[str]) -> None:
        """Write the angles as texts."""
        for key in changed:
            written[key] = number_text(written[key])


class LinkInfo(Record, frozen=True, kw_only=True):
    """A place on a link: the number of a point, and how far beyond it [m] (dorosim's own)."""

    link: str = field(name="linkIdx", default="")
    point: int = field(name="pointIdx", default=0)
    offset: float | None = field(name="pointOffset", default=None)


class InitPosition(Record, frozen=True, kw_only=True):
    """Where a vehicle starts. `vehicleSaveData` is the product's physics, which has no meaning here."""

    mode: str = field(name="initPositionMode", default="Absolute")
    pos: Vector
    rot: Rotation = Rotation()
    link: str = field(name="initLink", default="")
    link_ratio: float = field(name="initLinkRatio", default=0.0)
    gear: int = 1
    save_data: dict[str, Any] | None = field(name="vehicleSaveData", default=None)


def _v2v_session() -> dict[str, Any]:
    return {
        "isInit": False,
        "v2vConfig": {
            "hostIP": "0.0.0.0",
            "Port": 5641,
            "receiveTimeout": 0,
            "BuffSize": 8196,
            "surroundVehiclePubTime": 100,
        },
    }


class ScenarioItem(Record, frozen=True, kw_only=True):
    """The keys that every item of a scenario has."""

    data_id: int = field(name="DataID", default=0)
    unique_id: int = field(name="UNIQUEID", default=0)
    kind: int = field(name="m_eobstacleObjType", default=0)
    model_name: str | None = field(name="modelName", default=None)


class EgoRecord(ScenarioItem, frozen=True, kw_only=True):
    """The ego vehicle. Its desired velocity is that of cruise control."""

    unique_id: int = field(name="UNIQUEID", default=EGO_UNIQUE_ID)
    start: InitPosition = field(name="initPosition")
    current_velocity_kmh: float = field(name="currentVelocity", default=0.0)
    desired_rule: int = field(name="desiredVelocityType", default=1)
    link_ratio_percent: float = field(name="linkValue", default=0.0)
    desired_velocity_kmh: float = field(name="customValue", default=0.0)
    v2v: dict[str, Any] = field(name="v2vUDPSessionInfo", default_factory=_v2v_session)
    control_mode_before: int = field(name="beforeControlMode", default=0)
    control_mode: int = field(name="currentControlMode", default=1)


class Vehicle(ScenarioItem, frozen=True, kw_only=True):
    """An NPC vehicle."""

    kind: int = field(name="m_eobstacleObjType", default=1)
    start: InitPosition = field(name="initPosition")
    desired_rule: int = field(name="velocityType", default=1)
    link_ratio_percent: float = field(name="linkVelocity", default=85.0)
    constant_velocity_kmh: float = field(name="constantVelocity", default=0.0)
    desired_velocity_kmh: float = field(name="desiredVelocity", default=0.0)
    current_velocity_kmh: float = field(name="currentVelocity", default=0.0)
    close_loop: bool = field(name="isCloseLoop", default=False)
    lane_change: bool = field(name="isLaneChange", default=False)
    is_ego: bool = field(name="isEgo", default=False)
    spawn_point: int = field(name="spawnPointUniqueID", default=-1)
    destination: int = field(name="destinationUniqueID", default=-1)
    start_link: LinkInfo = field(name="startPointLinkInfo", default=LinkInfo())
    end_link: LinkInfo = field(name="endPointLinkInfo", default=LinkInfo())
    current_link: LinkInfo = field(name="currentLinkInfo", default=LinkInfo())
    loop_start_link: LinkInfo = field(name="loopStartLinkInfo", default=LinkInfo())
    front_link: str | None = field(name="frontLink", default=None)
    route: tuple[str, ...] | None = field(name="linkPath", default=None)
    control_mode: int | None = field(name="currentControlMode", default=None)
    v2v: dict[str, Any] = field(name="v2vUDPSessionInfo", default_factory=_v2v_session)
    bias_rule: int = field(name="latBiasMode", default=1)
    bias_percent: float = field(name="bias", default=0.0)
    waypoint_mode: bool = field(name="isWaypointMode", default=False)
    destination_mode: int = field(name="destinationMode", default=0)
    model_kind: int = field(name="vehicleModelType", default=0)


class Pedestrian(ScenarioItem, frozen=True, kw_only=True):
    """A pedestrian; the places `initPos` and `standardPos` are in Unity's axes (-x, z, -y)."""

    kind: int = field(name="m_eobstacleObjType", default=2)
    pos: Vector
    rot: Rotation = Rotation()
    active_distance: float = field(name="activeDistance", default=0.0)
    speed_kmh: float = field(name="speed", default=0.0)
    active: bool = True
    loop: bool = False
    unity_start: Vector = field(name="initPos", default=Vector(x=0.0, y=0.0))
    start_rot: Rotation = field(name="initRot", default=Rotation())
    move_distance: float = field(name="movingDistance", default=0.0)
    moved: float = field(name="movingDistanceAmount", default=0.0)
    unity_standard: Vector = field(name="standardPos", default=Vector(x=0.0, y=0.0))
    waypoint_mode: bool = field(name="isWaypointMode", default=False)
    events: tuple[Any, ...] = field(name="waypointEventList", default=())
    mode: int | None = field(name="characterMode", default=None)
    waypoint_index: int | None = field(name="waypointIndex", default=None)
    back: bool | None = field(name="waypointBack", default=None)
    spawn_point: int | None = field(name="spawnPointUniqueID", default=None)


class Obstacle(ScenarioItem, frozen=True, kw_only=True):
    """An object that stands or moves along waypoints; no file shows `initPos` with a value."""

    kind: int = field(name="m_eobstacleObjType", default=4)
    pos: Vector
    rot: Rotation = Rotation()
    scale: Vector = Vector(x=1.0, y=1.0, z=1.0)
    start: Vector = field(name="initPos", default=Vector(x=0.0, y=0.0))
    start_rot: Rotation = field(name="initRot", default=Rotation())
    waypoint_mode: bool = field(name="isWaypointMode", default=False)
    speed_kmh: float = field(name="moveSpeed", default=0.0)
    active_distance: float = field(name="activeDistance", default=0.0)
    events: tuple[Any, ...] = field(name="waypointEventList", default=())


class SpawnPoint(ScenarioItem, frozen=True, kw_only=True):
    """A spawn point of vehicles."""

    data_id: int = field(name="DataID", default=90100001)
    kind: int = field(name="m_eobstacleObjType", default=5)
    pos: Vector
    rot: Rotation = Rotation()
    scale: Vector = Vector(x=1.0, y=1.0, z=1.0)
    active: bool = field(name="isActive", default=True)
    vehicle_data_id: int = field(name="spawnVehicleTypeID", default=OTHER_MODEL)
    length_types: tuple[int, ...] = field(name="listVehicleLengthType", default=())
    close_loop: bool = field(name="isCloseLoop", default=False)
    lane_change: bool = field(name="isLaneChange", default=False)
    desired_range: int = field(name="ParameterType", default=2)
    maximum: int = field(name="maximumSpawnVehicle", default=3)
    min_period: float = field(name="minSpawnPeriod", default=5.0)
    max_period: float = field(name="maxSpawnPeriod", default=10.0)
    speed_rule: int = field(name="SpawnVelocityType", default=2)
    lowest_speed_kmh: float = field(name="MinSpawnVelocity_Custom", default=0.0)
    highest_speed_kmh: float = field(name="MaxSpawnVelocity_Custom", default=0.0)
    lowest_speed_percent: float = field(name="MinSpawnVelocity_Link", default=0.0)
    highest_speed_percent: float = field(name="MaxSpawnVelocity_Link", default=0.0)
    desired_rule: int = field(name="DesiredVelocityType", default=2)
    lowest_desired_kmh: float = field(name="MinDesiredVelocity_Custom", default=50.0)
    highest_desired_kmh: float = field(name="MaxDesiredVelocity_Custom", default=60.0)
    lowest_desired_percent: float = field(name="MinDesiredVelocity_Link", default=85.0)
    highest_desired_percent: float = field(name="MaxDesiredVelocity_Link", default=100.0)
    spawned: int = field(name="spawnedVehiclesCount", default=0)
    is_spawning: bool = field(name="isSpawning", default=False)
    wait: float | None = field(name="waitSpawnTime", default=None)
    destination: int = field(name="destinationObjUniqueID", default=-1)
    start_link: LinkInfo = field(name="startLinkInfo", default=LinkInfo())
    end_link: LinkInfo = field(name="endLinkInfo", default=LinkInfo())
    bias_rule: int = field(name="latBiasMode", default=1)
    lowest_bias_percent: float = field(name="MinLatBias", default=0.0)
    highest_bias_percent: float = field(name="MaxLatBias", default=0.0)
    destination_mode: int = field(name="DestinationMode", default=1)
    npc_spawn_type: int = field(name="NPCSpawnType", default=1)
    safety_distance: float = field(name="SafetyDist", default=5.0)
    time_to_collision: float = field(name="TTC", default=1.0)
    setting_mode: int = field(name="sPAWNPOINT_SETTING_MODE", default=1)
    random_life_mode: int = field(name="rANDOMPOINT_LIFE_MODE", default=0)


class DestinationRecord(Record, frozen=True, kw_only=True):
    """Where pedestrians of a spawn point go; x and y of the scale are the size of the box [m]."""

    pos: Vector
    rot: Rotation = Rotation()
    scale: Vector = Vector(x=1.0, y=1.0, z=1.0)


class PedestrianSpawnPointRecord(ScenarioItem, frozen=True, kw_only=True):
    """A spawn point of pedestrians; see the module for its keys."""

    data_id: int = field(name="DataID", default=90100002)
    kind: int = field(name="m_eobstacleObjType", default=11)
    pos: Vector
    rot: Rotation = Rotation()
    scale: Vector = Vector(x=1.0, y=1.0, z=1.0)
    active: bool = field(name="isActive", default=True)
    destinations: tuple[DestinationRecord, ...] = field(name="listPedestrianDestination", default=())
    random_model: bool = field(name="pedestrianRandomMode", default=True)
    pedestrian_data_id: int = field(name="spawnPedestrianTypeID", default=OTHER_MODEL)
    mode: int = field(name="selectMode", default=1)
    minimum: int = field(name="minCount", default=1)
    maximum: int = field(name="maxCount", default=3)
    period: float = field(name="spawnTime", default=10.0)
    wait: float | None = field(name="waitSpawnTime", default=None)
    spawned: int = field(name="spawnedPedestriansCount", default=0)


class ControllerRecord(Record, frozen=True, kw_only=True):
    """The state of an intersection controller, and the time in it [s]."""

    index: int
    state: int = 0
    elapsed: float = field(name="deltaTime", default=0.0)


class MapInfo(Record, frozen=True, kw_only=True):
    """The map that the scenario was made on; offsets are the map's origin [m]."""

    name: str = field(name="mapName", default="")
    east_offset: float = field(name="eastOffset", default=0.0)
    north_offset: float = field(name="northOffset", default=0.0)
    global_system: str = field(name="globalCoordinateSystem", default="")
    scenario_system: str = field(name="scenarioCoordinateSystem", default="ENU")


class V2IInfo(Record, frozen=True, kw_only=True):
    """Settings of a radio between vehicles and infrastructure, which is not simulated."""

    is_alive: bool = field(name="isAlive", default=False)
    accept_ip: str = field(name="acceptIp", default="127.0.0.1")
    accept_port: int = field(name="acceptPort", default=5000)
    v2v_ip: str = field(name="v2vIP", default="127.0.0.1")


class ShadedArea(ScenarioItem, frozen=True, kw_only=True):
    """A box without GNSS reception. x of the size lies across the yaw, y along it, z is the height [m]."""

    kind: int = field(name="m_eobstacleObjType", default=12)
    pos: Vector
    rot: Rotation = Rotation()
    size: Vector = Vector(x=0.0, y=0.0)


class FrictionArea(ScenarioItem, frozen=True, kw_only=True):
    """A puddle or the like; see the module for its keys. Radii of 0 mean that its form in the file is not known."""

    kind: int = field(name="m_eobstacleObjType", default=13)
    pos: Vector
    rot: Rotation = Rotation()
    vertical_radius: float = field(name="verticalRadius", default=0.0)
    horizontal_radius: float = field(name="horizontalRadius", default=0.0)
    height: float = 0.0
    multiplier: float = 1.0


class WaypointRecord(Record, frozen=True, kw_only=True):
    """A point of a path, in Unity's axes (-x, z, -y); the pause there [s], and the speed towards it."""

    pos: Vector
    rot: Rotation = Rotation()
    pause: float | None = field(name="pauseTime", default=None)
    speed_kmh: float | None = field(name="moveSpeed", default=None)


class Path(Record, frozen=True, kw_only=True):
    """The path of an obstacle ("ObstaclePath - <id>") or pedestrian ("PedPath - <id>")."""

    name: str = field(name="pathName", default="")
    points: tuple[WaypointRecord, ...] = field(name="waypointData", default=())


class ScenarioFile(Record, frozen=True, kw_only=True):
    """A whole scenario file."""

    version: float = 1.0
    ego: EgoRecord | None = field(name="egoVehicle", default=None)
    vehicles: tuple[Vehicle, ...] = field(name="vehicleList", default=())
    pedestrians: tuple[Pedestrian, ...] = field(name="pedestrianList", default=())
    obstacles: tuple[Obstacle, ...] = field(name="objectList", default=())
    spawn_points: tuple[SpawnPoint, ...] = field(name="spawnPointList", default=())
    controllers: tuple[ControllerRecord, ...] = field(name="tlList", default=())
    map_info: MapInfo = field(name="mapInfo", default=MapInfo())
    v2i: V2IInfo = field(name="v2IInfo", default=V2IInfo())
    pedestrian_spawn_points: tuple[PedestrianSpawnPointRecord, ...] = field(name="pedspawnPointList", default=())
    ai_pedestrians: tuple[Any, ...] = field(name="aiPedstrianList", default=())
    shaded_areas: tuple[ShadedArea, ...] = field(name="shadedAreaList", default=())
    friction_areas: tuple[FrictionArea, ...] = field(name="frictionChangeMaterialList", default=())
    paths: tuple[Path, ...] = field(name="waypointDataList", default=())
