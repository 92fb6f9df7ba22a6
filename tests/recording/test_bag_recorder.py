"""A bag that is recorded and its disk: nobody waits for it, and what ends it is told."""

from __future__ import annotations

import threading
import time

import pytest

from dorosim.endpoint.ros.outgoing_message import OutgoingMessage
from dorosim.recording.bag import recorder as recorder_module
from dorosim.recording.bag.recorder import BagRecorder
from dorosim.recording.bag.repair import look_into
from dorosim.wire.ros.registry import registry_of
from tests.recording.bag_maker import BEGIN

REGISTRY = registry_of("2024")


def test_who_sends_never_waits_for_a_slow_disk(tmp_path, monkeypatch):
    """The disk stands still; 10,000 messages are handed over at once, and those beyond the bound are counted."""
    monkeypatch.setattr(recorder_module, "MAX_WAITING_MESSAGES", 1000)
    made = BagRecorder(tmp_path / "a.bag", (), REGISTRY, lambda: BEGIN, lambda kind, text: told.append((kind, text)))
    told: list[tuple[str, str]] = []
    inner, stuck = made._writer, [True]

    class Slow:
        def add(self, *rest) -> None:
            while stuck[0]:
                time.sleep(0.001)
            inner.add(*rest)

        def flush(self) -> None:
            inner.flush()

        def close(self) -> None:
            inner.close()

    made._writer = Slow()
    text = REGISTRY.make("std_msgs/String", data="x")

    def send() -> None:
        for _ in range(10_000):
            made.send(OutgoingMessage("/text", "std_msgs/String", text, REGISTRY))

    sender = threading.Thread(target=send)
    sender.start()
    sender.join(60.0)
    waits, stuck[0] = sender.is_alive(), False
    assert not waits
    made.close()
    assert made.counts["dropped"] + made.counts["/text"] == 10_000
    assert 1000 <= made.counts["/text"] <= 3000
    assert len(told) == 1
    assert look_into(tmp_path / "a.bag").counts["/text"] == made.counts["/text"]


def test_a_full_disk_ends_the_bag_and_not_the_run(tmp_path):
    told: list[tuple[str, str]] = []
    one = BagRecorder(tmp_path / "a.bag", (), REGISTRY, lambda: BEGIN, lambda kind, text: told.append((kind, text)))

    class Full:
        def add(self, *_) -> None:
            raise OSError(28, "No space left on device")

        def flush(self) -> None: ...

        def close(self) -> None: ...

    one._writer.close()
    one._writer = Full()
    one.send(OutgoingMessage("/text", "std_msgs/String", REGISTRY.make("std_msgs/String"), REGISTRY))
    one._thread.join(60.0)
    assert one.problem == "No space left on device"
    assert not one.wants("/text")
    assert "No space left" in told[0][1]
    one.close()


@pytest.mark.parametrize("patient", [False, True])
def test_whatever_ends_the_thread_of_a_bag_is_told_and_nobody_waits_for_it(tmp_path, monkeypatch, patient):
    """A time of more seconds than a bag has bits for."""
    monkeypatch.setattr(recorder_module, "MAX_WAITING_MESSAGES", 3)
    told: list[str] = []
    times = [BEGIN, 1 << 63]
    made = BagRecorder(
        tmp_path / "a.bag",
        (),
        REGISTRY,
        lambda: times.pop(0) if times else BEGIN,
        lambda _, text: told.append(text),
        patient=patient,
    )
    post = OutgoingMessage("/text", "std_msgs/String", REGISTRY.make("std_msgs/String", data="x"), REGISTRY)
    made.send(post)
    made.send(post)
    made._thread.join(60.0)
    assert not made._thread.is_alive()
    assert made.problem
    assert not made.wants("/text")
    sender = threading.Thread(target=lambda: [made.send(post) for _ in range(9)], daemon=True)
    sender.start()
    sender.join(60.0)
    assert not sender.is_alive()
    made.close()
    assert [f"recording ended: {made.problem}" in text for text in told] == [True], "and nothing of a slow disk"
    found = look_into(tmp_path / "a.bag")
    assert found.whole
    assert found.counts == {"/text": 1}, "what came before is kept"


def test_a_topic_whose_type_cannot_be_told_is_left_out_alone(tmp_path):
    told: list[str] = []
    made = BagRecorder(tmp_path / "a.bag", (), REGISTRY, lambda: BEGIN, lambda _, text: told.append(text))
    text = REGISTRY.make("std_msgs/String", data="x")
    made.send(OutgoingMessage("/other", "other_msgs/Unknown", text, REGISTRY))
    made.send(OutgoingMessage("/text", "std_msgs/String", text, REGISTRY))
    made.close()
    assert (made.problem, made.counts) == ("", {"not written": 1, "/text": 1})
    assert len(told) == 1
    assert "/other: " in told[0]
    assert look_into(tmp_path / "a.bag").counts == {"/text": 1}


def test_a_message_after_the_end_is_no_fault_of_the_disk(tmp_path):
    told: list[str] = []
    made = BagRecorder(tmp_path / "a.bag", (), REGISTRY, lambda: BEGIN, lambda _, text: told.append(text))
    made.close()
    made.send(OutgoingMessage("/text", "std_msgs/String", REGISTRY.make("std_msgs/String"), REGISTRY))
    assert (told, made.counts) == ([], {})
