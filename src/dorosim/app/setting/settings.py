"""`dorosim.toml`: the settings of a run. Command line options override it.

Every key is listed here, with its default; a key that is not is an error that names the nearest right one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from dorosim.app.setting.environment import EnvironmentSettings
from dorosim.app.setting.error import setting_error
from dorosim.app.setting.seed import USUAL_SEED
from dorosim.app.setting.step import TcpStepSettings
from dorosim.app.setting.storyboard import StoryboardSettings
from dorosim.ground.error import InputError

PAGE = "docs/reference/settings.md"
T = TypeVar("T", bound=msgspec.Struct)
Who = Literal["ego", "npc", "pedestrian"]
"""Kinds of actors that are replayed."""


class EgoSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ego vehicle. Without pose and link it starts at a free place on a lane, which the program chooses.

    Attributes:
        vehicle: name in the vehicle catalogue.
        pose: x, y in the map [m] and heading [deg].
        z: height near which the road is, for maps with roads above one another [m].
        link: id of a link to start on. s: where on that link [m from its start].
    """

    vehicle: str = "2016_Hyundai_Ioniq"
    pose: tuple[float, float, float] | None = None
    z: float | None = None
    link: str | None = None
    s: float = 0.0


class UdpSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The UDP interface.

    Attributes:
        revision: product revision, "24.R2" and others (see `dorosim packet list`).
        steer_positive: side to which positive steering turns; the revision's own if it is not given.
        network: a network settings file, in dorosim's form (.toml) or as MORAI SIM saves it (.json).
        speed_control: limits of EgoCtrlCmd with cmd_type 2: 1 m/s² up and 2 m/s² down, as the document says, or what
            the vehicle can do.
        nmea: GPS sentences as captured from the product, or as NMEA 0183 says.
        utc_offset_h: offset of the local clock in the product's GPS sentences [h].
        imu_stamp: IMU packets with a time stamp (115 bytes), or as the sensor page prints them (107 bytes); as the
            revision has them if it is not given: 22.R1 without.
        lidar_2d_name: header of 2D lidar packets.
        box_milliseconds: the second time word of box packets counts milliseconds, as the sensor page says, or
            nanoseconds, as its clients read it.
        further_egos: type of further ego vehicles in messages: "vehicle" (1), or "ego" (-1), as the page says, which
            its clients take for an empty slot.
        camera_padding: pictures and boxes in datagrams of 65,000 bytes, as clients need them, or as long as what they
            hold, as the sensor page says.
        box_colour: colour of an object in box packets: its own in pictures of instances, or that of its class.
        watchdog: what becomes of a vehicle whose client had sent five commands or more in its last second and sends
            none for 1 s of simulated time: its last command holds, or it is braked.
    """

    revision: str = "24.R2"
    steer_positive: Literal["left", "right"] | None = None
    network: str | None = None
    speed_control: Literal["document", "vehicle"] = "document"
    nmea: Literal["product", "standard"] = "product"
    utc_offset_h: float = 9.0
    imu_stamp: bool | None = None
    lidar_2d_name: Literal["2DLidar", "Lidar2D"] = "2DLidar"
    box_milliseconds: bool = False
    further_egos: Literal["vehicle", "ego"] = "vehicle"
    camera_padding: bool = True
    box_colour: Literal["instance", "class"] = "instance"
    watchdog: Literal["hold", "brake"] = "hold"


class ViewSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The live page.

    Attributes:
        enabled: whether it is served.
        prepare: whether it is loaded some seconds after the run has begun, at low priority, and not when the first
            browser opens it, which sees the first picture up to two seconds later then. It takes about half a gigabyte
            of memory. A run with a `duration`, at `speed = "max"` or with `--json` loads it for a browser only.
        address: where; port 0 takes any that is free, and so does the default one where it is in use.
        origins: further addresses under which browsers may open it, as "http://sim.lan:8080" or that of a proxy in
            front of it; the forms are those of `ros.origins`.
        visitors: most browsers that have it open at a time.
    """

    enabled: bool = True
    prepare: bool = False
    address: str = "127.0.0.1:8080"
    origins: tuple[str, ...] = ()
    visitors: int = 16


class GrpcSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The gRPC interface.

    Attributes:
        enabled: whether it is served.
        address: where it is served; port 0 takes any that is free.
        certificate: file with a certificate (PEM), for TLS; with `key`. key: file with its key (PEM).
        message_mib: longest message that is taken and sent [MiB].
        streams: calls at a time that last. workers: other calls that are worked on at a time.
        entries: longest list in a message.
        json: states in ServiceResponse.msg are JSON text, else binary messages.
        step_patience_s: wall time after which a client that steps no more is left behind by the others [s].
        watchdog: as `udp.watchdog`, for vehicles that clients drive by gRPC; not while they step the run.
    """

    enabled: bool = True
    address: str = "127.0.0.1:7789"
    certificate: str | None = None
    key: str | None = None
    message_mib: int = 32
    streams: int = 16
    workers: int = 32
    entries: int = 2_000
    json: bool = True
    step_patience_s: float = 10.0
    watchdog: Literal["hold", "brake"] = "hold"


class RosTopicSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One topic or service of ROS, `[ros.topic.KEY]`; see docs/reference/ros.md for the keys.

    Attributes:
        name: name of the topic or service; its default name if it is not given.
        rate_hz: messages a second of simulated time. frame: frame id in headers.
        on: whether it is offered.
    """

    name: str | None = None
    rate_hz: float | None = None
    frame: str | None = None
    on: bool | None = None


class BagSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bag of the run's messages, `[ros.bag]`.

    Attributes:
        file: file to record to, .bag (ROS 1) or .mcap; none if it is not given.
        topics: names or patterns such as "/lidar*"; all if it is empty.
        replay: bag to replay from the start on, a file or a name in the data folder.
        targets: actors that move as recorded: ego, npc (with obstacles) and pedestrian.
        start_s: moment of the bag from which on it is replayed [s]. rate: so many times as fast as it was recorded.
        end: whether the program ends with the bag, else the run pauses.
    """

    file: str | None = None
    topics: tuple[str, ...] = ()
    replay: str | None = None
    targets: tuple[Who, ...] = ("ego", "npc", "pedestrian")
    start_s: float = 0.0
    rate: float = 1.0
    end: bool = False


class RosSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ROS interface.

    Attributes:
        generation: generation of morai_msgs; that of the UDP revision if it is not given.
        server: address of the embedded rosbridge server, "off" for none.
        bridge: URL of a rosbridge server to connect to, as the product does; "network" takes that of the network
            settings file (`udp.network`). The embedded server is off then.
        encoding: form of messages to that server.
        speed_control: limits of CtrlCmd with longlCmdType 2; that of `udp.speed_control` if it is not given.
        master: URL of a ROS 1 master, for a node of its own; "" for none. ROS_MASTER_URI is not looked at.
        host: name or address at which other nodes reach this one. node: name of the node.
        clock: whether simulated time is published on /clock, and /use_sim_time set.
        map_frame: frame id of positions in the map. body_frame: frame id of the ego vehicle, on /tf.
        message_mib: longest message that the node of a ROS 1 master takes [MiB].
        frame_mib: longest frame of rosbridge that is taken, and fragments that wait for the rest [MiB]; one holds up
            the run for some 30 ms a MiB while it is read.
        clients: most clients of the embedded server at a time.
        origins: web pages that may use the embedded server, and the node's XML-RPC server, besides programs, which all
            may: "http://192.168.0.7:3000"; "http://localhost:*" for any port; "https://*.example.com" for all names
            below a domain; "null" for files and frames in a sandbox; "*" for every page that a browser here opens.
        sensors: whether sensors have topics.
        cloud_stamp: stamp of a lidar's cloud: the time of its last packet, as the Velodyne driver has it by default,
            or of its first; times of points are relative to it.
        watchdog: as `udp.watchdog`, for vehicles that clients drive by ROS.
        topic: changes of single topics and services.
        bag: what is recorded to a bag, or replayed from one.
    """

    generation: Literal["2022", "2024", "24.r2", "26.r1"] | None = None
    server: str = "127.0.0.1:9090"
    bridge: str | None = None
    encoding: Literal["json", "bson"] = "json"
    speed_control: Literal["document", "vehicle"] | None = None
    master: str | None = None
    host: str = "127.0.0.1"
    node: str = "/dorosim"
    clock: bool = False
    map_frame: str = "map"
    body_frame: str = "base_link"
    message_mib: int = 32
    frame_mib: int = 1
    clients: int = 64
    origins: tuple[str, ...] = ()
    sensors: bool = True
    cloud_stamp: Literal["last", "first"] = "last"
    watchdog: Literal["hold", "brake"] = "hold"
    topic: dict[str, RosTopicSettings] = {}
    bag: BagSettings = BagSettings()


class TrafficSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Actors at the start, besides the ego vehicles and those of a scenario.

    Attributes:
        vehicles: NPC vehicles all over the map, in addition to those of a scenario.
        pedestrians: people who cross roads to and fro, in addition to those of a scenario.
        mistakes: how often each driver of these vehicles looks elsewhere for 1 to 3 s, per hour of driving; 0 for
            never. Most do no harm: with 600, a hundred vehicles in the town have an accident every five minutes or so.
    """

    vehicles: int = 0
    pedestrians: int = 0
    mistakes: float = 0.0


class WorldSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands beside the roads.

    Attributes:
        scenery_seed: seed of buildings and trees; the same one gives the same town, whatever the seed of the run.
        solid: whether buildings, trunks, poles, signs, lights and walls stop what runs into them.
    """

    scenery_seed: int = 0
    solid: bool = True


class SensorRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"source": "from"}):
    """One sensor on an ego vehicle.

    Attributes:
        kind: of the sensor, as `dorosim sensor list` and docs/reference/sensors.md name them.
        id: its number; the next one if it is not given.
        ego: which ego vehicle, from 1 in the order of creation.
        position: x forward, y left, z up from the rear axle's centre on the ground [m].
        rotation_deg: roll, pitch (nose down positive), yaw (left positive) [deg].
        rate_hz: readings a second, of a spinning lidar turns; the usual rate of its kind if it is not given.
        to: where its UDP packets go, as "127.0.0.1:2368"; the port of the product's examples if it is not given.
        source: address that they come from.
        topic: name of its ROS topic; a default one of its kind if it is not given. frame: frame id of its messages.
        settings: settings of its kind, in SI; see docs/reference/sensors.md.
    """

    kind: str
    id: int = 0
    ego: int = 1
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rate_hz: float | None = None
    to: str | None = None
    source: str | None = None
    topic: str | None = None
    frame: str | None = None
    settings: dict[str, Any] = {}


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings.

    Attributes:
        map: name of a built-in map ("town", "village", "motorway"), of a map in the data folder, or a folder.
        speed: "realtime", "max" or a factor.
        duration: simulated seconds after which the run ends, counted from its start or its snapshot on; a
            reset does not begin them anew.
        seed: seed of all randomness; runs with the same seed and the same commands are the same.
        tick_ms: simulated time of a tick [ms]; 100 ticks a second at 10.
        epoch: Unix time [s] of tick 0 in the stamps of messages; if it is not given, the time of the start, and 0 while
            clients step the run.
        record: file to record the run to, for `dorosim replay`.
        data: folder of the user's maps, scenarios, sensor sets and so on; the user's data directory if it is not given.
        from_snapshot: snapshot file to go on from; map, seed, tick_ms and ego vehicles are those of its run.
        save_snapshot: file for a snapshot of the end of the run.
        snapshot_at: simulated seconds and file of further snapshots, as [[12.5, "half.snapshot"]].
        scenario: scenario to start with, a file or a name in the data folder.
        save_scenario: file to which the world is saved at the end, as a scenario.
        sensors: sensor set file to start with, as MORAI SIM saves it, or a name in the data folder.
        sensor: further sensors, one [[sensor]] each.
        save_sensors: file to which the sensors are saved at the end, as a sensor set.
        sensor_threads: threads that sensors share; as many as there are cores if it is not given.
        sensor_data_folders: folders outside of the data folder to which clients may have sensor data saved, by the
            whole path; none if it is empty.
        table: whether a table of rates is shown while the simulator runs on a terminal.
        port_offset: is added to every port of every interface: of what listens, what is sent from and what is sent to,
            those of sensors too. Addresses of programs that the simulator connects to, as of a ROS master, stay.
        ports: "auto" takes the first offset at which no other program and no other run has any of the ports.
        ego: ego vehicles in the order of creation; the first is the one that ego messages mean.
    """

    map: str = "town"
    speed: str | float = "realtime"
    duration: float | None = None
    seed: int = USUAL_SEED
    tick_ms: float = 10.0
    epoch: float | None = None
    record: str | None = None
    data: str | None = None
    from_snapshot: str | None = None
    save_snapshot: str | None = None
    snapshot_at: tuple[tuple[float, str], ...] = ()
    scenario: str | None = None
    save_scenario: str | None = None
    sensors: str | None = None
    sensor: tuple[SensorRow, ...] = ()
    save_sensors: str | None = None
    sensor_threads: int | None = None
    sensor_data_folders: tuple[str, ...] = ()
    table: bool = True
    port_offset: int = 0
    ports: Literal["fixed", "auto"] = "fixed"
    ego: tuple[EgoSettings, ...] = (EgoSettings(),)
    storyboard: StoryboardSettings = StoryboardSettings()
    traffic: TrafficSettings = TrafficSettings()
    world: WorldSettings = WorldSettings()
    environment: EnvironmentSettings = EnvironmentSettings()
    udp: UdpSettings = UdpSettings()
    view: ViewSettings = ViewSettings()
    grpc: GrpcSettings = GrpcSettings()
    ros: RosSettings = RosSettings()
    tcp_step: TcpStepSettings = TcpStepSettings()


def read_settings(path: Path) -> Settings:
    """The settings of a file.

    Raises:
        InputError: the file cannot be read or is wrong somewhere.
    """
    return convert_toml(path, Settings)


def convert_toml(path: Path, kind: type[T]) -> T:
    """A TOML file as a struct.

    Raises:
        InputError: with the file, the key path and a cure.
    """
    tree = read_tree(path)
    try:
        return msgspec.convert(tree, kind)
    except msgspec.ValidationError as error:
        raise setting_error(str(path), "", error, tree, kind, PAGE) from None


def given_keys(path: Path) -> frozenset[str]:
    """The places that a settings file gives: "map", "udp.revision", "ego", "ego[0]", "ego[0].vehicle".

    Raises:
        InputError: the file cannot be read.
    """
    return frozenset(_places(read_tree(path), ""))


def _places(tree: Any, place: str) -> Iterator[str]:
    if place:
        yield place
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _places(value, f"{place}.{key}".lstrip("."))
    elif isinstance(tree, list):
        for number, value in enumerate(tree):
            yield from _places(value, f"{place}[{number}]")


def read_tree(path: Path) -> dict[str, Any]:
    """What a TOML file holds.

    Raises:
        InputError: it cannot be read, or is not valid TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(str(path), "", error.strerror or "cannot be read", "check the path") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(str(path), "", f"is not valid TOML: {error}", "mend that place") from None
