"""Sensors of a run: from files and settings to what is mounted, where packets go, and where data is saved."""

from __future__ import annotations

import math
import socket
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from dorosim.app.serve.sensor.need import need_notices, need_of
from dorosim.app.serve.sensor.plan import SensorPlan
from dorosim.app.setting.address import address_from_text
from dorosim.app.setting.error import path_of_no_number, setting_error, with_codes
from dorosim.app.setting.settings import SensorRow, Settings
from dorosim.app.store.folder import inside, is_file
from dorosim.app.store.project import find_project, is_project, sensors_of_project
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.epoch import Stamped
from dorosim.endpoint.sensor.interface import LOOPBACK, SensorAddress
from dorosim.endpoint.sensor.station import SensorStation
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import write_file
from dorosim.scenario.sensor_set.read import (
    MAX_SENSOR_SET_SIZE,
    UDP,
    SensorLink,
    SensorSet,
    orders_from_sensor_set,
    read_sensor_set,
)
from dorosim.scenario.sensor_set.write import sensor_set_bytes
from dorosim.wire.ros.tcpros import is_name
from dorosim.world.command import Command
from dorosim.world.mount.command import MAX_MOUNT_DISTANCE, AddSensor, RemoveSensor
from dorosim.world.mount.effect import change_mounts, mounts_after
from dorosim.world.mount.setting import SETTINGS, AnySettings, SensorKind, problem_of_settings
from dorosim.world.mount.state import Mount, Mounts
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from dorosim.app.run.build import Build
    from dorosim.ground.noise import Noise
    from dorosim.wire.udp.revision import Revision

SUFFIX = ".json"
KINDS = {kind.name.lower(): kind for kind in SensorKind}


def plan_sensors(settings: Settings, data: Path, now: Snapshot) -> SensorPlan:
    """What the settings ask for, in place of the sensors of the snapshot that a run goes on from.

    Sensors that are there already, just as they are asked for, stay: their slow errors go on.

    Raises:
        InputError: the file or a row is wrong; it names the key path.
    """
    if settings.sensors is None and not settings.sensor:
        return SensorPlan()
    commands: list[AddSensor] = []
    bare = replace(now, mounts=Mounts.empty())
    found: SensorSet | None = None
    links: dict[int, SensorLink] = {}
    notices: list[str] = []
    if settings.sensors is not None:
        found = find_sensor_set(settings.sensors, data)
        orders = orders_from_sensor_set(found, bare)
        commands += orders.commands
        links |= orders.links
        notices += orders.notes
    ports = settings.port_offset
    addresses = {
        number: _address_of(link, ports)
        for number, link in links.items()
        if link.transport != UDP or link.destination[1]
    }
    mounts = mounts_after(bare.mounts, commands, now.time)
    for number, row in enumerate(settings.sensor):
        command = _command_of_row(row, f"sensor[{number}]", now)
        command = msgspec.structs.replace(command, sensor=command.sensor or mounts.next_number())
        mounts, problem = change_mounts(mounts, command, now.time)
        if problem:
            raise InputError("settings", f"sensor[{number}]", problem, "")
        commands.append(command)
        if row.to is not None:
            address = _address_of_row(row, f"sensor[{number}]")
            addresses[command.sensor] = address.moved(ports)
            ends = astuple(address.source), astuple(address.destination)
            links[command.sensor] = SensorLink(command.sensor, UDP, *ends)
        if row.topic is not None or row.frame is not None:
            links[command.sensor] = _named_link(row, f"sensor[{number}]", command.sensor, links.get(command.sensor))
    names = [kind.name.lower() for kind in SensorKind for _ in range(mounts.table.kind.tolist().count(kind))]
    counts = ", ".join(f"{names.count(name)} {name}" for name in dict.fromkeys(names))
    source = f" of {found.source}" if found is not None else ""
    return SensorPlan(
        found,
        _changes(commands, mounts, now.mounts),
        addresses,
        links,
        (f"sensors{source}: {counts or 'none'}",),
        (*need_notices(need_of(mounts)), *notices),
    )


