"""Who waits at a fair_lock comes in before who has just been through."""

from __future__ import annotations

import threading
import time

import pytest

from dorosim.endpoint.loop.fair_lock import BusyError, FairLock


def test_a_busy_thread_keeps_nobody_out():
    """One works again and again without a pause; another comes in after one turn of it at most, or two at the start."""
    fair_lock, turns, ended = FairLock(), [0], threading.Event()

    def work() -> None:
        while not ended.is_set():
            with fair_lock.passing():
                time.sleep(0.001)
                turns[0] += 1

    worker = threading.Thread(target=work)
    worker.start()
    waited = []
    for _ in range(20):
        before = turns[0]
        with fair_lock.passing(5.0):
            waited.append(turns[0] - before)
        time.sleep(0.002)
    ended.set()
    worker.join()
    assert max(waited) <= 2


def test_one_at_a_time():
    fair_lock, inside, most = FairLock(), [0], [0]

    def work() -> None:
        for _ in range(50):
            with fair_lock.passing():
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                time.sleep(0)
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_patience_ends_and_leaves_the_turnstile_as_it_was():
    fair_lock = FairLock()
    told = []

    def ask() -> None:
        try:
            with fair_lock.passing(0.05):
                told.append("in")
        except BusyError as error:
            told.append(str(error))

    with fair_lock.passing():
        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(told) == 2
    assert all("held it for 0.05 s" in text for text in told)
    with pytest.raises(RuntimeError), fair_lock.passing(0.0):
        raise RuntimeError("it is open again whatever happens inside")
    with fair_lock.passing(0.0):
        pass
