"""Bags: what is recorded can be read by other readers, and is there after the program was killed."""

from __future__ import annotations

import bz2
import random
import signal
import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from mcap.reader import make_reader
from rosbags.rosbag1 import Reader, Writer

from dorosim.app.analyse.bag.trajectories import read_trajectories
from dorosim.endpoint.ros.outgoing_message import OutgoingMessage
from dorosim.ground.error import InputError
from dorosim.recording.bag.reader import reading
from dorosim.recording.bag.recorder import BagRecorder
from dorosim.recording.bag.repair import look_into, repair
from dorosim.recording.bag.writer import open_bag
from dorosim.wire.ros.bag import MAGIC, BagReader
from dorosim.wire.ros.registry import registry_of
from tests.recording.bag_maker import BEGIN, SECOND, drive_messages, ego_status, write_bag
from tests.recording.real_rosbag import ROSBAG, real_rosbag

REGISTRY = registry_of("2024")
needs_rosbag = pytest.mark.skipif(ROSBAG is None, reason="the tools of ROS 1 are not installed (python3-rosbag)")


def record(path: Path, count: int = 500, topics=(), tell=lambda *_: None) -> BagRecorder:
    made = BagRecorder(path, topics, REGISTRY, lambda: BEGIN, tell)
    for number in range(count):
        stamp = BEGIN + number * 10_000_000
        status = ego_status(REGISTRY, stamp, float(number), 0.0, 0.0)
        for topic in ("/Ego_topic", "/text"):
            if made.wants(topic):
                text = REGISTRY.make("std_msgs/String", data=f"number {number}")
                one = (
                    (topic, "morai_msgs/EgoVehicleStatus", status)
                    if topic == "/Ego_topic"
                    else (topic, "std_msgs/String", text)
                )
                made.send(OutgoingMessage(*one, REGISTRY))
    return made


def test_a_ros_bag_is_read_by_rosbags(tmp_path):
    record(tmp_path / "a.bag").close()
    with Reader(tmp_path / "a.bag") as bag:
        assert {one.topic: (one.msgtype, one.msgcount, one.digest) for one in bag.connections} == {
            "/Ego_topic": ("morai_msgs/msg/EgoVehicleStatus", 500, "a54480c8f4c41293a77cf7a0eb3925c9"),
            "/text": ("std_msgs/msg/String", 500, "992ce8a1687cec8c8bd883ec73ca41d1"),
        }
        messages = [(stamp, bytes(data)) for one, stamp, data in bag.messages() if one.topic == "/Ego_topic"]
    assert [stamp for stamp, _ in messages] == [BEGIN + number * 10_000_000 for number in range(500)]
    assert [REGISTRY.decode("morai_msgs/EgoVehicleStatus", data).position.x for _, data in messages] == list(range(500))


def test_an_mcap_file_is_read_by_mcap(tmp_path):
    record(tmp_path / "a.mcap").close()
    with (tmp_path / "a.mcap").open("rb") as file:
        reader = make_reader(file)
        summary = reader.get_summary()
        assert reader.get_header().profile == "ros1"
        assert summary.statistics.message_count == 1000
        assert {one.name: one.encoding for one in summary.schemas.values()} == {
            "morai_msgs/EgoVehicleStatus": "ros1msg",
            "std_msgs/String": "ros1msg",
        }
        found = [
            (message.log_time, REGISTRY.decode(schema.name, message.data).position.x)
            for schema, channel, message in reader.iter_messages(topics=["/Ego_topic"])
            if channel.message_encoding == "ros1"
        ]
    assert found == [(BEGIN + number * 10_000_000, float(number)) for number in range(500)]


@needs_rosbag
def test_the_real_rosbag_accepts_a_bag(tmp_path):
    record(tmp_path / "a.bag").close()
    real_rosbag("check", tmp_path / "a.bag")
    told = real_rosbag("info", tmp_path / "a.bag")
    assert "messages:    1000" in told
    assert "/Ego_topic   500 msgs    : morai_msgs/EgoVehicleStatus" in told


@pytest.mark.parametrize(("topics", "wanted"), [(("/Ego*",), {"/Ego_topic"}), (("/text", "/x"), {"/text"})])
def test_chosen_topics_only(tmp_path, topics, wanted):
    made = record(tmp_path / "a.bag", 20, topics)
    assert {topic for topic in ("/Ego_topic", "/text") if made.wants(topic)} == wanted
    made.close()
    assert set(look_into(tmp_path / "a.bag").counts) == wanted


