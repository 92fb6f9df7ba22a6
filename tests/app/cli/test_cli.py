"""The command line as a user runs it: a process, its output, its exit status."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess

import dpkt
import pytest

from dorosim.wire.reference import frames_of
from dorosim.wire.udp.catalogue import BY_NAME
from dorosim.wire.udp.datagram import codec_of
from dorosim.wire.udp.revision import REVISIONS
from tests.app.command import dorosim, dorosim_process
from tests.app.network import network_file
from tests.loaded import COMMAND
from tests.packet import control
from tests.port import free_port, in_use_here


def test_a_run_prints_what_it_does_and_sums_up(tmp_path):
    net = network_file(tmp_path, free_port(), free_port())
    run = dorosim_process("run", "--network", net, "--data", tmp_path, "--duration", "0.5", "--speed", "max")
    assert run.returncode == 0
    assert "EgoVehicleStatus" in run.stderr
    assert "To drive it" not in run.stderr
    assert "50 ticks, 0.50 s simulated" in run.stdout
    assert "sent: 26 (EgoVehicleStatus 26)" in run.stdout


@pytest.mark.parametrize("ask", [signal.SIGINT, signal.SIGTERM])
def test_a_client_drives_and_ctrl_c_ends_the_run(tmp_path, ask):
    listen, status = free_port(), free_port()
    net = network_file(tmp_path, listen, status)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.bind(("127.0.0.1", status))
        client.settimeout(60)
        run = subprocess.Popen(
            [*COMMAND, "run", "--network", net, "--data", tmp_path, "-q"], stdout=subprocess.PIPE, text=True
        )
        assert len(client.recv(1000)) == 229
        for _ in range(30):
            client.sendto(control(accel=1.0), ("127.0.0.1", listen))
            data = client.recv(1000)
        run.send_signal(ask)
        output, _ = run.communicate(timeout=60)
    assert data[35:37] == bytes([2, 4])
    assert run.returncode == 0
    assert "EgoCtrlCmd" in output
    assert "bad: 0" in output


def test_a_recorded_run_is_replayed(tmp_path):
    net = network_file(tmp_path, free_port(), free_port())
    path = tmp_path / "run.rec"
    run = dorosim(
        "run", "-q", "--network", net, "--data", tmp_path, "--duration", "1", "--speed", "max", "--record", path
    )
    assert run.returncode == 0
    again = dorosim_process("replay", path, "--data", tmp_path)
    assert again.returncode == 0
    assert "100 ticks (1.00 s) replayed: every snapshot is equal" in again.stdout


def test_a_run_goes_on_from_a_snapshot_file(tmp_path):
    """In another process, hash for hash: the file of the end is the same to the byte."""
    listen = free_port()
    net = network_file(tmp_path, listen, free_port())
    fast = ("run", "-q", "--network", net, "--data", tmp_path, "--speed", "max")
    half, end, again, record = (tmp_path / name for name in ("half", "end", "again", "run.rec"))
    straight = dorosim_process(
        *fast, "--duration", "1", "--epoch", "1000", "--snapshot-at", "0.5", half, "--save-snapshot", end
    )
    assert straight.returncode == 0
    assert f"snapshot at 0.50 s: {half}" in straight.stdout
    rest = dorosim_process(*fast, "--duration", "0.5", "--from", half, "--save-snapshot", again, "--record", record)
    assert "50 ticks, 0.50 s simulated" in rest.stdout
    assert again.read_bytes() == end.read_bytes()
    assert "50 ticks (0.50 s) replayed: every snapshot is equal" in dorosim("replay", record, "--data", tmp_path).stdout
    equal = dorosim("state", "diff", end, again)
    assert equal.returncode == 0
    assert "the states are equal, bit for bit" in equal.stdout
    other = dorosim("state", "diff", half, end, "--most", "3")
    assert other.returncode == 1
    lines = other.stdout.splitlines()
    assert lines[0] == f"A: {half}, 0.50 s, tick 50"
    assert "differences: tick 1, time 1, signal" in lines[2]
    assert lines[4].split() == ["tick", "50", "100", "+50"]
    assert lines[-1].endswith("more; --most N lists more")
    assert len(lines) == 8
    shown = dorosim("state", "show", half).stdout
    assert "of a run on map town, seed 0, tick 10 ms, begun with 2016_Hyundai_Ioniq" in shown
    assert "epoch 1000.000 s" in shown
    assert "1  ego vehicle  2016_Hyundai_Ioniq" in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "--map", "nowhere"], "there is no such map"),
        (["run", "--vehicle", "Ioniq"], "no vehicle is called 'Ioniq'"),
        (["run", "--pose", "1,2"], "--pose"),
        (["run", "--pose", "107.9,-220.2,0"], "there is no room at (107.90, -220.20): a building stands there"),
        (["run", "--revision", "23.R9"], "there is no revision '23.R9'"),
        (["run", "--speed", "fast"], "use realtime, max or a factor"),
        (["run", "--config", "none.toml"], "none.toml"),
        (["run", "--network", "none.toml"], "none.toml"),
        (["run", "--record", "/nowhere/x.rec", "--duration", "0.1"], "cannot be written"),
        (["run", "--from", "none.snapshot"], "none.snapshot"),
        (["run", "--save-snapshot", "/nowhere/x"], "there is no folder /nowhere"),
        (["run", "--vehicles", "20000"], "have at most room for"),
        (["run", "--vehicles", "1000000"], "--vehicles: 1000000 is outside 0 to 20000"),
        (["run", "--pedestrians", "1000000"], "--pedestrians: 1000000 is outside"),
        (["run", "--weather", "hail"], "'hail' is not a kind of weather"),
        (["run", "--time-of-day", "25"], "--time-of-day: 25.0 is outside 0 to 24"),
        (["state", "show", "none.snapshot"], "none.snapshot"),
        (["replay", "none.rec"], "none.rec"),
        (["map", "info", "nowhere"], "there is no such map"),
        (["map", "plot", "town", "-o", "town.gif"], "end the name in .png or .svg"),
        (["map", "plot", "nowhere", "-o", "none/x.png"], "none/x.png: there is no folder"),
        (["map", "generate", "x", "--size", "huge"], "there is no size 'huge'"),
        (["packet", "show", "EgoControl"], "did you mean"),
        (["packet", "decode", "xyz"], "hex"),
        (["packet", "decode"], "needs one of"),
        (["bench", "nothing"], "there is no subject"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_exit_status_2(tmp_path, arguments, words):
    if arguments[0] == "run":
        net = [] if "--network" in arguments else ["--network", network_file(tmp_path, free_port(), free_port())]
        arguments = [*arguments, "--data", tmp_path, *net]
    done = dorosim(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("dorosim: error [")
    assert len(done.stderr.splitlines()) == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_process_that_cannot_start_says_why_in_one_line_and_ends_with_status_2(tmp_path):
    done = dorosim_process("run", "--map", "nowhere", "--data", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("dorosim: error [")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_a_busy_port_is_told_with_who_has_it_and_what_to_do(tmp_path):
    port = free_port()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", port))
        done = dorosim("run", "--network", network_file(tmp_path, port, 9), "--data", tmp_path)
    assert done.returncode == 2
    assert f"error [port-in-use]: udp: 127.0.0.1:{port}: {in_use_here()}; end that program, or" in done.stderr
    assert " or give this run other ports: --ports auto" in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["run"],
        ["replay"],
        ["map"],
        ["map", "generate"],
        ["map", "info"],
        ["map", "check"],
        ["map", "plot"],
        ["map", "lanes"],
        ["packet"],
        ["packet", "list"],
        ["packet", "show"],
        ["packet", "decode"],
        ["state"],
        ["state", "show"],
        ["state", "diff"],
        ["bench"],
    ],
    ids=" ".join,
)
def test_every_command_has_help(command):
    done = dorosim(*command, "--help")
    assert done.returncode == 0
    assert "Usage:" in done.stdout
    assert len(done.stdout) > 200


def test_a_process_shows_help():
    done = dorosim_process("--help")
    assert done.returncode == 0
    assert "Usage:" in done.stdout


def test_a_message_is_shown_with_the_axes_of_its_frames():
    shown = " ".join(dorosim("packet", "show", "ObjectInfo").stdout.split())
    assert "frame map: x east, y north, z up" in shown
    assert "frame body of the object: x forward, y left, z up" in shown
    assert "frame wheel" not in shown
    facts = json.loads(dorosim("packet", "show", "EgoVehicleStatus", "--json").stdout)
    named = {name for row in facts["fields"] for name in re.findall(r"; in ([a-z ]+)", row["meaning"])}
    assert set(facts["frames"]) == named == {"map", "body", "wheel"}


def test_every_frame_of_a_message_is_described():
    for message in BY_NAME.values():
        for revision in REVISIONS.values():
            frames_of(codec_of(message, revision))


def test_packets_are_listed_and_shown():
    listed = dorosim("packet", "list").stdout
    assert "EgoVehicleStatus" in listed
    assert "245, 229, 181, 161" in listed
    shown = dorosim("packet", "show", "egovehiclestatus").stdout
    assert "229 bytes, to the user" in shown
    assert "other layouts: 245, 181, 161 bytes" in shown
    line = next(line for line in shown.splitlines() if " signed_velocity " in line)
    assert line.split()[:4] == ["37", "signed_velocity", "float32", "km/h"]


def test_a_datagram_is_decoded_with_units():
    done = dorosim("packet", "decode", control(accel=0.25, velocity_kmh=36.0).hex(" "))
    assert done.returncode == 0
    assert "EgoCtrlCmd, 55 bytes, to the simulator" in done.stdout
    assert "36 km/h" in done.stdout
    assert "10 m/s" in done.stdout
    assert "4 D" in done.stdout


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (control()[:-1], "54 bytes instead of 59 or 55"),
        (control()[:-2] + b"xx", "ends with 78 78 instead of 0d 0a"),
        (b"#MoraiCtrlCmd$" + b"\x18" + control()[15:], "says 24 payload bytes instead of 23"),
        (control(gear=9), "unknown code 9"),
        (control(accel=float("nan")), "accel is nan"),
        (b"hello", "no message"),
        (b"$GPGGA,1*00\r\n", "checksum"),
    ],
)
def test_what_is_wrong_with_a_bad_packet_is_said(data, words):
    done = dorosim("packet", "decode", data.hex())
    assert done.returncode == 1
    assert words in done.stdout


def test_a_capture_file_is_decoded(tmp_path):
    path = tmp_path / "capture.pcap"
    with path.open("wb") as file:
        writer = dpkt.pcap.Writer(file)
        for payload in (control(accel=0.5), b"nonsense"):
            udp = dpkt.udp.UDP(sport=4000, dport=9093, data=payload)
            udp.ulen = len(udp)
            ip = dpkt.ip.IP(src=b"\x7f\0\0\1", dst=b"\x7f\0\0\1", p=17, data=udp)
            ip.len = len(ip)
            frame = dpkt.ethernet.Ethernet(data=ip)
            writer.writepkt(bytes(frame))
    done = dorosim("packet", "decode", "--pcap", path)
    assert "frame 1, port 4000 -> 9093: EgoCtrlCmd" in done.stdout
    assert "2 datagrams, 1 of them no message" in done.stdout
    assert done.returncode == 1
    path.write_bytes(path.read_bytes()[:-3])
    done = dorosim("packet", "decode", "--pcap", path)
    assert "1 datagrams, 0 of them no message" in done.stdout
    assert "frame 2: the file is cut off or broken there; the 1 frames before it were read" in done.stderr
    assert done.returncode == 2
    path.write_bytes(b"no capture")
    done = dorosim("packet", "decode", "--pcap", path)
    assert "is not a pcap or pcapng file" in done.stderr


def test_a_scenario_whose_file_is_missing_is_told_by_its_path(tmp_path):
    for given in (str(tmp_path / "no" / "such.json"), "no/such", "such.json", "x" * 300):
        done = dorosim("run", "-q", "--data", tmp_path / "data", "--scenario", given)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1, done.stderr
        assert ("there is no such file" in done.stderr) is (given != "x" * 300)
        assert given[:20] in done.stderr


def test_a_live_port_is_decoded():
    port = free_port()
    run = subprocess.Popen(
        [*COMMAND, "packet", "decode", "--port", str(port), "--count", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stderr is not None
    assert "listening on" in run.stderr.readline()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.sendto(control(), ("127.0.0.1", port))
    output, _ = run.communicate(timeout=60)
    assert "EgoCtrlCmd" in output
    assert run.returncode == 0


def test_maps_are_made_described_checked_and_drawn(tmp_path):
    folder = tmp_path / "little"
    assert dorosim("map", "generate", folder, "--size", "small", "--seed", "3").returncode == 0
    described = dorosim("map", "info", folder)
    assert "MGeo 2.9, RHT" in described.stdout
    assert "latitude 37." in described.stdout
    checked = dorosim("map", "check", folder)
    assert checked.returncode == 0
    assert "0 error" in checked.stdout
    for suffix in ("png", "svg"):
        out = tmp_path / f"map.{suffix}"
        assert dorosim("map", "plot", folder, "-o", out).returncode == 0
        assert out.stat().st_size > 10_000
    links = folder / "link_set.json"
    links.write_text(links.read_text().replace('"from_node_idx":"', '"from_node_idx":"gone', 1))
    broken = dorosim("map", "check", folder)
    assert broken.returncode == 1
    assert "gone" in broken.stdout


def test_names_and_texts_from_files_are_shown_as_they_are(tmp_path):
    """Square brackets are markup to the terminal library, and a line break would make two lines of one error."""
    folder = tmp_path / "we[bold]ird[x"
    assert dorosim("map", "generate", folder, "--size", "small").returncode == 0
    described = dorosim("map", "info", folder)
    assert "we[bold]ird[x" in described.stdout
    net = network_file(tmp_path, free_port(), free_port())
    run = dorosim("run", "--map", folder, "--network", net, "--data", tmp_path, "--duration", "0.05")
    assert "we[bold]ird[x" in run.stderr
    links = folder / "link_set.json"
    links.write_text(links.read_text().replace('"idx":"_0_0_R1_"', '"idx":"a\\nb","points":5,"x":"', 1))
    broken = dorosim("map", "info", folder)
    assert broken.returncode == 2
    assert len(broken.stderr.splitlines()) == 1


def test_the_start_says_who_switches_lights_that_the_map_leaves_to_nobody(tmp_path):
    """First with the map's own programmes, then without these too."""
    folder = tmp_path / "town"
    assert dorosim("map", "generate", folder, "--size", "small").returncode == 0
    net = network_file(tmp_path, free_port(), free_port())
    run = ("run", "--map", folder, "--network", net, "--data", tmp_path, "--duration", "0.05")
    assert "lights: " not in dorosim(*run).stderr
    (folder / "intersection_controller_set.json").unlink()
    with_own = next(line for line in dorosim(*run).stderr.splitlines() if line.startswith("lights: "))
    assert "from intersection_controller_data.json, 0 generated" in with_own
    (folder / "intersection_controller_data.json").unlink()
    without = next(line for line in dorosim(*run).stderr.splitlines() if line.startswith("lights: "))
    assert "programmes: it has none of its own, " in without


def test_a_reader_of_messages_that_has_gone_does_not_end_the_run(tmp_path):
    listen, status = free_port(), free_port()
    net = network_file(tmp_path, listen, status)
    gone, write = os.pipe()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.bind(("127.0.0.1", status))
        client.settimeout(60)
        run = subprocess.Popen(
            [*COMMAND, "run", "-q", "--network", net, "--data", tmp_path],
            stdout=subprocess.PIPE,
            stderr=write,
            text=True,
        )
        os.close(write)
        client.recv(1000)
        os.close(gone)
        client.sendto(b"nonsense", ("127.0.0.1", listen))
        for _ in range(60):
            client.recv(1000)
        run.send_signal(signal.SIGINT)
        output, _ = run.communicate(timeout=60)
    assert run.returncode == 0
    assert "bad: 1" in output
