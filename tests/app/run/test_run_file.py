"""Runs side by side: each has its own ports, and a file by which programs of the machine find it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, closing, nullcontext, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from dorosim.app.run import run
from dorosim.app.run.kernel_warmup import Kernels
from dorosim.app.run.run_file import RunFile, with_free_ports
from dorosim.app.run.session import RunContext
from dorosim.app.setting.network import udp_network_of
from dorosim.app.setting.port import check_port_offset, ports_of, with_moved_ports
from dorosim.app.setting.settings import EgoSettings, RosSettings, SensorRow, Settings, UdpSettings, ViewSettings
from dorosim.client import ClientError, NoServerError, connect, find_run, running
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.udp.socket import AddressInUseError, open_listener, owner_of
from dorosim.ground.error import InputError
from dorosim.ground.run_folder import run_folder
from tests.app.command import dorosim
from tests.app.network import network_file
from tests.port import free_port

REAL = ("--view-at", "127.0.0.1:0", "--grpc", "127.0.0.1:0", "--ros-server", "off", "--ports", "auto")


@pytest.fixture(autouse=True)
def folder_of_runs(tmp_path, monkeypatch) -> Path:
    """A folder of runs of the test's own."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("DOROSIM_RUN", raising=False)
    return tmp_path / "dorosim"


def test_an_offset_moves_every_port(tmp_path):
    plain = Settings(ros=RosSettings(server="127.0.0.1:9090"), ego=(EgoSettings(), EgoSettings()))
    moved = Settings(ros=plain.ros, ego=plain.ego, port_offset=700)
    before, after = ports_of(plain, tmp_path), ports_of(moved, tmp_path)
    assert before.all
    for kind in ("udp", "tcp", "others"):
        assert getattr(after, kind) == {port + 700 for port in getattr(before, kind)}
    assert {9093, 909, 908, 7505, 1009, 9193, 7789, 8080, 9090, 2368, 1232} <= before.all


def test_an_offset_moves_the_ports_of_network_settings_and_sensors(tmp_path):
    network = network_file(tmp_path, 6001, 6002)
    row = SensorRow(kind="camera", to="127.0.0.1:6003", source="127.0.0.1:6004")
    settings = Settings(udp=UdpSettings(network=str(network)), sensor=(row,), port_offset=100)
    found = ports_of(settings, tmp_path)
    assert found.udp == {6101}
    assert {6102, 6103, 6104} <= found.others
    (publication,) = udp_network_of(settings, tmp_path)[0].publications
    assert publication.destination.port == 6102
    assert publication.source.port == 0, "any port stays any"


def test_addresses_that_are_off_or_any_stay():
    settings = Settings(ros=RosSettings(server="off"), port_offset=100)
    moved = with_moved_ports(settings)
    assert moved.ros.server == "off"
    assert moved.grpc.address == "127.0.0.1:7889"
    assert with_moved_ports(Settings()) == Settings()


@pytest.mark.parametrize("offset", [56_446, 65_535])
def test_ports_beyond_the_last_are_refused(tmp_path, offset):
    with pytest.raises(InputError, match=r"port_offset: port \d+ would become \d+; give at most"):
        ports_of(Settings(port_offset=offset), tmp_path)


@pytest.mark.parametrize("address", ["127.0.0.1:8080", "127.0.0.1:60000"])
def test_the_greatest_offset_that_is_told_moves_all_ports(tmp_path, address):
    settings = Settings(view=ViewSettings(address=address), port_offset=60_000)
    with pytest.raises(
        InputError, match=r"port_offset: 60000 is too large: port \d+ would become \d+; give 0 to"
    ) as found:
        check_port_offset(settings, tmp_path)
    most = int(found.value.cure.rpartition(" ")[2])
    fits, beyond = (replace(settings, port_offset=most + more) for more in (0, 1))
    check_port_offset(fits, tmp_path)
    assert max(ports_of(fits, tmp_path).all) == 65_535
    with pytest.raises(InputError):
        check_port_offset(beyond, tmp_path)
    with pytest.raises(InputError):
        ports_of(beyond, tmp_path)


def test_an_offset_outside_of_all_ports_is_refused():
    done = dorosim("run", "--port-offset", "-1", "--duration", "0.1")
    assert done.returncode == 2
    assert "--port-offset" in done.stderr


def test_auto_leaves_out_ports_that_another_program_has(tmp_path):
    network = network_file(tmp_path, free_port(), free_port())
    settings = Settings(udp=UdpSettings(network=str(network)), ports="auto")
    listen = next(iter(ports_of(settings, tmp_path).udp))
    file = RunFile()
    file.open()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", listen))
        assert with_free_ports(settings, tmp_path, file).port_offset > 0
    file.close()


def test_runs_that_choose_side_by_side_have_no_port_in_common(tmp_path):
    settings = Settings(ports="auto")
    files = [RunFile() for _ in range(4)]
    for file in files:
        file.open()
    chosen = [with_free_ports(settings, tmp_path, file) for file in files]
    sets = [ports_of(one, tmp_path).all for one in chosen]
    assert len(frozenset[int]().union(*sets)) == sum(map(len, sets))
    for file in files:
        file.close()
    assert not list(run_folder().glob("*.lock"))


