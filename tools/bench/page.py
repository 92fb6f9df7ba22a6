"""What the live page costs: nothing while no browser has it open, and no lateness while one has.

The loop is the real one, in a process of its own, with 200 actors in real time. The browser is Chromium on the same
machine, which draws without a graphics card.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import numpy as np

from tools.bench.figure import Figure
from tools.bench.first_picture import first_picture
from tools.bench.peer import answer_of, line_of, started_module

ROUNDS, TICKS = 40, 300
"""Turns of both loops, and ticks of each turn, for the cost of the page while no browser has it open."""
SECONDS = 20.0
"""Wall time that is measured with the page open [s]."""
SETTLE = 12.0
"""Wall time before it, in which the page loads its map [s]."""
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--enable-unsafe-swiftshader", "--window-size=1280,800"),
)
FIRST = "first picture of the world in Chromium, 200 actors"
FIRST_S, VISITS = 4.0, 3
"""Wall time in which it is to be there [s], and how many visitors come one after the other; the quickest counts."""
CLOSED = "step with the page closed, to one without a page"
LATE = "lateness of ticks with the page open in Chromium, p99, 200 actors"
FACTOR = "real-time factor with the page open in Chromium"


def figures() -> Iterator[Figure]:
    """Cost of the page while it is closed, and lateness while it is open."""
    yield _closed()
    chromium = shutil.which("chromium")
    if chromium is None:
        for name, unit in ((FIRST, "s"), (LATE, "ms"), (FACTOR, "x")):
            yield Figure(name, None, unit, detail="Chromium is not installed here; 'make browser' does it on Debian")
        return
    yield from _open(chromium)


def _closed() -> Figure:
    """The same run twice in one process, one of them with the page's service beside it, in turns.

    What else the machine does can only add to a time, and a tick of a number does the same in each turn: so the least
    time of each tick counts.
    """
    from tools.bench.page_host import tick_times, two_loops

    with two_loops() as loops:
        least = {page: np.full(TICKS, np.inf) for page in (False, True)}
        for turn in range(ROUNDS):
            for page in (False, True) if turn % 2 else (True, False):
                least[page] = np.minimum(least[page], tick_times(loops[page], TICKS))
    beside, alone = (1e6 * float(least[page].mean()) for page in (True, False))
    detail = f"{beside:.1f} to {alone:.1f} us a tick, the least of {ROUNDS} turns of {TICKS} ticks"
    return Figure(CLOSED, beside / alone, "x", 1.01, at_most=True, detail=detail)


def _open(chromium: str) -> Iterator[Figure]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        log = stack.enter_context((folder / "log").open("wb"))
        host = started_module(stack, "tools.bench.page_host", str(folder))
        url = line_of(host).strip()
        if not url:
            raise ChildProcessError("the run did not begin")
        alone = answer_of(host, f"{SETTLE / 2:g}")
        yield _first(chromium, url, folder, log)
        browser = stack.enter_context(_looking(chromium, url, folder / "profile", log))
        time.sleep(SETTLE)
        found = answer_of(host, f"{SECONDS:g}")
        if browser.poll() is not None:
            raise ChildProcessError("Chromium ended")
    parts = f"p50 {1e3 * found['p50']:.2f} ms, at most {1e3 * found['most']:.1f} ms, {found['ticks']:,} ticks"
    detail = (
        f"{parts}; page closed: p99 {1e3 * alone['p99']:.2f} ms; {found['frames'] / SECONDS:.1f} snapshots a second"
    )
    yield Figure(LATE, 1e3 * found["p99"], "ms", 10.0, at_most=True, detail=detail)
    load = f"page {100 * found['page']:.0f} % of a core, run {100 * found['run']:.0f} %"
    yield Figure(FACTOR, found["factor"], "x", 0.99, detail=load)


def _first(chromium: str, url: str, folder: Path, log: IO[bytes]) -> Figure:
    """How long visitors wait who come for the first time, each with a browser of his own."""
    waits = []
    for visit in range(VISITS):
        profile = folder / f"visitor{visit}"
        with _looking(chromium, "about:blank", profile, log):
            waits.append(first_picture(profile, url))
    detail = f"{', '.join(f'{wait:.2f}' for wait in waits)} s, of which the first starts the page's process"
    return Figure(FIRST, min(waits), "s", FIRST_S, at_most=True, detail=detail)


@contextmanager
def _looking(chromium: str, url: str, profile: Path, log: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """A browser that looks at the page."""
    command = [chromium, *FLAGS, f"--user-data-dir={profile}", "--remote-debugging-port=0", url]
    process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20.0)
