"""What `dorosim run` prints: a banner at the start, a summary at the end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dorosim import __version__
from dorosim.ground.error import one_line
from dorosim.world.vehicle.mode import ControlKind, ControlMode

if TYPE_CHECKING:
    from dorosim.app.build import Build
    from dorosim.app.opening import Opening
    from dorosim.app.settings import Settings
    from dorosim.endpoint.network import Publication, UdpNetwork
    from dorosim.endpoint.udp_socket import Address
    from dorosim.wire.udp.revision import Revision
    from dorosim.world.snapshot import Snapshot

SENSOR_EVENTS = ("sensor data saved", "sensor error", "sensor socket", "sensors late", "save error", "send error")
"""What the journal tells of sensors, and not of datagrams."""
GRPC = "gRPC "
"""With which counts of calls begin."""
ROS = ("sent", "received", "called", "recorded")
"""With which counts of topics and services of ROS end, as "/Ego_topic sent"."""


@dataclass(slots=True)
class Outcome:
    """What a run did.

    Attributes:
        ticks: how many. simulated, wall: seconds.
        drops: datagrams dropped by the kernel. sent: by message.
        files: what was saved, a line each.
    """

    ticks: int = 0
    simulated: float = 0.0
    wall: float = 0.0
    drops: int = 0
    sent: dict[str, int] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Add what the next run did."""
        self.ticks += other.ticks
        self.simulated += other.simulated
        self.wall += other.wall
        self.drops += other.drops
        self.sent = dict(Counter(self.sent) + Counter(other.sent))
        self.files += other.files


def print_banner(
    console: Console,
    settings: Settings,
    ready: Build,
    revision: Revision,
    network: UdpNetwork,
    notices: Iterable[str],
    opening: Opening,
    more: Iterable[str] = (),
) -> None:
    """What runs, what it listens to and sends, and how to drive."""
    lanes = float((ready.scene.network.link_length * ready.scene.network.link_drivable).sum()) / 1000
    side, first = revision.steer_positive, ready.first
    x, y, yaw = (float(column[0]) for column in (first.vehicle.x, first.vehicle.y, first.vehicle.yaw))
    console.print(f"[bold]dorosim {__version__}[/]: map {escape(ready.map_files.source)}, {lanes:.1f} km of lanes")
    if settings.from_snapshot:
        told = f"goes on from {settings.from_snapshot} at {first.time * 1e-9:.2f} s with {describe_actors(first)}"
        console.print(one_line(told), markup=False, soft_wrap=True)
    model = ready.scene.models[int(first.vehicle.model[0])].name
    place = f"({x:.1f}, {y:.1f}), heading {math.degrees(math.remainder(yaw, math.tau)):.1f}°"
    others = f", and {len(first.egos) - 1} more" if len(first.egos) > 1 else ""
    console.print(f"ego {model} at {place}{others}; speed {settings.speed}, tick {ready.scene.tick / 1e6:g} ms")
    for line in (*opening.lines, *more):
        console.print(one_line(line), markup=False, soft_wrap=True)
    console.print(_table(revision, network))
    for notice in (*notices, *opening.notices):
        console.print(one_line(f"notice: {notice}"), style="yellow", markup=False, soft_wrap=True)
    console.print(f"Any of them is taken at any of these: {_ports(network)}", soft_wrap=True)
    if first.paused:
        console.print("notice: it is paused; simulated time stands until a command lets it go on", style="yellow")
    if not network.listen:
        console.print("notice: nothing is listened to, so nobody can drive", style="yellow")
    console.print(f"The ego vehicle {describe_driving(first)}. To drive it, in another terminal:")
    console.print("  python3 examples/drive_lap.py", style="bold")
    hint = f"pedals 0 to 1 and steering -1 to 1, {side} positive"
    console.print(f"or send EgoCtrlCmd with ctrl_mode 2, gear 4, cmd_type 1, {hint}.", soft_wrap=True)
    console.print("Ctrl-C ends.")


def describe_driving(now: Snapshot) -> str:
    """What the ego vehicle does until somebody drives it: "stands, held, until the first command"."""
    vehicle = now.vehicle
    if vehicle.paused[0]:
        return "is paused, and stands until it is let go"
    if vehicle.control_mode[0] == ControlMode.CRUISE:
        return "drives by itself, in cruise mode"
    if vehicle.control_mode[0] == ControlMode.GHOST:
        return "stays where its sender put it last"
    if vehicle.control_kind[0] == ControlKind.HOLD:
        return "stands, held, until the first command"
    if vehicle.control_kind[0] == ControlKind.TRAJECTORY:
        return "follows the trajectory that it was sent"
    return "drives as it was told last"


def describe_actors(now: Snapshot) -> str:
    """How many actors of each kind there are."""
    npcs = int((now.traffic.plan_of_ego == 0).sum())
    counts = (
        (len(now.egos), "ego vehicle"),
        (npcs, "NPC vehicle"),
        (len(now.ghost), "ghost"),
        (len(now.people), "pedestrian"),
        (len(now.obstacles), "obstacle"),
        (len(now.friction.objects), "map object"),
        (len(now.spawn), "spawn point"),
        (len(now.fault), "fault"),
        (len(now.mounts), "sensor"),
    )
    return ", ".join(f"{count:,} {name}{'s' if count > 1 else ''}" for count, name in counts if count)


