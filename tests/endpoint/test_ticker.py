"""Threads wait for the next turn of the loop; a loop that nobody waits for is not held up."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

from dorosim.endpoint.ticker import Ticker


def snapshot(tick: int) -> Any:
    return SimpleNamespace(tick=tick)


def test_a_turn_that_has_come_already_is_not_waited_for():
    ticker = Ticker()
    ticker(snapshot(5))
    turn = ticker.wait(0, 0.0)
    assert turn
    assert (turn.number, turn.now.tick) == (1, 5)
    assert ticker.wait(turn.number, 0.01) is None


def test_waiting_ends_with_the_next_turn_and_not_before():
    ticker = Ticker()
    ticker(snapshot(0))
    got: list[Any] = []
    thread = threading.Thread(target=lambda: got.append(ticker.wait(1, 5.0)))
    thread.start()
    time.sleep(0.05)
    assert not got
    ticker(snapshot(1))
    thread.join(1.0)
    assert (got[0].number, got[0].now.tick) == (2, 1)


def test_one_that_is_slow_gets_the_newest_turn():
    ticker = Ticker()
    for tick in range(4):
        ticker(snapshot(tick))
    turn = ticker.wait(1, 0.0)
    assert turn
    assert turn.now.tick == 3


def test_turns_are_counted_on_when_a_run_begins_anew():
    ticker = Ticker()
    ticker(snapshot(9))
    ticker(snapshot(0))
    turn = ticker.wait(1, 0.0)
    assert turn
    assert (turn.number, turn.now.tick) == (2, 0)


def test_closing_wakes_who_waits():
    ticker = Ticker()
    got: list[Any] = []
    thread = threading.Thread(target=lambda: got.append(ticker.wait(0, 5.0)))
    thread.start()
    ticker.close()
    thread.join(1.0)
    assert got == [None]


def test_no_turn_is_missed_by_many_that_wait():
    ticker, done = Ticker(), []

    def follow() -> None:
        seen = 0
        while seen < 500:
            turn = ticker.wait(seen, 2.0)
            assert turn is not None
            seen = turn.number
        done.append(seen)

    threads = [threading.Thread(target=follow) for _ in range(4)]
    for thread in threads:
        thread.start()
    for tick in range(500):
        ticker(snapshot(tick))
    for thread in threads:
        thread.join(5.0)
    assert done == [500] * 4
