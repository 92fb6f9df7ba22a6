"""What the figures of the live page are measured in."""

from __future__ import annotations

import io
import threading
from dataclasses import dataclass

import numpy as np
from PIL import Image

from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.pace_monitor import PaceMonitor
from tools.bench.first_picture import COLOURS, colours_of
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


def test_a_window_with_panels_and_a_notice_alone_is_no_picture_of_the_world():
    grain = np.random.default_rng(1).integers(0, 255, (400, 640, 3), np.uint8)
    window = np.zeros_like(grain)
    window[:100, :300], window[:, 500:] = grain[:100, :300], grain[:, 500:]
    assert colours_of(_png(window)) == 1
    window[200:, 100:300] = grain[200:, 100:300]
    assert colours_of(_png(window)) > COLOURS


def _png(window: np.ndarray) -> bytes:
    file = io.BytesIO()
    Image.fromarray(window).save(file, "PNG")
    return file.getvalue()
