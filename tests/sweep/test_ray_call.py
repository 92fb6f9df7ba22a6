"""Calls of Ray that do not come back pause the sweep; those that do are as if made here."""

from __future__ import annotations

import threading

import pytest

from dorosim.app.sweep.ray_call import RayCalls
from dorosim.app.sweep.worker_host import SweepPauseError


@pytest.fixture
def calls():
    made = RayCalls()
    yield made
    made.close()


def refuse() -> None:
    raise ValueError("no such actor")


def test_a_call_returns_and_raises_as_here(calls):
    assert calls.call(lambda: 5, 60.0, "add") == 5
    with pytest.raises(ValueError, match="no such actor"):
        calls.call(refuse, 60.0, "ask")
    assert not calls.stuck


def test_all_calls_are_made_by_one_thread(calls):
    """The kernel ends what a thread has started with that thread."""
    made = {calls.call(threading.get_ident, 60.0, "look") for _ in range(3)}
    assert len(made) == 1
    assert threading.get_ident() not in made


def test_a_call_that_does_not_come_back_pauses_the_sweep(calls):
    over = threading.Event()
    try:
        with pytest.raises(SweepPauseError, match=r"to list its nodes takes more than 0\.01 s; start Ray again"):
            calls.call(over.wait, 0.01, "list its nodes")
        assert calls.stuck
        asked = []
        with pytest.raises(SweepPauseError, match="to stop takes"):
            calls.call(lambda: asked.append(1), 60.0, "stop")
        assert asked == [], "nothing is asked of it then"
    finally:
        over.set()
