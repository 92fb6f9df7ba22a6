"""The program around the world, without clients: runs, files, time and recordings as the bridge asks for them."""

from __future__ import annotations

import gc
import json
import socket
import threading
import time
import weakref
from pathlib import Path

import pytest
from rich.console import Console

from dorosim.app.run.replay import replay_file
from dorosim.app.run.session import RunContext, open_session
from dorosim.app.serve.grpc_service import GrpcService
from dorosim.app.setting.settings import EgoSettings, GrpcSettings, Settings, UdpSettings
from dorosim.app.store.map import BUILT_IN, TOWN, read_map_files
from dorosim.bridge.actor import Names
from dorosim.bridge.host import SAME_MAP, StartOrder
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.ground.error import InputError
from dorosim.recording.format import decode_recording
from dorosim.scenario.load import LoadOptions
from dorosim.scenario.sensor_set.read import UDP, SensorLink
from dorosim.scenario.sensor_set.write import sensor_set_bytes
from dorosim.world.actor.command import PauseRun, SetLabel
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import ImuSettings
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import DriveByKeyboard, DriveVehicle, SelectCamera, SetCruise, TakeKeyboard
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.app.network import network_file
from tests.app.program import SPEED, Program, until
from tests.port import free_port
from tests.system.scenario_file import FILE

KIA = "2015_Kia_K5"


class Host(Program):
    """A program with gRPC, and with maps and a scenario in its data folder."""

    def __init__(self, folder) -> None:
        network = str(network_file(folder, free_port(), free_port()))
        settings = Settings(
            ego=(EgoSettings(), EgoSettings(vehicle=KIA)),
            udp=UdpSettings(network=network),
            grpc=GrpcSettings(address="127.0.0.1:0"),
            record=str(folder / "lap.rec"),
        )
        super().__init__(folder, settings)
        (self.data / "Map" / "elsewhere").mkdir()
        for name, content in read_map_files(TOWN).files.items():
            (self.data / "Map" / "elsewhere" / name).write_bytes(content)
        (self.data / "Map" / "no map").mkdir()
        (self.data / "Scenario" / "first.json").write_text(json.dumps(FILE))
        self.service = self.add(GrpcService)
        self.start()
        self.runs, self.files = self.service_host.runs, self.service_host.files
        self.pace, self.records = self.service_host.pace, self.service_host.records
        until(lambda: self.service._server is not None)


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    made = Host(tmp_path_factory.mktemp("host"))
    yield made
    made.close()


@pytest.fixture
def fresh_host(tmp_path):
    """In its first run."""
    made = Host(tmp_path)
    yield made
    made.close()


def test_a_start_answers_after_the_tick_that_does_what_it_asks(fresh_host):
    """Whoever reads then finds the ego's name and owner, whether another run begins or the same one again."""
    switch = fresh_host.service_host.switch
    orders = [(name, frame) for frame in (0, 20_000_000) for name in ("elsewhere", TOWN, TOWN)]
    for number, (name, frame) in enumerate(orders):
        order = StartOrder(map_name=name, commands=(SetLabel(EGO, f"mine {number}", "me"),), frame=frame)
        fresh_host.runs.start(order)
        now = switch.current.loop.now
        assert now.tick >= 1
        assert Names(now.label).owner_of(EGO) == "me"
        assert Names(now.label).actor_of(f"mine {number}") == EGO


def test_maps_are_those_of_the_data_folder_and_their_files_are_told(host):
    assert list(host.files.maps()) == [*BUILT_IN, "elsewhere"]
    here = dict(host.files.mgeo(""))
    assert here == dict(host.files.mgeo("elsewhere")) == dict(host.files.mgeo(TOWN))
    assert json.loads(here["link_set.json"])
    for name in ("no map", "../Map/elsewhere", "nowhere"):
        with pytest.raises(InputError, match="known maps: town, village, motorway, elsewhere"):
            host.files.mgeo(name)
    assert host.files.place == str(host.data)


def test_scenarios_and_sensor_sets_are_found_by_name_and_nowhere_else(host):
    assert "first.json" in host.files.scenario("first", LoadOptions(), host.now).headline
    for name in ("none", "../Scenario/first", str(host.data / "Scenario" / "first")):
        with pytest.raises(InputError):
            host.files.sensor_set(name, host.now)
    with pytest.raises(InputError):
        host.files.scenario("../first", LoadOptions(), host.now)
    with pytest.raises(InputError, match="leads out"):
        host.files.save_sensor_data("../..", "")
    assert host.files.save_sensor_data("day", "a").endswith("SensorData/day")


def test_the_present_run_begins_again_where_nothing_else_is_asked_for(fresh_host):
    host = fresh_host
    host.runs.start(StartOrder(vehicle=KIA))
    assert host.current.number == 2
    assert host.current.session.start.ready.egos[0].model == KIA
    assert len(host.now.egos) == 2, "on the same map the others stay"
    until(lambda: host.now.tick > 60)
    host.context.clock.change(0.1)  # whoever looks late on a busy machine finds few ticks more
    before = host.now.tick
    order = StartOrder(map_name=TOWN, vehicle=KIA, commands=(SetCruise(EGO, speed=5.0),))
    assert host.runs.start(order) == SAME_MAP
    assert host.current.number == 2
    assert host.now.tick < before + 2
    assert host.now.vehicle.cruise_speed[0] == 5.0


