"""Snapshot files: exact, compact, and never misread."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.ground.error import InputError
from dorosim.ground.state_tree import arrays_of
from dorosim.recording import snapshot as module
from dorosim.recording.format import LENGTH, RunHeader
from dorosim.recording.saver import check_place
from dorosim.recording.snapshot import (
    MAGIC,
    SnapshotHeader,
    read_snapshot,
    snapshot_from_bytes,
    snapshot_to_bytes,
    write_snapshot,
)
from dorosim.world.snapshot import STATE
from tests.recording.header import run_header
from tests.system.living_world import turn
from tests.system.rig import Rig, rig


@pytest.fixture(scope="module")
def full(tmp_path_factory) -> Rig:
    """A run after 120 ticks in a world of everything."""
    run = rig(tmp_path_factory.mktemp("data"))
    turn(run, 120)
    return run


@pytest.fixture(scope="module")
def content(full) -> bytes:
    return snapshot_to_bytes(run_header(full), full.now)


def packed(header: SnapshotHeader, arrays: bytes) -> bytes:
    """A file with a right digest, whatever is in it."""
    head = msgspec.msgpack.encode(header)
    body = zlib.compress(LENGTH.pack(len(head)) + head + arrays)
    return MAGIC + hashlib.blake2b(body, digest_size=16).digest() + body


def unpacked(content: bytes) -> tuple[SnapshotHeader, bytes]:
    raw = zlib.decompress(content[len(MAGIC) + 16 :])
    (size,) = LENGTH.unpack_from(raw)
    return msgspec.msgpack.decode(raw[4 : 4 + size], type=SnapshotHeader), raw[4 + size :]


def changed(header: SnapshotHeader, **facts) -> SnapshotHeader:
    return SnapshotHeader(**{name: getattr(header, name) for name in SnapshotHeader.__struct_fields__} | facts)


def test_a_snapshot_comes_back_bit_for_bit_with_its_run(full, content):
    saved = snapshot_from_bytes("x", content)
    assert saved.snapshot.digest() == full.now.digest()
    facts = {name: getattr(saved.header, name) for name in RunHeader.__struct_fields__}
    assert facts == msgspec.structs.asdict(run_header(full))
    for block in arrays_of(saved.snapshot):
        assert not block.flags.writeable
        assert block.flags.c_contiguous
        assert block.flags.aligned


def test_special_numbers_are_kept_to_the_bit(full):
    leaves = STATE.leaves(full.now)
    x = leaves["vehicle.x"].copy()
    x.view(np.int64)[:4] = [0x7FF8_0000_0000_0123, -0x8000_0000_0000_0000, 0x7FF0_0000_0000_0000, 1]
    odd = STATE.build(leaves | {"vehicle.x": x})
    again = snapshot_from_bytes("x", snapshot_to_bytes(run_header(full), odd)).snapshot
    assert again.vehicle.x.tobytes() == x.tobytes()


def test_the_same_state_gives_the_same_bytes(full, content):
    assert snapshot_to_bytes(run_header(full), full.now) == content
    saved = snapshot_from_bytes("x", content)
    assert snapshot_to_bytes(run_header(full), saved.snapshot) == content


def test_a_snapshot_is_compact(full, content):
    assert len(content) < sum(block.nbytes for block in arrays_of(full.now)) / 3


def test_an_empty_world_is_saved_too(town):
    assert (
        snapshot_from_bytes("x", snapshot_to_bytes(run_header(town), town.now)).snapshot.digest() == town.now.digest()
    )


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is not a dorosim snapshot"),
        (b"dorosim recording 1\n", "is not a dorosim snapshot"),
        (b"dorosim snapshot 7\nwhatever", "is a snapshot of format 7; this version of dorosim reads format 1"),
        (b"dorosim snapshot \xff\xfe", "has no version of a format in its first line"),
        (b"dorosim snapshot \xe2\x82\xac1\n", "has no version of a format in its first line"),
        (MAGIC, "is damaged or not complete"),
        (MAGIC + b"0123456789", "is damaged or not complete"),
    ],
)
def test_what_is_no_snapshot_is_one_clear_error(data, problem):
    with pytest.raises(InputError, match=problem) as error:
        snapshot_from_bytes("here.snapshot", data)
    assert error.value.source == "here.snapshot"
    assert error.value.cure


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_every_cut_and_every_flipped_bit_is_noticed(content, data):
    at = data.draw(st.integers(0, len(content) - 1))
    broken = bytearray(content)
    broken[at] ^= 1 << data.draw(st.integers(0, 7))
    for bad in (bytes(broken), content[:at], content + b"x", content[:at] + content[at + 1 :]):
        with pytest.raises(InputError):
            snapshot_from_bytes("x", bad)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_file_that_was_made_to_look_whole_is_an_error_or_a_snapshot(content, data):
    """The digest is right and what is under it is not: lengths, MessagePack and shapes of all sorts."""
    raw = bytearray(zlib.decompress(content[len(MAGIC) + 16 :]))
    head = 4 + LENGTH.unpack_from(raw)[0]
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, head - 1))] = data.draw(st.integers(0, 255))
    body = zlib.compress(bytes(raw[: data.draw(st.sampled_from([len(raw), head, head // 2, 3, 0]))]), 1)
    with contextlib.suppress(InputError):
        snapshot_from_bytes("x", MAGIC + hashlib.blake2b(body, digest_size=16).digest() + body)


@pytest.mark.parametrize(
    "shape",
    [(2**60,), (-1,), (2**28, 2**28), (1,) * 9, (0, 2**28), (3, 3)],
    ids=lambda shape: "x".join(map(str, shape)),
)
def test_an_impossible_shape_allocates_nothing(content, shape):
    header, arrays = unpacked(content)
    leaves = tuple((path, dtype, shape if path == "traffic.x" else old) for path, dtype, old in header.leaves)
    with pytest.raises(InputError, match=r"traffic|too many|ends before"):
        snapshot_from_bytes("x", packed(changed(header, leaves=leaves), arrays))


def test_a_file_that_unpacks_to_too_much_is_refused(content, monkeypatch):
    monkeypatch.setattr(module, "MAX_SNAPSHOT_SIZE", 1 << 12)
    with pytest.raises(InputError, match="unpacks to more than"):
        snapshot_from_bytes("x", content)


def test_a_file_of_another_version_says_what_is_missing_and_what_is_new(content):
    header, arrays = unpacked(content)
    leaves = tuple(("traffic.mood" if path == "traffic.patience" else path, *rest) for path, *rest in header.leaves)
    with pytest.raises(InputError) as error:
        snapshot_from_bytes("old", packed(changed(header, version="0.9.1", leaves=leaves), arrays))
    text = str(error.value)
    assert "lacks traffic.patience and has traffic.mood, which is not known here" in text
    assert "saved by dorosim 0.9.1" in text


def test_columns_in_another_order_are_found_by_their_names(content, full):
    header, arrays = unpacked(content)
    sizes = [int(np.prod(shape)) * np.dtype(dtype).itemsize for _, dtype, shape in header.leaves]
    ends = np.cumsum(sizes)
    order = list(range(len(sizes)))
    random.Random(1).shuffle(order)
    shuffled = packed(
        changed(header, leaves=tuple(header.leaves[i] for i in order)),
        b"".join(arrays[ends[i] - sizes[i] : ends[i]] for i in order),
    )
    assert snapshot_from_bytes("x", shuffled).snapshot.digest() == full.now.digest()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda names: ("Model_T", *names[1:]), "Model_T not there any more"),
        (lambda names: (names[1], names[0], *names[2:]), "in another order"),
        (lambda names: (*names, "Model_T"), "Model_T not there any more"),
    ],
)
def test_models_that_have_other_numbers_are_refused(content, change, problem):
    header, arrays = unpacked(content)
    catalogues = header.catalogues | {"vehicle": change(header.catalogues["vehicle"])}
    with pytest.raises(InputError, match=problem) as error:
        snapshot_from_bytes("x", packed(changed(header, catalogues=catalogues), arrays))
    assert error.value.place == "vehicle models"


def test_models_that_were_added_since_do_not_matter(content, full):
    header, arrays = unpacked(content)
    catalogues = header.catalogues | {"obstacle": header.catalogues["obstacle"][:-1]}
    older = packed(changed(header, catalogues=catalogues), arrays)
    assert snapshot_from_bytes("x", older).snapshot.digest() == full.now.digest()


def test_a_file_is_written_whole_or_not_at_all(full, tmp_path, monkeypatch):
    path = tmp_path / "run.snapshot"
    write_snapshot(path, run_header(full), full.now)
    before = path.read_bytes()
    assert read_snapshot(path).snapshot.digest() == full.now.digest()
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(InputError, match="No space left on device"):
        write_snapshot(path, run_header(full), rig(tmp_path).now)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == [path.name]


def test_a_link_is_followed_and_what_is_no_plain_file_is_never_replaced(full, tmp_path):
    """As root, replacing /dev/null would take it away from all programs of the machine."""
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(target)
    write_snapshot(link, run_header(full), full.now)
    assert link.is_symlink()
    assert read_snapshot(target).snapshot.digest() == full.now.digest()
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        read = pool.submit(pipe.read_bytes)
        write_snapshot(pipe, run_header(full), full.now)
        assert read.result(10) == target.read_bytes()
    assert pipe.is_fifo()
    check_place(pipe)


@pytest.mark.parametrize("place", ["", "none/run.snapshot", "a\0b"])
def test_a_place_that_cannot_be_written_or_read_is_an_error(full, tmp_path, place):
    path = tmp_path / Path(place)
    with pytest.raises(InputError, match="cannot be written"):
        write_snapshot(path, run_header(full), full.now)
    with pytest.raises(InputError):
        read_snapshot(path)
