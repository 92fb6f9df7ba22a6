"""Memory between simulator and client: what is put is what is read, overwriting is noticed, nothing is left."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from dorosim.client import shared_memory
from dorosim.client.shared_memory import SharedSlots
from dorosim.endpoint.grpc.shared_ring import SLOTS, SharedRing, is_local, remove_left_files
from tests.source import ROOT


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(shared_memory, "_FOLDER", tmp_path)
    return tmp_path


def offer(ring, **changed):
    found = {"path": str(ring.path), "token": ring.token, "slots": ring.slots, "slot_size": ring.slot_size}
    return SimpleNamespace(**{**found, "pipe": str(ring.pipe or ""), **changed})


def put(ring, *arrays):
    """Put arrays; the Array messages of a reader."""
    forms = []

    def message(number, offsets):
        for at, (array, offset) in enumerate(zip(arrays, offsets, strict=True)):
            form = SimpleNamespace(
                name=str(at), type=array.dtype.str, fields=(), shape=array.shape, values=b"", texts=()
            )
            form.offset, form.number = offset, number
            forms.append(form)
        return f"reading {number}".encode()

    packed = ring.put(list(arrays), message)
    return None if packed is None else (forms, packed)


def numbers(value, count=1000):
    return np.full(count, value, np.float32)


def test_what_is_put_is_what_is_read(folder):
    ring = SharedRing(8000, every=True, folder=folder)
    slots = SharedSlots(offer(ring))
    assert ring.accepted
    picture, points = np.arange(24, dtype=np.uint8).reshape(2, 4, 3), numbers(7.5)
    forms, _ = put(ring, picture, points, np.array(3, np.int64))
    found = slots.copied(1, forms)
    assert np.array_equal(found["0"], picture)
    assert np.array_equal(found["1"], points)
    assert found["2"] == 3
    put(ring, numbers(1.0))
    assert np.array_equal(found["1"], points)  # it is a copy
    slots.close()
    ring.close()


def test_only_this_user_can_open_it_and_its_name_goes_when_the_client_has(folder):
    ring = SharedRing(100, every=False, folder=folder)
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert not ring.accepted
    slots = SharedSlots(offer(ring))
    assert not list(folder.iterdir())
    slots.close()
    ring.close()


def test_its_name_goes_with_it_if_no_client_has_opened_it(folder):
    SharedRing(100, every=False, folder=folder).close()
    assert not list(folder.iterdir())


def test_a_reading_that_was_overwritten_is_noticed(folder):
    ring = SharedRing(8000, every=False, folder=folder)
    slots = SharedSlots(offer(ring))
    first, _ = put(ring, numbers(1.0))
    for number in range(SLOTS):
        put(ring, numbers(2.0 + number))
    assert slots.copied(1, first) is None
    assert slots.message(1) is None
    newest = slots.wait()
    assert newest == SLOTS + 1
    assert slots.message(newest) == f"reading {newest}".encode()
    slots.close()
    ring.close()


def test_where_none_may_be_lost_a_slot_waits_for_its_reader(folder):
    ring = SharedRing(8000, every=True, folder=folder)
    slots = SharedSlots(offer(ring))
    readings = [put(ring, numbers(number)) for number in range(SLOTS)]
    assert put(ring, numbers(9.0)) is None
    for number, (forms, _) in enumerate(readings):
        assert slots.copied(number + 1, forms)["0"][0] == number
    assert put(ring, numbers(9.0)) is not None
    slots.close()
    ring.close()


def test_what_is_too_large_is_not_put(folder):
    ring = SharedRing(4000, every=True, folder=folder)
    assert put(ring, numbers(1.0, 2000)) is None
    assert put(ring, numbers(1.0, 1000)) is not None
    ring.close()


@pytest.mark.parametrize(
    "changed",
    [
        {"token": b"x" * 16},
        {"token": b""},
        {"path": "/dev/null"},
        {"path": "../x"},
        {"slots": 0},
        {"slots": 1000},
        {"slot_size": 1 << 40},
        {"slot_size": -1},
        {"pipe": "/etc/passwd"},
    ],
)
def test_an_offer_that_is_not_right_is_not_taken(folder, changed):
    ring = SharedRing(100, every=True, folder=folder)
    with pytest.raises(OSError):  # noqa: PT011 - of several kinds
        SharedSlots(offer(ring, **changed))
    assert not ring.accepted
    ring.close()


def test_no_memory_is_an_error_and_leaves_nothing(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space"):
        SharedRing(100, every=False, folder=folder)
    assert not list(folder.iterdir())


def test_files_of_a_killed_process_are_removed_and_those_of_a_living_one_are_not(folder):
    code = (
        "import os, signal, pathlib; from dorosim.endpoint.grpc.shared_ring import SharedRing;"
        f"ring = SharedRing(100, every=False, folder=pathlib.Path({str(folder)!r}));"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT / "src")}, check=False)
    assert len(list(folder.iterdir())) == 2
    mine = SharedRing(100, every=False, folder=folder)
    assert set(folder.iterdir()) == {mine.path, mine.pipe}
    remove_left_files(folder)
    assert set(folder.iterdir()) == {mine.path, mine.pipe}
    mine.close()


def test_only_addresses_of_this_machine_are_local():
    assert all(map(is_local, ("ipv4:127.0.0.1:5", "ipv6:[::1]:5", "ipv6:%5B::1%5D:5", "unix:/x")))
    assert not any(map(is_local, ("ipv4:10.0.0.1:5", "ipv6:[fe80::1]:5", "ipv4:192.168.127.1:5", "")))