def _changes(commands: Sequence[AddSensor], wanted: Mounts, there: Mounts) -> tuple[Command, ...]:
    """The commands that make the sensors that are there those that are wanted; a sensor that is the same stays."""
    same = {
        mount.id
        for mount in wanted.all()
        if (row := there.row_of(mount.id)) >= 0 and _nameplate(there.mount(row)) == _nameplate(mount)
    }
    gone = [RemoveSensor(number) for number in there.table.id.tolist() if number not in same]
    return *gone, *(command for command in commands if command.sensor not in same)


def _nameplate(mount: Mount) -> tuple[object, ...]:
    """All of a sensor but what time does to it, and whether it is recorded."""
    return tuple(value for name, value in mount._asdict().items() if name not in {"since", "noise", "captured"})


def find_sensor_set(given: str, data: Path) -> SensorSet:
    """A sensor set as a user names it: a file, or a name in the data folder's Sensor/; a project of MORAI SIM, too.

    Raises:
        InputError: there is none, or it is broken.
    """
    path = Path(given)
    if is_project(given):
        return sensors_of_project(find_project(given, data))
    if not is_file(path):
        path = inside(data / "Sensor", given.removesuffix(SUFFIX), SUFFIX)
    try:
        with path.open("rb") as file:
            content = file.read(MAX_SENSOR_SET_SIZE + 1)
    except OSError as error:
        known = sorted(one.stem for one in (data / "Sensor").glob(f"*{SUFFIX}"))
        cure = f"known sensor sets: {', '.join(known[:12])}" if known else "give a file, or put one there"
        raise InputError("sensors", str(path), error.strerror or str(error), cure) from None
    return read_sensor_set(str(path), content)


def save_sensor_set(path: str, plan: SensorPlan, now: Snapshot) -> list[str]:
    """Save the present sensors as a sensor set file, whole or not at all. Returns lines to print about it.

    Raises:
        InputError: it cannot be written.
    """
    write_file(Path(path), sensor_set_bytes(plan.set, now, plan.links), "save it elsewhere")
    return [f"sensor set: {path}"]


def open_station(
    plan: SensorPlan,
    ready: Build,
    noise: Noise,
    settings: Settings,
    *,
    revision: Revision,
    stamped: Stamped,
    journal: Journal,
    clock: PacedClock,
    sockets: Mapping[Address, socket.socket] | None = None,
    captures: Path | None = None,
) -> SensorStation:
    """The sensors of a run, ready to read.

    Args:
        plan: which sensors, and where their packets go.
        ready: the map and the first snapshot.
        noise: the run's randomness.
        settings: how packets are written, and how many threads there are.
        revision: of the product.
        stamped: has the epoch of stamps.
        journal: where problems are reported.
        clock: its pace is that of the packets.
        sockets: those that are open already.
        captures: folder for what sensors read that are captured, None for none.

    Raises:
        InputError: an address cannot be used.
    """
    from dorosim.app.store.scene import sensor_scene
    from dorosim.bridge.sensor.packet import Packer, SensorForm
    from dorosim.endpoint.sensor.pool import ThreadPool
    from dorosim.endpoint.sensor.rehearsal import mounted, pace_within_reach
    from dorosim.ground.cores import usable_cores
    from dorosim.sensor.rig import Rig

    threads = settings.sensor_threads or usable_cores()
    udp = settings.udp
    form = SensorForm(
        nmea=udp.nmea,
        utc_offset=round(udp.utc_offset_h * 3600.0),
        imu_stamp=udp.imu_stamp,
        camera_padding=udp.camera_padding,
        box_colour=udp.box_colour,
        lidar_2d_name=udp.lidar_2d_name,
        box_milliseconds=udp.box_milliseconds,
    )
    rig = Rig(
        ready.scene,
        noise,
        plan.ahead.take if plan.ahead is not None else lambda: sensor_scene(ready),
        ThreadPool(threads),
    )
    packer = Packer(revision, stamped.epoch, form, plan.set.sized if plan.set is not None else frozenset())
    station = SensorStation(rig, packer, plan.addresses, journal, clock, sockets, captures, settings.port_offset)
    station.stamped = stamped
    station.prepare(ready.first, ready.scene, plan.commands)
    begin = mounted(ready.first, ready.scene, plan.commands)
    if len(begin[0].mounts) and clock.factor is not None:
        station.pace = pace_within_reach(rig, packer, begin, ready.scene.tick, cores=usable_cores(), threads=threads)
    return station


