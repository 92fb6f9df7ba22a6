"""Scenarios as a user meets them: `dorosim run --scenario`, `dorosim scenario check`, populated worlds."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dorosim.app.analyse.scenario_file import check_scenario, save_world
from dorosim.app.cli.main import app
from dorosim.app.run.initial_commands import read_script
from dorosim.app.setting.settings import EgoSettings, Settings, TrafficSettings, UdpSettings
from dorosim.app.store.scenario import ScenarioFolder, find_scenario
from dorosim.ground.error import InputError
from dorosim.recording.snapshot import read_snapshot_bytes, snapshot_from_bytes
from dorosim.world.environment.weather import Season, WeatherKind
from tests.app.command import dorosim, dorosim_process
from tests.app.network import network_file
from tests.app.scenario_file import START, scenario
from tests.loaded import loaded_command
from tests.packet import scenario_load, status_number
from tests.port import free_port, in_use_here
from tests.shared import shared
from tests.system.rig import Rig

KCITY = "scenario_kcity_sample.json"


@pytest.fixture
def sample() -> Path:
    return shared("samples") / KCITY


def run_of(folder: Path, *options: str | Path):
    net = network_file(folder, free_port(), free_port())
    return dorosim("run", "--network", net, "--data", folder, "--speed", "max", *options)


def test_a_run_begins_with_the_weather_season_and_hour_of_its_settings(tmp_path):
    record, saved, config = tmp_path / "run.rec", tmp_path / "end.snapshot", tmp_path / "my.toml"
    config.write_text('[environment]\nweather = "snowy"\nseason = "winter"\ntime_of_day = 8.0\n')
    options = ("--config", config, "--time-of-day", "18.5", "--duration", "1", "--record", record)
    run = run_of(tmp_path, *options, "--save-snapshot", saved)
    assert run.returncode == 0
    assert "environment: winter, snowy, 18:30" in run.stderr
    now = snapshot_from_bytes(str(saved), read_snapshot_bytes(saved)).snapshot.environment
    assert (now.weather[0], now.season[0], now.time_of_day[0]) == (WeatherKind.SNOWY, Season.WINTER, 18.5 * 3600.0)
    assert now.snow_depth[0] > 0.0, "as if it had snowed for a while"
    again = run_of(tmp_path, "--config", config, "--from", saved, "--duration", "1", "--record", record)
    assert again.returncode == 0
    assert "environment:" not in again.stderr, "it is in the snapshot"


def test_a_populated_run_is_recorded_saved_loaded_and_checked(tmp_path):
    saved, record = tmp_path / "saved.json", tmp_path / "run.rec"
    crowd = ("--vehicles", "25", "--pedestrians", "6")
    run = run_of(tmp_path, *crowd, "--duration", "5", "--save-scenario", saved, "--record", record)
    assert run.returncode == 0
    assert "traffic: 25 NPC vehicles, 6 pedestrians" in run.stderr
    assert f"saved {saved}: ego vehicle, 25 NPC vehicles, 6 pedestrians, 10 intersections" in run.stdout
    assert [path.name for path in tmp_path.glob(".saved*")] == []
    assert "replayed: every snapshot is equal" in dorosim_process("replay", record, "--data", tmp_path).stdout
    assert check_scenario(str(saved), "town", tmp_path)["missing"] == []
    again = run_of(tmp_path, "--scenario", saved, "--duration", "1", "--record", record)
    assert again.returncode == 0
    assert f"scenario {saved}: ego vehicle, 25 NPC vehicles, 6 pedestrians" in again.stderr
    assert "refused" not in again.stderr + again.stdout
    saved.unlink()
    assert dorosim("replay", record, "--data", tmp_path).returncode == 0


def test_a_client_loads_a_scenario_into_a_run_whose_recording_has_it(tmp_path):
    (tmp_path / "Scenario").mkdir()
    record = tmp_path / "run.rec"
    scenario(tmp_path / "Scenario", "first", START)
    listen, status = free_port(), free_port()
    net = network_file(tmp_path, listen, status)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.bind(("127.0.0.1", status))
        client.settimeout(60)
        command = [*loaded_command(), "run", "-q", "--network", net, "--data", tmp_path, "--record", record]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        client.recv(1000)
        client.sendto(scenario_load("first", False, False, True), ("127.0.0.1", listen))
        while abs(status_number(client.recv(1000), 77) - 12.0) > 0.01:
            pass
        client.sendto(scenario_load("../second", True), ("127.0.0.1", listen))
        lines = [run.stderr.readline()]
        while lines[-1] and "refused: " not in lines[-1]:
            lines.append(run.stderr.readline())
        run.send_signal(signal.SIGINT)
        output, told = run.communicate(timeout=60)
        told = "".join(lines) + told
    assert run.returncode == 0
    assert "first.json: ego vehicle\n" in told
    assert f"refused: 127.0.0.1:{listen}: ScenarioLoad: ../second: leads out of" in told
    assert "of the received: 2 (refused 1, scenario loaded 1)" in output
    (tmp_path / "Scenario" / "first.json").unlink()
    assert "replayed: every snapshot is equal" in dorosim_process("replay", record, "--data", tmp_path).stdout


SAVED = {
    "egoNetworkData": [
        {
            "UNIQUEID": 0,
            "listEgoNetworkInfo": [
                {"PUBSUB_TYPE": 770, "Division_TYPE": 1, "config": {"commType": 1, "pubFrequency": 50.0}},
                {"PUBSUB_TYPE": 783, "Division_TYPE": 2, "config": {"commType": 1}},
            ],
        }
    ]
}


def saved_network(folder: Path, name: str, listen: int, status: int) -> None:
    """Network settings as the product saves them."""
    content = json.loads(json.dumps(SAVED))
    told, heard = (one["config"] for one in content["egoNetworkData"][0]["listEgoNetworkInfo"])
    told["udpConfig"] = {"hostIP": "127.0.0.1", "hostPort": 0, "destinationIP": "127.0.0.1", "destinationPort": status}
    heard["udpConfig"] = {"hostIP": "127.0.0.1", "hostPort": listen}
    (folder / f"{name}.json").write_text(json.dumps(content))


def test_the_network_flag_of_scenario_load_changes_addresses_while_the_run_goes_on(tmp_path):
    """From a file of dorosim beside the scenario, and from one that the product saved in Network/."""
    for name in ("Scenario", "Network"):
        (tmp_path / name).mkdir()
    for name in ("first", "second", "third"):
        scenario(tmp_path / "Scenario", name, START)
    (start, *listen), ears = (
        [free_port() for _ in range(4)],
        [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3)],
    )
    for ear in ears:
        ear.bind(("127.0.0.1", 0))
        ear.settimeout(60)
    status = [ear.getsockname()[1] for ear in ears]
    network_file(tmp_path / "Scenario", listen[0], status[1]).rename(tmp_path / "Scenario" / "first.toml")
    saved_network(tmp_path / "Network", "second", listen[1], status[2])
    (tmp_path / "Network" / "third.toml").write_text(f'[[listen]]\naddress = "127.0.0.1:{status[0]}"\n')
    net = network_file(tmp_path, start, status[0])
    command = [*loaded_command(), "run", "-q", "--network", net, "--data", tmp_path]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ears[0].recv(1000)
    ears[0].sendto(scenario_load("first", False, True), ("127.0.0.1", start))
    assert len(ears[1].recv(1000)) == 229
    ears[0].sendto(scenario_load("second", False, True), ("127.0.0.1", listen[0]))
    assert len(ears[2].recv(1000)) == 229
    ears[0].sendto(scenario_load("third", False, True), ("127.0.0.1", listen[1]))
    ears[0].sendto(scenario_load("first", False, False), ("127.0.0.1", listen[1]))
    assert len(ears[2].recv(1000)) == 229
    for _ in range(50):
        ears[2].recv(1000)
    run.send_signal(signal.SIGINT)
    output, told = run.communicate(timeout=60)
    for ear in ears:
        ear.close()
    assert run.returncode == 0
    assert f"first.toml: listening to 127.0.0.1:{listen[0]}; sending EgoVehicleStatus to 127.0.0.1:{status[1]}" in told
    assert f"second.json: listening to 127.0.0.1:{listen[1]}; sending EgoVehicleStatus to 127.0.0.1:{status[2]}" in told
    assert f"third.toml: 127.0.0.1:{status[0]}: {in_use_here()}" in told
    assert "of the received: 4 (refused 1, scenario loaded 3)" in output


def test_network_settings_of_a_scenario_are_found_and_none_outside_the_folder(tmp_path):
    folder, networks = tmp_path / "Scenario", tmp_path / "Network"
    (folder / "town").mkdir(parents=True)
    (networks / "town").mkdir(parents=True)
    scenario(folder / "town", "first", START)
    outside = tmp_path / "outside.toml"
    outside.write_text("")

    def found() -> str:
        return ScenarioFolder(folder, "town").read("first").network.removeprefix(f"{tmp_path}/")

    assert found() == ""
    (networks / "first.toml").symlink_to(outside)
    assert found() == "", "a link out of the folder"
    for name in (
        "Network/first.json",
        "Network/town/first.json",
        "Network/town/first.toml",
        "Scenario/town/first.toml",
    ):
        (tmp_path / name).write_text("{}")
        assert found() == name, "those found later come before"


def test_checking_says_what_loads_what_falls_back_and_what_is_missing(tmp_path, sample):
    (tmp_path / "Scenario").mkdir()
    shutil.copy(sample, tmp_path / "Scenario" / "kcity.json")
    check = dorosim("scenario", "check", "kcity", "--data", tmp_path)
    assert check.returncode == 1
    lines = check.stdout.splitlines()
    assert lines[0].endswith("kcity.json, made for map R_KR_PG_K-City, on built-in town")
    assert lines[1:3] == [
        "loads: ego vehicle, 25 obstacles",
        "leaves out: 5 of 5 in spawnPointList, 7 of 7 in tlList",
    ]
    assert "  objectList: DataID 40100003 is not in the catalogue; box stands in (10 times)" in lines
    assert "  spawnPointList[0].startLinkInfo: the map has no link 'A219BS010313'" in lines


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["scenario", "check", "nothing"], "scenario 'nothing': there is none of this name"),
        (["scenario", "check", "../x"], "leads out of"),
        (["scenario", "check", "BROKEN"], "tlList: expected a list, found an object"),
        (["scenario", "check", "BROKEN", "--map", "nowhere"], "tlList"),
        (["run", "--scenario", "nothing"], "scenario 'nothing': there is none of this name"),
        (["run", "--scenario", "cut-in.xosc"], "scenario 'cut-in.xosc': there is none of this name"),
        (["run", "--scenario", "BROKEN"], "tlList: expected a list, found an object"),
        (["run", "--save-scenario", "/nowhere/x.json"], "there is no folder /nowhere"),
        (["run", "--vehicles", "5000"], "at most room for"),
        (["run", "--pedestrians", "-3"], "--pedestrians: -3 is outside 0 to"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(tmp_path, arguments, words):
    """Exit status 2, as of any such error: see test_cli."""
    broken = tmp_path / "broken.json"
    broken.write_text('{"tlList": {}}')
    arguments = [str(broken) if one == "BROKEN" else one for one in arguments]
    if arguments[0] == "run":
        arguments += ["--network", network_file(tmp_path, free_port(), free_port())]
    error = CliRunner().invoke(app, [*map(str, arguments), "--data", str(tmp_path)]).exception
    assert isinstance(error, InputError)
    assert words in str(error)
    assert str(error).isprintable()


def test_the_ego_vehicle_is_that_of_the_scenario_unless_the_user_chose_one(tmp_path):
    known = scenario(tmp_path, "known", START | {"modelName": "2015_kia_k5"})
    script = read_script(Settings(scenario=str(known)), tmp_path)
    assert script.settings.ego == (EgoSettings(vehicle="2015_Kia_K5", pose=(12.0, -3.0, 90.0)),)
    unknown = scenario(tmp_path, "unknown", START | {"DataID": 20100014})
    script = read_script(Settings(scenario=str(unknown)), tmp_path)
    assert script.settings.ego == (EgoSettings(pose=(12.0, -3.0, 90.0)),)
    mine = Settings(scenario=str(known), ego=(EgoSettings(vehicle="2016_Hyundai_Universe"),))
    assert read_script(mine, tmp_path, {"ego"}).settings == mine
    assert read_script(Settings(), tmp_path).stored is None


def test_network_settings_beside_a_scenario_are_those_of_the_run_unless_others_are_given(tmp_path):
    file = scenario(tmp_path, "first", START)
    assert read_script(Settings(scenario=str(file)), tmp_path).network is None
    (tmp_path / "first.toml").write_text('[[listen]]\naddress = "127.0.0.1:4455"\n')
    network, notices = read_script(Settings(scenario=str(file)), tmp_path).network
    assert ([address.port for address in network.listen], notices) == ([4455], [])
    given = Settings(scenario=str(file), udp=UdpSettings(network="mine.toml"))
    assert read_script(given, tmp_path).network is None


def test_scenarios_are_found_as_files_and_by_name(tmp_path):
    folder = tmp_path / "Scenario"
    (folder / "town").mkdir(parents=True)
    here = scenario(tmp_path, "here", START)
    there = scenario(folder, "there", START)
    of_map = scenario(folder / "town", "of_map", START)
    assert find_scenario(str(here), tmp_path, "town").source == str(here)
    for name in ("there", "there.json"):
        assert find_scenario(name, tmp_path, "town").source == str(there)
    assert find_scenario("of_map", tmp_path, "town").source == str(of_map)
    with pytest.raises(InputError, match="known scenarios: there, town/of_map"):
        find_scenario("of_map", tmp_path, "K-City")
    with pytest.raises(InputError, match="is a name of 5,000 letters"):
        ScenarioFolder(folder, "town").read("x" * 5000)
    with pytest.raises(InputError, match="is a name of 5,000 letters"):
        find_scenario("x" * 5000, tmp_path, "town")
    with pytest.raises(InputError, match="put the file there"):
        ScenarioFolder(tmp_path / "empty", "town").read("there")


def test_the_world_is_saved_all_at_once_or_not_at_all(tmp_path):
    run = Rig(Settings(traffic=TrafficSettings(vehicles=3)), tmp_path)
    run.turn(5)
    path = tmp_path / "world.json"
    lines = save_world(path, run.now, run.opening.loader)
    assert lines == [f"saved {path}: ego vehicle, 3 NPC vehicles, 10 intersections"]
    before = path.read_bytes()
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        save_world(folder, run.now, run.opening.loader)
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["folder", "world.json"]
