"""The sensors of a run: part of the Snapshot, since commands change them, and time does."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import Columns, FloatArray, IntArray, float64, float64_vector, int64, read_only, row_of_id
from dorosim.ground.packed_text import ByteArray, packed_texts, text_at
from dorosim.ground.unit import METRE, NONE, RADIAN
from dorosim.world.mount.setting import AnySettings, SensorKind, settings_from_text

NOISE_COLUMNS = 16
"""Numbers that a sensor's slow errors remember from tick to tick."""


class MountTable(Columns):
    """One row per sensor, in ascending order of id.

    The mount is a frame of its own: x along which a sensor looks, y left, z up. Roll, pitch and yaw turn the body frame
    into it by z, y, x (REP-103).
    """

    x = float64(METRE, "of the sensor, forward of the rear axle's centre", frame="body")
    y = float64(METRE, "of the sensor, to the left", frame="body")
    z = float64(METRE, "of the sensor, above the ground", frame="body")
    roll = float64(RADIAN, "left side up positive", frame="body")
    pitch = float64(RADIAN, "nose down positive", frame="body")
    yaw = float64(RADIAN, "to the left", frame="body")
    noise = float64_vector(NOISE_COLUMNS, NONE, "what the sensor's slow errors remember; see world/mount/drift.py")
    actor = int64("id of the vehicle that it is on")
    id = int64("number of the sensor; no two sensors of a run have the same")
    kind = int64("SensorKind")
    period = int64("from one reading to the next; of a spinning sensor, of a turn [ns]")
    phase = int64("time of one reading, from which the others are counted [ns]")
    enabled = int64("1 if it reads")
    since = int64("when it was added [ns]; its slow errors begin then")
    captured = int64("1 if all that it reads is saved as files, too")
    key = ("actor", "id")


class Mount(NamedTuple):
    """One sensor.

    Attributes:
        id: its number. actor: id of the vehicle that it is on. kind: which.
        position: in the body frame [m]. rotation: roll, pitch, yaw from the body frame [rad].
        period, phase: of its readings [ns]. enabled: whether it reads. since: when it was added [ns].
        settings: of its kind.
        noise: `(NOISE_COLUMNS,)` what its slow errors remember, read-only.
        captured: whether all that it reads is saved as files, too.
    """

    id: int
    actor: int
    kind: SensorKind
    position: tuple[float, float, float]
    rotation: tuple[float, float, float]
    period: int
    phase: int
    enabled: bool
    since: int
    settings: AnySettings
    noise: FloatArray
    captured: bool = False

    def turn(self, time: int) -> int:
        """How many readings were due up to a time [ns], one at `phase` counted as 0; below 0 before it."""
        return (time - self.phase) // self.period

    def is_due(self, before: int, now: int) -> bool:
        """Whether a reading falls within the times after `before` up to `now` [ns]."""
        return self.enabled and self.turn(before) != self.turn(now)


@dataclass(frozen=True, slots=True, eq=False)
class Mounts:
    """All sensors; never changed, only replaced.

    Attributes:
        table: one row a sensor, read-only.
        first: `(rows + 1,)` where the settings of each sensor begin in `text`, read-only.
        text: settings of all sensors, end to end, as JSON in UTF-8, read-only.
    """

    table: MountTable
    first: IntArray
    text: ByteArray

    @classmethod
    def empty(cls) -> Self:
        """No sensors."""
        return cls(MountTable.zeros(0).freeze(), *packed_texts(()))

    def __len__(self) -> int:
        """How many sensors there are."""
        return self.table.rows

    def row_of(self, sensor: int) -> int:
        """Row of a sensor by its number, -1 if there is none of this number."""
        return row_of_id(self.table.id, sensor)

    def settings_text(self, row: int) -> bytes:
        """The settings of a row as JSON."""
        return text_at(self.first, self.text, row)

    def mount(self, row: int) -> Mount:
        """The sensor of a row."""
        table = self.table
        x, y, z, roll, pitch, yaw = table.floats[:6, row].tolist()
        actor, number, kind, period, phase, enabled, since, captured = table.ints[:, row].tolist()
        return Mount(
            id=number,
            actor=actor,
            kind=SensorKind(kind),
            position=(x, y, z),
            rotation=(roll, pitch, yaw),
            period=period,
            phase=phase,
            enabled=bool(enabled),
            since=since,
            settings=settings_from_text(self.settings_text(row)),
            noise=read_only(table.noise[:, row]),
            captured=bool(captured),
        )

    def all(self) -> tuple[Mount, ...]:
        """Every sensor, in ascending order of number."""
        return tuple(self.mount(row) for row in range(len(self)))

    def next_number(self) -> int:
        """The number that the next sensor gets if its command gives none: one more than the greatest there is."""
        return int(self.table.id[-1]) + 1 if len(self) else 1

    def with_table(self, table: MountTable) -> Self:
        """With other numbers in the same rows."""
        return type(self)(table.freeze(), self.first, self.text)

    def with_mount(self, row: MountTable, text: bytes) -> Self:
        """With one more sensor, whose number no other has; one of the same number is replaced.

        Args:
            row: a table of the one row.
            text: its settings.
        """
        number = int(row.id[0])
        rest = self.without([number])
        place = int(np.searchsorted(rest.table.id, number))
        texts = [rest.settings_text(at) for at in range(len(rest))]
        texts.insert(place, text)
        joined = rest.table.append(row)
        order = np.insert(np.arange(len(rest)), place, len(rest))
        return type(self)(joined.take(order).freeze(), *packed_texts(texts))

    def without(self, sensors: Collection[int]) -> Self:
        """Without some sensors, by their numbers."""
        return self._kept(~np.isin(self.table.id, list(sensors)))

    def without_actors(self, actors: Collection[int]) -> Self:
        """Without the sensors of vehicles that left the world."""
        return self._kept(~np.isin(self.table.actor, list(actors)))

    def _kept(self, keep: NDArray[np.bool_]) -> Self:
        if keep.all():
            return self
        texts = [self.settings_text(row) for row in np.flatnonzero(keep).tolist()]
        return type(self)(self.table.take(keep).freeze(), *packed_texts(texts))