def test_another_run_is_on_another_map_at_a_place(host):
    order = StartOrder(map_name="elsewhere", position=(10.0, 20.0, 0.0), heading=1.0, commands=(PauseRun(paused=True),))
    assert host.runs.start(order) == "map elsewhere"
    assert host.runs.map_name == "elsewhere"
    vehicle = host.now.vehicle
    assert (vehicle.x[0], vehicle.y[0], vehicle.yaw[0]) == pytest.approx((10.0, 20.0, 1.0), abs=0.1)
    assert len(host.now.egos) == 1
    host.runs.start(StartOrder(map_name=TOWN))
    assert host.runs.map_name == TOWN


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (StartOrder(map_name="nowhere"), "known maps"),
        (StartOrder(vehicle="no car"), "no car"),
        (StartOrder(scenario="none"), "none of this name"),
        (StartOrder(sensors="none"), "none"),
        (StartOrder(position=(1e9, 0.0, 0.0)), "outside"),
        (StartOrder(map_name="elsewhere", commands=(SelectCamera(99),)), "99"),
        (StartOrder(commands=(SelectCamera(99),)), "99"),
        (StartOrder(map_name="elsewhere", frame=15_000_001), "multiple"),
    ],
)
def test_what_cannot_be_leaves_the_run_as_it_is(host, order, words):
    before, first = host.current, host.now.tick
    with pytest.raises(InputError, match=words):
        host.runs.start(order)
    assert host.current == before
    until(lambda: host.now.tick > first)
    assert not host.pace.synchronous


def test_a_scenarios_ego_vehicle_counts_unless_another_one_is_asked_for(host):
    host.runs.start(StartOrder(scenario="first"))
    assert host.now.vehicle.x[0] == pytest.approx(-200.0, abs=10.0)
    host.runs.start(StartOrder(scenario="first", vehicle=KIA, map_name=TOWN))
    assert host.current.session.start.ready.egos[0].model == KIA


def test_sensor_sets_are_mounted_at_a_start_and_into_a_run(host):
    host.runs.start(StartOrder(map_name="elsewhere"))
    done = host.current.gateway.do([AddSensor(EGO, settings=ImuSettings(), sensor=4, position=(1.0, 0.0, 0.5))])
    links = {4: SensorLink(4, UDP, ("127.0.0.1", free_port()), ("127.0.0.1", free_port()))}
    (host.data / "Sensor").mkdir(exist_ok=True)
    (host.data / "Sensor" / "mine.json").write_bytes(sensor_set_bytes(None, done.now, links))
    host.runs.start(StartOrder(map_name=TOWN, sensors="mine"))
    host.current.gateway.do([PauseRun(paused=False)])
    assert [mount.id for mount in host.now.mounts.all()] == [4]
    assert host.runs.start(StartOrder(sensors="mine")) == SAME_MAP
    host.runs.start(StartOrder(map_name="elsewhere"))
    station = host.current.station
    commands, notices = host.files.sensor_set("mine", host.now)
    assert notices == ()
    assert 4 not in station.links, "nothing is sent elsewhere before the commands are applied"
    now = host.current.gateway.do(commands).now
    assert now.mounts.mount(0).position == (1.0, 0.0, 0.5)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind(links[4].destination)
        ear.settimeout(60.0)
        assert ear.recv(1000).startswith(b"#IMUData$"), "packets go where the file says"
    assert station.links[4].destination == links[4].destination
    host.runs.start(StartOrder(map_name=TOWN))


def test_files_of_later_runs_are_numbered(host):
    number = host.current.number
    host.runs.start(StartOrder(map_name="elsewhere"))
    later = host.current.session.start.settings.record
    assert later.endswith(f"lap-{number + 1}.rec")
    host.runs.start(StartOrder(map_name=TOWN))
    assert replay_file(type(host.data)(later), None, host.data).equal


def test_two_hundred_replays_in_one_program_leave_no_long_names_and_no_open_files(fresh_host):
    """Each is a run of its own, whose recording is named after the program's: lap-2.rec, lap-3.rec, ..."""
    threads = threading.active_count()  # of tests before this one, too
    host = fresh_host
    host.context.clock.change(None)
    folder = host.data.parent
    host.records.begin("short")
    host.current.gateway.do([SelectCamera(EGO)])
    host.records.finish()
    host.records.load("short")
    opened = []
    for _ in range(200):
        host.records.play()
        opened.append(len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0)
    last = host.current.session.start.settings.record
    host.runs.start(StartOrder(map_name="elsewhere"))
    assert Path(last).name == "lap-201.rec"
    names = {path.name for path in folder.glob("lap*.rec")}
    assert names == {"lap.rec", *(f"lap-{number}.rec" for number in range(2, 203))}
    assert max(opened[20:]) <= max(opened[:20]) + 5
    assert threading.active_count() < threads + 40


