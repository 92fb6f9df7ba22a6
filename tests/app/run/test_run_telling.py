"""What a run tells: the live table on a terminal, and events for machines."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import socket
import subprocess
from types import SimpleNamespace

import pytest
from rich.console import Console

from dorosim.app.run.report.banner import example_ports
from dorosim.app.run.report.log_output import MAX_WAITING_LINES, LogOutput
from dorosim.app.run.report.report import RunReport
from dorosim.app.run.report.run_facts import AddressLine
from dorosim.app.run.report.table import LABEL, ROWS, Look, RunTable, grouped, table_lines
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.pace_monitor import PaceMonitor
from dorosim.endpoint.loop.standstill import Standstill
from tests.app.command import dorosim_process
from tests.app.terminal import on_terminal
from tests.loaded import loaded_command
from tests.port import free_port

ESCAPE = "\x1b"


def test_rates_are_counted_between_two_looks(town):
    calls = {"gRPC a.b/GetState": 30, "gRPC UNAVAILABLE": 2, "/Ego_topic sent": 100, "/ctrl_cmd received": 0}
    first = Look(10.0, 0, 0, grouped({"EgoVehicleStatus": 50}, {"received EgoCtrlCmd": 0, "bad header": 0}, {}))
    later = grouped({"EgoVehicleStatus": 150}, {"received EgoCtrlCmd": 100, "bad header": 1, "clamped": 4}, calls)
    lines = table_lines(town.now, first, Look(12.0, 1_000_000_000, 100, later), 0.0012, 79)
    told = {line[:LABEL].strip(): " ".join(line[LABEL:].split()) for line in lines}
    assert "x 0.50 real time" in told["time"]
    assert "< 1.2 ms late" in told["time"]
    assert told["ego"] == "0.0 km/h, stands, held, until the first command"
    assert told["there are"] == "1 ego vehicle"
    assert told["UDP sent"] == "50 /s EgoVehicleStatus 50"
    assert told["UDP received"] == "50 /s EgoCtrlCmd 50"
    assert told["UDP bad"] == "0.5 /s header 0.5"
    assert told["gRPC calls"] == "15 /s GetState 15"
    assert told["ROS sent"] == "50 /s /Ego_topic 50"
    assert "ROS received" not in told


def test_ticks_that_are_not_due_at_any_time_are_not_late(town):
    lines = table_lines(town.now, Look(0.0, 0, 0, {}), Look(1.0, 10**10, 1000, {}), None, 79)
    assert "x 10.00 real time" in lines[1]
    assert "late" not in lines[1]


@pytest.mark.parametrize("width", [40, 79, 119])
def test_the_table_fits_and_stays_short(town, width):
    many = {f"/a/long/name/of/topic_{number}": 10 * number for number in range(1, 200)}
    counts = dict.fromkeys(grouped({}, {}, {}), many)
    lines = table_lines(town.now, Look(0.0, 0, 0, {}), Look(1.0, 10**9, 100, counts), 0.0, width)
    assert max(map(len, lines)) <= width
    assert len(lines) <= 4 + ROWS * len(counts)
    assert "/a/long/name/of/topic_199" in "\n".join(lines) or width == 40


def test_the_example_is_told_with_the_ports_of_the_run():
    usual = AddressLine("EgoVehicleStatus", [229], None, "127.0.0.1:909", 50.0)
    other = AddressLine("EgoVehicleStatus", [229], None, "127.0.0.1:9909", 50.0)
    assert example_ports([usual], ["127.0.0.1:9093"]) == ""
    assert example_ports([other], ["127.0.0.1:9095", "127.0.0.1:9093"]) == " --status-port 9909"
    assert example_ports([usual], ["127.0.0.1:4000"]) == " --control-port 4000"


def test_lines_that_are_kept_are_told_in_order_and_none_is_lost(capfd):
    log_output = LogOutput()
    log_output.keep()
    for number in range(MAX_WAITING_LINES + 5):
        log_output(str(number))
    assert log_output.taken()[0] == "5"
    log_output("last")
    log_output.let_go()
    log_output("now")
    assert capfd.readouterr().err == "last\nnow\n"


def network(folder, listen):
    path = folder / "net.toml"
    status = free_port()
    path.write_text(
        f'[[listen]]\naddress = "127.0.0.1:{listen}"\n\n'
        f'[[send]]\nmessage = "EgoVehicleStatus"\nto = "127.0.0.1:{status}"\n'
    )
    return ("--network", path, "--data", folder, "--ros-server", "off", "--grpc", "off")


def test_on_a_terminal_a_table_shows_what_goes_on_and_lines_stand_above_it(tmp_path):
    listen = free_port()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:

        def disturb(written):
            if "real time" in written:
                peer.sendto(b"junk", ("127.0.0.1", listen))

        status, written = on_terminal("run", *network(tmp_path, listen), "--duration", "4", watch=disturb)
    assert status == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written)
    assert re.search(r"UDP sent +\d+ /s  EgoVehicleStatus \d+", plain)
    assert "x 0.00 real time" not in plain, "the first picture is of the time since the run began"
    assert "bad header: 127.0.0.1" in plain
    assert all(
        re.match(r"(bad header: 127.0.0.1:\d+: |the simulator|UDP bad )", line)
        for line in re.split(r"[\r\n]+", plain)
        if "bad header" in line
    )
    assert "400 ticks, 4.00 s simulated" in plain
    assert written.index(f"{ESCAPE}[?25l") < written.rindex(f"{ESCAPE}[?25h"), "the cursor is shown again"


@pytest.mark.parametrize("option", ["--no-table", "-q"])
def test_there_is_no_table_where_nobody_wants_one(tmp_path, option):
    options = (*network(tmp_path, free_port()), "--duration", "1.2")
    status, written = on_terminal("run", *options, option)
    assert status == 0
    assert f"{ESCAPE}[?25l" not in written
    assert "120 ticks" in written


def test_events_for_machines_name_the_ports_that_were_taken(tmp_path):
    (tmp_path / "net.toml").write_text('[[listen]]\naddress = "127.0.0.1:0"\n')
    options = ("--network", tmp_path / "net.toml", "--data", tmp_path, "--ros-server", "127.0.0.1:0")
    command = [*loaded_command(), "run", "--json", *map(str, options), "--grpc", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
        ready = json.loads(run.stdout.readline())
        run.send_signal(signal.SIGINT)
        end = json.loads(run.stdout.readline())
        assert run.stdout.read() == ""
    assert run.returncode == 0
    assert (ready["event"], ready["run"], ready["map"]) == ("ready", 1, "town")
    assert int(ready["listen"][0].rpartition(":")[2]) > 0
    assert re.fullmatch(r"127\.0\.0\.1:[1-9]\d+", ready["interfaces"]["grpc"])
    assert re.fullmatch(r"ws://127\.0\.0\.1:[1-9]\d+", ready["interfaces"]["rosbridge"])
    assert ready["egos"][0]["vehicle"] == "2016_Hyundai_Ioniq"
    assert end["event"] == "end"
    assert end["ticks"] > 0
    assert end["simulated_s"] == pytest.approx(end["ticks"] * 0.01)
    assert end["sent"]["EgoVehicleStatus"] == pytest.approx(end["ticks"] / 2, abs=2)


def test_a_run_that_ends_at_once_tells_both_events(tmp_path):
    options = (*network(tmp_path, free_port()), "--duration", "0.01", "--speed", "max")
    done = dorosim_process("run", "--json", *options)
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()] == ["ready", "end"]


def test_a_reader_of_events_that_has_gone_ends_no_run(monkeypatch):
    def broken(_):
        written.append(1)
        raise BrokenPipeError

    written, turned = [], []
    monkeypatch.setattr(os, "dup2", lambda *fds: turned.append(fds))
    report = RunReport((), broken)
    for _ in range(2):
        report._waiting = {"event": "ready"}
        report.close()
    assert written == [1]
    assert turned, "what is left in the buffer goes nowhere"


SENSORS = """
[[sensor]]
kind = "imu"
to = "127.0.0.1:4321"
from = "127.0.0.1:0"

