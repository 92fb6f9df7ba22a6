"""Synchronous mode, however it begins: stamps count from the start, and equal runs say the same, byte by byte."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from dorosim.app.serve.grpc_service import GrpcService
from dorosim.app.serve.ros.service import RosService
from dorosim.app.setting.settings import (
    GrpcSettings,
    RosSettings,
    RosTopicSettings,
    SensorRow,
    Settings,
    TrafficSettings,
    UdpSettings,
)
from dorosim.app.store.map import TOWN, read_map_files
from tests.app.program import Program, until
from tests.app.serve.ros.program import KERNELS, Listener
from tests.port import free_port
from tests.system.served_program import Client

STATUS = ("EgoVehicleStatus", "ObjectInfo", "CollisionData", "GetTrafficLightStatus", "GetIntersectionStatus")
SENSORS = {
    "camera": SensorRow(kind="camera", rate_hz=10.0, settings={"width": 32, "height": 24}, position=(1.5, 0.0, 1.4)),
    "lidar_3d": SensorRow(kind="lidar_3d", position=(1.2, 0.0, 1.9)),
    "gps": SensorRow(kind="gps", rate_hz=5.0),
    "imu": SensorRow(kind="imu", rate_hz=50.0),
}
TOPICS = (
    "/Ego_topic",
    "/Object_topic",
    "/clock",
    "/tf",
    "/tf_static",
    "/SyncModeInfo",
    "/sim/process/state/msg/MoraiSimProcStatus",
)
FRAMES = 30
FRAME_MS = 20


class Witness:
    """A program with all interfaces, and everything that it says."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.ears = {name: self._ear() for name in (*STATUS, *SENSORS)}
        lines = [f'[[listen]]\naddress = "127.0.0.1:{free_port()}"\n']
        lines += [f'[[send]]\nmessage = "{name}"\nto = "{self._address(name)}"\n' for name in STATUS]
        network = folder / "net.toml"
        network.write_text("\n".join(lines))
        rows = tuple(
            SensorRow(kind=row.kind, rate_hz=row.rate_hz, settings=row.settings, to=self._address(name))
            for name, row in SENSORS.items()
        )
        settings = Settings(
            udp=UdpSettings(network=str(network)),
            grpc=GrpcSettings(address="127.0.0.1:0"),
            ros=RosSettings(server=f"127.0.0.1:{free_port()}", topic={"clock": RosTopicSettings(on=True)}),
            traffic=TrafficSettings(vehicles=3, pedestrians=2),
            sensor=rows,
        )
        self.program = Program(folder, settings)
        elsewhere = self.program.data / "Map" / "elsewhere"
        elsewhere.mkdir()
        for name, content in read_map_files(TOWN).files.items():
            (elsewhere / name).write_bytes(content)
        grpc, ros = self.program.add(GrpcService), self.program.add(RosService)
        self.program.start()
        until(lambda: grpc._server is not None and ros._hub is not None and ros._hub._place is not None, KERNELS)
        self.client = Client(f"127.0.0.1:{grpc._server.port}")
        self.hub = ros._hub
        until(lambda: "/tf_static" in self.hub.published, KERNELS)
        sensed = [name for name, one in self.hub.published.items() if one.pushed]
        self.ear = Listener(*TOPICS, *sensed)
        self.hub.join(self.ear)
        self.answers: list[bytes] = []

    def _ear(self) -> socket.socket:
        ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
        ear.bind(("127.0.0.1", 0))
        ear.setblocking(False)
        return ear

    def _address(self, name: str) -> str:
        return f"127.0.0.1:{self.ears[name].getsockname()[1]}"

    def ros(self, service: str, **fields: Any) -> Any:
        registry, kind = self.hub.registry, self.hub.provided[service].type
        inner = dict(registry.fields(f"{kind}Request"))["request"][1].replace("/msg/", "/")
        request = registry.make(f"{kind}Request", request=registry.make(inner, **fields))
        answer = self.hub.call(service, request, "test", KERNELS)
        self.answers.append(bytes(registry.encode(answer)))
        return answer.response

    def ask(self, name: str, **fields: Any) -> Any:
        answer = self.client.ask(name, KERNELS, **fields)
        self.answers.append(answer.SerializeToString(deterministic=True))
        return answer

    def heard(self) -> dict[str, list[bytes]]:
        """All that has been said since the last call: datagrams by what they are, messages by topic, answers."""
        station = self.program.current.station.open()
        if station._threads:
            station._finish()
        found: dict[str, list[bytes]] = {name: [] for name in self.ears}
        for name, ear in self.ears.items():
            while True:
                try:
                    found[name].append(ear.recv(1 << 16))
                except BlockingIOError:
                    break
        posts, self.ear.posts = self.ear.posts, []
        for post in posts:
            found.setdefault(post.topic, []).append(bytes(self.hub.registry.encode(post.message)))
        answers, self.answers = self.answers, []
        return found | {"answers": answers}

    def close(self) -> None:
        self.program.close()
        self.client.channel.close()
        for ear in self.ears.values():
            ear.close()