def test_a_run_in_real_time_counts_from_when_all_is_ready(tmp_path):
    """What goes along with it, such as sensors and interfaces, takes its time before; stamps do not lag by that."""
    told = []

    class RunServices:
        lines = notices = ()

        def observers(self):
            return (lambda now, _: told.append((session.publisher.epoch, now.time)),)

        def begin(self, session, loop, station) -> None:
            told.append((session.publisher.epoch, time.time_ns()))

        def end(self) -> None: ...

        def sockets(self):
            return ()

    network = str(network_file(tmp_path, free_port(), free_port()))
    settings = Settings(udp=UdpSettings(network=network), record=str(tmp_path / "lap.rec"))
    context = RunContext(given=(), data=tmp_path, journal=Journal(print), clock=PacedClock(None))
    session = open_session(settings, context)
    session.play(session.open_resources(Console(quiet=True)), 0.05, RunServices())
    (before, moment), *ticks = told
    assert before == 0, "nobody could have stamped anything yet"
    (epoch,) = {epoch for epoch, _ in ticks}
    assert epoch >= moment - 10**6
    header, _ = decode_recording("lap", (tmp_path / "lap.rec").read_bytes())
    assert header.epoch == epoch


def test_a_run_that_is_over_is_let_go_of(host):
    """At once, not when the collector comes by: a map and a geometry may be large."""
    gc.collect()
    gc.disable()
    try:
        host.runs.start(StartOrder(map_name="elsewhere"))
        publisher = weakref.ref(host.current.session.publisher)
        host.runs.start(StartOrder(map_name=TOWN))
        until(lambda: publisher() is None)
    finally:
        gc.enable()


def test_time_passes_by_steps(host):
    with pytest.raises(InputError, match="multiple"):
        host.pace.synchronise(15_000_001)
    host.pace.synchronise(50_000_000)
    try:
        assert host.pace.synchronous
        first = host.pace.step("a", 1, 60.0)
        assert host.pace.step("a", 2, 60.0) == first + 100_000_000
        waited = []
        thread = threading.Thread(target=lambda: waited.append(host.pace.wait(60.0)))
        thread.start()
        last = first + 100_000_000
        while thread.is_alive():
            last += 50_000_000
            assert host.pace.step("a", 1, 60.0) == last
            thread.join(0.1)
        assert first + 100_000_000 < waited[0] <= last
        host.runs.start(StartOrder(map_name="elsewhere"))
        assert host.now.time == 0, "the mode outlives a run"
        host.runs.start(StartOrder(map_name=TOWN, frame=0))
        assert not host.pace.synchronous
    finally:
        host.pace.release()


def test_a_recording_from_the_middle_of_a_run_is_replayed_by_the_command_too(host):
    file = host.records.begin("middle")
    assert host.records.recording.active
    first = host.now.tick
    until(lambda: host.now.tick > first + 10)
    assert host.records.finish() == file
    assert not host.records.recording.active
    assert host.records.finish() == ""
    assert replay_file(type(host.data)(file), None, host.data).equal


def test_a_replay_is_compared_tick_by_tick(host):
    host.records.begin("twice")
    host.current.gateway.do([SetCruise(EGO, speed=7.0)])
    first = host.now.tick
    until(lambda: host.now.tick >= first + 20)
    host.records.finish()
    end = host.records.load("twice").end
    assert end >= 20
    with pytest.raises(InputError, match="not within"):
        host.records.add_span(5, end + 1)
    host.records.play()
    until(lambda: not host.records.replaying.active)
    status = host.records.replaying
    assert (status.ticks, status.end, status.problem) == (end, end, "")
    assert host.now.vehicle.cruise_speed[0] == 7.0
    host.context.clock.change(0.05)  # the replay is to last while a stranger's command comes
    try:
        host.records.play()
        host.current.gateway.do([SetCruise(EGO, speed=9.0)])
    finally:
        host.context.clock.change(SPEED)
    host.runs.restart()
    until(lambda: host.records.replaying.problem)


def test_the_keyboard_of_a_recording_drives_in_its_replay_and_not_after_it(host):
    do = host.current.gateway.do
    do([TakeKeyboard(EGO)])
    host.records.begin("keys")
    do([DriveByKeyboard(EGO, accelerator=0.5)])
    first = host.now.tick
    until(lambda: host.now.tick > first + 10)
    host.records.finish()
    host.records.load("keys")
    host.records.play()
    until(lambda: not host.records.replaying.active)
    assert host.records.replaying.problem == ""
    until(lambda: not host.now.vehicle.seized[0])
    assert host.now.vehicle.control_kind[0] == ControlKind.HOLD
    host.runs.restart()
    until(lambda: not host.now.vehicle.seized[0])
    host.current.gateway.do([DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.AUTO, brake=1.0)])


def test_recordings_that_are_none_are_named(host):
    (host.data / "Recording" / "broken.rec").write_bytes(b"no recording")
    for name, words in (("none", "none of this name"), ("../lap", "leads out"), ("", "empty"), ("broken", "recording")):
        with pytest.raises(InputError, match=words):
            host.records.load(name)
    with pytest.raises(InputError, match="leads out"):
        host.records.begin("../../out")