def test_messages_without_a_stamp_get_the_time_of_the_run(tmp_path):
    made = BagRecorder(tmp_path / "a.bag", (), REGISTRY, lambda: BEGIN + 7)
    made.send(OutgoingMessage("/text", "std_msgs/String", REGISTRY.make("std_msgs/String"), REGISTRY))
    clock = REGISTRY.make("rosgraph_msgs/Clock", clock=REGISTRY.time(BEGIN + 9))
    made.send(OutgoingMessage("/clock", "rosgraph_msgs/Clock", clock, REGISTRY))
    made.close()
    with Reader(tmp_path / "a.bag") as bag:
        assert sorted(stamp for _, stamp, _ in bag.messages()) == [BEGIN + 7, BEGIN + 9]


@pytest.mark.parametrize("name", ["a.bag", "a.mcap"])
def test_latched_topics_are_so_when_they_are_played_also_after_a_repair(tmp_path, name):
    made = BagRecorder(tmp_path / name, (), REGISTRY, lambda: BEGIN, latched=lambda topic: topic == "/tf_static")
    for topic in ("/tf", "/tf_static"):
        made.send(OutgoingMessage(topic, "tf2_msgs/TFMessage", REGISTRY.make("tf2_msgs/TFMessage"), REGISTRY))
    made.close()
    repair(tmp_path / name, tmp_path / f"mended {name}")
    for path in (tmp_path / name, tmp_path / f"mended {name}"):
        with reading(path) as bag:
            assert len(list(bag.messages())) == 2
            assert {one.topic: one.latched for one in bag.connections} == {"/tf": False, "/tf_static": True}
        if path.suffix == ".bag":
            with Reader(path) as other:
                assert {one.topic: one.ext.latching for one in other.connections} == {"/tf": 0, "/tf_static": 1}


def test_a_bag_without_messages_is_a_bag(tmp_path):
    for name in ("a.bag", "a.mcap"):
        BagRecorder(tmp_path / name, (), REGISTRY, lambda: 0).close()
        assert look_into(tmp_path / name).whole
    if ROSBAG:
        assert "size" in real_rosbag("info", tmp_path / "a.bag")


KILLED = """
import sys, time
from pathlib import Path
sys.path[:0] = {path!r}
from dorosim.endpoint.ros.outgoing_message import OutgoingMessage
from dorosim.recording.bag.recorder import BagRecorder
from dorosim.wire.ros.registry import registry_of
from tests.recording.bag_maker import BEGIN, ego_status
REGISTRY = registry_of("2024")
made = BagRecorder(Path(sys.argv[1]), (), REGISTRY, lambda: BEGIN)
number = 0
while True:
    status = ego_status(REGISTRY, time.time_ns(), float(number), 0.0, 0.0)
    made.send(OutgoingMessage("/Ego_topic", "morai_msgs/EgoVehicleStatus", status, REGISTRY))
    number += 1
    print(time.time_ns(), flush=True)
    time.sleep(0.005)
"""


