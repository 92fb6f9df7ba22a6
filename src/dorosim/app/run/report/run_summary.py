"""What `dorosim run` prints of a run: its actors, what the ego vehicle does, and a summary at the end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Console

from dorosim.ground.error import one_line
from dorosim.world.vehicle.mode import ControlKind, ControlMode

if TYPE_CHECKING:
    from dorosim.world.snapshot import Snapshot

SENSOR_EVENTS = ("sensor data saved", "sensor error", "sensor socket", "sensors late", "save error", "send error")
"""Kinds of journal entries about sensors; they are no counts of datagrams."""
STEP_WAIT = "synchronous mode"
"""Kind of the journal entries that are written while no client steps a run."""
GRPC = "gRPC "
"""With which counts of calls begin."""
ROS = ("sent", "received", "called", "recorded")
"""With which counts of topics and services of ROS end, as "/Ego_topic sent"."""


@dataclass(slots=True)
class RunOutcome:
    """What a run did.

    Attributes:
        ticks: how many. simulated, wall: seconds.
        resets: how often a run went back to its beginning; what it did before counts, too.
        drops: datagrams dropped by the kernel. unread: those that came and were not read: newer ones took their place,
            or the run ended.
        sent: by message.
        files: what was saved, a line each.
    """

    ticks: int = 0
    simulated: float = 0.0
    wall: float = 0.0
    resets: int = 0
    drops: int = 0
    unread: int = 0
    sent: dict[str, int] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)

    def add(self, other: RunOutcome) -> None:
        """Add what the next run did."""
        self.ticks += other.ticks
        self.simulated += other.simulated
        self.wall += other.wall
        self.resets += other.resets
        self.drops += other.drops
        self.unread += other.unread
        self.sent = dict(Counter(self.sent) + Counter(other.sent))
        self.files += other.files


def describe_driving(now: Snapshot) -> str:
    """What the ego vehicle does until a client or user drives it: "stands, held, until the first command"."""
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


def count_actors(now: Snapshot) -> dict[str, int]:
    """How many actors of each kind there are, and what else a snapshot lists, by its name in the singular."""
    npcs = int((now.traffic.plan_of_ego == 0).sum())
    return {
        "ego vehicle": len(now.egos),
        "NPC vehicle": npcs,
        "ghost": len(now.ghost),
        "pedestrian": len(now.people),
        "obstacle": len(now.obstacles),
        "map object": len(now.friction.objects),
        "spawn point": len(now.spawn),
        "fault": len(now.fault),
        "sensor": len(now.mounts),
    }


def describe_actors(now: Snapshot) -> str:
    """How many actors of each kind there are, in words."""
    return in_words(count_actors(now))


def in_words(counts: Mapping[str, int]) -> str:
    """Counts by name in the singular, without those that are 0: "1 ego vehicle, 20 NPC vehicles"."""
    return ", ".join(f"{count:,} {name}{'s' if count > 1 else ''}" for name, count in counts.items() if count)


@dataclass(frozen=True, slots=True)
class Summary:
    """How far the runs came and what became of every datagram and call.

    Attributes:
        ticks: how many. simulated_s, wall_s: seconds.
        real_time_factor: of both, infinite for a run of no duration.
        resets: how often a run went back to its beginning; what it did before counts, too.
        resyncs: how often the clock started anew.
        sent, received, bad: datagrams, by message and by fault. dropped: by the kernel. unread: those that came and
            were not read, since newer ones took their place or the run ended. The senders together sent received +
            bad + dropped + unread datagrams to the simulator.
        step_waits: how often the journal noted that no client steps a run in synchronous mode.
        received_events, sensor_events: what else the journal counted, by kind.
        grpc_calls, grpc_failures: by procedure and by status.
        ros: messages and calls by what was done ("sent", "received", "called", "recorded") and topic.
        ros_events: what went wrong, by kind.
        files: what was saved, a line each.
    """

    ticks: int
    simulated_s: float
    wall_s: float
    real_time_factor: float
    resets: int
    resyncs: int
    sent: dict[str, int]
    received: dict[str, int]
    bad: dict[str, int]
    dropped: int
    unread: int
    step_waits: int
    received_events: dict[str, int]
    sensor_events: dict[str, int]
    grpc_calls: dict[str, int]
    grpc_failures: dict[str, int]
    ros: dict[str, dict[str, int]]
    ros_events: dict[str, int]
    files: list[str]


def summary_of(outcome: RunOutcome, counts: Mapping[str, int], resyncs: int, calls: Mapping[str, int]) -> Summary:
    """The summary at the end.

    Args:
        outcome: of all runs together.
        counts: datagrams and events, by what became of them.
        resyncs: how often the clock started anew.
        calls: of gRPC, by procedure, and those that failed, by status; of ROS, by topic or service and what was done.
    """
    answered = _with_head(calls, GRPC)
    ros = {kind: count for kind, count in calls.items() if not kind.startswith(GRPC)}
    done = {ending: _with_end(ros, f" {ending}") for ending in ROS}
    heads = ("received ", "bad ", GRPC)
    other = {kind: count for kind, count in counts.items() if kind not in calls and not kind.startswith(heads)}
    return Summary(
        ticks=outcome.ticks,
        simulated_s=outcome.simulated,
        wall_s=outcome.wall,
        real_time_factor=outcome.simulated / outcome.wall if outcome.wall > 0 else math.inf,
        resets=outcome.resets,
        resyncs=resyncs,
        sent=outcome.sent,
        received=_with_head(counts, "received "),
        bad=_with_head(counts, "bad "),
        dropped=outcome.drops,
        unread=outcome.unread,
        step_waits=counts.get(STEP_WAIT, 0),
        received_events={kind: count for kind, count in other.items() if kind not in (*SENSOR_EVENTS, STEP_WAIT)},
        sensor_events={kind: count for kind, count in other.items() if kind in SENSOR_EVENTS},
        grpc_calls={kind: count for kind, count in answered.items() if "/" in kind},
        grpc_failures={kind: count for kind, count in answered.items() if "/" not in kind},
        ros={ending: found for ending, found in done.items() if found},
        ros_events={
            kind.removeprefix("ROS "): count
            for kind, count in ros.items()
            if not (kind.startswith("/") and kind.rpartition(" ")[2] in ROS)
        },
        files=outcome.files,
    )


def _with_head(counts: Mapping[str, int], head: str) -> dict[str, int]:
    return {kind.removeprefix(head): count for kind, count in counts.items() if kind.startswith(head)}


def _with_end(counts: Mapping[str, int], end: str) -> dict[str, int]:
    return {
        kind.removesuffix(end): count for kind, count in counts.items() if kind.startswith("/") and kind.endswith(end)
    }


def print_summary(console: Console, summary: Summary) -> None:
    """Print how far the runs came and what became of every datagram and call."""
    pace = (
        f"{summary.simulated_s:.2f} s simulated in {summary.wall_s:.2f} s ({summary.real_time_factor:.2f} x real time)"
    )
    resets = f", {summary.resets:,} reset{'s' if summary.resets > 1 else ''}" if summary.resets else ""
    console.print(f"{summary.ticks:,} ticks, {pace}{resets}", soft_wrap=True)
    _line(console, "sent", summary.sent)
    _line(console, "received", summary.received)
    _line(console, "bad", summary.bad)
    left = "not read, since newer ones came or the run ended"
    console.print(f"dropped by the kernel: {summary.dropped:,}; {left}: {summary.unread:,}")
    if summary.step_waits:
        console.print(f"waited for somebody to step: told {summary.step_waits:,} times")
    for label, counts in (("of the received", summary.received_events), ("of the sensors", summary.sensor_events)):
        if counts:
            _line(console, label, counts)
    if summary.grpc_calls:
        _line(console, "gRPC calls", summary.grpc_calls)
        _line(console, "of these failed", summary.grpc_failures)
    for done, counts in summary.ros.items():
        _line(console, f"ROS messages {done}" if done != "called" else "ROS calls", counts)
    if summary.ros_events:
        _line(console, "ROS events", summary.ros_events)
    if summary.resyncs:
        why = "the machine was too slow or asleep, or loaded what a first command needs"
        console.print(f"{summary.resyncs} times the clock started anew: {why}", soft_wrap=True)
    for line in summary.files:
        console.print(one_line(line), markup=False, soft_wrap=True)


def _line(console: Console, label: str, parts: Mapping[str, int]) -> None:
    detail = ", ".join(f"{kind} {count:,}" for kind, count in sorted(parts.items()) if count)
    total = sum(parts.values())
    console.print(f"{label}: {total:,}{f' ({detail})' if detail else ''}", soft_wrap=True)
