"""Recordings: written while a run goes on, replayed bit for bit, and broken files."""

from __future__ import annotations

import contextlib
import math
import random
import resource
from pathlib import Path

import msgspec
import pytest

from dorosim.app.analyse.recording_file import recording_facts
from dorosim.app.analyse.trace.recorded import open_recording
from dorosim.app.run.replay import print_found, replay_file
from dorosim.app.run.replay_script import ReplayScript, frame_times, parts_of
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.epoch import Epoch, Stamps
from dorosim.endpoint.loop.loop import Loop
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.recording.format import (
    LENGTH,
    MAGIC,
    EgoStart,
    Header,
    Tick,
    count_ticks,
    decode_recording,
    encode_record,
    unread_bytes,
)
from dorosim.recording.replay import replay
from dorosim.recording.snapshot import snapshot_from_bytes, snapshot_to_bytes
from dorosim.recording.writer import RecordingWriter
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Source
from dorosim.world.physics import PHYSICS_VERSION
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.packet import control, ghost, trajectory
from tests.recording.header import header_of, run_header
from tests.system.living_world import turn
from tests.system.rig import rig


def recorded(folder: Path, ticks: int = 600) -> Path:
    """A recording of a run with all sorts of commands."""
    run = rig(folder)
    path = folder / "run.rec"
    writer = RecordingWriter(path)
    writer.begin(header_of(run), run.now)
    run.loop.observers = (writer,)
    noise = random.Random(1)
    for tick in range(ticks):
        if tick % 5 == 0:
            run.send(control(accel=noise.random(), steer=noise.uniform(-1, 1), gear=noise.choice([2, 4])))
        if tick == 400:
            run.send(ghost(1.0, 2.0, 3.0, 4.0, 5.0), trajectory([(1.0, 2.0, 3.0, 4.0), (9.0, 9.0, 0.0, 5.0)]))
        run.turn()
    writer.close()
    return path


def test_a_recording_is_replayed_bit_for_bit(tmp_path):
    assert replay_file(recorded(tmp_path), None, tmp_path).equal


def test_a_replay_that_differs_says_at_which_tick(tmp_path, capsys):
    path = recorded(tmp_path)
    header, ticks = decode_recording("run", path.read_bytes())
    changed = [Tick(tick.tick, tick.digest, ()) if tick.tick == 451 else tick for tick in ticks]
    run = rig(tmp_path)
    result = replay(run.built.scene, run.built.first, Noise(0), changed)
    assert result.diverged == 451
    path.write_bytes(MAGIC + encode_record(header) + b"".join(encode_record(tick) for tick in changed))
    found = replay_file(path, None, tmp_path)
    assert (found.equal, found.diverged_tick) == (False, 451)
    print_found(found)
    assert "at tick 451" in capsys.readouterr().out


def test_a_run_that_was_paused_and_reset_is_replayed(tmp_path):
    run = rig(tmp_path)
    path = tmp_path / "run.rec"
    writer = RecordingWriter(path)
    writer.begin(header_of(run), run.now)
    run.loop.observers = (writer,)
    for number, ticks in enumerate((150, 1, 60)):
        run.loop.reset()
        run.send(control(accel=0.2 * number))
        run.turn(ticks)
        run.loop.put(Source.PEER, PauseRun(True))
        run.turn(5)
        run.loop.put(Source.PEER, PauseRun(False))
        run.turn(20)
    writer.close()
    assert replay_file(path, None, tmp_path).equal
    assert len(list(decode_recording("run", path.read_bytes())[1])) == 150 + 1 + 60 + 3 * 25


def test_a_run_from_a_snapshot_is_recorded_with_it_and_replayed(tmp_path):
    run = rig(tmp_path)
    turn(run, 50)
    path = tmp_path / "run.rec"
    start = snapshot_to_bytes(run_header(run), run.now)
    writer = RecordingWriter(path)
    writer.begin(header_of(run, start), run.now)
    run.loop.observers = (writer,)
    turn(run, 60)
    run.loop.now = snapshot_from_bytes("start", start).snapshot
    turn(run, 30)
    writer.close()
    assert replay_file(path, None, tmp_path).equal
    broken = header_of(run, start[:-1])
    path.write_bytes(MAGIC + encode_record(broken))
    with pytest.raises(InputError, match="is damaged or not complete") as error:
        replay_file(path, None, tmp_path)
    assert error.value.source == f"{path}: start"