@pytest.mark.parametrize("name", ["a.bag", "a.mcap"])
def test_a_program_that_is_killed_loses_a_second_at_most(tmp_path, name):
    script = tmp_path / "killed.py"
    script.write_text(KILLED.format(path=sys.path))
    program = subprocess.Popen([sys.executable, str(script), str(tmp_path / name)], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    first = int(program.stdout.readline())
    last = first
    while last < first + 2.3 * SECOND:
        last = int(program.stdout.readline())
    program.send_signal(signal.SIGKILL)
    program.wait()
    last = max([last, *(int(line) for line in program.stdout if line.strip().isdecimal())])
    program.stdout.close()
    path = tmp_path / name
    before = look_into(path)
    assert not before.whole
    count, kept = repair(path)
    assert kept == tmp_path / name.replace("a.", "a.orig.")
    assert kept.exists()
    after = look_into(path)
    assert after.whole
    assert after.counts["/Ego_topic"] == count >= before.counts["/Ego_topic"]
    assert last - after.last < SECOND, "what is older than a second is there"
    if name == "a.bag":
        with Reader(path) as bag:
            numbers = [REGISTRY.decode("morai_msgs/EgoVehicleStatus", data).position.x for _, _, data in bag.messages()]
        assert numbers == list(range(count)), "and none is missing before"
        if ROSBAG:
            real_rosbag("check", path)
            assert f"messages:    {count}" in real_rosbag("info", path)


@pytest.mark.parametrize("name", ["a.bag", "a.mcap"])
def test_a_bag_cut_anywhere_is_mended_up_to_the_cut(tmp_path, name):
    whole = tmp_path / name
    made = record(whole, 200)
    made.close()
    content = whole.read_bytes()
    for cut in range(5000, len(content), max(len(content) // 17, 1)):
        part = tmp_path / f"cut{cut}{whole.suffix}"
        part.write_bytes(content[:cut])
        found = look_into(part)
        if not found.counts:
            with pytest.raises(InputError, match="no message"):
                repair(part)
            continue
        count, _ = repair(part, tmp_path / f"new{cut}{whole.suffix}")
        mended = look_into(tmp_path / f"new{cut}{whole.suffix}")
        assert mended.whole
        assert sum(mended.counts.values()) == count == sum(found.counts.values())
        assert part.read_bytes() == content[:cut], "with --out the damaged one stays as it is"


@pytest.mark.parametrize("name", ["a.bag", "a.mcap"])
def test_a_topic_of_two_types_keeps_both(tmp_path, name):
    path, out = tmp_path / name, tmp_path / f"new {name}"
    messages = [REGISTRY.make("std_msgs/String", data="x"), REGISTRY.make("std_msgs/Int32", data=7)] * 2
    write_bag(path, [("/both", one, BEGIN + number) for number, one in enumerate(messages)])
    repair(path, out)
    for one in (path, out):
        with reading(one) as bag:
            found = [
                (kept.connection.type, REGISTRY.decode(kept.connection.type, kept.data).data) for kept in bag.messages()
            ]
            assert len(bag.connections) == 2
        assert found == [("std_msgs/String", "x"), ("std_msgs/Int32", 7)] * 2


@pytest.mark.parametrize("suffix", [".bag", ".mcap"])
def test_a_damaged_time_ends_the_bag_there(tmp_path, suffix):
    """Of the second of three messages; the first is kept, whatever kind of bag the mended one is."""
    path = tmp_path / f"a{suffix}"
    text = REGISTRY.make("std_msgs/String", data="x")
    content = write_bag(path, [("/text", text, BEGIN + number) for number in (1, 2, 3)]).read_bytes()
    second = struct.pack("<II", *divmod(BEGIN + 2, SECOND)) if suffix == ".bag" else struct.pack("<Q", BEGIN + 2)
    path.write_bytes(content.replace(second, b"\xff" * 8))
    found = look_into(path)
    assert not found.whole
    assert (found.counts, found.unread > 0) == ({"/text": 1}, True)
    assert "time" in found.broken
    for out in ("mended.bag", "mended.mcap"):
        assert repair(path, tmp_path / out) == (1, None)
        mended = look_into(tmp_path / out)
        assert (mended.whole, mended.first, mended.last) == (True, BEGIN + 1, BEGIN + 1)


def test_an_earlier_damaged_bag_is_not_replaced(tmp_path):
    path = tmp_path / "a.bag"
    content = write_bag(path, drive_messages(REGISTRY, 0.2)).read_bytes()
    for number, name in enumerate(("a.orig.bag", "a.orig2.bag", "a.orig3.bag")):
        path.write_bytes(content[: len(content) - 50 - number])
        assert repair(path)[1] == tmp_path / name
    for number, name in enumerate(("a.orig.bag", "a.orig2.bag", "a.orig3.bag")):
        assert (tmp_path / name).read_bytes() == content[: len(content) - 50 - number]


@pytest.mark.parametrize("compression", [Writer.CompressionFormat.BZ2, Writer.CompressionFormat.LZ4])
def test_packed_bags_of_others_are_read(tmp_path, compression):
    writer = Writer(tmp_path / "a.bag")
    writer.set_compression(compression)
    with writer:
        connection = writer.add_connection(
            "/text",
            "std_msgs/msg/String",
            msgdef=REGISTRY.definition("std_msgs/String"),
            md5sum=REGISTRY.md5("std_msgs/String"),
        )
        for number in range(10):
            writer.write(
                connection, BEGIN + number, bytes(REGISTRY.encode(REGISTRY.make("std_msgs/String", data="a" * number)))
            )
    with reading(tmp_path / "a.bag") as bag:
        found = [(one.time, REGISTRY.decode("std_msgs/String", one.data).data) for one in bag.messages()]
        assert found == [(BEGIN + number, "a" * number) for number in range(10)]
        assert bag.closed


def _chunk(compression: bytes, data: bytes, size: int) -> bytes:
    def fields(**all_of) -> bytes:
        parts = [name.encode() + b"=" + value for name, value in all_of.items()]
        return b"".join(struct.pack("<I", len(part)) + part for part in parts)

    header = fields(op=b"\x05", compression=compression, size=struct.pack("<I", size))
    return struct.pack("<I", len(header)) + header + struct.pack("<I", len(data)) + data


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (struct.pack("<I", 1 << 30), "a header of 1,073,741,824 bytes"),
        (b"\x01", "ends inside a record"),
        (struct.pack("<I", 4) + b"\x01\x00\x00\x00" + b"\x00" * 4, "field that is not valid"),
        (struct.pack("<I", 0) * 2, "does not say what it is"),
        (_chunk(b"bz2", bz2.compress(b"0" * 1000), 10), "not as long as it says"),
        (_chunk(b"bz2", b"no bz2 at all", 10), "cannot be unpacked"),
        (_chunk(b"lz4", b"no lz4 at all", 10), "cannot be unpacked"),
        (_chunk(b"zip", b"", 10), "packed by 'zip'"),
        (_chunk(b"bz2", b"", 1 << 31 | 1), "a chunk of 2,147,483,649 bytes"),
        (_chunk(b"none", b"\xff\xff", 2), "ends inside"),
    ],
)
def test_nonsense_in_a_bag_ends_it_there(content, words):
    reader = BagReader(memoryview(MAGIC + content))
    assert list(reader.messages()) == []
    assert words in reader.broken


def test_files_that_are_no_bags_are_refused_in_words(tmp_path):
    good = write_bag(tmp_path / "good.bag", drive_messages(REGISTRY, 0.2)).read_bytes()
    for name, content, words in (
        ("empty.bag", b"", "is not a ROS bag"),
        ("text.bag", b"hello", "is not a ROS bag"),
        ("old.bag", b"#ROSBAG V1.2\n" + good[13:], "is not a ROS bag of format 2.0"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=words):
            look_into(tmp_path / name)
        with pytest.raises(InputError, match=words):
            repair(tmp_path / name)
        assert (tmp_path / name).read_bytes() == content
    with pytest.raises(InputError, match="No such file"):
        look_into(tmp_path / "none.bag")
    with pytest.raises(InputError, match=r"end in \.bag"):
        open_bag(tmp_path / "a.txt")
    with pytest.raises(InputError, match="cannot be written"):
        open_bag(tmp_path / "nowhere" / "a.bag")


@pytest.mark.parametrize("suffix", [".bag", ".mcap"])
def test_damaged_bags_are_read_as_far_as_that_goes_or_refused_in_words(tmp_path, suffix):
    """Bytes of a bag are changed, taken out and put in at random: nothing but an InputError comes of it."""
    rng = random.Random(5)
    whole = write_bag(tmp_path / f"whole{suffix}", drive_messages(REGISTRY, 0.3)).read_bytes()
    path, out = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    outcomes: Counter[str] = Counter()
    for _ in range(80):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 1, 2, 5, 20))):
            at, kind = rng.randrange(len(data)), rng.random()
            if kind < 0.6:
                data[at] = rng.randrange(256)
            elif kind < 0.8:
                data[at : at + 4] = rng.choice((b"\xff" * 4, bytes(4), b"\xff\xff\xff\x7f", b"\0\0\0\x10"))
            elif kind < 0.9:
                del data[at : at + rng.randrange(1, 50)]
            else:
                data[at:at] = rng.randbytes(rng.randrange(1, 30))
        path.write_bytes(data)
        for act in (look_into, read_trajectories, lambda one: repair(one, out)):
            try:
                act(path)
                outcomes["read"] += 1
            except InputError:
                outcomes["refused"] += 1
    assert outcomes["read"] > 50
    assert outcomes["refused"] > 20
