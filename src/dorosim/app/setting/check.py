"""Every problem of a settings file that can be found without a run."""

from __future__ import annotations

import copy
import socket
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from dorosim.app.setting.doc import sample
from dorosim.app.setting.error import setting_error, types_at, wrong_key
from dorosim.app.setting.settings import PAGE, SensorRow, Settings, read_tree
from dorosim.app.store.folder import check_data_folder, data_path
from dorosim.ground.error import InputError

MAX_WRONG_KEYS = 100
"""Wrong keys that are looked for in a file."""
STAND_IN_SENSOR = "gps"
"""Kind that stands in for one that is wrong."""

Check = Callable[[Settings, Path], object]


def file_problems(path: Path) -> list[InputError]:
    """What is wrong with a settings file: keys, values, numbers, and files and addresses that it names.

    Args:
        path: the file. Files that it names are looked for from the present folder on, as a run does.
    """
    try:
        tree = read_tree(path)
    except InputError as error:
        return [error]
    settings, problems, stood_in = _converted(str(path), tree)
    for place, found in settings_problems(settings):
        one = _in_file(str(path), place, found)
        one.__cause__ = found  # which knows where it comes from
        if str(one) not in map(str, problems) and not any(f"{place}.".startswith(f"{row}.") for row in stood_in):
            problems.append(one)
    return problems


def settings_problems(settings: Settings) -> Iterator[tuple[str, InputError]]:
    """The problems of settings whose keys and types are right, each with its key."""
    from dorosim.app.run.build import number_problems

    for error in number_problems(settings):
        yield error.place, error
    data = data_path(settings.data)
    for key, check in CHECKS:
        for one, place in _rows(settings, key):
            try:
                check(one, data)
            except InputError as error:
                yield place, error


def _in_file(source: str, place: str, error: InputError) -> InputError:
    """A problem as one of a settings file. Its text names what the problem is of, if that is not the file."""
    if error.source == "settings":
        # a row that was looked at alone has number 0 there
        within = error.place.partition("[0]")[2] if place.endswith("]") else ""
        return InputError(source, f"{place}{within}" if place.endswith("]") else error.place, error.problem, error.cure)
    known = place.rpartition(".")[2]  # the key names already what the problem is of
    problem = ": ".join(part for part in (error.source, error.place, error.problem) if part and part != known)
    return InputError(source, place, problem, error.cure)


def _converted(source: str, tree: dict[str, Any]) -> tuple[Settings, list[InputError], set[str]]:
    """A tree as settings without what is wrong in it, what that is, and the rows in which something stands in."""
    tree, problems, stood_in = copy.deepcopy(tree), list[InputError](), set[str]()
    while len(problems) < MAX_WRONG_KEYS:
        try:
            return msgspec.convert(tree, Settings), problems, stood_in
        except msgspec.ValidationError as error:
            problems.append(setting_error(source, "", error, tree, Settings, PAGE))
            steps = wrong_key(error, tree, Settings)
            if not _mended(tree, steps):
                break
            if _is_needed(steps):
                stood_in.add(_row_of(steps))
    return Settings(), problems, stood_in


def _mended(tree: Any, steps: list[str | int]) -> bool:
    """Remove a wrong value from a tree, or put a right one in its place where there has to be one.

    Rows of a list stay, so that those after them keep their numbers. Returns whether the value could be changed.
    """
    if not steps:
        return False
    last = steps[-1]
    try:
        for step in steps[:-1]:
            tree = tree[step]
        if _is_needed(steps):
            tree[last] = _stand_in(steps)
        else:
            del tree[last]
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _is_needed(steps: list[str | int]) -> bool:
    """Whether there has to be something at a path: a row of a list, or a key without a default."""
    return isinstance(steps[-1], int) or any(
        field.encode_name == steps[-1] and field.required
        for kind in types_at(Settings, steps[:-1])
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        for field in msgspec.structs.fields(kind)
    )


def _stand_in(steps: list[str | int]) -> Any:
    """A value that may stand at a path."""
    kind = types_at(Settings, steps)[0]
    if kind is SensorRow:
        return {"kind": STAND_IN_SENSOR}
    return STAND_IN_SENSOR if steps[-1] == "kind" else tomllib.loads(f"x = {sample(kind)}")["x"]


