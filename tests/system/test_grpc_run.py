"""Runs over gRPC, in the real program: other maps while UDP goes on, steps by several clients, recordings, replays."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import grpc
import pytest

from dorosim.app.store.map import TOWN, read_map_files
from tests.packet import control
from tests.system.scenario_file import FILE
from tests.system.served_program import Client, Program, served
from tests.timing import wait_for

START, MODE, TICK = "Simulation/Start", "Simulation/SetSynchronousMode", "Simulation/Tick"
KIA = "2015_Kia_K5"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A data folder with another map and a scenario in it, a program, and a client."""
    folder = tmp_path_factory.mktemp("served")
    other = folder / "data" / "Map" / "elsewhere"
    other.mkdir(parents=True)
    for name, content in read_map_files(TOWN).files.items():
        (other / name).write_bytes(content)
    shelf = folder / "data" / "Scenario"
    shelf.mkdir()
    (shelf / "first.json").write_text(json.dumps(FILE))
    settings = folder / "dorosim.toml"
    settings.write_text("[grpc]\nstep_patience_s = 100.0\n")  # longer than the deadline of any call here
    with served(folder, "--config", str(settings), "--epoch", "1000") as both:
        yield both


@pytest.fixture
def program(place) -> Program:
    return place[0]


@pytest.fixture
def client(place) -> Client:
    """Of a program that runs by the clock."""
    place[1].done(MODE, type=1)
    place[1].done("Simulation/Resume")
    return place[1]


def has_run(client: Client, milliseconds: int = 300) -> None:
    """Wait until the run has gone on for so long from its beginning [ms]."""
    wait_for(lambda: client.ask("Simulator/GetTimestamp").value > 1_000_000 + milliseconds)


def stands(program: Program) -> bool:
    """Whether the next ten statuses show the same time."""
    return len({program.ego()[0] for _ in range(10)}) == 1


def test_another_map_is_loaded_while_datagrams_go_on(program, client):
    before = program.ego()
    assert client.ask("LoadMap", map_name="elsewhere", ego_name=KIA).description == "map elsewhere"
    x, y = before[1:]
    after = program.ego()
    assert after[0] < 1005.0, "a run of its own, from time 0"
    deadline = time.monotonic() + 60.0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as driver:
        while abs(after[1] - x) + abs(after[2] - y) < 1.0 and time.monotonic() < deadline:
            driver.sendto(control(accel=1.0), ("127.0.0.1", program.listen))
            after = program.ego()
    assert abs(after[1] - x) + abs(after[2] - y) >= 1.0, "datagrams drive the vehicle of the new run"
    assert "elsewhere" in client.ask("Simulator/GetAvailableMaps").values


def test_a_map_that_is_not_there_leaves_the_run_as_it_is(program, client):
    client.ask("LoadMap", map_name="town")
    has_run(client)
    before = program.ego()
    for name in ("nowhere", "../Map/elsewhere", str(program.data / "Map" / "elsewhere")):
        answer = client.ask("LoadMap", map_name=name)
        assert not answer.success
        assert "known maps" in answer.description
    assert program.ego()[0] > before[0]


def test_a_start_as_public_clients_make_it(program, client):
    fields = {
        "map_and_vehicle": {"map_name": "town", "ego_vehicle_model": KIA},
        "ego_setting": {"ego_id": "Ego", "label": "Ego", "client_key": "me"},
        "ego_transform": {"location": {"x": -200.0, "y": 76.0, "z": 0.0}, "rotation": {"z": 3.0}},
        "ego_cruise_setting": {"cruise_on": True, "cruise_type": 2, "constant_velocity": 36.0},
        "client_key": "me",
    }
    assert client.done(START, **fields).description == "map town"
    _, x, y = program.ego()
    assert (x, y) == pytest.approx((-200.0, 76.0), abs=5.0)
    deadline = time.monotonic() + 60.0
    while program.ego()[1] < x + 0.5:
        assert time.monotonic() < deadline, "it does not cruise"
    again = client.done(START, map_and_vehicle=fields["map_and_vehicle"])
    assert again.description == "same map"
    assert program.ego()[1] == pytest.approx(-200.0, abs=5.0), "it stands where it started"
    assert client.done("Simulation/Stop", value="me").description.startswith("the run stands")
    assert stands(program)


def test_a_start_with_files_loads_them(program, client):
    files = {"morai_scenario_filename": "first"}
    client.done(START, map_and_vehicle={"map_name": "town"}, simulation_settings=files)
    assert program.ego()[1:] == pytest.approx((-200.0, 76.0), abs=10.0)
    for wrong in ({"morai_scenario_filename": "none"}, {"sensor_setting_filename": "none"}):
        before = program.ego()
        assert client.ask(START, simulation_settings=wrong).status == 0
        assert program.ego()[0] > before[0] - 0.1