def test_auto_leaves_out_ports_of_clients_of_another_run(tmp_path):
    """Where a run sends to, a client of a run may wait that has no file here, as one of another user."""
    status = free_port()
    network = network_file(tmp_path, free_port(), status)
    settings = Settings(udp=UdpSettings(network=str(network)), ports="auto")
    file = RunFile()
    file.open()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.bind(("127.0.0.1", status))
        chosen = with_free_ports(settings, tmp_path, file)
    assert chosen.port_offset > 0
    assert status not in ports_of(chosen, tmp_path).all
    file.close()


def test_runs_leave_room_for_ego_vehicles_that_come_later(tmp_path):
    settings = Settings(ports="auto")
    files = [RunFile() for _ in range(3)]
    for file in files:
        file.open()
    chosen = [with_free_ports(settings, tmp_path, file) for file in files]
    sets = [one.all | one.room for one in (ports_of(one, tmp_path) for one in chosen)]
    grown = [ports_of(replace(one, ego=(EgoSettings(),) * 20), tmp_path).all for one in chosen]
    for number, ports in enumerate(sets):
        assert grown[number] <= ports
        assert not any(ports & other for other in sets[number + 1 :])
    for file in files:
        file.close()


@pytest.mark.parametrize(("ports", "tries"), [("auto", 3), ("fixed", 1)])
def test_auto_chooses_again_where_a_port_is_taken_after_it_was_found_free(tmp_path, monkeypatch, ports, tries):
    tried: list[int] = []

    def open_late(settings: Settings, *_: object) -> None:
        """The first two times another program is quicker."""
        tried.append(settings.port_offset)
        if len(tried) < 3:
            port = next(iter(ports_of(settings, tmp_path).udp))
            programs.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)).bind(("127.0.0.1", port))
            raise AddressInUseError("udp", str(port), "is in use", "end that program")

    monkeypatch.setattr(run, "_open", open_late)
    settings = Settings(udp=UdpSettings(network=str(network_file(tmp_path, free_port(), free_port()))), ports=ports)
    context = RunContext(given=(), data=tmp_path, journal=Journal(str), clock=PacedClock(None))
    with ExitStack() as programs:
        file = programs.enter_context(closing(RunFile()))
        file.open()
        with suppress(AddressInUseError) if ports == "fixed" else nullcontext():
            run._open_at_free_ports(settings, context, file, Kernels(Console()))
    assert len(set(tried)) == tries


def test_auto_ends_with_the_last_port(tmp_path, monkeypatch):
    monkeypatch.setattr("dorosim.app.run.run_file._are_free", lambda _: True)
    listen, status = 64_001, 64_002
    network = network_file(tmp_path, listen, status)
    settings = Settings(udp=UdpSettings(network=str(network)), ports="auto")
    files = [RunFile() for _ in range(3)]
    for file in files:
        file.open()
    assert [with_free_ports(settings, tmp_path, file).port_offset for file in files[:2]] == [0, 1000]
    with pytest.raises(InputError, match="ports: no offset has only free ports; end other runs"):
        with_free_ports(settings, tmp_path, files[2])
    for file in files:
        file.close()


def test_room_is_given_up_before_a_run_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("dorosim.app.run.run_file._are_free", lambda _: True)
    monkeypatch.setattr("dorosim.app.run.run_file.LAST_OFFSET", 1000)
    files = [RunFile() for _ in range(2)]
    for file in files:
        file.open()
    chosen = [with_free_ports(Settings(ports="auto"), tmp_path, file) for file in files]
    assert [one.port_offset for one in chosen] == [0, 1000]
    for file in files:
        file.close()


def test_a_run_is_found_by_its_id_its_file_and_the_variable(monkeypatch):
    file = RunFile()
    file.open()
    assert file.path is not None
    file.write({"run_id": file.run_id, "port_offset": 2000, "interfaces": {"grpc": "127.0.0.1:9789"}})
    for name in (file.run_id, file.path):
        found = find_run(name)
        assert found is not None
        assert (found.id, found.grpc, found.port(9093)) == (file.run_id, "127.0.0.1:9789", 11093)
    assert find_run() is None
    monkeypatch.setenv("DOROSIM_RUN", file.run_id)
    assert find_run() == found
    assert [one.id for one in running()] == [file.run_id]
    file.close()
    with pytest.raises(NoServerError, match="there is no run"):
        find_run()


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"run": 1}', "\x00"])
def test_a_file_that_is_none_of_a_run_is_refused(tmp_path, content):
    path = tmp_path / "broken.json"
    path.write_text(content)
    with pytest.raises(NoServerError, match="is not the file of a run"):
        find_run(path)


def test_files_of_runs_that_were_killed_are_left_out_and_removed():
    run_folder().mkdir(mode=0o700)
    for suffix in ("lock", "json"):
        (run_folder() / f"00000000.{suffix}").write_text('{"run_id": "00000000"}')
    assert not running()
    file = RunFile()
    file.open()
    assert not (run_folder() / "00000000.json").exists()
    file.close()


