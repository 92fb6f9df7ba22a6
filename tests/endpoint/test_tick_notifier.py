"""The notifier that wakes who waits for ticks."""

import threading

from dorosim.endpoint.loop.tick_notifier import TickNotifier
from tests.timing import wait_for


def test_who_waits_is_woken_when_it_has_come():
    notifier, came, looks = TickNotifier(), [], []
    come: list[int] = []

    def has_come() -> bool:
        looks.append(1)
        return bool(come)

    waiting = threading.Thread(target=lambda: came.append(notifier.wait(has_come, 60.0)))
    waiting.start()
    seen = 0
    for _ in range(3):
        seen = wait_for(lambda seen=seen: len(looks) > seen and len(looks))
        notifier.ring()
    assert not came
    come.append(1)
    notifier.ring()
    waiting.join(30.0)
    assert came == [True]


def test_what_has_come_already_is_not_waited_for():
    assert TickNotifier().wait(lambda: True, 0.0)


def test_a_wait_ends():
    assert not TickNotifier().wait(lambda: False, 0.01)