def test_a_start_that_the_world_refuses_leaves_the_run_as_it_is(program, client):
    client.ask("LoadMap", map_name="town")
    has_run(client)
    before = program.ego()
    answer = client.ask(START, ego_setting={"label": "x" * 300})
    assert answer.status == 0
    assert "too long" in answer.description
    answer = client.ask(START, map_and_vehicle={"map_name": "elsewhere"}, mode={"type": 2, "tick_period": 7})
    assert answer.status == 0
    assert "multiple" in answer.description
    assert program.ego()[0] > before[0]


def test_a_scenario_is_loaded_into_the_run(program, client):
    client.ask("LoadMap", map_name="town")
    client.ask("LoadSimScenario", scenario_filename="first")
    assert program.ego()[1:] == pytest.approx((-200.0, 76.0), abs=10.0)
    client.done("Scenario/LoadMoraiScenario", value="first")
    with pytest.raises(grpc.RpcError) as failed:
        client.ask("LoadSimScenario", scenario_filename="../../first")
    assert failed.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_pause_and_resume(program, client):
    client.done("Simulation/Pause")
    first = program.ego()[0]
    assert stands(program)
    assert program.ego()[0] == first
    client.done("Simulation/Resume")
    wait_for(lambda: program.ego()[0] > first)


def test_a_run_in_synchronous_mode_from_its_start_on(client):
    client.done(START, map_and_vehicle={"map_name": "elsewhere"}, mode={"type": 2, "tick_period": 30})
    for number in range(1, 21):
        told = client.ask(TICK, value=1)
        assert (told.frame_count, told.elapsed_time) == (number, 30 * number)
        assert client.ask("Simulator/GetTimestamp").value == 1_000_000 + 30 * number
    client.ask("LoadMap", map_name="town")
    for number in range(1, 21):
        assert client.ask(TICK, value=2).elapsed_time == 60 * number, "the mode outlives a run"
        assert client.ask("Simulator/GetTimestamp").value == 1_000_000 + 60 * number


def test_two_clients_step_together_and_one_that_dies_is_left_behind(tmp_path):
    settings = tmp_path / "dorosim.toml"
    settings.write_text("[grpc]\nstep_patience_s = 4.0\n")
    with served(tmp_path, "--config", str(settings)) as (program, first):
        first.done(MODE, type=2)
        other, times = program.client(), []
        base = first.ask(TICK, value=1).frame_count

        def steps() -> None:
            times.extend(other.ask(TICK, value=1).frame_count for _ in range(10))

        thread = threading.Thread(target=steps)
        thread.start()
        time.sleep(0.5)
        assert times == [], "it waits for the first"
        mine = [first.ask(TICK, value=1).frame_count for _ in range(10)]
        thread.join(60.0)
        assert times[-1] <= mine[-1] + 1
        assert mine[-1] <= base + 11
        other.close()
        moments = [time.monotonic()]
        for _ in range(20):
            last = first.ask(TICK, value=1).frame_count
            moments.append(time.monotonic())
        assert last >= mine[-1] + 20
        waits = sorted(after - before for before, after in pairwise(moments))
        assert waits[-1] > 2.0
        assert waits[10] < waits[-1] / 2, "waited for once"


def test_a_run_is_recorded_from_its_middle_on_and_replayed(client):
    client.ask("LoadMap", map_name="town", ego_name=KIA)
    client.done(START, ego_cruise_setting={"cruise_on": True, "cruise_type": 2, "constant_velocity": 36.0})
    has_run(client)
    assert client.done("Simulation/SetResimRecordMode", status=1, filepath="lap").description.endswith("lap.rec")
    client.done(MODE, type=2)
    client.ask(TICK, value=10)
    client.done("Scenario/LoadMoraiScenario", value="first")
    client.ask(TICK, value=30)
    assert client.ask("Simulation/GetResimRecordStatus").status == 1
    client.done("Simulation/SetResimRecordMode", status=2)
    assert client.ask("Simulation/GetResimRecordStatus").status == 2
    length = int(client.done("Simulation/ResimReplayInit", resim_file_Path="lap").description.rpartition(" ")[2])
    assert length >= 80
    assert client.ask("Simulation/GetResimReplayStatus").replay_status == 0
    client.done("Simulation/ResimReplayStart")
    assert replayed(client) == (length, 2)
    client.done("Simulation/ResimReplayInit", resim_file_Path="lap")
    for part in ((40, 60), (5, 10)):
        client.done("Simulation/AddResimReplayRange", start=part[0], end=part[1])
    assert client.ask("Simulation/AddResimReplayRange", start=1, end=length + 1).status == 0
    client.done("Simulation/ResimReplayStart")
    assert replayed(client) == (10, 2)
    client.done("Simulation/ResimReplayInit", resim_file_Path="lap", weather_list=["rainy", "snowy"])
    client.done("Simulation/AddResimReplayRange", start=0, end=5)
    client.done("Simulation/ResimReplayStart")
    assert replayed(client) == (5, 2)
    for name in ("none", "../lap", ""):
        assert client.ask("Simulation/ResimReplayInit", resim_file_Path=name).status == 0


