"""What the page's panels ask of a real program: its pace, its files, and a vehicle that a client wants to drive too."""

from __future__ import annotations

import json
import math
import multiprocessing
import socket
import struct
import threading
import time
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from dorosim.app.serve.grpc_service import GrpcService
from dorosim.app.serve.view_service import ViewService
from dorosim.app.setting.settings import GrpcSettings, RosSettings, Settings, UdpSettings, ViewSettings
from dorosim.endpoint.view.run_proxy import RunProxy
from dorosim.ground.error import DorosimError
from dorosim.world.actor.command import PauseRun, RemoveActor
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import DriveByKeyboard, LeaveKeyboard, PlaceVehicle, TakeKeyboard
from dorosim.world.vehicle.mode import ControlMode, Gear
from tests.app.network import network_file
from tests.app.program import Program
from tests.packet import control
from tests.port import free_port
from tests.system.scenario_file import FILE
from tests.timing import wait_for

KEYBOARD, AUTO = 1, 2
"""Modes in Ego Vehicle Status (facts/udp-wire.md, section 3.1)."""


class PageProgram(Program):
    """A program, and the page's end of the way to it."""

    def __init__(self, folder) -> None:
        self.peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.peer.bind(("127.0.0.1", 0))
        self.peer.settimeout(60.0)
        self.listen = free_port()
        settings = Settings(
            udp=UdpSettings(network=str(network_file(folder, self.listen, self.peer.getsockname()[1]))),
            grpc=GrpcSettings(enabled=False),
            ros=RosSettings(server="off"),
            view=ViewSettings(address="127.0.0.1:0"),
        )
        super().__init__(folder, settings, 2.0)
        self.clock = self.context.clock
        (self.data / "Scenario" / "town").mkdir()
        (self.data / "Scenario" / "first.json").write_text(json.dumps(FILE))
        (self.data / "Scenario" / "town" / "second.json").write_text(json.dumps(FILE))
        self.service = self.add(ViewService)
        self.start()
        mine, its = multiprocessing.Pipe()
        self.proxy = RunProxy(its)
        self.begun: list[int] = []
        follow = (lambda run: self.begun.append(run.number), lambda _: None, lambda _: None)
        threading.Thread(target=self.proxy.follow, args=follow, daemon=True).start()
        self.service._come(mine)
        wait_for(lambda: self.begun, 60.0)
        self.proxy.want()  # as a page does for a visitor

    def send(self, data: bytes) -> None:
        self.peer.sendto(data, ("127.0.0.1", self.listen))

    def mode(self) -> int:
        """That the newest status tells."""
        self.peer.setblocking(False)
        try:
            while True:
                self.peer.recv(1000)
        except BlockingIOError:
            pass
        self.peer.settimeout(60.0)
        data = self.peer.recv(1000)
        start = data.index(b"$") + 1 + 4 + 12
        return struct.unpack_from("<b", data, start + 8)[0]

    def close(self) -> None:
        super().close()
        self.peer.close()


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = PageProgram(tmp_path_factory.mktemp("page"))
    yield made
    made.close()


def pace_of(program: Program, seconds: float) -> float:
    begun, before = time.monotonic(), program.now.time
    time.sleep(seconds)
    return (program.now.time - before) * 1e-9 / (time.monotonic() - begun)


def test_the_pace_changes_while_the_run_goes_on(program):
    assert program.proxy.ask("page", "status").factor == 2.0
    program.proxy.ask("page", "set_pace", 0.2)
    assert program.proxy.ask("page", "status").factor == 0.2
    assert program.clock.factor == 0.2
    program.proxy.ask("page", "set_pace", 0.0)
    assert program.proxy.ask("page", "status").factor == 0.0
    assert program.clock.factor is None
    program.proxy.ask("page", "set_pace", 1.0)
    for wrong in (-1.0, 1e9, float("nan")):
        with pytest.raises(DorosimError, match="factor"):
            program.proxy.ask("page", "set_pace", wrong)
    assert program.clock.factor == 1.0
    before = program.now.time
    wait_for(lambda: program.now.time > before)


@pytest.mark.soak
def test_the_pace_is_kept(program):
    program.proxy.ask("page", "set_pace", 0.2)
    assert pace_of(program, 1.0) == pytest.approx(0.2, abs=0.08)
    program.proxy.ask("page", "set_pace", 0.0)
    assert pace_of(program, 1.0) > 1.0
    program.proxy.ask("page", "set_pace", 1.0)
    assert pace_of(program, 1.0) < 1.3


def test_a_paused_run_goes_on_by_one_tick(program):
    program.proxy.do(PauseRun(True))
    before = program.now.time
    program.proxy.ask("page", "step")
    wait_for(lambda: program.now.paused and program.now.time > before)
    assert program.now.time == before + program.service_host.switch.current.loop.scene.tick
    program.proxy.do(PauseRun(False))


def happened(program, kind):
    """What of a kind has happened in the run."""
    happenings = program.proxy.ask("page", "status").happenings
    return [happening for happening in happenings if happening[2].startswith(kind)]


