"""A program that drives in a scenario run is reached as a settings file and options say."""

from __future__ import annotations

import shlex
import sys

import pytest

from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.run.scenario_interface import StackOptions
from dorosim.endpoint.loop import lockstep
from dorosim.ground.error import InputError
from tests.app.command import dorosim
from tests.app.run.test_scenario_stack import CUT_IN, NETWORK
from tests.port import free_port

CONFIG = """map = "village"
seed = 7
[traffic]
vehicles = 50
[udp]
revision = "25.S4"
watchdog = "brake"
[ros]
generation = "2022"
[[sensor]]
kind = "gps"
"""
LISTENER = """
import socket, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as status:
    status.bind(("127.0.0.1", int(sys.argv[1])))
    sys.exit(0 if len(status.recv(4096)) == int(sys.argv[2]) else 7)
"""


@pytest.fixture
def config(tmp_path):
    """A settings file with keys of interfaces and others."""
    path = tmp_path / "mine.toml"
    path.write_text(CONFIG)
    return path


def test_only_interfaces_and_sensors_of_a_settings_file_count(config):
    settings, given = StackOptions(config=str(config)).interfaces()
    assert (settings.udp.revision, settings.udp.watchdog, settings.ros.generation) == ("25.S4", "brake", "2022")
    assert [one.kind for one in settings.sensor] == ["gps"]
    assert (settings.map, settings.seed, settings.traffic.vehicles) == ("town", 0, 0)
    assert {"udp.revision", "sensor[0].kind"} <= given
    assert not {"map", "seed", "traffic.vehicles"} & given


def test_options_count_more_than_the_file(config):
    options = StackOptions(config=str(config), revision="26.R1", ros_master="http://127.0.0.1:11311", sensors="my set")
    settings, given = options.interfaces()
    assert (settings.udp.revision, settings.udp.watchdog) == ("26.R1", "brake")
    assert (settings.ros.master, settings.ros.generation, settings.sensors) == (options.ros_master, "2022", "my set")
    assert {"ros.master", "sensors"} <= given
    words = options.arguments()
    assert words == [
        *("--config", str(config), "--revision", "26.R1", "--sensors", "my set"),
        *("--ros-master", "http://127.0.0.1:11311"),
    ]


def test_a_file_in_the_present_folder_does_not_count_by_itself(config, tmp_path, monkeypatch):
    config.rename(tmp_path / "dorosim.toml")
    monkeypatch.chdir(tmp_path)
    assert StackOptions().interfaces().settings.udp.revision == "24.R2"


def test_a_settings_file_that_is_wrong_is_told_before_any_run(tmp_path):
    missing = dorosim("scenario", "run", CUT_IN, "--ego", "udp", "--config", tmp_path / "none.toml")
    assert (missing.returncode, missing.stdout) == (ExitCode.BAD_INPUT, "")
    assert "none.toml: No such file or directory" in missing.stderr
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('[udp]\nrevison = "25.S4"\n')
    with pytest.raises(InputError, match=r"wrong\.toml: udp\.revison"):
        StackOptions(config=str(wrong)).interfaces()


@pytest.mark.parametrize("option", ["--revision", "--config", "--ros-master", "--sensors"])
def test_what_is_for_programs_is_refused_where_none_drives(option):
    done = dorosim("scenario", "run", CUT_IN, option, "x")
    assert done.returncode == ExitCode.BAD_INPUT
    assert f"{option}: no program drives the ego vehicle" in done.stderr


def test_a_revision_chooses_the_bytes_and_addresses_stand_beside_a_silence(tmp_path, monkeypatch):
    monkeypatch.setattr(lockstep, "PROGRAM_TIMEOUT_S", 0.5)
    ports = {name: free_port() for name in ("control", "status", "things")}
    net, listener = tmp_path / "net.toml", tmp_path / "listener.py"
    net.write_text(NETWORK.format(**ports))
    listener.write_text(LISTENER)
    config = tmp_path / "mine.toml"
    config.write_text(f'[udp]\nrevision = "25.S4"\nnetwork = "{net}"\n')
    words = shlex.join([sys.executable, str(listener), str(ports["status"]), "181"])
    done = dorosim("scenario", "run", CUT_IN, "--ego", "udp", "--lockstep", "--config", config, "--stack", words)
    line = done.stdout.splitlines()[-1]
    assert line.startswith("broken: no command of the program came by UDP within 0.5 s; the run sends EgoVehicleStatus")
    assert f"EgoVehicleStatus to 127.0.0.1:{ports['status']} and ObjectInfo to 127.0.0.1:{ports['things']}" in line
    assert f"and listens at 127.0.0.1:{ports['control']}" in line
    assert "held" not in done.stdout, "nothing was judged"