def _row_of(steps: list[str | int]) -> str:
    """The row of a list that a path leads to or into: "sensor[1]" of "sensor[1].kind"."""
    end = next((number for number, step in enumerate(steps, start=1) if isinstance(step, int)), len(steps))
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps[:end]).removeprefix(".")


def _rows(settings: Settings, place: str) -> Iterator[tuple[Settings, str]]:
    """The settings to check under a key: for a list of tables one after the other, so that each is looked at."""
    if place not in ("sensor", "ego", "snapshot_at"):
        yield settings, place
        return
    for number, row in enumerate(getattr(settings, place)):
        alone: dict[str, Any] = {place: (row,)} | ({"sensors": None} if place == "sensor" else {})
        yield msgspec.structs.replace(settings, **alone), f"{place}[{number}]"


def _speed(settings: Settings, _: Path) -> None:
    from dorosim.app.run.run import clock_of

    clock_of(settings.speed)


def _map(settings: Settings, data: Path) -> None:
    from dorosim.app.store.map import load_network, read_map_files

    load_network(read_map_files(settings.map, data))


def _ego(settings: Settings, data: Path) -> None:
    from dorosim.app.run.ego_start import ego_starts
    from dorosim.app.store.map import load_network, read_map_files
    from dorosim.world.vehicle.catalogue import model_of

    for ego in settings.ego:
        model_of(ego.vehicle)
    try:
        files = read_map_files(settings.map, data)
        network = load_network(files)
    except InputError:
        return  # reported under its own key
    ego_starts(settings.ego, files.name, network)


def _revision(settings: Settings, _: Path) -> None:
    from dorosim.wire.udp.revision import revision_named

    revision_named(settings.udp.revision, settings.udp.steer_positive)


def _network(settings: Settings, data: Path) -> None:
    from dorosim.app.setting.network import udp_network_of

    network, _ = udp_network_of(settings, data)
    whole = network.of_egos(max([len(settings.ego), *network.further]))
    for address in (*whole.listen, *(one.source for one in whole.publications)):
        _check_host(address.host)


def _port_offset(settings: Settings, data: Path) -> None:
    from dorosim.app.setting.port import check_port_offset

    check_port_offset(settings, data)


def _scenario(settings: Settings, data: Path) -> None:
    from dorosim.app.run.build import played_scenario
    from dorosim.app.store.scenario import find_scenario
    from dorosim.scenario.morai.file import read_scenario

    if settings.scenario is not None and played_scenario(settings, data, settings.map) is None:
        stored = find_scenario(settings.scenario, data, Path(settings.map).name)
        read_scenario(stored.source, stored.content)


def _sensor_set(settings: Settings, data: Path) -> None:
    if settings.sensors is not None:
        _plan_sensors(msgspec.structs.replace(settings, sensor=()), data)


def _plan_sensors(settings: Settings, data: Path) -> None:
    """Whether sensors can be put on the ego vehicles that there are."""
    from dorosim.app.run.build import build
    from dorosim.app.serve.sensor.store import plan_sensors

    egos = max((row.ego for row in settings.sensor), default=1)
    first = build(Settings(ego=Settings().ego * min(max(egos, 1), len(settings.ego) or 1)), data).first
    plan_sensors(settings, data, first)


def _snapshot(settings: Settings, _: Path) -> None:
    from dorosim.recording.snapshot import read_snapshot

    if settings.from_snapshot is not None:
        read_snapshot(Path(settings.from_snapshot))


def _check_output(file: str | None) -> None:
    from dorosim.recording.saver import check_place

    if file is not None:
        check_place(Path(file))


def _sensor_data_folders(settings: Settings, _: Path) -> None:
    for folder in settings.sensor_data_folders:
        if not folder.strip():
            raise InputError("", "", "an empty text would be the present folder", "write it as '.'")
        path = Path(folder).expanduser()
        if path.exists() and not path.is_dir():
            raise InputError(folder, "", "is not a folder", "give the folder in which files are to be saved")


def _later_snapshots(settings: Settings, _: Path) -> None:
    for _at, file in settings.snapshot_at:
        _check_output(file)


def served_addresses(settings: Settings) -> Iterator[tuple[str, str]]:
    """The addresses at which a run serves something, by their keys: of every table that has one and is enabled."""
    from dorosim.app.serve.ros.rosbridge import is_off

    for field in msgspec.structs.fields(Settings):
        table = getattr(settings, field.name)
        if getattr(table, "enabled", False) and hasattr(table, "address"):
            yield f"{field.encode_name}.address", table.address
    if not settings.ros.bridge and not is_off(settings.ros.server):
        yield "ros.server", settings.ros.server