def test_who_is_at_the_keyboard_has_the_vehicle_in_statuses_and_against_clients(program, monkeypatch):
    """The whole way: keys by the page, commands and statuses by UDP."""
    monkeypatch.setattr(program.service._link._watchdog, "_timeout", 60.0)  # a busy machine sends keys late
    begin_anew(program)
    program.send(control(brake=1.0))
    wait_for(lambda: program.proxy.ask("page", "status").driven)
    assert program.mode() == AUTO
    program.proxy.do(TakeKeyboard(EGO))
    program.proxy.do(DriveByKeyboard(EGO, accelerator=1.0))
    wait_for(lambda: program.mode() == KEYBOARD)

    def is_fast() -> bool:
        program.send(control(brake=1.0, steer=1.0))
        program.proxy.do(DriveByKeyboard(EGO, accelerator=1.0))
        return program.now.vehicle.velocity_x[0] > 1.0

    wait_for(is_fast)
    assert program.now.vehicle.steer[0] == pytest.approx(0.0, abs=1e-3)
    assert "keyboard" in happened(program, "refused: ")[-1][2]
    program.proxy.do(LeaveKeyboard(EGO, ControlMode.AUTO))
    program.send(control(accel=0.6))
    wait_for(lambda: program.now.vehicle.target_accelerator[0] == pytest.approx(0.6))
    wait_for(lambda: program.mode() == AUTO)


def test_a_contact_is_told_of_that_comes_between_two_snapshots_of_the_page(program):
    """Nobody asks for a snapshot here, and the contact comes in a tick without commands."""
    begin_anew(program)
    vehicle = program.now.vehicle
    x, y, z, heading = (float(column[0]) for column in (vehicle.x, vehicle.y, vehicle.z, vehicle.yaw))
    ahead = (x + 9.0 * math.cos(heading), y + 9.0 * math.sin(heading), z)
    model = next(row for row, one in enumerate(OBSTACLE_MODELS) if one.name == "cone")
    program.proxy.do(SpawnObstacle(actor=0, model=model, position=ahead))
    program.proxy.do(PlaceVehicle(EGO, (x, y, z), (0.0, 0.0, heading), 10.0, Gear.D))
    wait_for(lambda: happened(program, "collision of Ego and "))
    ((_, when, _),) = happened(program, "collision of Ego and ")
    assert when > 0


def test_a_page_that_is_silent_lets_go(program):
    begin_anew(program)
    program.proxy.do(TakeKeyboard(EGO))

    def is_fast() -> bool:
        program.proxy.do(DriveByKeyboard(EGO, accelerator=1.0, gear=Gear.D))
        return program.now.vehicle.velocity_x[0] > 0.5

    wait_for(is_fast)
    wait_for(lambda: not program.now.vehicle.seized[0])
    wait_for(lambda: program.now.vehicle.velocity_x[0] == 0.0)


def test_what_there_is_to_start_with_is_told_and_a_scenario_is_loaded(program):
    begin_anew(program)
    found = program.proxy.ask("page", "choices")
    assert found.map_name == "town"
    assert found.maps[0] == "town"
    assert found.scenarios == ("first", "town/second")
    said = program.proxy.ask("page", "load", "town/second")
    assert "second.json" in said
    once = len(program.now.traffic) + len(program.now.people) + len(program.now.obstacles)
    assert once > 0
    program.proxy.ask("page", "load", "first")
    assert len(program.now.traffic) + len(program.now.people) + len(program.now.obstacles) == once, "in place of all"
    with pytest.raises(DorosimError, match="leads out"):
        program.proxy.ask("page", "load", "../first")


def test_a_scenario_that_the_world_refuses_is_not_told_as_loaded(program, monkeypatch):
    begin_anew(program)
    loaded = program.proxy.ask("page", "status").counts["scenario loaded"]
    files = type(program.service_host.files)
    load = files.scenario

    def with_more(self, *given):
        loading = load(self, *given)
        return replace(loading, commands=(*loading.commands, RemoveActor(9999)))

    monkeypatch.setattr(files, "scenario", with_more)
    with pytest.raises(DorosimError, match=r"first: .*9999"):
        program.proxy.ask("page", "load", "first")
    assert program.proxy.ask("page", "status").counts["scenario loaded"] == loaded


def test_what_interfaces_tell_is_counted_once_and_by_its_own_name(program):
    program.service_host.runs.report("scenario loaded", "some file")
    program.context.journal.report("ROS internal error", "of the hub")
    program.service.counts["ROS internal error"] = 1
    counts = program.proxy.ask("page", "status").counts
    assert counts["scenario loaded"] >= 1
    assert counts["ROS internal error"] == 1
    assert not any(kind.startswith("gRPC") for kind in counts)


def test_counts_of_grpc_are_those_of_a_moment(tmp_path):
    """Its threads go on counting while they are added up."""
    settings = Settings(grpc=GrpcSettings(address="127.0.0.1:0"))
    service = Program(tmp_path, settings).add(GrpcService)
    server = SimpleNamespace(counts=Counter({"gRPC Simulation/Pause": 2}))
    service._server = server
    counts = service.counts
    server.counts["gRPC Simulation/Start"] = 1
    assert counts == {"gRPC Simulation/Pause": 2}


def begin_anew(program: Program) -> None:
    program.proxy.ask("runs", "restart")
    wait_for(lambda: program.now.vehicle.control_mode[0] == ControlMode.AUTO)
