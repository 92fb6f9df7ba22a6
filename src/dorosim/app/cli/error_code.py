"""Codes of the errors that the `dorosim` command prints: each leads to its place in docs/how-to/troubleshooting.md.

A code is found where an error is printed, not where it is raised: by the error's class where that says enough, else by
the module that raised it. So no module below has to know that there are codes.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from traceback import walk_tb

from dorosim.endpoint.udp.socket import AddressInUseError
from dorosim.recording.whole_file import OutputError

PAGE = "docs/how-to/troubleshooting.md"
"""The page that has a heading for each code."""


class ErrorCode(StrEnum):
    """The codes. They are fixed: scripts and pages name them.

    Attributes:
        meaning: what cannot be used, for people.
    """

    meaning: str

    def __new__(cls, code: str, meaning: str) -> ErrorCode:
        """A code and its meaning."""
        one = str.__new__(cls, code)
        one._value_ = code
        one.meaning = meaning
        return one

    USAGE = "usage", "There is no such command, option or argument, or one is missing."
    OPTION = "option", "The value of an option or argument cannot be used."
    SETTINGS = "settings", "A key of the settings cannot be used, in `dorosim.toml` or by an option."
    PORT_IN_USE = "port-in-use", "Another program has a port that this run needs."
    ADDRESS = "address", "An address is not one of this machine, or the system does not let the run have it."
    NETWORK_SETTINGS = "network-settings", "A file of network settings cannot be used."
    MAP = "map", "There is no such map, or it is broken."
    START_PLACE = "start-place", "There is no place for an ego vehicle, other vehicles or people to start."
    VEHICLE = "vehicle", "There is no such vehicle, or its data cannot be used."
    SCENARIO = "scenario", "A scenario is not there, or is broken."
    SWEEP = "sweep", "The plan or the folder of a sweep cannot be used, or the sweep cannot go on."
    SENSOR_SET = "sensor-set", "A sensor, or a file of sensors, cannot be used."
    RAY_TRACER = "ray-tracer", "The library with which sensors see, Embree, cannot be used on this machine."
    RECORDING = "recording", "A recording cannot be read, or is of another version."
    SNAPSHOT = "snapshot", "A snapshot cannot be read, or does not fit."
    BAG = "bag", "A bag of ROS messages cannot be read, written or played."
    PACKET = "packet", "Bytes are no message, or a capture cannot be read."
    ROS = "ros", "The ROS node or the rosbridge server cannot work as it is set."
    GRPC = "grpc", "The gRPC server cannot work as it is set."
    TCP_STEP = "tcp-step", "The fixed step server cannot work as it is set."
    LIVE_PAGE = "live-page", "The live page cannot be served as it is set."
    OUTPUT_FILE = "output-file", "A file or folder cannot be written."
    DATA_FOLDER = "data-folder", "The data folder cannot be used, or a name leads out of it."
    NO_ROOM = "no-room", "The disk is full."
    PICTURE = "picture", "A plot or a video cannot be made."
    REQUEST = "request", "The simulator refuses what was asked of it."
    FAULT = "fault", "Something broke that should not have: a fault of dorosim."


_BY_CLASS: dict[type[BaseException], ErrorCode] = {
    AddressInUseError: ErrorCode.PORT_IN_USE,
    OutputError: ErrorCode.OUTPUT_FILE,
}

BY_MODULE: dict[str, ErrorCode | None] = {
    "app.analyse.bag": ErrorCode.BAG,
    "app.analyse.capture": ErrorCode.PACKET,
    "app.analyse.drawing": ErrorCode.PICTURE,
    "app.analyse.lane_table": ErrorCode.OPTION,
    "app.analyse.map_convert": ErrorCode.MAP,
    "app.analyse.map_file": ErrorCode.MAP,
    "app.analyse.plot": ErrorCode.PICTURE,
    "app.analyse.scenario_export": ErrorCode.RECORDING,
    "app.analyse.trace": ErrorCode.RECORDING,
    "app.analyse.video": ErrorCode.PICTURE,
    "app.cli": ErrorCode.OPTION,
    "app.cli.bag": ErrorCode.BAG,
    "app.cli.packet": ErrorCode.PACKET,
    "app.cli.plot": ErrorCode.RECORDING,
    "app.cli.recording": ErrorCode.RECORDING,
    "app.cli.replay": ErrorCode.RECORDING,
    "app.cli.scenario": ErrorCode.SCENARIO,
    "app.cli.state": ErrorCode.SNAPSHOT,
    "app.run.build": ErrorCode.SETTINGS,
    "app.run.ego_start": ErrorCode.START_PLACE,
    "app.run.network_switch": ErrorCode.ADDRESS,
    "app.run.output": ErrorCode.OUTPUT_FILE,
    "app.run.resume": ErrorCode.SNAPSHOT,
    "app.run.run": ErrorCode.SETTINGS,
    "app.run.run_file": ErrorCode.ADDRESS,
    "app.run.scenario_case": ErrorCode.SCENARIO,
    "app.run.scenario_criteria": ErrorCode.OPTION,
    "app.run.scenario_ready": ErrorCode.SCENARIO,
    "app.run.scenario_record": ErrorCode.RECORDING,
    "app.run.scenario_suite": ErrorCode.OPTION,
    "app.run.stack_program": ErrorCode.OPTION,
    "app.run.storyboard_build": ErrorCode.SCENARIO,
    "app.run.switch": ErrorCode.REQUEST,
    "app.serve.grpc_service": ErrorCode.GRPC,
    "app.serve.host": ErrorCode.REQUEST,
    "app.serve.host.bag": ErrorCode.BAG,
    "app.serve.host.record": ErrorCode.RECORDING,
    "app.serve.replay": ErrorCode.RECORDING,
    "app.serve.ros": ErrorCode.ROS,
    "app.serve.sensor": ErrorCode.SENSOR_SET,
    "app.serve.tcp_step": ErrorCode.TCP_STEP,
    "app.serve.view_service": ErrorCode.LIVE_PAGE,
    "app.serve.watched_gateway": ErrorCode.LIVE_PAGE,
    "app.setting": ErrorCode.SETTINGS,
    "app.setting.address": ErrorCode.ADDRESS,
    "app.setting.network": ErrorCode.NETWORK_SETTINGS,
    "app.setting.network_check": ErrorCode.NETWORK_SETTINGS,
    "app.setting.saved_network": ErrorCode.NETWORK_SETTINGS,
    "app.setting.settings": None,
    "app.store.course": ErrorCode.MAP,
    "app.store.file_copy": ErrorCode.OUTPUT_FILE,
    "app.store.folder": ErrorCode.DATA_FOLDER,
    "app.store.kept_scenario": ErrorCode.SCENARIO,
    "app.store.map": ErrorCode.MAP,
    "app.store.openscenario": ErrorCode.SCENARIO,
    "app.store.picture_file": ErrorCode.OUTPUT_FILE,
    "app.store.project": ErrorCode.SCENARIO,
    "app.store.ros_package": ErrorCode.ROS,
    "app.store.scenario": ErrorCode.SCENARIO,
    "app.store.scenario_map": ErrorCode.SCENARIO,
    "app.store.suite": ErrorCode.SCENARIO,
    "app.store.table_file": ErrorCode.OUTPUT_FILE,
    "app.cli.sweep": ErrorCode.SWEEP,
    "app.sweep": ErrorCode.SWEEP,
    "batch": ErrorCode.REQUEST,
    "bridge": ErrorCode.REQUEST,
    "bridge.ros": ErrorCode.ROS,
    "bridge.ros.bag_trajectories": ErrorCode.BAG,
    "bridge.sensor": ErrorCode.SENSOR_SET,
    "client": ErrorCode.REQUEST,
    "endpoint": ErrorCode.REQUEST,
    "endpoint.grpc": ErrorCode.GRPC,
    "endpoint.ros": ErrorCode.ROS,
    "endpoint.sensor": ErrorCode.SENSOR_SET,
    "endpoint.udp": ErrorCode.ADDRESS,
    "endpoint.view": ErrorCode.LIVE_PAGE,
    "endpoint.web_origin": ErrorCode.ADDRESS,
    "ground": None,
    "gym": ErrorCode.SETTINGS,
    "mapmaking": ErrorCode.MAP,
    "recording": ErrorCode.RECORDING,
    "recording.bag": ErrorCode.BAG,
    "recording.saver": ErrorCode.OUTPUT_FILE,
    "recording.snapshot": ErrorCode.SNAPSHOT,
    "recording.whole_file": None,
    "recording.writer": ErrorCode.OUTPUT_FILE,
    "road": ErrorCode.MAP,
    "scenario": ErrorCode.SCENARIO,
    "scenario.morai.codec": None,
    "scenario.openscenario.export": ErrorCode.RECORDING,
    "scenario.population": ErrorCode.START_PLACE,
    "scenario.sensor_set": ErrorCode.SENSOR_SET,
    "sensor": ErrorCode.SENSOR_SET,
    "sensor.scene.embree": ErrorCode.RAY_TRACER,
    "testing": ErrorCode.REQUEST,
    "wire": ErrorCode.PACKET,
    "wire.ros": ErrorCode.ROS,
    "wire.ros.bag": ErrorCode.BAG,
    "wire.ros.bag_decoder": ErrorCode.BAG,
    "wire.tcp_step": ErrorCode.TCP_STEP,
    "wire.udp.revision": ErrorCode.SETTINGS,
    "world": ErrorCode.REQUEST,
    "world.mount": ErrorCode.SENSOR_SET,
    "world.spawn": ErrorCode.START_PLACE,
    "world.traffic.placement": ErrorCode.START_PLACE,
    "world.vehicle": ErrorCode.VEHICLE,
}
"""The code of what a module or package of dorosim raises; the longest fitting name counts. None: its caller has one."""


def code_of(error: BaseException, otherwise: ErrorCode = ErrorCode.OPTION) -> ErrorCode:
    """The code of an error.

    Args:
        error: that is printed. Its causes are looked at, too, where it was never raised itself.
        otherwise: the code where nothing says more.
    """
    for kind, code in _BY_CLASS.items():
        if isinstance(error, kind):
            return code
    for module in _modules(error):
        found = code_of_module(module)
        if found is not None:
            return found
    return code_of(error.__cause__, otherwise) if error.__cause__ is not None else otherwise


def code_of_module(module: str) -> ErrorCode | None:
    """The code of what a module raises, whose name begins with "dorosim."; None where that of its caller says more."""
    parts = module.split(".")[1:]
    for count in range(len(parts), 0, -1):
        name = ".".join(parts[:count])
        if name in BY_MODULE:
            return BY_MODULE[name]
    return None


def _modules(error: BaseException) -> Iterator[str]:
    """The modules of dorosim through which an error came, from the one that raised it outwards."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    for frame in reversed(frames):
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith("dorosim."):
            yield name