def test_a_folder_that_others_can_write_has_no_files_of_runs():
    run_folder().mkdir()
    run_folder().chmod(0o777)
    file = RunFile()
    file.open()
    assert file.path is None
    assert "another user" in file.notice or "mode 0777" in file.notice


def test_a_client_takes_an_address_or_a_run_and_not_both():
    with pytest.raises(ClientError, match="both an address and a run"):
        connect("127.0.0.1:1", run="x")
    with pytest.raises(NoServerError, match="there is no run 'x'"):
        connect(run="x")


def test_who_has_a_port_is_named():
    port = free_port()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mine:
        mine.bind(("127.0.0.1", port))
        assert "(process " in owner_of(port, "udp")
        assert owner_of(port, "tcp") == ""
        assert owner_of(port, "udp", "127.0.0.1") == owner_of(port, "udp", "0.0.0.0") == owner_of(port, "udp")
        assert owner_of(port, "udp", "127.0.0.2") == "", "the port of another address is not meant"
        from dorosim.endpoint.udp.socket import Address

        with pytest.raises(AddressInUseError, match=r"is in use by .* \(process \d+\); .*--ports auto"):
            open_listener(Address("127.0.0.1", port))


def test_taken_ports_are_reported_after_all_else(tmp_path):
    network = network_file(tmp_path, free_port(), free_port())
    settings = Settings(udp=UdpSettings(network=str(network)))
    (listen,) = ports_of(settings, tmp_path).udp
    quiet = ("--network", network, "--no-view", "--grpc", "off", "--ros-server", "off", "--duration", "0.1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", listen))
        assert "there is no such map" in dorosim("run", *quiet, "--map", "nowhere").stderr
        taken = dorosim("run", *quiet)
    assert taken.returncode == 2
    assert f"127.0.0.1:{listen}: is in use by" in taken.stderr
    with socket.create_server(("127.0.0.1", free_port())) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        served = ("--network", network, "--no-view", "--grpc", address, "--ros-server", "off")
        assert "there is no such map" in dorosim("run", *served, "--map", "nowhere").stderr
        taken = dorosim("run", *served, "--duration", "0.1")
        assert "(process " in taken.stderr
        assert "--ports auto" in taken.stderr


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs of the town that are ready, by their processes and `ready` events."""
    folder = tmp_path_factory.mktemp("runs")
    environment = os.environ | {"XDG_RUNTIME_DIR": str(folder)}
    environment.pop("DOROSIM_RUN", None)
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "dorosim", "run", "--json", *REAL],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        for _ in range(2)
    ]
    yield folder, [(one, json.loads(one.stdout.readline())) for one in processes if one.stdout is not None]
    for one in processes:
        one.send_signal(signal.SIGTERM)
        one.communicate(timeout=60)
    assert not list((folder / "dorosim").glob("*.json")), "a run that ends removes its file"


def test_two_runs_have_ports_and_ids_of_their_own(runs):
    first, second = (ready for _, ready in runs[1])
    assert first["run_id"] != second["run_id"]
    assert not set(first["listen"]) & set(second["listen"])
    assert not {one["to"] for one in first["sends"]} & {one["to"] for one in second["sends"]}


def test_the_file_of_a_run_has_the_addresses_of_all_interfaces(runs):
    folder, both = runs
    for _, ready in both:
        held = json.loads((folder / "dorosim" / f"{ready['run_id']}.json").read_text())
        assert held["interfaces"] == ready["interfaces"]
        assert set(held["interfaces"]) == {"grpc", "page"}, "there is no rosbridge"
        assert held["interfaces"]["page"].startswith("http://127.0.0.1:")


def test_two_runs_are_reached_each_by_its_id(runs, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runs[0]))
    for number, (_, ready) in enumerate(runs[1]):
        with connect(run=ready["run_id"]) as client:
            client.set_hour(number + 1)
    for number, (_, ready) in enumerate(runs[1]):
        monkeypatch.setenv("DOROSIM_RUN", ready["run_id"])
        with connect() as client:
            assert client.address == ready["interfaces"]["grpc"]
            assert client.hour() == number + 1


def test_answers_have_the_id_in_their_metadata(runs):
    import grpc

    for _, ready in runs[1]:
        with grpc.insecure_channel(ready["interfaces"]["grpc"]) as channel:
            named = channel.unary_unary("/morai_sim_api.simualtor.Simulator/CheckLatency")
            _, state = named.with_call(b"", timeout=10.0)
            assert ("dorosim-run", ready["run_id"]) in state.trailing_metadata()


def test_a_run_that_has_begun_is_waited_for():
    with closing(RunFile()) as file:
        file.open()
        threading.Timer(0.3, lambda: file.write({"run_id": file.run_id, "interfaces": {"grpc": "127.0.0.1:1"}})).start()
        found = find_run(file.run_id)
    assert found is not None
    assert found.grpc == "127.0.0.1:1"
