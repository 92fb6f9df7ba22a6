"""What the interfaces did, as rows of a table. No page, no socket."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

GRPC = "gRPC "
"""Prefix of the names of counts of calls by gRPC, of those that failed, and of gRPC that is not served."""
RECEIVED = "received "
"""Prefix of the names of counts of received UDP messages."""
ERRORS = (
    "ROS ",
    "bad ",
    "bag",
    "clamped",
    "dropped ",
    "live page",
    "not in this version",
    "not written ",
    "page error",
    "receive error",
    "refused",
    "rosbridge dropped",
    "rosbridge is not served",
    "save error",
    "send error",
    "sensor error",
    "sensors late",
)
"""Prefixes of the names of counts that are errors."""
WORDS = ("ROS bridge says", "ROS publisher waits")
"""Counts of notes about ROS that are no errors, though their names begin like one."""


class NetworkWay(StrEnum):
    """By which interface, and in which direction."""

    UDP_SENT = "UDP sent"
    UDP_RECEIVED = "UDP received"
    SENSOR = "sensor packets sent"
    ROS_SENT = "ROS sent"
    ROS_RECEIVED = "ROS received"
    ROS_CALLED = "ROS called"
    GRPC_CALLED = "gRPC called"
    ERROR = "errors"
    EVENT = "events"


ENDINGS = {NetworkWay.ROS_SENT: " sent", NetworkWay.ROS_RECEIVED: " received", NetworkWay.ROS_CALLED: " called"}
"""Endings of the names of counts of topics and services."""
WITH_VALUE = frozenset(
    {NetworkWay.UDP_SENT, NetworkWay.UDP_RECEIVED, NetworkWay.SENSOR, *ENDINGS, NetworkWay.GRPC_CALLED}
)
"""Ways whose rows have a last value."""


@dataclass(frozen=True, slots=True)
class Row:
    """A message, topic, procedure or kind of event.

    Attributes:
        way: of it. name: its name. count: from the start of the program, or of the run.
        rate: lately [1/s]; None: not known yet.
    """

    way: NetworkWay
    name: str
    count: int
    rate: float | None = None


Counts = Mapping[tuple[NetworkWay, str], int]


def counts_of(
    sent: Mapping[str, int], packets: Mapping[str, int], counts: Mapping[str, int]
) -> dict[tuple[NetworkWay, str], int]:
    """Counts by way and name.

    Args:
        sent: UDP messages, by name.
        packets: of sensors, by kind.
        counts: of all other things, by kinds as the journal, the gRPC server and the hub of ROS name them.
    """
    found = {(NetworkWay.UDP_SENT, name): count for name, count in sent.items()}
    found |= {(NetworkWay.SENSOR, name): count for name, count in packets.items()}
    for kind, count in counts.items():
        found[_named(kind)] = count
    return found


def rows_of(now: Counts, before: Counts, seconds: float) -> list[Row]:
    """The table: way by way, each by name.

    Args:
        now: present counts.
        before: earlier ones; none for no rates.
        seconds: wall time between the two [s].
    """
    rows = []
    for (way, name), count in now.items():
        gone = count - before.get((way, name), 0)
        known = bool(before) and seconds > 0.0 and gone >= 0
        rows.append(Row(way, name, count, gone / seconds if known else None))
    order = list(NetworkWay)
    return sorted(rows, key=lambda row: (order.index(row.way), row.name))


def kind_of(way: NetworkWay, name: str) -> str:
    """Returns the kind of count of a row of gRPC calls, or of ROS messages and calls, by its way and name."""
    return f"{GRPC}{name}" if way is NetworkWay.GRPC_CALLED else name + ENDINGS.get(way, "")


def _named(kind: str) -> tuple[NetworkWay, str]:
    """Way and name of a kind of count."""
    if kind.startswith(RECEIVED):
        return NetworkWay.UDP_RECEIVED, kind.removeprefix(RECEIVED)
    if kind.startswith(GRPC):
        name = kind.removeprefix(GRPC)
        return (NetworkWay.GRPC_CALLED, name) if "/" in name else (NetworkWay.ERROR, kind)
    if kind.startswith("/"):
        for way, ending in ENDINGS.items():
            if kind.endswith(ending):
                return way, kind.removesuffix(ending)
    if kind.startswith(ERRORS) and kind not in WORDS:
        return NetworkWay.ERROR, kind
    return NetworkWay.EVENT, kind