@pytest.mark.parametrize("cut", [1, 7, 99, 100])
def test_a_recording_whose_writer_was_killed_is_replayed_as_far_as_it_goes(tmp_path, cut, capsys):
    path = recorded(tmp_path, 100)
    path.write_bytes(path.read_bytes()[:-cut])
    found = replay_file(path, None, tmp_path)
    assert found.equal
    whole = unread_bytes(path.read_bytes()) == 0
    assert count_ticks(path.read_bytes()) == found.ticks
    print_found(found)
    assert ("ends inside a record" in capsys.readouterr().out) != whole


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is not a dorosim recording"),
        (b"something else", "is not a dorosim recording"),
        (MAGIC, "has no header"),
        (MAGIC + b"\5\0\0\0abcde", "broken header"),
        (MAGIC + b"\xff\xff\xff\xff", "a record of 4,294,967,295 bytes"),
    ],
)
def test_a_broken_recording_is_one_clear_error(tmp_path, content, problem):
    path = tmp_path / "broken.rec"
    path.write_bytes(content)
    with pytest.raises(InputError, match=problem) as error:
        replay_file(path, None, tmp_path)
    assert str(path) in str(error.value)


def test_a_broken_record_inside_is_named_by_its_place(tmp_path):
    path = recorded(tmp_path, 50)
    content = bytearray(path.read_bytes())
    # the last record ends with its digest and an empty list of commands: 0xc1 is never used in MessagePack
    content[-1] = 0xC1
    path.write_bytes(content)
    with pytest.raises(InputError, match="broken record") as error:
        replay_file(path, None, tmp_path)
    assert error.value.place.startswith("byte ")


def test_every_cut_and_every_flipped_bit_of_a_populated_recording_is_read_or_refused(tmp_path):
    """Texts in records need not be UTF-8 any more, and lengths and tags anything."""
    path = tmp_path / "town.rec"
    commands = tuple(CreateNpc(model="2015_Kia_K5", link=k, s=1.0) for k in range(3))
    header = header_of(rig(tmp_path))
    ticks = [Tick(k, bytes(16), commands) for k in range(1, 4)]
    content = MAGIC + b"".join(map(encode_record, (header, *ticks)))
    for at in range(len(content)):
        broken = bytearray(content)
        broken[at] ^= 0x80
        for data in (bytes(broken), content[:at]):
            with contextlib.suppress(InputError):
                list(decode_recording(str(path), data)[1])


def test_a_missing_file_and_another_map_are_errors(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        replay_file(tmp_path / "none", None, tmp_path)
    run = rig(tmp_path)
    path = tmp_path / "other.rec"
    header = header_of(run)
    other = Header(**{name: getattr(header, name) for name in Header.__struct_fields__} | {"map_digest": "00"})
    path.write_bytes(MAGIC + encode_record(other))
    with pytest.raises(InputError, match="is not the one that was recorded on"):
        replay_file(path, None, tmp_path)


@pytest.mark.parametrize(
    "changes",
    [
        {"tick": 0},
        {"tick": -5},
        {"seed": -1},
        {"egos": ()},
        {"egos": (EgoStart("2016_Hyundai_Ioniq", (math.nan, 0.0, 0.0), 0.0),)},
        {"egos": (EgoStart("2016_Hyundai_Ioniq", (0.0, 0.0, 0.0), math.inf),)},
    ],
)
def test_a_header_that_no_run_has_written_is_refused(tmp_path, changes):
    header = header_of(rig(tmp_path))
    facts = {name: getattr(header, name) for name in Header.__struct_fields__} | changes
    path = tmp_path / "odd.rec"
    path.write_bytes(MAGIC + encode_record(Header(**facts)))
    with pytest.raises(InputError, match="the file is broken"):
        replay_file(path, None, tmp_path)


def test_a_start_without_a_height_survives_the_file():
    start = EgoStart("2016_Hyundai_Ioniq", (1.0, 2.0, math.nan), 0.5)
    header = Header(
        version="v",
        map_name="town",
        map_digest="00",
        seed=1,
        tick=10_000_000,
        epoch=0,
        egos=(start,),
        revision="24.R2",
        physics=PHYSICS_VERSION,
    )
    again, ticks = decode_recording("x", MAGIC + encode_record(header))
    assert list(ticks) == []
    assert math.isnan(again.egos[0].position[2])


def of_version(content: bytes, **changes) -> bytes:
    """A recording whose header says something else; None takes a field away."""
    size = LENGTH.unpack_from(content, len(MAGIC))[0]
    start = len(MAGIC) + LENGTH.size
    fields = msgspec.msgpack.decode(content[start : start + size]) | changes
    body = msgspec.msgpack.encode({name: value for name, value in fields.items() if value is not None})
    return MAGIC + LENGTH.pack(len(body)) + body + content[start + size :]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"version": "0.6.0", "physics": None}, "is of dorosim 0.6.0, whose worlds go on in another way"),
        ({"version": "0.6.0", "physics": None}, "use dorosim 0.6.0 for it"),
        (
            {"version": "9.9.9", "physics": PHYSICS_VERSION + 1},
            f"(physics {PHYSICS_VERSION + 1}, here {PHYSICS_VERSION}); use dorosim 9.9.9",
        ),
    ],
)
def test_a_recording_of_other_physics_is_refused_with_the_version_to_use(tmp_path, changes, told):
    """Those of 0.6.0 have no number. What they hold can still be told."""
    path = recorded(tmp_path, 20)
    assert recording_facts(path)["replayable"]
    assert recording_facts(path)["physics"] == PHYSICS_VERSION
    path.write_bytes(of_version(path.read_bytes(), **changes))
    for use in (lambda: replay_file(path, None, tmp_path), lambda: open_recording(path, None, tmp_path)):
        with pytest.raises(InputError) as refused:
            use()
        assert told in str(refused.value)
        assert "\n" not in str(refused.value)
    facts = recording_facts(path)
    assert (facts["replayable"], facts["version"], facts["ticks"]) == (False, changes["version"], 20)
    assert (facts["first_tick"], facts["last_tick"], facts["physics"]) == (1, 20, changes["physics"] or 0)