def _address_of(link: SensorLink, ports: int) -> SensorAddress | None:
    """Where a sensor of a file sends, so many ports on; None where it does not send by UDP."""
    if link.transport != UDP:
        return None
    return SensorAddress(Address(*link.source), Address(*link.destination)).moved(ports)


def _named_link(row: SensorRow, place: str, number: int, link: SensorLink | None) -> SensorLink:
    """The link of a row that names a topic or a frame.

    Raises:
        InputError: the name is none.
    """
    topic, frame = row.topic or "", row.frame or ""
    if topic and not is_name(topic):
        problem, cure = f"{topic!r} is not a valid name of a topic", "write it as /lidar_front"
        raise InputError("settings", f"{place}.topic", problem, cure)
    if frame and not frame.isprintable():
        problem, cure = f"{frame!r} is not a valid name of a frame", "write it as lidar_front"
        raise InputError("settings", f"{place}.frame", problem, cure)
    return replace(link or SensorLink(number), topic=topic, frame=frame)


def _command_of_row(row: SensorRow, place: str, now: Snapshot) -> AddSensor:
    kind = KINDS.get(row.kind)
    if kind is None:
        near = get_close_matches(row.kind, KINDS, n=1)
        cure = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(KINDS)}"
        raise InputError("settings", f"{place}.kind", f"{row.kind!r} is no sensor", cure)
    if not 1 <= row.ego <= len(now.egos):
        raise InputError("settings", f"{place}.ego", f"there is no ego vehicle {row.ego}", f"give 1 to {len(now.egos)}")
    if row.rate_hz is not None and not 1e-3 <= row.rate_hz <= 1e4:
        raise InputError("settings", f"{place}.rate_hz", f"{row.rate_hz:g} Hz is no rate", "give 0.001 to 10,000")
    made = _settings_of_row(row, f"{place}.settings", SETTINGS[kind])
    for key, numbers, limit in (
        ("position", row.position, MAX_MOUNT_DISTANCE),
        ("rotation_deg", row.rotation_deg, 36_000.0),
    ):
        if not all(-limit <= number <= limit for number in numbers):
            raise InputError(
                "settings", f"{place}.{key}", f"{numbers} is out of range", f"give {-limit:g} to {limit:g}"
            )
    if row.source and row.to is None:
        raise InputError("settings", f"{place}.from", "counts with `to` only", "say where the packets go, too")
    roll, pitch, yaw = (math.radians(angle) for angle in row.rotation_deg)
    return AddSensor(
        now.egos[row.ego - 1],
        settings=made,
        sensor=row.id,
        position=row.position,
        rotation=(roll, pitch, yaw),
        period=None if row.rate_hz is None else round(1e9 / row.rate_hz),
    )


def _settings_of_row(row: SensorRow, place: str, kind: type[AnySettings]) -> AnySettings:
    """A row's settings; codes may stand there by name."""
    values = with_codes(row.settings, kind)
    wrong = path_of_no_number(values, place)
    if wrong:
        raise InputError("settings", wrong, "is no finite number", "give one")
    if "kind" in values:
        raise InputError("settings", f"{place}.kind", "is no known key", "give `kind` beside `settings`, not in it")
    try:
        made = msgspec.convert({"kind": row.kind, **values}, kind)
    except msgspec.ValidationError as error:
        raise setting_error("settings", place, error, values, kind, "`dorosim sensor list`") from None
    problem = problem_of_settings(made)
    if problem:
        raise InputError("settings", place, problem, "see `dorosim sensor list`")
    return made


def _address_of_row(row: SensorRow, place: str) -> SensorAddress:
    to = address_from_text("settings", f"{place}.to", row.to or "", min_port=1)
    source = Address(LOOPBACK if to.host == LOOPBACK else "0.0.0.0", 0)
    if row.source:
        source = address_from_text("settings", f"{place}.from", row.source)
    return SensorAddress(source, to)
