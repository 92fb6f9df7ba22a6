"""What `dorosim run` prints of a run: its actors, what the ego vehicle does, and a summary at the end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from rich.console import Console

from dorosim.app.run.report.console import print_line
from dorosim.app.run.report.json_output import Facts
from dorosim.endpoint.loop.road_watch import ROAD_EVENTS
from dorosim.world.vehicle.mode import ControlKind, ControlMode

if TYPE_CHECKING:
    from dorosim.world.snapshot import Snapshot

SENSOR_EVENTS = ("sensor data saved", "sensor error", "sensor socket", "sensors late", "save error", "send error")
"""Kinds of journal entries about sensors; they are no counts of datagrams."""
STEP_WAIT = "synchronous mode"
"""Kind of the journal entries that are written while no client steps a run."""
GRPC = "gRPC "
"""With which counts of calls begin."""
TCP_STEP = "TCP "
"""With which counts of the fixed step over TCP begin."""
ROS = ("sent", "received", "called", "recorded")
"""With which counts of topics and services of ROS end, as "/Ego_topic sent"."""


@dataclass(slots=True)
class RunOutcome:
    """What a run did.

    Attributes:
        ticks: how many. simulated_s, wall_s: seconds.
        resets: how often a run went back to its beginning; what it did before counts, too.
        dropped: datagrams, by the kernel. unread: those that came and were not read: newer ones took their place, or
            the run ended.
        sent: by message.
        files: what was saved, a line each.
    """

    ticks: int = 0
    simulated_s: float = 0.0
    wall_s: float = 0.0
    resets: int = 0
    dropped: int = 0
    unread: int = 0
    sent: Counter[str] = field(default_factory=Counter)
    files: list[str] = field(default_factory=list)

    def __add__(self, other: RunOutcome) -> RunOutcome:
        """What both did."""
        return RunOutcome(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


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
    return "follows its last command"


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


def groups_of(counts: Mapping[str, int], calls: Mapping[str, int]) -> dict[str, Any]:
    """Counts of the journal and of the interfaces in groups, for the table and the summary.

    Args:
        counts: datagrams and events, by what became of them.
        calls: of gRPC, by procedure, and those that failed, by status; of ROS, by topic or service and what was done.

    Returns:
        received, bad: datagrams, by message and by fault.
        step_waits: how often the journal noted that no client steps a run in synchronous mode.
        road_events: vehicles off the road or beyond the map.
        received_events, sensor_events: what else the journal counted, by kind.
        grpc_calls, grpc_failures: by procedure and by status.
        tcp_step: requests of the fixed step over TCP, its datagrams and its failures, by kind.
        ros: messages and calls by what was done ("sent", "received", "called", "recorded") and topic.
        ros_events: what went wrong, by kind.
    """
    answered = _with_head(calls, GRPC)
    ros = {kind: count for kind, count in calls.items() if not kind.startswith((GRPC, TCP_STEP))}
    others = (*SENSOR_EVENTS, *ROAD_EVENTS, STEP_WAIT, *calls)
    heads = ("received ", "bad ", GRPC)
    return {
        "received": _with_head(counts, "received "),
        "bad": _with_head(counts, "bad "),
        "step_waits": counts.get(STEP_WAIT, 0),
        "received_events": {
            kind: count for kind, count in counts.items() if kind not in others and not kind.startswith(heads)
        },
        "sensor_events": {kind: count for kind, count in counts.items() if kind in SENSOR_EVENTS and kind not in calls},
        "road_events": {kind: counts[kind] for kind in ROAD_EVENTS if counts.get(kind)},
        "grpc_calls": {kind: count for kind, count in answered.items() if "/" in kind},
        "grpc_failures": {kind: count for kind, count in answered.items() if "/" not in kind},
        "tcp_step": _with_head(calls, TCP_STEP),
        "ros": {ending: found for ending in ROS if (found := _with_end(ros, f" {ending}"))},
        "ros_events": {
            kind.removeprefix("ROS "): count
            for kind, count in ros.items()
            if not (kind.startswith("/") and kind.rpartition(" ")[2] in ROS)
        },
    }


def summary_of(outcome: RunOutcome, counts: Mapping[str, int], resyncs: int, calls: Mapping[str, int]) -> Facts:
    """How far the runs came and what became of every datagram and call.

    Args:
        outcome: of all runs together.
        counts: of the journal.
        resyncs: how often the clock started anew.
        calls: of the interfaces; both as of `groups_of`.

    Returns:
        Those of `RunOutcome` and of `groups_of`, and resyncs.
        real_time_factor: simulated over wall time, infinite for a run of no duration.
        The senders together sent received + bad + dropped + unread datagrams to the simulator.
    """
    did = {one.name: getattr(outcome, one.name) for one in fields(outcome)}
    factor = outcome.simulated_s / outcome.wall_s if outcome.wall_s > 0 else math.inf
    return {**did, "real_time_factor": factor, "resyncs": resyncs, **groups_of(counts, calls)}


def _with_head(counts: Mapping[str, int], head: str) -> dict[str, int]:
    return {kind.removeprefix(head): count for kind, count in counts.items() if kind.startswith(head)}


def _with_end(counts: Mapping[str, int], end: str) -> dict[str, int]:
    return {
        kind.removesuffix(end): count for kind, count in counts.items() if kind.startswith("/") and kind.endswith(end)
    }


_EVENTS = (
    ("of the received", "received_events"),
    ("of the sensors", "sensor_events"),
    ("of the vehicles", "road_events"),
)


def print_summary(console: Console, summary: Facts) -> None:
    """Print how far the runs came and what became of every datagram and call."""
    pace = "{simulated_s:.2f} s simulated in {wall_s:.2f} s ({real_time_factor:.2f} x real time)".format_map(summary)
    resets = f", {in_words({'reset': summary['resets']})}" if summary["resets"] else ""
    console.print(f"{summary['ticks']:,} ticks, {pace}{resets}", soft_wrap=True)
    for label in ("sent", "received", "bad"):
        _line(console, label, summary[label])
    left = "not read, since newer ones came or the run ended"
    console.print(f"dropped by the kernel: {summary['dropped']:,}; {left}: {summary['unread']:,}")
    if summary["step_waits"]:
        console.print(f"waited for a client to step: reported {summary['step_waits']:,} times")
    for label, key in _EVENTS:
        if summary[key]:
            _line(console, label, summary[key])
    if summary["grpc_calls"]:
        _line(console, "gRPC calls", summary["grpc_calls"])
        _line(console, "of these failed", summary["grpc_failures"])
    if summary["tcp_step"]:
        _line(console, "fixed step by TCP", summary["tcp_step"])
    for done, counts in summary["ros"].items():
        _line(console, f"ROS messages {done}" if done != "called" else "ROS calls", counts)
    if summary["ros_events"]:
        _line(console, "ROS events", summary["ros_events"])
    if summary["resyncs"]:
        why = "the machine was too slow or asleep, or loaded what a first command needs"
        console.print(f"{summary['resyncs']} times the clock started anew: {why}", soft_wrap=True)
    for line in summary["files"]:
        print_line(console, line)


def _line(console: Console, label: str, parts: Mapping[str, int]) -> None:
    detail = ", ".join(f"{kind} {count:,}" for kind, count in sorted(parts.items()) if count)
    total = sum(parts.values())
    console.print(f"{label}: {total:,}{f' ({detail})' if detail else ''}", soft_wrap=True)
