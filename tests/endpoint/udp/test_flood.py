"""Floods of datagrams: what is read, what is superseded, what the world comes to."""

from __future__ import annotations

import itertools

import pytest

from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.bridge.udp.target import TARGETS, target_of
from dorosim.endpoint.journal import Journal, silent
from dorosim.endpoint.udp import endpoint as udp
from dorosim.endpoint.udp import held
from dorosim.endpoint.udp.endpoint import MAX_AT_ONCE, UdpEndpoint
from dorosim.endpoint.udp.held import HeldDatagrams
from dorosim.endpoint.udp.network import UdpNetwork
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.noise import Noise
from dorosim.wire.udp.datagram import DatagramReader
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.wire.udp.simulator import SaveSensorData, ScenarioLoad, UserDefinedValue
from dorosim.world.step import step
from tests.endpoint.udp.peer import HOST, served
from tests.packet import control, ghost, intersection, lamps, light, multi_ego, npc_ghosts
from tests.port import free_port
from tests.system.rig import EPOCH

TO, ME, OTHER = (Address(HOST, 9093), 1), (HOST, 40_000), (HOST, 40_001)


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch):
    """Counts, not times: the share of the tick is long enough for everything."""
    monkeypatch.setattr(udp, "MAX_LATE_SHARE", 1e6)


def taken(run, sent: int) -> list[object]:
    """The commands of all datagrams that were sent, once the endpoint has taken them."""
    commands: list[object] = []
    while run.counted < sent:
        run.endpoint.wait(0.0, lambda _, command: commands.append(command), run.loop.now)
    return commands


def codec_and_target(data: bytes) -> tuple[object, bytes | None]:
    codec = DatagramReader(DEFAULT_REVISION, "simulator").codec_of(data, len(data))
    assert codec is not None
    return codec.message, target_of(codec, data)


