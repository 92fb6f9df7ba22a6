"""`dorosim doctor`: what it finds, and that it finds what is wrong."""

from __future__ import annotations

import json
import os
import socket
import sys
from email.message import Message
from pathlib import Path

import pytest

from dorosim.app.doctor import hardware, network, pace, program
from dorosim.app.doctor.examine import CHECKS, examine, print_findings
from dorosim.app.doctor.finding import Level, note, ok
from dorosim.app.setting.choice import Base, base_settings
from dorosim.app.setting.settings import Settings
from tests.app.command import dorosim
from tests.port import free_port


def base_of(folder: Path, text: str = "") -> Base:
    path = folder / "dorosim.toml"
    path.write_text(text)
    return base_settings(path)


@pytest.fixture
def healthy(tmp_path):
    listen = free_port()
    (tmp_path / "net.toml").write_text(f'send = []\n[[listen]]\naddress = "127.0.0.1:{listen}"\n')
    path = tmp_path / "dorosim.toml"
    path.write_text(
        f'data = "{tmp_path}"\n[udp]\nnetwork = "{tmp_path / "net.toml"}"\n'
        '[grpc]\naddress = "127.0.0.1:0"\n[ros]\nserver = "127.0.0.1:0"\n'
    )
    return path


def test_a_machine_on_which_runs_work_has_no_problem(healthy):
    done = dorosim("doctor", "--config", healthy, "--json")
    found = json.loads(done.stdout)
    assert [one for one in found if one["level"] == "problem"] == []
    assert done.returncode == 0
    names = {one["name"] for one in found}
    assert names >= {"python", "packages", "kernels", "processors", "vector unit", "memory", "UDP", "gRPC", "rosbridge"}
    assert names >= {"data folder", "cache folder", "UDP buffer", "punctuality", "speed", "ros", "settings", "load"}
    assert "steps/s" in next(one["text"] for one in found if one["name"] == "speed")


def test_a_port_that_somebody_has_is_a_problem_and_says_who(healthy):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        healthy.write_text(healthy.read_text().replace("127.0.0.1:0", f"127.0.0.1:{port}", 1))
        done = dorosim("doctor", "--config", healthy)
    assert done.returncode == 1
    lines = [line for line in done.stdout.splitlines() if line.startswith("problem")]
    assert len(lines) == 1
    assert f"127.0.0.1:{port}: in use by" in lines[0]
    assert f"(process {os.getpid()})" in lines[0]


def test_a_default_port_that_somebody_has_is_a_note():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        import msgspec

        grpc = msgspec.structs.replace(Settings().grpc, address=f"127.0.0.1:{taken.getsockname()[1]}")
        settings = msgspec.structs.replace(Settings(), grpc=grpc)
        found = list(network.check_tcp(Base(settings, frozenset(), "", False)))
    assert [one.level for one in found if one.name == "gRPC"] == [Level.NOTE]


