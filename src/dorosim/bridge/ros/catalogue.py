"""Every topic and service, and what of them is offered; rows stand in tables by domain."""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from dorosim.bridge.ros import fault, multi_ego, objects, receive, scenario, service, signal, sim_proc, status, sync
from dorosim.bridge.ros.guard import Range
from dorosim.bridge.ros.topic import Provided, Published, RosSituation, Subscribed
from dorosim.ground.error import InputError
from dorosim.wire.ros.registry import Registry

_MODULES = (status, objects, receive, service, signal, scenario, multi_ego, fault, sim_proc, sync)


def _rows(table: str) -> Iterator[Any]:
    return (row for module in _MODULES for row in getattr(module, table, ()))


def _joined(table: str) -> dict[str, Any]:
    return {key: value for module in _MODULES for key, value in getattr(module, table, {}).items()}


PUBLISHED: tuple[Published, ...] = tuple(_rows("PUBLISHED"))
"""Topics from the simulator; those of sensors depend on which there are (dorosim.bridge.ros.sensor)."""
SUBSCRIBED: tuple[Subscribed, ...] = tuple(_rows("SUBSCRIBED"))
"""Topics to the simulator."""
PROVIDED: tuple[Provided, ...] = tuple(_rows("PROVIDED"))
"""Services."""
RANGES: dict[str, Range] = _joined("RANGES")
"""What numbers may be, by type and field."""
WITHOUT_EFFECT: dict[str, str] = _joined("WITHOUT_EFFECT")
"""Fields of messages to the simulator that change nothing, by type and field, and why."""
MAX_TOPIC_RATE_HZ = 1000.0
"""Nothing is published more often than each tick, whatever is asked for."""
_NAME = re.compile(r"/[A-Za-z]\w*(/[A-Za-z]\w*)*")
"""A global name of ROS (wiki.ros.org/Names)."""
AnyRow = Published | Subscribed | Provided
Row = TypeVar("Row", Published, Subscribed, Provided)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicChange:
    """What settings say of one topic or service; None leaves a part.

    Attributes:
        name: of the topic or service. rate_hz: of what is published; 0 for each tick. frame: frame id in headers.
        on: whether it is there.
    """

    name: str | None = None
    rate_hz: float | None = None
    frame: str | None = None
    on: bool | None = None


@dataclass(frozen=True, slots=True)
class RosOffer:
    """Topics and services under the names and at the rates of the settings."""

    published: tuple[Published, ...]
    subscribed: tuple[Subscribed, ...]
    provided: tuple[Provided, ...]


def offer(registry: Registry, changes: Mapping[str, TopicChange], *, others: Collection[str] = ()) -> RosOffer:
    """What is offered: rows whose types the generation has, as the settings change them.

    Args:
        registry: message types of the user's generation.
        changes: by key.
        others: known keys that are not of this catalogue, such as those of sensors.

    Raises:
        InputError: a key or a value that cannot be; it names the key path.
    """
    rows: tuple[AnyRow, ...] = (*PUBLISHED, *SUBSCRIBED, *PROVIDED)
    known = {row.key: row for row in rows}
    for key, change in changes.items():
        if key not in known and key not in others:
            near = difflib.get_close_matches(key, [*known, *others], n=1)
            cure = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(sorted([*known, *others]))}"
            raise InputError("settings", f"ros.topic.{key}", "is not a known key", cure)
        if key in known:
            check_change(key, change, known[key])
    found = RosOffer(
        tuple(_changed(PUBLISHED, changes, registry.types)),
        tuple(_changed(SUBSCRIBED, changes, registry.types)),
        tuple(_changed(PROVIDED, changes, registry.services)),
    )
    topics: tuple[Published | Subscribed, ...] = (*found.published, *found.subscribed)
    _check_names("topic", [(row.topic, row.key) for row in topics])
    _check_names("service", [(row.service, row.key) for row in found.provided])
    return found


def check_change(key: str, change: TopicChange, row: AnyRow) -> None:
    """See whether a row can be changed so.

    Raises:
        InputError: it cannot; it names the key path.
    """
    place = f"ros.topic.{key}"
    if change.name is not None and not _NAME.fullmatch(change.name):
        cure = 'write it as "/Ego_topic" or "/car/Ego_topic"'
        raise InputError(
            "settings", f"{place}.name", f"{change.name!r} is not a valid name of a topic or service", cure
        )
    if not isinstance(row, Published):
        for name in ("rate_hz", "frame"):
            if getattr(change, name) is not None:
                raise InputError("settings", f"{place}.{name}", "only what is published has one", "leave it out")
    elif change.frame is not None and not row.frame:
        raise InputError("settings", f"{place}.frame", "its messages have no frame", "leave it out")
    rate = change.rate_hz
    if rate is not None and not (math.isfinite(rate) and 0.0 <= rate <= MAX_TOPIC_RATE_HZ):
        cure = f"give 0, for each tick, to {MAX_TOPIC_RATE_HZ:g}"
        raise InputError("settings", f"{place}.rate_hz", f"{rate:g} is not a valid rate", cure)


def _changed(rows: Iterable[Row], changes: Mapping[str, TopicChange], types: Collection[str]) -> Iterable[Row]:
    """Rows that are on and whose types there are, changed."""
    for row in rows:
        change = changes.get(row.key, TopicChange())
        is_on = row.on if isinstance(row, Published) else True
        if row.type in types and (is_on if change.on is None else change.on):
            yield _with(row, change)


def _with(row: Row, change: TopicChange) -> Row:
    if isinstance(row, Provided):
        return row if change.name is None else replace(row, service=change.name)
    if change.name is not None:
        row = replace(row, topic=change.name)
    if isinstance(row, Published):
        if change.rate_hz is not None:
            row = replace(row, rate_hz=change.rate_hz)
        if change.frame is not None:
            row = _framed(row, change.frame)
    return row


def _framed(row: Published, frame: str) -> Published:
    """A topic whose headers have another frame id."""
    make = row.make

    def framed(to: RosSituation) -> Any:
        return make(replace(to, frame=frame))

    return replace(row, frame=frame, make=framed)


def _check_names(what: str, named: list[tuple[str, str]]) -> None:
    """Check that no two rows have one name: their messages on one topic could not be distinguished.

    Raises:
        InputError: two rows have the same name.
    """
    counts = Counter(name for name, _ in named)
    for name, key in reversed(named):
        if counts[name] > 1:
            first = next(other for one, other in named if one == name)
            problem = f"{what} {name} is the name of {first!r}, too"
            raise InputError("settings", f"ros.topic.{key}.name", problem, "give each a name of its own")
