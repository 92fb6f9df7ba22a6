"""The live table of `dorosim run` on a terminal: pace, lateness, and rates of messages and calls.

A thread of its own looks at the counters that are there anyway, twice a second.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.text import Text

from dorosim.app.run.report.log_output import LogOutput
from dorosim.app.run.report.run_summary import describe_actors, describe_driving, groups_of
from dorosim.app.serve.run_service import RunService
from dorosim.endpoint.loop.pace_monitor import PaceMonitor
from dorosim.ground.error import one_line

if TYPE_CHECKING:
    from dorosim.app.run.switch import CurrentRun
    from dorosim.endpoint.journal import Journal
    from dorosim.world.snapshot import Snapshot

_PERIOD = 0.5
"""Wall time between two looks [s]."""
_WINDOW = 2.0
"""Wall time over which rates are measured [s]."""
ROWS = 3
"""Lines that a row of rates has at most."""
LABEL = 13
"""Width of the first column."""


@dataclass(frozen=True, slots=True)
class Look:
    """The counters at a moment.

    Attributes:
        wall: moment [s]. time, tick: of the snapshot [ns, 1].
        counts: by group ("sent") and name ("EgoVehicleStatus").
    """

    wall: float
    time: int
    tick: int
    counts: Mapping[str, Mapping[str, int]]


class RunTable(RunService):
    """The table, as a service of the program.

    Args:
        console: a terminal.
        log_output: keeps the journal's lines; they are shown above the table.
        journal: counts datagrams.
        meter: how well the runs keep their pace.
        calls: gives the counts of all interfaces, each as a mapping.
    """

    def __init__(
        self,
        console: Console,
        log_output: LogOutput,
        journal: Journal,
        meter: PaceMonitor,
        calls: Callable[[], Iterable[Mapping[str, int]]],
    ) -> None:
        self._console, self._log_output, self._journal, self._calls = console, log_output, journal, calls
        self._meter = meter
        self._current: CurrentRun | None = None
        self._looks: list[Look] = []
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def serve(self, current: CurrentRun) -> None:
        """A run is about to begin: show it."""
        self._looks = [self._look(current)]
        self._current = current
        if self._thread is None:
            self._log_output.keep()
            self._thread = threading.Thread(target=self._show, name="dorosim-table", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Take the table away; lines that wait are written."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        self._log_output.let_go()

    def _show(self) -> None:
        """Show the table until it is over."""
        live = Live(
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            vertical_overflow="crop",
        )
        with live:
            while not self._over.wait(_PERIOD):
                for line in self._log_output.taken():
                    self._console.print(Text(one_line(line)), soft_wrap=True)
                current = self._current
                if current is not None:
                    live.update(self._text(current), refresh=True)

    def _text(self, current: CurrentRun) -> Text:
        now, look = current.loop.now, self._look(current)
        self._looks = [one for one in self._looks if look.wall - one.wall <= _WINDOW] or self._looks[-1:]
        before = self._looks[0]
        self._looks.append(look)
        lines = table_lines(now, before, look, self._meter.figures().late_p99, self._console.width - 1)
        if current.loop.gate.holds and current.loop.standstill.is_long:
            late = current.loop.gate.waited_for(now.time + current.loop.scene.tick)
            lines.append(
                _cut(_row("waits for", ", ".join(late) or "a step of synchronous mode"), self._console.width - 1)
            )
        text = Text("\n".join(lines), no_wrap=True, overflow="ellipsis")
        for number, line in enumerate(lines):
            start = sum(len(one) + 1 for one in lines[:number])
            text.stylize("dim" if number == 0 else "bold", start, start + (len(line) if number == 0 else LABEL))
        return text

    def _look(self, current: CurrentRun) -> Look:
        now = current.loop.now
        return Look(time.monotonic(), now.time, now.tick, self._counted(current))

    def _counted(self, current: CurrentRun) -> dict[str, dict[str, int]]:
        """All counters by group. A counter that another thread changes is copied at once."""
        counts = dict(self._journal.counts)
        sent = dict(current.session.endpoint.sent) | dict(current.station.sent)
        calls: dict[str, int] = {}
        for one in self._calls():
            calls |= dict(one)
        return grouped(sent, counts, calls)


def grouped(sent: Mapping[str, int], counts: Mapping[str, int], calls: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Counters by the rows of the table.

    Args:
        sent: datagrams by message.
        counts: of the journal.
        calls: of the interfaces; see `dorosim.app.run.report.run_summary.groups_of`.
    """
    groups = groups_of(counts, calls)
    return {
        "UDP sent": dict(sent),
        "UDP received": groups["received"],
        "UDP bad": groups["bad"],
        "gRPC calls": {kind.rpartition("/")[2]: count for kind, count in groups["grpc_calls"].items()},
        "TCP fixed step": groups["tcp_step"],
        **{f"ROS {done}": found for done, found in groups["ros"].items()},
    }


def table_lines(now: Snapshot, before: Look, look: Look, late: float | None, width: int) -> list[str]:
    """The table as lines that fit in a width.

    Args:
        now: the last snapshot.
        before: an earlier look; rates are those of the time since then.
        look: the present one.
        late: lateness that 99 of 100 ticks keep below [s], None where ticks are not due at any time.
        width: of the terminal [characters].
    """
    wall = look.wall - before.wall
    factor = (look.time - before.time) * 1e-9 / wall if wall > 0.0 else 0.0
    pace = "paused" if now.paused else f"x {factor:.2f} real time"
    speed = math.hypot(float(now.vehicle.velocity_x[0]), float(now.vehicle.velocity_y[0])) * 3.6
    kept = "" if late is None else f"  99 % of ticks < {late * 1e3:.1f} ms late"
    lines = [
        "─" * width,
        _row("time", f"{now.time * 1e-9:,.2f} s  {pace}  tick {now.tick:,}{kept}"),
        _row("ego", f"{speed:.1f} km/h, {describe_driving(now)}"),
        _row("there are", describe_actors(now)),
    ]
    for group, counts in look.counts.items():
        earlier = before.counts.get(group, {})
        rates = {name: (count - earlier.get(name, 0)) / wall if wall > 0.0 else 0.0 for name, count in counts.items()}
        if any(counts.values()):
            lines += _rate_rows(group, rates, width)
    return [_cut(line, width) for line in lines]


def _row(label: str, text: str) -> str:
    return f"{label:{LABEL}} {text}"


def _rate_rows(label: str, rates: Mapping[str, float], width: int) -> list[str]:
    """The sum of some rates, and the largest ones first, in as many lines as they need and there may be."""
    largest = sorted((name for name in rates if rates[name] > 0.0), key=lambda name: (-round(rates[name]), name))
    lines = [_row(label, f"{_rate(sum(rates.values())):>5} /s ")]
    for number, name in enumerate(largest):
        part = f" {name} {_rate(rates[name])}" + ("," if number + 1 < len(largest) else "")
        if len(lines[-1]) + len(part) <= width - 2 or len(lines[-1]) < LABEL + 12:
            lines[-1] += part
        elif len(lines) < ROWS:
            lines.append(_row("", f"{'':9}{part}"))
        else:
            lines[-1] += " …"
            break
    return [line.rstrip() for line in lines]


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _rate(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 9.95 or rate == 0.0 else f"{rate:.1f}"
