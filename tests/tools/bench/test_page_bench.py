"""What the figures of the live page are measured in."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.pace_monitor import PaceMonitor
from tools.bench.page_host import WARM, warm_up


@dataclass
class Now:
    """A snapshot, as the meter looks at it."""

    tick: int
    time: int


def test_the_beginning_of_a_run_is_not_measured():
    meter = PaceMonitor(PacedClock(None))
    meter.begin(10_000_000)
    waiting = threading.Thread(target=warm_up, args=(meter,), daemon=True)
    waiting.start()
    for tick in range(WARM):
        meter(Now(tick, tick * 10_000_000), ())
    waiting.join(0.3)
    assert waiting.is_alive(), "there is one tick less than there are moments"
    meter(Now(WARM, WARM * 10_000_000), ())
    waiting.join(5.0)
    assert not waiting.is_alive()
