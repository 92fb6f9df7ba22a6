"""What `dorosim run` prints at the start: what runs, what it listens to and sends, and how to drive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dorosim.app.run.report.console import print_line, print_notices
from dorosim.app.run.report.run_facts import AddressLine, RunFacts
from dorosim.app.run.report.run_summary import in_words


def print_banner(console: Console, facts: RunFacts, *, verbose: bool = False, driven: bool = True) -> None:
    """Print what runs, what it listens to and sends, and how to drive; at most 20 rows of 80 columns for a usual run.

    Args:
        console: prints it.
        facts: of the run.
        verbose: prints all addresses, also where each sensor sends.
        driven: whether a user at a terminal may want to drive; a run for a program or of a given length says nothing
            about it.
    """
    first = facts.egos[0]
    console.print(f"[bold]dorosim {facts.version}[/]: map {escape(facts.map_source)}, {facts.lanes_km:.1f} km of lanes")
    if facts.run_id:
        ports = f", all ports {facts.port_offset} on" if facts.port_offset else ""
        console.print(f"run {facts.run_id}{ports}: DOROSIM_RUN={facts.run_id} leads programs to it", soft_wrap=True)
    if facts.from_snapshot:
        line = f"goes on from {facts.from_snapshot} at {facts.time_s:.2f} s with {in_words(facts.actors)}"
        print_line(console, line)
    place = f"({first.x:.1f}, {first.y:.1f}), heading {first.heading_deg:.1f}°"
    others = f", and {len(facts.egos) - 1} more" if len(facts.egos) > 1 else ""
    line = f"ego {first.vehicle} at {place}{others}; speed {facts.speed}, tick {facts.tick_ms:g} ms"
    console.print(line, soft_wrap=True)
    for line in facts.lines:
        print_line(console, line)
    if verbose:
        _print_addresses(console, facts)
    else:
        for line in _main_addresses(facts):
            print_line(console, line)
    print_notices(console, facts.notices)
    if facts.paused:
        console.print("notice: it is paused; simulated time stands until a command lets it go on", style="yellow")
    if not facts.listen:
        console.print("notice: nothing is listened to, so no client can drive", style="yellow")
    if driven:
        _print_how_to_drive(console, facts)
    console.print("Ctrl-C ends.")


def _main_addresses(facts: RunFacts) -> Iterator[str]:
    """Where a client of the first ego vehicle reads and sends, and how to see all other addresses."""
    lines = []
    for verb, to, found in (("sends", "→", facts.sends), ("takes", "at", facts.takes)):
        mine = sorted(found, key=lambda one: (one.ego, one.message not in _MAIN))
        if mine:
            rate = f" at {mine[0].rate_hz:g} Hz" if mine[0].rate_hz is not None else ""
            more = f", and {len(mine) - 1} more message{'s' * (len(mine) > 2)}" if len(mine) > 1 else ""
            lines.append(f"{verb} {mine[0].message} {to} {mine[0].to}{rate}{more}")
    hint = "where each sensor sends, and all addresses" if facts.sensors else "all addresses"
    first, *rest = [*lines, f"{hint}: --verbose"]
    yield f"UDP, revision {facts.revision}: {first}"
    yield from (f"  {line}" for line in rest)


_MAIN = ("EgoVehicleStatus", "EgoCtrlCmd")
"""What a client that drives reads and sends."""


def _print_addresses(console: Console, facts: RunFacts) -> None:
    """Print where each message goes, or is taken, and where each sensor sends."""
    for one in facts.sensors:
        where = "sends nothing by UDP" if one.to is None else f"sends {one.source} → {one.to}"
        print_line(console, f"sensor {one.sensor}, {one.kind}: {where}")
    console.print(_table(facts))
    where = f"Each of these ports takes every message to the simulator, whichever it is above: {_ports(facts.listen)}"
    if any(one.ego > 1 for one in facts.takes):
        where += "; messages to an ego vehicle mean the one that the port is of"
    console.print(where, soft_wrap=True)


def _print_how_to_drive(console: Console, facts: RunFacts) -> None:
    keys = "press W on the live page (Q first, where another client drives)"
    hints = [keys] if any(line.startswith("live page: ") for line in facts.lines) else []
    hint = (
        f"EgoCtrlCmd with ctrl_mode 2, gear 4, cmd_type 1, pedals 0 to 1 and steering -1 to 1, {facts.steer_positive}"
    )
    if facts.at_example:
        hints.append("in another terminal:")
        _print_hints(console, facts, hints)
        command = f"  python3 examples/drive_lap.py{example_ports(facts.sends, facts.listen)}"
        console.print(command, style="bold", soft_wrap=True)
        console.print(f"or send {hint} positive.", soft_wrap=True)
    else:
        _print_hints(console, facts, [*hints, f"send {hint} positive."])


def _print_hints(console: Console, facts: RunFacts, hints: Iterable[str]) -> None:
    console.print(f"The ego vehicle {facts.driving}. To drive it, {', or '.join(hints)}", soft_wrap=True)


def example_ports(sends: Iterable[AddressLine], listen: Iterable[str]) -> str:
    """The options that the example drive_lap.py needs for a run whose ports are not the usual ones."""
    status = [one.to.rpartition(":")[2] for one in sends if one.message == "EgoVehicleStatus" and one.ego == 1]
    control = [address.rpartition(":")[2] for address in listen]
    other_status = f" --status-port {status[0]}" if status and "909" not in status else ""
    other_control = f" --control-port {control[0]}" if control and "9093" not in control else ""
    return other_status + other_control


def _table(facts: RunFacts) -> Table:
    table = Table(
        title=f"UDP, revision {facts.revision}",
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    several = any(one.ego > 1 for one in (*facts.sends, *facts.takes))
    for name in (*(("ego",) if several else ()), "message", "bytes", "direction", "address", "rate"):
        table.add_column(name, overflow="fold")
    for one in sorted((*facts.sends, *facts.takes), key=lambda one: one.ego):
        sends = one.rate_hz is not None
        numbers = (str(one.ego),) if several else ()
        sizes = str(one.bytes[0]) if sends else ", ".join(map(str, one.bytes))
        rate = f"{one.rate_hz:g} Hz" if sends else "any"
        table.add_row(*numbers, one.message, sizes, "sends" if sends else "listens", _address(one), rate)
    return table


def _address(one: AddressLine) -> str:
    """Source and destination; the host once if it is the same."""
    if one.source is None:
        return one.to
    source = one.source
    host, _, port = one.to.rpartition(":")
    return f"{source} → {port if source.rpartition(':')[0] == host else one.to}"


def _ports(listen: Iterable[str]) -> str:
    by_host: dict[str, list[str]] = {}
    for address in listen:
        host, _, port = address.rpartition(":")
        by_host.setdefault(host, []).append(port)
    parts = [f"{host}: {' '.join(ports)}" for host, ports in by_host.items()]
    return "; ".join(parts) or "nowhere, since the network settings list no address"