def test_a_recording_that_is_chosen_while_another_is_replayed_stops_nothing(client):
    client.ask("LoadMap", map_name="town", ego_name=KIA)
    client.done("Simulation/SetResimRecordMode", status=1, filepath="short")
    client.done(MODE, type=2)
    client.ask(TICK, value=10)
    client.done("Simulation/SetResimRecordMode", status=2)
    client.done("Simulation/ResimReplayInit", resim_file_Path="short")
    client.done("Simulation/ResimReplayStart")
    client.done("Simulation/ResimReplayInit", resim_file_Path="short")
    for _ in range(30):
        assert client.ask("Simulation/WaitForTick").value > 0
    assert client.ask("Simulation/GetResimReplayStatus").replay_status == 0


def test_a_client_that_goes_away_in_its_step_is_not_waited_for(program, client):
    client.done(MODE, type=2)
    other = program.client()
    first = client.ask(TICK, value=1).frame_count
    with pytest.raises(grpc.RpcError) as given_up:
        other.ask(TICK, value=1, timeout=0.3)
    assert given_up.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    other.close()
    assert client.ask(TICK, value=3).frame_count == first + 3


def test_who_steps_when_another_ends_the_mode_is_told_so(program, client):
    """Tried until the step has come before the end, which a busy machine may do late."""
    other = program.client()

    def is_told(thread: ThreadPoolExecutor) -> bool:
        client.done(MODE, type=2)
        client.ask(TICK, value=1)
        step = thread.submit(other.ask, TICK, value=1)
        time.sleep(0.3)
        client.done(MODE, type=1)
        error = step.exception(60.0)
        return isinstance(error, grpc.RpcError) and "a client ended synchronous mode" in error.details()

    with ThreadPoolExecutor(1) as pool:
        wait_for(lambda: is_told(pool))
    other.close()


def test_many_clients_at_once_get_answers_all_the_time(program):
    """Whatever they ask for, of a run that others end under them."""
    asked = [
        ("LoadMap", {"map_name": "town", "ego_name": KIA}),
        ("LoadMap", {"map_name": "town"}),
        ("Pause", {}),
        ("Resume", {}),
        (MODE, {"type": 2}),
        (MODE, {"type": 1}),
        ("Simulation/SetResimRecordMode", {"status": 1, "filepath": "NAME"}),
        ("Simulation/SetResimRecordMode", {"status": 2}),
        ("Simulation/ResimReplayInit", {"resim_file_Path": "NAME"}),
        ("Simulation/ResimReplayStart", {}),
        ("Simulation/GetResimReplayStatus", {}),
        ("Simulation/Stop", {}),
        ("Simulator/GetAvailableMaps", {}),
    ]
    until = time.monotonic() + 4.0
    codes, answers = set(), []

    def ask_on(number: int) -> None:
        client, choice = program.client(), random.Random(number)
        while time.monotonic() < until or len(answers) <= 20:
            name, fields = choice.choice(asked)
            fields = {key: f"r{number}" if value == "NAME" else value for key, value in fields.items()}
            try:
                answers.append(client.ask(name, **fields))
            except grpc.RpcError as error:
                codes.add(error.code())
        client.close()

    threads = [threading.Thread(target=ask_on, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120.0)
    assert not any(thread.is_alive() for thread in threads)
    assert codes <= {grpc.StatusCode.UNAVAILABLE}, "the run changes just then"
    assert len(answers) > 20
    assert program.process.poll() is None


def replayed(client: Client) -> tuple[int, int]:
    """Frame and status of a replay when it has ended."""

    def told() -> Any:
        status = client.ask("Simulation/GetResimReplayStatus")
        return status if status.replay_status != 1 else None

    ended = wait_for(told)
    return ended.frame_number, ended.replay_status


def test_a_recording_ends_where_the_run_begins_anew(client):
    client.ask("LoadMap", map_name="town")
    client.done("Simulation/SetResimRecordMode", status=1, filepath="cut")
    has_run(client)
    client.ask("LoadMap", map_name="town")
    wait_for(lambda: client.ask("Simulation/GetResimRecordStatus").status == 2)
    assert client.done("Simulation/ResimReplayInit", resim_file_Path="cut").description.startswith("cut: frames 0 to ")