def _table(revision: Revision, network: UdpNetwork) -> Table:
    from dorosim.wire.udp.catalogue import CATALOGUE, STATUS
    from dorosim.wire.udp.datagram import codec_of

    table = Table(
        title=f"UDP, revision {revision.name}",
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for name in ("message", "bytes", "direction", "address", "rate"):
        table.add_column(name, overflow="fold")
    for one in network.publications:
        message, size = STATUS[one.message]
        size = codec_of(message, revision, size).size
        table.add_row(one.message, str(size), "sends", _way(one), f"{one.rate_hz:g} Hz")
    for message in CATALOGUE:
        if message.table.to == "simulator" and network.listen:
            sizes = ", ".join(str(layout.size) for layout in reversed(message.table.layouts))
            address = _usual(network.listen, message.table.default_port)
            table.add_row(message.__name__, sizes, "listens", str(address), "any")
    return table


def _way(publication: Publication) -> str:
    """Source and destination; the host once if it is the same."""
    source, to = publication.source, publication.destination
    return f"{source} → {to.port if source.host == to.host else to}"


def _usual(listen: tuple[Address, ...], port: int) -> Address:
    """The address at which the product's clients send a message, if it is listened to, else the first."""
    return next((address for address in listen if address.port == port), listen[0])


def _ports(network: UdpNetwork) -> str:
    hosts = dict.fromkeys(address.host for address in network.listen)
    parts = [f"{host}: {' '.join(str(one.port) for one in network.listen if one.host == host)}" for host in hosts]
    return "; ".join(parts) or "nowhere, since the network settings list no address"


def print_summary(
    console: Console, outcome: Outcome, counts: Mapping[str, int], resyncs: int, calls: Mapping[str, int]
) -> None:
    """How far the runs came and what became of every datagram and call.

    Args:
        console: where to.
        outcome: of all runs together.
        counts: datagrams and events, by what became of them.
        resyncs: how often the clock started anew.
        calls: of gRPC, by procedure, and those that failed, by status; of ROS, by topic or service and what was done.
    """
    factor = outcome.simulated / outcome.wall if outcome.wall > 0 else math.inf
    pace = f"{outcome.simulated:.2f} s simulated in {outcome.wall:.2f} s ({factor:.2f} x real time)"
    console.print(f"{outcome.ticks:,} ticks, {pace}", soft_wrap=True)
    received = {kind: count for kind, count in counts.items() if kind.startswith("received ")}
    bad = {kind: count for kind, count in counts.items() if kind.startswith("bad ")}
    mine = {**received, **bad, **calls}
    other = {kind: count for kind, count in counts.items() if kind not in mine and not kind.startswith(GRPC)}
    sensors = {kind: other.pop(kind) for kind in SENSOR_EVENTS if kind in other}
    _line(console, "sent", sum(outcome.sent.values()), outcome.sent)
    good = {kind.removeprefix("received "): count for kind, count in received.items()}
    _line(console, "received", sum(good.values()), good)
    _line(console, "bad", sum(bad.values()), {kind.removeprefix("bad "): count for kind, count in bad.items()})
    _line(console, "dropped by the kernel", outcome.drops, {})
    if other:
        _line(console, "of the received", sum(other.values()), other)
    if sensors:
        _line(console, "of the sensors", sum(sensors.values()), sensors)
    answered = {kind.removeprefix(GRPC): count for kind, count in calls.items() if kind.startswith(GRPC)}
    done = {kind: count for kind, count in answered.items() if "/" in kind}
    if done:
        failed = {kind: count for kind, count in answered.items() if "/" not in kind}
        _line(console, "gRPC calls", sum(done.values()), done)
        _line(console, "of these failed", sum(failed.values()), failed)
    _ros_lines(console, {kind: count for kind, count in calls.items() if not kind.startswith(GRPC)})
    if resyncs:
        console.print(f"the machine was too slow or asleep: {resyncs} times the clock started anew")
    for line in outcome.files:
        console.print(one_line(line), markup=False, soft_wrap=True)


def _ros_lines(console: Console, counts: Mapping[str, int]) -> None:
    """Messages and calls of ROS, and what went wrong, where there is any."""
    rest = dict(counts)
    for ending in ROS:
        found = {kind: rest.pop(kind) for kind in counts if kind.startswith("/") and kind.endswith(f" {ending}")}
        if found:
            label = f"ROS messages {ending}" if ending != "called" else "ROS calls"
            _line(console, label, sum(found.values()), {k.removesuffix(f" {ending}"): n for k, n in found.items()})
    if rest:
        _line(console, "ROS events", sum(rest.values()), {kind.removeprefix("ROS "): n for kind, n in rest.items()})


def _line(console: Console, label: str, total: int, parts: dict[str, int]) -> None:
    detail = ", ".join(f"{kind} {count:,}" for kind, count in sorted(parts.items()) if count)
    console.print(f"{label}: {total:,}{f' ({detail})' if detail else ''}", soft_wrap=True)