def test_of_a_flood_of_controls_a_few_and_the_newest_are_read(town):
    port = free_port()
    with served(town, port) as run:
        for number in range(1000):
            run.send(control(accel=number / 1000), port)
        commands = taken(run, 1000)
        read = -(-MAX_AT_ONCE // len(control()))
        assert len(commands) == read + 1
        assert [round(one.accelerator, 3) for one in commands[-2:]] == [round((read - 1) / 1000, 3), 0.999]
        assert run.journal.counts["received EgoCtrlCmd"] == read + 1
        assert run.journal.counts["superseded EgoCtrlCmd"] == 1000 - read - 1
        assert run.endpoint.unread() == 1000 - read - 1, "received, bad, dropped and unread are all that was sent"
        assert run.endpoint.unread() == 0


def test_what_is_applied_is_what_is_recorded(town):
    """The loop's observers, the recorder among them, are told of the commands of each tick, and no others."""
    port = free_port()
    told = []
    with served(town, port) as run:
        run.loop.observers = (lambda _, commands: told.extend(commands),)
        for number in range(500):
            run.send(control(accel=number / 1000), port)
        while run.counted < 500:
            run.run(0.01)
        assert MAX_AT_ONCE // len(control()) < len(told) < 500
        assert told[-1].accelerator == pytest.approx(0.499)
        assert run.loop.now.vehicle.target_accelerator[0] == pytest.approx(0.499)


def test_floods_of_two_messages_keep_their_order(town):
    port = free_port()
    with served(town, port) as run:
        for number in range(300):
            run.send(control(accel=number / 1000), port)
            run.send(ghost(float(number), 0.0, 0.0, 0.0), port)
        run.send(control(accel=1.0), port)
        commands = taken(run, 601)
        assert [type(one).__name__ for one in commands[-2:]] == ["PlaceGhost", "DriveVehicle"]
        assert commands[-2].position[0] == 299.0
        assert commands[-1].accelerator == 1.0


def test_each_light_that_is_set_counts(town):
    """A flood that sets every light in turn leaves each as the last datagram about it says."""
    port = free_port()
    ids = [one.id for one in town.built.scene.network.signals.lights[:8]]
    with served(town, port) as run:
        for status, name in itertools.product((1, 4, 16) * 20, ids):
            run.send(light(name, status), port)
        taken(run, 8 * 60)
        read = -(-MAX_AT_ONCE // len(light(ids[0], 1)))
        assert run.journal.counts["superseded SetTrafficLightCtrl"] == 8 * 60 - read - 8


def test_a_flood_of_one_sender_does_not_silence_another(town):
    waiting = HeldDatagrams(target_of, Journal(silent))
    reader = DatagramReader(DEFAULT_REVISION, "simulator")
    good, bad = control(accel=0.5), control(accel=float("nan"))
    codec = reader.codec_of(good, len(good))
    waiting.put(TO, codec, good, ME)
    for _ in range(100):
        waiting.put(TO, codec, bad, OTHER)
    assert len(waiting) == 2
    assert next(waiting.take()).data == good
    assert next(waiting.take()).data == bad
    assert waiting.take() is None


def test_a_command_that_is_refused_replaces_none(town):
    """The last one that can be done counts, however many came after it; each is counted once."""
    port = free_port()
    with served(town, port) as run:
        for number in range(200):
            run.send(control(mode=1, accel=number / 1000), port)
        run.send(control(accel=0.75), port)
        for _ in range(20):
            run.send(control(accel=float("nan")), port)
        commands = taken(run, 221)
        assert commands[-1].accelerator == pytest.approx(0.75)
        assert run.journal.counts["bad non-finite"] == 20
        assert run.journal.counts["received EgoCtrlCmd"] == len(commands)
        assert run.endpoint.unread() + len(commands) + 20 == 221


def test_those_that_are_kept_besides_the_newest_are_few(monkeypatch):
    monkeypatch.setattr(held, "MAX_OLDER", 3)
    journal = Journal(silent)
    waiting = HeldDatagrams(target_of, journal)
    reader = DatagramReader(DEFAULT_REVISION, "simulator")
    for number in range(10):
        data = control(accel=number / 10)
        waiting.put(TO, reader.codec_of(data, len(data)), data, ME)
    assert [one.data for one in waiting.take()] == [control(accel=number / 10) for number in (9, 8, 7, 6)]
    assert journal.counts["superseded EgoCtrlCmd"] == 6
    assert waiting.forget() == 6


def test_the_oldest_gives_way_where_too_many_wait(monkeypatch):
    monkeypatch.setattr(held, "_MAX_HELD", 3)
    journal = Journal(silent)
    waiting = HeldDatagrams(target_of, journal)
    reader = DatagramReader(DEFAULT_REVISION, "simulator")
    for number in range(5):
        data = intersection(number, 0, 0.0)
        waiting.put(TO, reader.codec_of(data, len(data)), data, ME)
    assert len(waiting) == 3
    assert journal.counts["discarded SetIntersectionStatus"] == 2
    assert next(waiting.take()).data == intersection(2, 0, 0.0)


def test_a_command_that_keeps_the_mode_replaces_none_that_sets_it():
    assert codec_and_target(control(mode=2)) != codec_and_target(control(mode=0))
    assert codec_and_target(control(mode=2)) == codec_and_target(control(mode=2, accel=0.5))


def test_the_same_command_for_another_ego_vehicle_is_about_something_else(town):
    waiting = HeldDatagrams(target_of, Journal(silent))
    reader = DatagramReader(DEFAULT_REVISION, "simulator")
    data = control(accel=0.5)
    for ego in (1, 2, 1):
        waiting.put((TO[0], ego), reader.codec_of(data, len(data)), data, ME)
    assert [next(waiting.take()).to[1] for _ in range(2)] == [2, 1]


def test_a_lamp_that_is_kept_replaces_none_that_is_switched():
    assert codec_and_target(lamps(1, 0)) != codec_and_target(lamps(3, 0))
    assert codec_and_target(lamps(1, 0)) == codec_and_target(lamps(1, 1))


def test_messages_about_other_actors_replace_none():
    one = npc_ghosts((1, "2016_Hyundai_Ioniq", 0.0, 0.0, 0.0, 0.0))
    moved = npc_ghosts((1, "2016_Hyundai_Ioniq", 5.0, 0.0, 0.0, 0.0))
    two = npc_ghosts((2, "2016_Hyundai_Ioniq", 0.0, 0.0, 0.0, 0.0))
    assert codec_and_target(one) == codec_and_target(moved) != codec_and_target(two)
    driven = multi_ego((1, 0.0, 0.0, 0.0, 0.0))
    kept = driven[: -2 - 19 * 32 - 1] + b"\0" + driven[-2 - 19 * 32 :]
    assert codec_and_target(driven) != codec_and_target(kept), "one that keeps the mode replaces none that sets it"
    first, second = multi_ego((1, 0.0, 0.0, 0.0, 0.0)), multi_ego((2, 0.0, 0.0, 0.0, 0.0))
    assert codec_and_target(first) == codec_and_target(multi_ego((1, 9.0, 0.0, 0.0, 0.0))) != codec_and_target(second)


def test_every_message_is_about_something_but_three_that_do_something_each_time():
    known = {codec.message for codec in DatagramReader(DEFAULT_REVISION, "simulator").codecs}
    assert known - TARGETS.keys() == {ScenarioLoad, SaveSensorData, UserDefinedValue}


def test_a_flood_and_its_newest_alone_come_to_the_same(town):
    """The state after many controls, read one by one, is that after the few that a flood leaves."""
    scene, first = town.built.scene, town.built.first
    receiver = Receiver(DEFAULT_REVISION, scene)
    packets = [control(accel=number / 100, steer=-number / 100, gear=4 - number % 2) for number in range(100)]
    packets += [lamps(number % 4, number % 2) for number in range(101)]

    def after(datagrams: list[bytes]) -> object:
        commands = [
            one
            for data in datagrams
            for one in receiver.commands(receiver.reader.read_limited(bytearray(data), len(data))[1], first)
        ]
        return step(scene, first, commands, Noise(0))

    waiting = HeldDatagrams(target_of, Journal(silent))
    for data in packets:
        waiting.put(TO, receiver.reader.codec_of(data, len(data)), data, ME)
    left = []
    while (one := waiting.take()) is not None:
        left.append(next(one).data)
    assert len(left) == 5
    every, few = after(packets), after(left)
    assert every.vehicle.floats.tobytes() == few.vehicle.floats.tobytes()
    assert every.vehicle.ints.tobytes() == few.vehicle.ints.tobytes()


def test_reading_that_takes_longer_than_its_share_goes_on_in_the_next_tick(town, monkeypatch):
    """With no time left, one datagram that waits is read in each tick, and none is lost."""
    port = free_port()
    with served(town, port) as run:
        for number in range(200):
            run.send(intersection(number, 0, 0.0), port)
        commands: list[object] = []
        while run.counted + len(run.endpoint._intake.held) < 200:
            monkeypatch.setattr(run.endpoint._intake, "_max_at_once", 0)
            monkeypatch.setattr(UdpEndpoint, "_read_held", lambda *_: None)
            run.endpoint.wait(0.0, lambda _, command: commands.append(command), run.loop.now)
        monkeypatch.undo()
        monkeypatch.setattr(udp, "MAX_LATE_SHARE", 0.0)
        before = run.counted
        run.endpoint.wait(0.0, lambda _, command: commands.append(command), run.loop.now)
        assert run.counted == before + 1
        monkeypatch.setattr(udp, "MAX_LATE_SHARE", 1e6)
        run.endpoint.wait(0.0, lambda _, command: commands.append(command), run.loop.now)
        assert run.counted == 200


def test_the_endpoint_opens_without_a_network(town):
    scene = town.built.scene
    journal = Journal(silent)
    endpoint = UdpEndpoint(
        UdpNetwork(()), Receiver(DEFAULT_REVISION, scene), Publisher(scene, DEFAULT_REVISION, EPOCH), journal
    )
    assert endpoint.wait(0.0, lambda *_: None, town.built.first) is False
    endpoint.close()
