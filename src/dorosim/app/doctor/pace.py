"""Checks of how fast and how punctual this machine is."""

from __future__ import annotations

import time
from pathlib import Path

from dorosim.app.doctor.finding import Findings, note, note_if, problem
from dorosim.app.setting.choice import Base

SLEEPS, SLEEP = 200, 0.001
"""How often is slept, and for how long [s]."""
LATE = 0.002
"""Lateness of a sleep from which on ticks of 10 ms are felt to be late [s]."""
COARSE = 0.001
"""Steps of a clock that are too long for ticks [s]."""
MEASURE = 0.5
"""Wall time for which is stepped [s]."""
_SLOW, TOO_SLOW = 10.0, 1.0
"""Times real time with one ego vehicle: below the first, traffic and sensors may not keep up, below the second, nothing
does."""


def check_clock(_: Base) -> Findings:
    """The clock, and how punctual the system wakes a program."""
    resolution = time.get_clock_info("monotonic").resolution
    late = []
    for _number in range(SLEEPS):
        until = time.perf_counter() + SLEEP
        time.sleep(SLEEP)
        late.append(time.perf_counter() - until)
    late.sort()
    median, p99 = late[len(late) // 2], late[int(len(late) * 0.99)]
    text = f"woken {median * 1e3:.2f} ms late, 99 of 100 times less than {p99 * 1e3:.2f} ms"
    if resolution > COARSE:
        yield note("clock", f"it ticks in {resolution:.0e} s", "no steady ticks of 10 ms can be had from it")
    cure = "end what else runs; virtual machines and power saving are other causes"
    yield note_if(p99 > LATE, "punctuality", text, cure)


def check_speed(_: Base) -> Findings:
    """How fast the world steps with one ego vehicle."""
    from dorosim.ground.jit import is_cold

    if is_cold():
        yield note("speed", "not measured: the kernels are not compiled yet", "run once, then ask again")
        return
    from dorosim.app.run.build import build
    from dorosim.app.setting.settings import Settings
    from dorosim.ground.noise import Noise
    from dorosim.world.step import step

    made = build(Settings(), Path())
    noise = Noise(0)
    now = step(made.scene, made.first, (), noise)
    count, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < MEASURE:
        now = step(made.scene, now, (), noise)
        count += 1
    rate = count / spent
    factor = rate * made.scene.tick * 1e-9
    text = f"{rate:,.0f} steps/s with one ego vehicle, {factor:,.0f} x real time"
    if factor < TOO_SLOW:
        yield problem("speed", text, "this machine cannot keep real time; run with a smaller --speed factor")
    else:
        cure = "traffic and sensors may not keep real time; see the lines above for reasons"
        yield note_if(factor < _SLOW, "speed", text, cure)
