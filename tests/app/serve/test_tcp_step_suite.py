"""Suites and scenarios over TCP."""

from __future__ import annotations

import json
import math
import socket
import struct

import pytest

from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import SelectMode
from dorosim.world.vehicle.mode import ControlMode, Gear
from tests.app.serve.suite_file import write_suite
from tests.app.serve.tcp_step_program import served
from tests.port import free_port
from tests.system.step_client import (
    INVALID_PARAM,
    INVALID_STATE,
    LOAD_SUITE,
    MANUAL,
    NEXT,
    OK,
    PAUSE,
    PLAY,
    PREVIOUS,
    SCENARIO_CONTROL,
    SCENARIO_STATUS,
    SET_TIME,
    STEP,
    STOP,
    SUITE,
    manual,
    text,
)
from tests.timing import wait_for


def texts(raw: bytes, count: int) -> tuple[list[str], bytes]:
    found = []
    for _ in range(count):
        (size,) = struct.unpack_from("<I", raw)
        found.append(raw[4 : 4 + size].decode())
        raw = raw[4 + size :]
    return found, raw


def suite_of(client) -> tuple[str, str, list[str]]:
    (name, active), rest = texts(client.done(SUITE), 2)
    (count,) = struct.unpack_from("<I", rest)
    names, rest = texts(rest[4:], count)
    assert rest == b""
    return name, active, names


def control(client, command: int, name: str = "") -> int:
    return client.ask(SCENARIO_CONTROL, struct.pack("<I", command) + text(name))[0]


def state_of(client) -> int:
    rest = client.done(SCENARIO_STATUS)
    assert len(rest) == 4
    return struct.unpack("<I", rest)[0]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suite")
    with served(folder) as program:
        program.told_port, program.drive_port = free_port(), free_port()
        write_suite(program.program.data / "Scenario" / "Suites", program.told_port, program.drive_port)
        yield program


@pytest.fixture
def client(run):
    """A client; afterwards time passes by itself."""
    with run.client() as one:
        yield one
    with run.client() as last:
        last.done(SET_TIME, struct.pack("<iff", 1, 0.0, 4.0))