[[sensor]]
kind = "gps"

[[sensor]]
kind = "radar"
"""


def test_where_sensors_send_is_told_to_machines_and_on_demand(tmp_path):
    (tmp_path / "with.toml").write_text(SENSORS)
    options = (*network(tmp_path, free_port()), "--duration", "0.01", "--speed", "max", "--no-view")
    command = ("run", "--config", tmp_path / "with.toml", *options)
    ready = json.loads(dorosim_process(*command, "--json").stdout.splitlines()[0])
    assert ready["sensors"] == [
        {"sensor": 1, "kind": "imu", "source": "127.0.0.1:0", "to": "127.0.0.1:4321"},
        {"sensor": 2, "kind": "gps", "source": "127.0.0.1:0", "to": "127.0.0.1:1234"},
        {"sensor": 3, "kind": "radar", "source": None, "to": None},
    ]
    told = dorosim_process(*command, "--verbose").stderr
    for line in (
        "sensor 1, imu: sends 127.0.0.1:0 → 127.0.0.1:4321",
        "sensor 2, gps: sends 127.0.0.1:0 → 127.0.0.1:1234",
        "sensor 3, radar: sends nothing by UDP",
    ):
        assert line in told
    assert "where each sensor sends, and all addresses: --verbose" in dorosim_process(*command).stderr


def test_the_table_says_who_is_waited_for(town):
    """While a run in synchronous mode stands for long."""
    console = Console(width=120, file=io.StringIO())
    table = RunTable(console, LogOutput(), town.journal, PaceMonitor(PacedClock(None)), lambda: ())
    session = SimpleNamespace(endpoint=SimpleNamespace(sent={}))
    current = SimpleNamespace(loop=town.loop, session=session, station=SimpleNamespace(sent={}))
    table._looks = [table._look(current)]
    now = [0.0]
    town.loop.standstill = Standstill(lambda: now[0])
    town.loop.hold()
    town.loop.gate.step("gRPC 1.2.3.4:5", 0, 0.0)
    for waited, shown in ((0.0, False), (9.0, False), (10.0, True)):
        now[0] = waited
        town.loop._wait_at_gate()
        assert ("waits for     gRPC 1.2.3.4:5" in str(table._text(current))) is shown
