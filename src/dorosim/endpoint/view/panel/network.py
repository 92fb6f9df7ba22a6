"""The tab of the network: how often each message comes and goes, its last value, errors, and the pace of the loop."""

from __future__ import annotations

import html
from collections.abc import Sequence

from dorosim.bridge.view.network import WITH_VALUE, Counts, NetworkWay, Row, counts_of, rows_of
from dorosim.endpoint.loop.pace_monitor import PaceFigures
from dorosim.endpoint.view.message import Status
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun, write
from dorosim.ground.error import DorosimError
from dorosim.wire.value_text import ValueText
from dorosim.world.snapshot import Snapshot

_PERIOD = 1.0
"""Wall time from one change of the table to the next [s]."""
_WINDOW = 3.0
"""Wall time over which rates are computed [s]."""
NOTHING = "choose a message"
MAX_FIELDS = 80
"""Fields of a message that are shown, at most: messages with hundreds of slots are cut off."""


class NetworkPart(PagePart):
    """The tab of the network (a `page_context.PagePart`). A thread of its own fills it, while a visitor looks.

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._past: list[tuple[float, Counts]] = []
        self._shown: Status | None = None
        self._options: tuple[str, ...] = (NOTHING,)
        gui = context.server.gui
        with context.tab("Network"):
            self._text = gui.add_html("")
            self._choice = gui.add_dropdown(
                "Last value", self._options, hint="of a message, topic, call or sensor, as it was sent"
            )
            self._fields = gui.add_html("")
        context.on_input(self._choice, "Network", self._show_value)
        context.every(_PERIOD, "dorosim-page-network", self._show_new)

    def begin(self, _: PageRun) -> None:
        """Forget past counts: those of UDP begin anew with another run."""
        self._past = []

    def show(self, now: Snapshot) -> None:
        """Do nothing: the figures come from the status of the run, not from snapshots."""

    def _show_new(self) -> None:
        status = self._context.status
        if status is not None and status is not self._shown:
            self._shown = status
            self._show_status(status)
            self._show_value()

    def _show_status(self, status: Status) -> None:
        counts = counts_of(status.sent, status.packets, status.counts)
        past = self._past
        while len(past) > 1 and past[1][0] <= status.wall - _WINDOW:
            past.pop(0)
        wall, before = past[0] if past else (status.wall, {})
        past.append((status.wall, counts))
        rows = rows_of(counts, before, status.wall - wall)
        write(self._text, pace_html(status) + table_html(rows, status.dropped))
        options = (
            NOTHING,
            *(f"{row.name} ({row.way})" for row in rows if row.way in WITH_VALUE and row.count),
        )
        if options != self._options:
            self._options = options
            self._choice.options = options

    def _show_value(self) -> None:
        """The last message of the chosen row."""
        chosen = str(self._choice.value)
        text = ""
        if chosen != NOTHING and chosen in self._options:
            name, _, way = chosen.removesuffix(")").partition(" (")
            try:
                text = value_html(self._context.proxy.ask("page", "last_value", way, name))
            except DorosimError as problem:
                text = f'<div style="opacity:0.7;font-size:0.8em">{html.escape(str(problem))}</div>'
        write(self._fields, text)


_STYLE = "font-size:0.8em;width:100%;font-variant-numeric:tabular-nums;border-collapse:collapse"


def pace_html(status: Status) -> str:
    """Returns in HTML how the loop keeps its time, and whether the clock or which clients let it pass."""
    pace: PaceFigures = status.pace
    factor = "–" if pace.factor is None else f"{pace.factor:.3f} × real time"
    asked = "as fast as possible" if not status.factor else f"{status.factor:g} × asked for"
    late = "none is due at a time"
    if pace.late_p99 is not None and not status.synchronous:
        late = f"p50 {_ms(pace.late_p50)}, p99 {_ms(pace.late_p99)}, at most {_ms(pace.late_most)}"
    stepper = "the clock"
    if status.synchronous:
        stepper = ", ".join(status.steppers) or "clients; none has come yet"
    rows = [("pace", f"{factor} ({asked})"), ("ticks late by", late), ("stepped by", stepper)]
    if status.resyncs:
        rows.append(("clock began anew", f"{status.resyncs} times"))
    cells = "".join(
        f'<tr><td style="opacity:0.65;padding-right:0.8em">{what}</td><td>{html.escape(value)}</td></tr>'
        for what, value in rows
    )
    return f'<div style="padding:0.3em 0.6em"><table style="{_STYLE}">{cells}</table></div>'


def table_html(rows: Sequence[Row], dropped: int) -> str:
    """The table of messages in HTML; what comes from outside is text in it."""
    parts, way = [], None
    for row in (*rows, Row(NetworkWay.ERROR, "dropped by the kernel", dropped)) if dropped else rows:
        if row.way is not way:
            way = row.way
            parts.append(
                f'<tr><td style="padding-top:0.5em;font-weight:600">{way}</td>'
                '<td style="text-align:right;opacity:0.6">Hz</td>'
                '<td style="text-align:right;opacity:0.6">count</td></tr>'
            )
        rate = "" if row.rate is None else f"{row.rate:.1f}"
        colour = "color:#c92a2a" if row.way is NetworkWay.ERROR else "" if row.rate else "opacity:0.6"
        parts.append(
            f'<tr style="{colour}"><td style="overflow-wrap:anywhere">{html.escape(row.name)}</td>'
            f'<td style="text-align:right;padding:0 0.5em">{rate}</td>'
            f'<td style="text-align:right">{row.count:,}</td></tr>'
        )
    return f'<div style="padding:0 0.6em"><table style="{_STYLE}">{"".join(parts)}</table></div>'


def value_html(fields: Sequence[ValueText]) -> str:
    """A message field by field in HTML."""
    cells = "".join(
        f'<tr><td style="opacity:0.65;padding-right:0.6em">{html.escape(name)}</td><td>{html.escape(wire)}</td>'
        f'<td style="text-align:right;opacity:0.8">{html.escape(si)}</td></tr>'
        for name, wire, si in fields[:MAX_FIELDS]
    )
    more = len(fields) - MAX_FIELDS
    rest = f'<div style="opacity:0.7">and {more} more fields</div>' if more > 0 else ""
    return f'<div style="padding:0 0.6em"><table style="{_STYLE}">{cells}</table>{rest}</div>'


def _ms(seconds: float | None) -> str:
    return "–" if seconds is None else f"{1e3 * seconds:.1f} ms"