@pytest.fixture
def info(run):
    """Where the project sends Vehicle Info."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", run.told_port))
        sock.settimeout(60.0)
        yield sock


def test_without_a_suite_the_run_itself_plays_and_stops(run, client):
    assert suite_of(client) == ("", "", [])
    assert state_of(client) == PLAY
    wait_for(lambda: run.now.time > 0, 60.0)  # a run paused before its first tick is told as stopped
    assert control(client, PAUSE) == OK
    assert state_of(client) == PAUSE
    assert control(client, STOP) == OK
    assert (state_of(client), run.now.time) == (STOP, 0)
    assert control(client, NEXT) == INVALID_STATE
    assert control(client, PLAY, "nothing") == INVALID_PARAM
    assert control(client, 6) == INVALID_PARAM
    assert control(client, PLAY) == OK
    assert state_of(client) == PLAY


def test_the_flow_of_the_examples(run, client, info):
    """Connect, set the mode, load a suite, play, 1,000 times control, step and read, stop."""
    client.done(SET_TIME, struct.pack("<iff", 3, 10.0, 1.0))
    client.done(LOAD_SUITE, text("Suites/My suite.msuite"))
    assert suite_of(client) == ("My suite", "Alone", ["Alone", "Pair", "Far"])
    assert state_of(client) == STOP
    assert client.ask(STEP, struct.pack("<I", 1))[0] == INVALID_STATE, "it is not played"
    assert control(client, PLAY) == OK
    assert state_of(client) == PLAY
    assert math.dist((float(run.now.vehicle.x[0]), float(run.now.vehicle.y[0])), (-244.4, 73.3)) < 0.1
    assert float(run.now.parameter.mass[0]) == 550.0
    assert math.degrees(float(run.now.parameter.max_steer[0])) == pytest.approx(25.0)
    begin, speeds = run.now.time, []
    for number in range(1, 1001):
        client.done(MANUAL, manual(0.3, 0.0, 0.1))
        client.step()
        nanos, name, speed = struct.unpack("<i24sd", info.recv(100))
        assert nanos == (begin + number * 10_000_000) % 10**9
        assert name.rstrip(b"\0") == b"Car_1"
        speeds.append(speed)
    assert speeds[-1] == pytest.approx(float(run.now.vehicle.velocity_x[0]))
    assert max(speeds) > 3.0, "it is driven by tyres"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.sendto(struct.pack("<ddd", 0.0, 1.0, 0.0), ("127.0.0.1", run.drive_port))
        client.step()
    assert float(run.now.vehicle.target_brake[0]) == 1.0
    assert control(client, STOP) == OK
    assert (state_of(client), run.now.time) == (STOP, 0)
    assert float(run.now.parameter.mass[0]) == 550.0, "the project's numbers count from the start again"
    assert control(client, PLAY) == OK
    assert math.degrees(float(run.now.parameter.max_steer[0])) == pytest.approx(25.0)
    told = "\n".join(run.told)
    assert "interface 'Cam' is not used" in told
    assert (
        "AgentModels of Car_1: Idm: timeGap, minDistance, maxAcceleration, comfortDeceleration, desiredSpeed used"
        " where it drives itself; jerk kept and not used"
    ) in told
    assert "AgentModels of Car_1: Gipps, 2 numbers and words, kept and not used" in told
    assert "AgentModels of Car_9: Idm, 2 numbers and words, kept and not used" in told
    assert "DynamicsCustomData of Car_1: vehicleSetup.dragCoefficient are kept and not used" in told


def test_scenarios_of_a_suite_are_gone_through(run, client):
    client.done(SET_TIME, struct.pack("<iff", 3, 10.0, 1.0))
    client.done(LOAD_SUITE, text(r"C:\\Users\me\Desktop\Suites\My suite.msuite"))
    client.done(LOAD_SUITE, text("Suites\\My suite"))
    assert control(client, PREVIOUS) == INVALID_PARAM, "it is the first"
    assert control(client, NEXT) == OK
    assert (suite_of(client)[1], state_of(client)) == ("Pair", STOP)
    assert control(client, PLAY, "Far") == OK
    assert (suite_of(client)[1], state_of(client)) == ("Far", PLAY)
    assert control(client, NEXT) == INVALID_PARAM
    assert control(client, PREVIOUS) == OK
    assert (suite_of(client)[1], state_of(client)) == ("Pair", PLAY), "it plays on"
    assert len(run.now.egos) == 2
    client.done(MANUAL, manual(0.8, 0.0, 0.0, "Car_2"))
    client.step(150)
    assert float(run.now.vehicle.velocity_x[1]) > 1.0, "no story acts on it, so clients drive it"
    assert abs(float(run.now.vehicle.velocity_x[0])) < 0.1
    assert control(client, PAUSE) == OK
    assert client.ask(STEP, struct.pack("<I", 1))[0] == INVALID_STATE


def test_suites_that_cannot_be_leave_the_run_as_it_is(run, tmp_path, client):
    folder = run.program.data / "Scenario"
    outside = write_suite(tmp_path / "elsewhere")
    (folder / "broken.msuite").write_text("{")
    (folder / "empty.msuite").write_text('{"name": "x", "projectList": []}')
    (folder / "out.msuite").write_text('{"projectList": [{"name": "a", "filepath": "../../a.mproj"}]}')
    (folder / "gone.msuite").write_text('{"projectList": [{"name": "a", "filepath": "a.mproj"}]}')
    (folder / "mars.mproj").write_text(
        json.dumps({"map": {"name": "Mars"}, "scenarioList": [{"name": "a", "path": "a.xosc"}]})
    )
    text_of = (folder / "Suites" / "One" / "Alone.xosc").read_text()
    (folder / "a.xosc").write_text(text_of.replace('value="town"', 'value="Mars"'))
    (folder / "mars.msuite").write_text('{"projectList": [{"name": "a", "filepath": "mars.mproj"}]}')
    before = run.program.current.number
    names = ("mars", "", "nowhere", "broken", "empty", "out", "gone", "../secret", str(outside), "a\0b", "x" * 5000)
    names += ("C:/../../My suite.msuite", "/" + "a/" * 2000, "C:")
    for name in names:
        assert client.ask(LOAD_SUITE, text(name)) == (INVALID_PARAM, b""), name
    assert run.program.current.number == before

    def is_told() -> bool:
        # a kind of problem is told once a second, and another one may have been the last
        client.ask(LOAD_SUITE, text("mars"))
        return any("Mars" in line for line in run.told)

    wait_for(is_told)


def test_a_folder_that_the_settings_list_may_hold_suites(tmp_path):
    path = write_suite(tmp_path / "elsewhere")
    with served(tmp_path, suites=(str(tmp_path / "elsewhere"),)) as program, program.client() as client:
        client.done(LOAD_SUITE, text(str(path)))
        assert suite_of(client)[0] == "My suite"


def test_a_vehicle_that_drives_itself_follows_as_its_agent_says(run, client):
    client.done(SET_TIME, struct.pack("<iff", 3, 10.0, 1.0))
    client.done(LOAD_SUITE, text("Suites/My suite.msuite"))
    for _ in range(2):  # each time that it begins to cruise it has another driver
        assert control(client, STOP) == OK
        assert control(client, PLAY) == OK
        client.step()
        assert float(run.now.vehicle.cruise_speed[0]) == 9.0
        run.program.current.gateway.do([SelectMode(EGO, ControlMode.CRUISE, Gear.D)])
        client.step()
        assert run.now.traffic.rows == 1
        assert float(run.now.traffic.standstill_gap[0]) == 2.0, "dorosim's own, as drawn"
        client.step()
        traffic = run.now.traffic
        assert float(traffic.time_gap[0]) == 1.2
        assert float(traffic.standstill_gap[0]) == 1.0
        assert float(traffic.comfortable_acceleration[0]) == 2.0
        assert float(traffic.comfortable_deceleration[0]) == 1.5
        assert float(traffic.desired_speed[0]) == 9.0
    client.step(500)
    assert float(run.now.vehicle.velocity_x[0]) > 3.0
    assert not [line for line in run.told if "no vehicle that cruises" in line]