@pytest.fixture(scope="module")
def witnesses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Witness]]:
    """Two programs, which are entered by one way after another."""
    folder = tmp_path_factory.mktemp("witnesses")
    with ExitStack() as stack:
        made = []
        for name in ("one", "other"):
            made.append(Witness(folder / name))
            stack.callback(made[-1].close)
        yield made


def by_the_clock(witness: Witness, ticks: int) -> None:
    """Let a run on the town go on by the clock for so many ticks, whatever it has been before."""
    pace = witness.program.service_host.pace
    if pace.synchronous:
        witness.ros("/SyncModeCmd", user_id="me", start_sync_mode=False)
        if pace.synchronous:
            pace.release()
    if witness.program.service_host.runs.map_name != TOWN:
        witness.ask("Simulation/Start", map_and_vehicle={"map_name": TOWN})
    before = witness.program.now.tick
    until(lambda: witness.program.now.tick >= before + ticks, KERNELS)


def enter(witness: Witness, way: str) -> None:
    """Begin a stepped run; the world begins again with it, so that it does not matter when."""
    fields: dict[str, Any] = {"map_and_vehicle": {"map_name": "town"}}
    if way == "/SyncModeCmd":
        assert witness.ros(way, user_id="me", start_sync_mode=True, time_step=FRAME_MS).result
    elif way == "SetSynchronousMode":
        assert witness.ask("Simulation/SetSynchronousMode", type=2, tick_period=FRAME_MS).status == 1
    else:
        fields["mode"] = {"type": 2, "tick_period": FRAME_MS}
    there = way in ("/SyncModeCmd", "SetSynchronousMode")
    assert witness.program.service_host.pace.synchronous is there
    if there:
        assert witness.program.current.session.publisher.epoch == 0
    if way == "Start elsewhere":
        fields["map_and_vehicle"]["map_name"] = "elsewhere"
        assert witness.ask("Simulation/Start", **fields).description == "map elsewhere"
    else:
        assert witness.ask("Simulation/Start", **fields).description == "same map"
    assert witness.program.now.time == 0


def stepped(witness: Witness, way: str, late: int) -> dict[str, list[bytes]]:
    """What a run says that is entered after so many ticks, and stepped."""
    by_the_clock(witness, late)
    enter(witness, way)
    witness.heard()
    for frame in range(1, FRAMES + 1):
        if frame == 5:
            control = {"accel": 0.6, "steering": 0.1}
            command = witness.hub.registry.make("morai_msgs/CtrlCmd", longlCmdType=1, **control)
            assert witness.ros("/SyncModeCtrlCmd", frame=frame - 1, command=command).result
        if way == "/SyncModeCmd":
            assert witness.ros("/SyncModeWaitForTick", user_id="me", frame=frame).tick_status
        else:
            assert witness.ask("Simulation/Tick", value=1).frame_count == frame
        witness.ask("Simulator/GetTimestamp")
    return witness.heard()


@pytest.mark.parametrize("way", ["/SyncModeCmd", "SetSynchronousMode", "Start", "Start elsewhere"])
def test_two_equal_stepped_runs_say_the_same_byte_by_byte(witnesses, way):
    one, other = (stepped(witness, way, late) for witness, late in zip(witnesses, (10, 70), strict=True))
    assert one.keys() == other.keys()
    for name in one:
        assert len(one[name]) == len(other[name]), name
        assert one[name] == other[name], name
    for name in (*STATUS[:2], "camera", "lidar_3d", "gps", "imu", "/Ego_topic", "/clock"):
        assert one[name], name
    stamps = [struct.unpack_from("<2i", data, 27) for data in one["EgoVehicleStatus"]]
    assert stamps[-1] == (0, FRAMES * FRAME_MS * 1_000_000), "they count from the simulator's start"
