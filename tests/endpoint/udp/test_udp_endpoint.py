"""The UDP endpoint on real sockets: ports, bad datagrams, counting."""

from __future__ import annotations

import random
import socket
import struct
import time
from collections.abc import Iterator

import pytest

from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.endpoint.journal import MAX_TEXTS, TEXT_PERIOD_S, Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.endpoint.udp.network import Publication, UdpNetwork, default_publications
from dorosim.endpoint.udp.socket import Address, open_listener
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Source
from dorosim.world.vehicle.mode import ControlKind
from tests.endpoint.udp.peer import HOST, Served, served
from tests.packet import control, envelope, intersection, light, move_sensor
from tests.port import free_port, in_use_here
from tests.system.rig import EPOCH, Rig


def test_any_message_is_taken_on_any_port(town):
    first, second = free_port(), free_port()
    with served(town, first, second) as run:
        run.send(control(accel=0.25), first)
        run.run()
        assert run.loop.now.vehicle.target_accelerator[0] == 0.25
        run.send(control(accel=0.5), second)
        run.run()
        assert run.loop.now.vehicle.target_accelerator[0] == 0.5
        assert run.journal.counts["received EgoCtrlCmd"] == 2


def test_a_busy_listening_port_is_an_error_that_names_it(town):
    port = free_port()
    network = UdpNetwork((Address(HOST, port),))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind((HOST, port))
        with pytest.raises(InputError, match=f"{HOST}:{port}.*in use"):
            Served(town, network)


def test_a_source_port_that_cannot_be_bound_falls_back_with_a_notice(town):
    port, sink = free_port(), free_port()
    publication = Publication("EgoVehicleStatus", Address(HOST, port), Address(HOST, sink))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind((HOST, port))
        with served(town, publications=(publication,)) as run:
            assert len(run.endpoint.notices) == 1
            assert f"{HOST}:{port} {in_use_here()}; sending from port" in run.endpoint.notices[0]
            run.run()
            assert run.endpoint.sent["EgoVehicleStatus"] > 0


def test_one_socket_serves_as_listener_and_as_source(town):
    port, sink = free_port(), free_port()
    publication = Publication("GetIntersectionStatus", Address(HOST, port), Address(HOST, sink))
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client,
        served(town, port, publications=(publication,)) as run,
    ):
        client.bind((HOST, sink))
        client.settimeout(5)
        run.run()
        data, source = client.recvfrom(100)
        assert (len(data), source) == (37, (HOST, port))
        assert run.endpoint.notices == []


def test_the_default_publications_are_those_of_the_products_clients():
    told = {one.message: (one.source.port, one.destination.port, one.rate_hz) for one in default_publications()}
    assert told["EgoVehicleStatus"] == (908, 909, 50.0)
    assert {name: to for name, (_, to, _) in told.items()} == {
        "EgoVehicleStatus": 909,
        "ObjectInfo": 7505,
        "CollisionData": 9092,
        "GetTrafficLightStatus": 7502,
        "GetIntersectionStatus": 9102,
        "NpcVehicleCollisionData": 9108,
    }


def test_status_is_sent_by_simulated_time(town):
    sink = free_port()
    publication = Publication("EgoVehicleStatus", Address(HOST, 0), Address(HOST, sink), 50.0)
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client,
        served(town, publications=(publication,)) as run,
    ):
        client.bind((HOST, sink))
        run.run(0.2)
        stamps = [struct.unpack_from("<2i", client.recv(300), 27) for _ in range(11)]
    times = [seconds * 10**9 + nanoseconds for seconds, nanoseconds in stamps]
    assert [time - EPOCH for time in times] == [20_000_000 * i for i in range(11)]


