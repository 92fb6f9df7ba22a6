"""The notifier that wakes who waits for ticks."""

import threading
import time

from dorosim.endpoint.loop.tick_notifier import TickNotifier


def test_who_waits_is_woken_when_it_has_come():
    notifier, came = TickNotifier(), []
    waiting = threading.Thread(target=lambda: came.append(notifier.wait(lambda: bool(come), 5.0)))
    come: list[int] = []
    waiting.start()
    time.sleep(0.02)
    notifier.ring()
    time.sleep(0.02)
    assert not came
    come.append(1)
    notifier.ring()
    waiting.join(2.0)
    assert came == [True]


def test_what_has_come_already_is_not_waited_for():
    assert TickNotifier().wait(lambda: True, 0.0)


def test_a_wait_ends():
    assert not TickNotifier().wait(lambda: False, 0.01)