def test_a_recording_of_a_run_among_other_scenery_is_refused(tmp_path):
    """With the digest of what stands here it is not; with another seed of the scenery other things stand here."""
    path = recorded(tmp_path, 5)
    content, scenery = path.read_bytes(), rig(tmp_path).built.scene.scenery.digest
    path.write_bytes(of_version(content, scenery=scenery))
    assert replay_file(path, None, tmp_path)
    for changes in ({"scenery": "0" * len(scenery)}, {"scenery": scenery, "scenery_seed": 5}):
        path.write_bytes(of_version(content, version="8.8.8", **changes))
        for use in (lambda: replay_file(path, None, tmp_path), lambda: open_recording(path, None, tmp_path)):
            with pytest.raises(InputError, match=r"what stands beside the roads .* use dorosim 8\.8\.8"):
                use()


def test_epochs_of_stamps_are_recorded_where_they_change_and_come_again(tmp_path):
    """A replay tells the stamps that the run told, also of a part of it."""
    run, path = rig(tmp_path), tmp_path / "run.rec"
    stamps = Stamps(0)
    writer = RecordingWriter(path, stamped=stamps)
    writer.begin(header_of(run), run.now)
    run.loop.observers = (writer,)
    for epoch in (0, 0, 7, 7, 3):
        stamps.epoch = epoch
        run.turn()
    writer.close()
    _, ticks = decode_recording("run", path.read_bytes())
    ticks = tuple(ticks)
    assert [tick.epoch for tick in ticks] == [None, None, 7, None, 3]
    for spans, told in (((), [0, 0, 7, 7, 3]), (((3, 5),), [7, 3]), (((3, 4), (1, 2)), [7, 0])):
        again, seen = Stamps(99), []
        parts = parts_of(run.built, ticks, Noise(0), spans, epoch=0)
        loop = Loop(
            run.built.scene,
            run.built.first,
            Noise(0),
            PacedClock(None),
            observers=(lambda *_, into=seen, stamps=again: into.append(stamps.epoch),),
            script=ReplayScript("run", parts, frame_times(run.built, ticks)),
            epoch=Epoch(again, 0, 0),
        )
        loop.start()
        for _ in told:
            loop.turn()
        assert seen == told


def test_a_full_disk_ends_the_recording_and_not_the_run(tmp_path):
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    run = rig(tmp_path)
    writer = RecordingWriter(full)
    writer.begin(header_of(run), run.now)
    run.loop.observers = (writer,)
    run.turn(300)
    writer.close()
    assert run.now.tick == 300
    assert writer.problem == "holds no tick and no more: No space left on device"


@pytest.mark.parametrize("room", [3_000, 10_000, 15_001])
def test_a_full_disk_says_up_to_which_tick_the_file_holds_the_run(tmp_path, room):
    """A limit of the size of files stands for the disk; it is met inside a record."""
    run, path = rig(tmp_path), tmp_path / "run.rec"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        writer = RecordingWriter(path)
        writer.begin(header_of(run), run.now)
        run.loop.observers = (writer,)
        run.turn(600)
        writer.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert run.now.tick == 600
    facts = recording_facts(path)
    assert path.stat().st_size == room
    assert 10 < facts["last_tick"] < 600
    assert writer.problem == f"holds ticks up to {facts['last_tick']:,} and no more: File too large"
    assert replay_file(path, None, tmp_path).ticks == facts["last_tick"]


def test_a_run_that_waited_to_be_told_to_go_on_is_replayed_with_its_waits(tmp_path):
    run = rig(tmp_path)
    path = tmp_path / "run.rec"
    writer = RecordingWriter(path)
    writer.begin(header_of(run), run.now)
    run.loop.observers = (writer,)
    for tick in range(200):
        if tick % 3 == 0:
            run.loop.put(Source.PEER, DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.AUTO, Gear.D, accelerator=0.5))
        run.loop.turn(held=tick % 4 in (0, 1))
    writer.close()
    assert run.now.time == 100 * run.loop.scene.tick
    assert run.now.tick == 200
    assert replay_file(path, None, tmp_path).equal