def test_status_goes_out_at_the_same_rate_while_time_stands(town):
    sink = free_port()
    publication = Publication("EgoVehicleStatus", Address(HOST, 0), Address(HOST, sink), 25.0)
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client,
        served(town, publications=(publication,)) as run,
    ):
        client.bind((HOST, sink))
        for paused, ticks in ((False, 6), (True, 41), (False, 14)):
            run.loop.put(Source.PEER, PauseRun(paused))
            for _ in range(ticks):
                run.loop.turn()
        stamps = [struct.unpack_from("<2i", client.recv(300), 27) for _ in range(run.endpoint.sent["EgoVehicleStatus"])]
    times = [seconds * 10**9 + nanoseconds - EPOCH for seconds, nanoseconds in stamps]
    assert times == [ms * 1_000_000 for ms in (10, 40, *[60] * 10, 80, 120, 160, 200)]


def bad_datagrams(count: int, seed: int) -> Iterator[bytes]:
    """Malformed headers, lengths, tails and sizes, and numbers that are not finite."""
    noise = random.Random(seed)
    good = [control(accel=1.0), envelope("EgoGhostCmd", struct.pack("<8f", *[5.0] * 8))]
    for _ in range(count):
        data = bytearray(noise.choice(good))
        match noise.randrange(5):
            case 0:
                data[noise.randrange(14)] ^= noise.randrange(1, 256)
                if data.startswith((b"#MoraiCtrlCmd$", b"#EgoGhostCmd$")):
                    data[0] ^= 1
            case 1:
                data[data.index(b"$") + 1 + noise.randrange(4)] ^= noise.randrange(1, 256)
            case 2:
                data[-noise.randrange(1, 3)] ^= noise.randrange(1, 256)
            case 3:
                data = (
                    data[: noise.randrange(len(data))]
                    if noise.random() < 0.5
                    else data + b"\0" * noise.randrange(1, 40)
                )
            case 4:
                at = noise.choice([33, 37, 41, 45, 49])
                data = bytearray(good[0])
                data[at : at + 4] = struct.pack("<f", noise.choice([float("nan"), float("inf"), float("-inf")]))
        yield bytes(data)


def flood(town: Rig, count: int, rate: float) -> None:
    port = free_port()
    with served(town, port) as run:
        sent, started = 0, time.monotonic()
        packets = list(bad_datagrams(count, seed=7))
        while sent < count:
            # not more than a socket holds, however late a busy machine is: what it drops at the end is told by none
            due = min(count, sent + 500, int((time.monotonic() - started) * rate) + 1)
            for packet in packets[sent:due]:
                run.send(packet, port)
            sent = due
            run.run(0.01)
        while run.counted + run.endpoint.drops < count:  # what a busy machine has not read yet waits in the socket
            run.run(0.01)
        before, after = town.built.first.vehicle, run.loop.now.vehicle
        assert run.counted + run.endpoint.drops == count
        assert not any(kind.startswith("received ") for kind in run.journal.counts)
        assert (after.x[0], after.y[0], after.yaw[0]) == (before.x[0], before.y[0], before.yaw[0])
        assert after.control_kind[0] == ControlKind.HOLD
        faults = {kind for kind in run.journal.counts if kind.startswith("bad ")}
        assert faults == {"bad header", "bad length", "bad tail", "bad size", "bad non-finite"}
        seconds = int((time.monotonic() - started) / TEXT_PERIOD_S) + 1
        assert len(run.lines) <= len(faults) * MAX_TEXTS * seconds, "some lines per kind and second"


def test_a_flood_of_bad_datagrams_changes_nothing_and_is_counted(town):
    flood(town, 20_000, rate=20_000)


@pytest.mark.soak
def test_a_flood_of_300_000_bad_datagrams(town):
    flood(town, 300_000, rate=20_000)


def test_values_out_of_range_are_clamped_counted_and_told(town):
    port = free_port()
    with served(town, port) as run:
        run.send(control(accel=3.0, steer=-9.0), port)
        run.run()
        assert run.loop.now.vehicle.target_accelerator[0] == 1.0
        assert run.journal.counts["clamped"] == 1
        assert run.lines[0].endswith(f"{HOST}:{port}: EgoCtrlCmd: accel")
        assert run.lines[1].endswith("EgoCtrlCmd: steer")