def test_udp_addresses_in_use_and_unknown_files_are_problems(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        net = tmp_path / "net.toml"
        net.write_text(
            f'[[listen]]\naddress = "{address}"\n[[send]]\nmessage = "EgoVehicleStatus"\nto = "127.0.0.1:9"\n'
        )
        found = list(network.check_udp(base_of(tmp_path, f'[udp]\nnetwork = "{net}"\n')))
        assert [one.text.partition(": in use by ")[0] for one in found if one.level is Level.PROBLEM] == [address]
    (missing,) = network.check_udp(base_of(tmp_path, '[udp]\nnetwork = "missing.toml"\n'))
    assert missing.level is Level.PROBLEM


def test_versions_that_do_not_fit_are_problems(tmp_path, monkeypatch):
    requires = ["numpy<1", "nowhere-to-be-found>=3", "msgspec>=0.1", 'matplotlib>=3; extra == "plot"']
    about = Message()
    about["Requires-Python"] = ">=99"
    for one in requires:
        about["Requires-Dist"] = one
    monkeypatch.setattr(program.metadata, "metadata", lambda _: about)
    (found,) = program.check_packages(base_of(tmp_path))
    assert found.level is Level.PROBLEM
    assert "numpy" in found.text
    assert "nowhere-to-be-found is missing" in found.text
    assert "msgspec" not in found.text
    assert "matplotlib" not in found.text
    (old,) = program.check_python(base_of(tmp_path))
    assert old.level is Level.PROBLEM


def test_extras_are_those_of_the_package(tmp_path):
    found = [one.text for one in program.check_extras(base_of(tmp_path))]
    assert any(text.startswith("plot is ") for text in found)
    assert not any(text.startswith("test ") for text in found)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written_is_a_problem(tmp_path):
    tmp_path.chmod(0o500)
    found = program.folder_finding("data folder", tmp_path / "inside", "cure")
    tmp_path.chmod(0o700)
    assert found.level is Level.PROBLEM


def test_a_place_that_is_a_file_is_a_problem(tmp_path):
    (tmp_path / "file").touch()
    assert program.folder_finding("data folder", tmp_path / "file" / "inside", "cure").level is Level.PROBLEM


def test_what_the_system_tells_is_read(monkeypatch, tmp_path):
    told = {
        "/proc/meminfo": "MemTotal: 9 kB\nMemAvailable:   512000 kB\n",
        "/sys/fs/cgroup/cpu.max": "50000 100000\n",
        "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave\n",
    }
    monkeypatch.setattr(hardware, "_read", lambda path: told.get(path, ""))
    (memory,) = hardware.check_memory(base_of(tmp_path))
    assert (memory.level, memory.text) == (Level.NOTE, "500 MiB free")
    assert any("0.5 of" in one.text for one in hardware.check_processors(base_of(tmp_path)))
    assert [one.level for one in hardware.check_frequency(base_of(tmp_path))] == [Level.NOTE]
    told["/proc/meminfo"] = "MemAvailable:   1024 kB\n"
    assert [one.level for one in hardware.check_memory(base_of(tmp_path))] == [Level.PROBLEM]
    told["/proc/meminfo"] = "MemAvailable:   8192000 kB\n"
    told["/sys/fs/cgroup/memory.max"] = f"{3 << 30}\n"
    told["/sys/fs/cgroup/memory.current"] = f"{(3 << 30) - (100 << 20)}\n"
    assert [one.level for one in hardware.check_memory(base_of(tmp_path))] == [Level.PROBLEM]
    told["/sys/fs/cgroup/memory.stat"] = f"anon 5\ninactive_file {2 << 30}\nactive_file 7\n"
    (memory,) = hardware.check_memory(base_of(tmp_path))
    assert (memory.level, memory.text) == (Level.OK, "2,148 MiB free")
    ticks = iter(["cpu 0 0 0 0 0 0 0 0 0 0\n", "cpu 10 0 10 60 0 0 0 20 0 0\n"])
    monkeypatch.setattr(hardware, "_read", lambda _: next(ticks))
    assert {one.name for one in hardware.check_load(base_of(tmp_path))} == {"steal", "load"}


def test_a_late_machine_is_told_of(monkeypatch, tmp_path):
    monkeypatch.setattr(pace, "SLEEPS", 20)
    monkeypatch.setattr(pace, "LATE", 0.0)
    assert [one.level for one in pace.check_clock(base_of(tmp_path))] == [Level.NOTE]


def test_a_check_that_fails_does_not_keep_the_others_from_being_done(monkeypatch, tmp_path):
    def check_nothing(_):
        raise OSError("hidden")

    monkeypatch.setattr("dorosim.app.doctor.examine.CHECKS", (check_nothing, program.check_platform))
    found = list(examine(None))
    assert (found[0].name, found[0].level) == ("nothing", Level.NOTE)
    assert found[1].name == "system"
    assert len(CHECKS) > 10


def test_each_line_is_told_when_it_is_known_also_into_a_pipe(monkeypatch):
    read, write = os.pipe()
    with os.fdopen(read, "rb", buffering=0) as pipe, os.fdopen(write, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)

        def findings():
            yield ok("system", "Linux")
            assert os.read(pipe.fileno(), 1000).split() == [b"ok", b"system", b"Linux"]
            yield note("punctuality", "late", "end what else runs")
            assert b"late" in os.read(pipe.fileno(), 1000)

        assert [one.name for one in print_findings(findings())] == ["system", "punctuality"]
        assert b"a run works here; 1 note" in os.read(pipe.fileno(), 1000)


def test_a_settings_file_that_is_wrong_is_a_problem_and_the_rest_is_told(healthy, monkeypatch):
    monkeypatch.setattr("dorosim.app.doctor.examine.CHECKS", (program.check_settings_file, program.check_python))
    healthy.write_text("sped = 1\n")
    first, second = examine(healthy)
    assert first.level is Level.PROBLEM
    assert "speed" in first.text
    assert second.text.startswith(sys.implementation.name.replace("cpython", "CPython"))