def _served(key: str) -> Check:
    """Checks one of these addresses."""

    def check(settings: Settings, _: Path) -> None:
        from dorosim.app.setting.address import address_from_text

        text = dict(served_addresses(settings)).get(key)
        if text is not None:
            _check_host(address_from_text("settings", key, text).host)

    return check


def _tls(settings: Settings, _: Path) -> None:
    from dorosim.app.serve.grpc_service import tls_of

    tls_of(settings.grpc)


def _tcp_step(settings: Settings, _: Path) -> None:
    from dorosim.app.setting.tcp_step import step_addresses

    for address in step_addresses(settings.tcp_step).controls.values():
        _check_host(address.host)


def _tcp_step_template(settings: Settings, _: Path) -> None:
    from dorosim.app.serve.tcp_step.outputs import info_template

    info_template(settings.tcp_step)


def _ros_bridge(settings: Settings, data: Path) -> None:
    from dorosim.app.serve.ros.rosbridge import check_bridge
    from dorosim.app.serve.ros.saved import saved_ros_of, with_network

    settings, _ = with_network(settings, saved_ros_of(settings, data))
    if settings.ros.bridge:
        check_bridge(settings.ros)


def _ros_node(settings: Settings, _: Path) -> None:
    from dorosim.app.serve.ros.node import check_node

    check_node(settings.ros)


def _ros_topics(settings: Settings, data: Path) -> None:
    from dorosim.app.serve.ros.topics import ros_offer, sensor_rows

    if not settings.ros.topic:
        return
    try:
        _revision(settings, data)
    except InputError:
        settings = msgspec.structs.replace(settings, udp=Settings().udp)  # reported under its own key
    ros_offer(settings)
    sensor_rows(settings)


def _origins(key: str) -> Check:
    """Checks the list of web pages under one of these keys."""

    def check(settings: Settings, _: Path) -> None:
        from dorosim.endpoint.web_origin import listed_origin

        for text in getattr(settings, key.partition(".")[0]).origins:
            listed_origin(key, text)

    return check


def _bag(settings: Settings, _: Path) -> None:
    from dorosim.app.serve.host.bag import bag_file

    bag_file(settings.ros.bag)


def _bag_replayed(settings: Settings, data: Path) -> None:
    from dorosim.app.serve.host.bag import first_trajectories

    if settings.ros.bag.replay is not None:
        first_trajectories(settings.ros.bag.replay, settings.ros.bag, data / "Recording")


def _check_host(host: str) -> None:
    """Whether a host is one of this machine, so that something can be bound there.

    Raises:
        InputError: it is not known, or is another machine's.
    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind) as tried:
            tried.bind(address)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("", "", f"{host} is not an address of this machine: {reason}", "give one of it") from None


CHECKS: tuple[tuple[str, Check], ...] = (
    ("data", lambda _, data: check_data_folder(data)),
    ("speed", _speed),
    ("port_offset", _port_offset),
    ("map", _map),
    ("ego", _ego),
    ("scenario", _scenario),
    ("sensors", _sensor_set),
    ("sensor", _plan_sensors),
    ("from_snapshot", _snapshot),
    ("record", lambda settings, _: _check_output(settings.record)),
    ("save_snapshot", lambda settings, _: _check_output(settings.save_snapshot)),
    ("save_scenario", lambda settings, _: _check_output(settings.save_scenario)),
    ("save_sensors", lambda settings, _: _check_output(settings.save_sensors)),
    ("sensor_data_folders", _sensor_data_folders),
    ("snapshot_at", _later_snapshots),
    ("udp.revision", _revision),
    ("udp.network", _network),
    *((key, _served(key)) for key, _ in served_addresses(Settings())),
    ("grpc.certificate", _tls),
    ("tcp_step.address", _served("tcp_step.address")),
    ("tcp_step", _tcp_step),
    ("tcp_step.template", _tcp_step_template),
    ("ros.bridge", _ros_bridge),
    ("ros.master", _ros_node),
    ("ros.topic", _ros_topics),
    ("ros.origins", _origins("ros.origins")),
    ("view.origins", _origins("view.origins")),
    ("ros.bag.file", _bag),
    ("ros.bag.replay", _bag_replayed),
)
"""The checks, each after the key under which its problems are reported, unless a problem names a key itself."""