def test_datagrams_that_are_left_at_the_end_are_counted(town):
    """received + bad + dropped + unread = sent, also where the run ends before they are read."""
    port = free_port()
    with served(town, port) as run:
        run.send(control(accel=0.5), port)
        run.send(b"nonsense", port)
        run.run()
        for _ in range(700):
            run.send(control(accel=0.1), port)
        (sock,) = run.endpoint.sockets.values()
        assert run.endpoint.unread((sock,)) == 0, "the next run reads those of sockets that are kept"
        unread = run.endpoint.unread()
        assert run.endpoint.unread() == 0
        assert run.counted == 2
        assert run.counted + run.endpoint.drops + unread == 702


def test_what_is_not_done_says_why(town):
    port = free_port()
    with served(town, port) as run:
        run.send(move_sensor(0), port)
        run.send(light("nowhere", 16), port)
        run.send(intersection(3, 99, 0.0), port)
        run.run()
        assert run.journal.counts["refused"] == 3
        assert any("the map has no traffic light 'nowhere'" in line for line in run.lines)


def test_an_empty_and_an_oversized_datagram_are_counted(town):
    port = free_port()
    with served(town, port) as run:
        run.send(b"", port)
        run.send(bytes(60_000), port)
        run.run()
        assert run.journal.counts["bad header"] == 2


def test_datagrams_that_take_long_delay_a_tick_by_a_bounded_time_and_no_port_keeps_the_others_silent(town, monkeypatch):
    busy, other = free_port(), free_port()
    with served(town, busy, other) as run:
        read = run.endpoint._receiver.reader.read_limited

        def slow(data: bytes, size: int) -> object:
            time.sleep(0.02)
            return read(data, size)

        monkeypatch.setattr(run.endpoint._receiver, "runs", {})
        monkeypatch.setattr(run.endpoint._receiver.reader, "read_limited", slow)
        for _ in range(100):
            run.send(control(accel=0.5), busy)
        run.send(control(accel=0.25), other)
        run.run(0.01)
        assert run.loop.now.vehicle.target_accelerator[0] == 0.25
        assert 0 < run.counted < 30


def test_a_wait_says_whether_it_was_ended_early(town):
    with served(town, 0) as run:
        run.endpoint.wake()
        assert run.endpoint.wait(5.0, run.loop.put, run.loop.now)
        assert not run.endpoint.wait(0.01, run.loop.put, run.loop.now)


def test_open_sockets_go_over_to_the_next_run(town):
    """No other program can take an address meanwhile, and what was sent before is read after."""
    first, second = free_port(), free_port()
    scene, journal = town.built.scene, Journal(print)
    publisher, receiver = Publisher(scene, DEFAULT_REVISION, EPOCH), Receiver(DEFAULT_REVISION, scene)
    with served(town, first) as run:
        network = UdpNetwork((Address(HOST, first), Address(HOST, second)), ())
        after = UdpEndpoint(network, receiver, publisher, journal, run.endpoint.sockets)
        try:
            run.send(control(accel=0.5), first)
            run.endpoint.close(keep=after.sockets.values())
            loop = Loop(scene, town.built.first, Noise(0), PacedClock(), after, (), journal)
            loop.run(50_000_000)
            assert loop.now.vehicle.target_accelerator[0] == 0.5
            assert after.drops == 0
        finally:
            after.close()


def test_a_run_that_cannot_open_its_sockets_leaves_those_of_the_present_one(town):
    first, taken = free_port(), free_port()
    scene, journal = town.built.scene, Journal(print)
    publisher, receiver = Publisher(scene, DEFAULT_REVISION, EPOCH), Receiver(DEFAULT_REVISION, scene)
    with served(town, first) as run, open_listener(Address(HOST, taken)):
        network = UdpNetwork((Address(HOST, first), Address(HOST, taken)), ())
        with pytest.raises(InputError, match=str(taken)):
            UdpEndpoint(network, receiver, publisher, journal, run.endpoint.sockets)
        run.send(control(accel=0.25), first)
        run.run()
        assert run.loop.now.vehicle.target_accelerator[0] == 0.25
