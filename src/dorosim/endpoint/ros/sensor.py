"""Readings of sensors to ROS topics: a listener of the run's sensors that gives the hub the messages that it wants.

Topics come and go with the sensors. A message is not made if no transport wants its topic.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dorosim.bridge.ros.cloud import CloudTurns
from dorosim.bridge.ros.sensor import SensorTopics, frames_message, topics_of
from dorosim.bridge.ros.sensor_message import CloudStamp, PublishedSensor, due_of
from dorosim.bridge.ros.topic import Published, RosForm
from dorosim.bridge.sensor.kind import OUTPUTS
from dorosim.endpoint.loop.epoch import Stamped
from dorosim.endpoint.ros.hub import Hub
from dorosim.endpoint.sensor.interface import DueCall, Heard
from dorosim.ground.error import DorosimError
from dorosim.scenario.sensor_set.read import SensorLink
from dorosim.sensor.kind import DESCRIPTORS
from dorosim.sensor.reading import Reading
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from dorosim.world.mount.state import Mounts

FRAMES = "tf_static"
MESSAGES = {row.key: row.message for output in OUTPUTS.values() for row in output.topics}
"""What makes the messages of a topic, by its key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosSensorForm:
    """How the sensors of a run are published.

    Attributes:
        form: choices of the user. origin: east and north of the map's origin in its projection [m].
        links: returns the present settings of some sensors, by number. cloud_stamp: as of `PublishedSensor`.
        stamped: has the epoch of stamps where it may change; None: that of the form stays.
    """

    form: RosForm
    origin: tuple[float, float]
    links: Callable[[], Mapping[int, SensorLink]]
    cloud_stamp: CloudStamp = "last"
    stamped: Stamped | None = None

    @property
    def now(self) -> RosForm:
        """The choices of the user, with the epoch as it is now."""
        return self.form if self.stamped is None else self.form.with_epoch(self.stamped.epoch)


class SensorTap:
    """Publishes readings. The loop's thread keeps the topics; the thread of the packets makes messages of readings.

    Args:
        hub: gets the messages.
        rows: topics of sensors by key, as the settings change them (`dorosim.bridge.ros.sensor.SENSORS`).
    """

    def __init__(self, hub: Hub, rows: Mapping[str, Published]) -> None:
        self._hub = hub
        self._rows = rows
        self._lock = threading.RLock()
        self._run: RosSensorForm | None = None
        self._topics: dict[int, SensorTopics] = {}
        self._announced: dict[str, Published] = {}
        self._turns: dict[int, CloudTurns] = {}
        self._mounts: Mounts | None = None
        self._last = -1

    def begin(self, run: RosSensorForm) -> None:
        """Begin a run; the topics of the run before stay until it is known which sensors this one has."""
        with self._lock:
            self._run, self._topics, self._mounts, self._last = run, {}, None, -1
            self._turns.clear()

    def keep(self, now: Snapshot) -> None:
        """Add and remove topics with the sensors of a snapshot; a snapshot older than the last one is ignored."""
        before = self._mounts
        if now.mounts is before or now.tick <= self._last:
            return
        if before is not None and _same(before, now.mounts):
            self._mounts, self._last = now.mounts, now.tick  # their slow errors have changed, in every tick
            return
        with self._lock:
            if self._run is not None and now.tick > self._last:
                self._mounts, self._last = now.mounts, now.tick
                self._announce(self._run, now)

    def __call__(self, heard: Heard) -> Iterable[DueCall]:
        """What to publish of the readings of a tick: first what is due at once, then turns of lidars at their ends."""
        self.keep(heard.now)
        with self._lock:
            run, there = self._run, self._topics
        if run is None:
            return ()
        found: list[DueCall] = []
        for reading in heard.readings:
            topics = there.get(reading.sensor)
            if topics is not None:
                found += self._publications(run, topics, reading, heard)
        for number in self._turns.keys() - there.keys():
            del self._turns[number]
        return sorted(found, key=lambda one: -1 if one[0] is None else one[0])

    def _announce(self, run: RosSensorForm, now: Snapshot) -> None:
        mounts = now.mounts.all()
        others = self._hub.published.keys() - self._announced.keys()
        taken = {*others, *(row.topic for key, row in self._rows.items() if key == FRAMES)}
        self._topics = topics_of(mounts, run.links(), self._rows, self._topics, taken, self._hub.report)
        there = {row.topic: row for topics in self._topics.values() for row in topics.rows.values()}
        frames = self._rows[FRAMES]
        if there and frames.on and frames.topic not in others:
            there[frames.topic] = frames
        gone = self._announced.keys() - there.keys()
        come = [row for name, row in there.items() if self._announced.get(name) != row]
        self._announced = there
        if gone or come:
            self._hub.announce(come, gone)
        if frames.topic in there:
            form = run.now
            self._hub.publish(frames.topic, frames_message(form, mounts, self._topics, now.time), form.epoch + now.time)

    def _publications(self, run: RosSensorForm, topics: SensorTopics, reading: Reading, heard: Heard) -> list[DueCall]:
        """What to publish of a reading on its sensor's topics that are wanted."""
        wanted = [(key, row.topic) for key, row in topics.rows.items() if self._hub.wants(row.topic)]
        readings: list[Any] = [reading]
        if DESCRIPTORS[topics.kind].spins:
            turns = self._turns.setdefault(reading.sensor, CloudTurns())
            if not wanted:
                turns.drop()
                return []
            readings = list(turns.take(reading))  # type: ignore[arg-type]  # of a spinning kind
        row = heard.now.mounts.row_of(reading.sensor)
        if not wanted or not readings or row < 0:
            return []
        form = run.form.with_epoch(heard.epoch)
        sensor = PublishedSensor(
            form,
            heard.now.mounts.mount(row),
            topics.frame,
            run.origin,
            heard.jpeg,
            topics.link.depth_bits,
            run.cloud_stamp,
        )
        stamp = heard.epoch + heard.now.time
        return [
            call for one in readings for key, topic in wanted for call in self._made(key, topic, one, sensor, stamp)
        ]

    def _made(self, key: str, topic: str, reading: Any, sensor: PublishedSensor, stamp: int) -> Iterable[DueCall]:
        """One message to publish, or none where it cannot be made; an error is reported, and the sensors go on."""
        try:
            message = MESSAGES[key](reading, sensor)
        except DorosimError as error:
            self._hub.report("ROS sensor", f"{topic}: {error}")
            return
        except Exception as error:
            self._hub.report("ROS internal error", f"{topic}: {type(error).__name__}: {error}")
            return
        if message is not None:
            yield due_of(key, reading), partial(self._publish, topic, message, stamp)

    def _publish(self, topic: str, message: Any, stamp: int) -> None:
        try:
            self._hub.publish(topic, message, stamp)
        except Exception as error:  # the thread is that of the packets, which go on
            self._hub.report("ROS internal error", f"{topic}: {type(error).__name__}: {error}")


def _same(before: Mounts, now: Mounts) -> bool:
    """Whether the same sensors are set and placed in the same way."""
    return before.text is now.text and np.array_equal(before.table.floats[:6], now.table.floats[:6])
