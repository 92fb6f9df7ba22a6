"""The trace of an actor: its data in a recording, as series over simulated time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dorosim.app.analyse.trace.gap import GapMeter, Gaps
from dorosim.app.analyse.trace.lane import lanes_along
from dorosim.app.analyse.trace.line import offsets_from_line
from dorosim.app.analyse.trace.mark import Collision, FaultSpan, MarkReader
from dorosim.app.analyse.trace.recorded import Recorded
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.error import InputError
from dorosim.recording.timing import Timing
from dorosim.sensor.pose import BodyMotion, motion_of
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.traffic.state import Presence
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.state import VehicleState

JERK_SPAN = 0.1
"""Jerk is the change of acceleration over so much time [s]: over a single tick it would show the solver's steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One row per snapshot whose time differs from that of the one before; NaN where the actor is not there.

    Attributes:
        actor: its id. model: name of its model.
        time: `(N,)` simulated [s].
        x, y, z: `(N,)` of its origin in map [m]. heading: `(N,)` counter-clockwise from east [rad].
        speed: `(N,)` forward [m/s].
        acceleration: `(N, 2)` forward and left, of the origin, without gravity [m/s^2]; NaN where the run has none: of
            a vehicle of the traffic that was knocked off its lane, and of one that a bag moves.
        jerk: `(N, 2)` forward and left, over `JERK_SPAN` [m/s^3].
        state: its rows in the table of vehicles with full dynamics; None of a vehicle of the traffic.
        link: `(N,)` row of the lane that it is on, -1 for none. lane_error: `(N,)` left of its centre line [m].
        limit: `(N,)` speed limit of that lane [m/s].
        trajectory_error: `(N,)` left of the trajectory that it was sent, while it follows one [m].
        reference_error: `(N,)` left of the reference [m], None where there is none.
        gaps: distances to others.
        collisions: in their order. faults: of its controls, tyres and sensors.
        timing, timing_time: wall times of the ticks, and simulated time after each [s]; None where there are none.
        notes: what a reader should know, a line each.
    """

    actor: int
    model: str
    time: FloatArray
    x: FloatArray
    y: FloatArray
    z: FloatArray
    heading: FloatArray
    speed: FloatArray
    acceleration: FloatArray
    jerk: FloatArray
    state: VehicleState | None
    link: IntArray
    lane_error: FloatArray
    limit: FloatArray
    trajectory_error: FloatArray
    reference_error: FloatArray | None
    gaps: Gaps
    collisions: tuple[Collision, ...]
    faults: tuple[FaultSpan, ...]
    timing: Timing | None
    timing_time: FloatArray
    notes: tuple[str, ...]

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.time)

    @property
    def cross_track(self) -> tuple[str, FloatArray]:
        """What it is held against, and how far it is to the left of that [m]: what was given, was sent, or the lane."""
        if self.reference_error is not None:
            return "reference", self.reference_error
        if np.isfinite(self.trajectory_error).any():
            return "trajectory", self.trajectory_error
        return "lane", self.lane_error


class _Reader:
    """Reads an actor out of snapshots, one after another."""

    def __init__(self, scene: Scene, actor: int) -> None:
        self._actor = actor
        self._floats: list[FloatArray] = []
        self._ints: list[IntArray] = []
        self._errors: list[float] = []
        self.rows: list[tuple[float, ...]] = []
        self.times: list[float] = []
        self.meter = GapMeter(scene, actor)
        self.marks = MarkReader(actor)
        self.model = ""
        self._models = [model.name for model in scene.models]

    def add(self, now: Snapshot) -> None:
        """One snapshot; it takes the place of the last one if time stood still."""
        time = now.time * 1e-9
        self.marks.add(now)
        if self.rows and time == self.rows[-1][0]:
            self.rows.pop()
            self._errors.pop()
            self.meter.again()
            if self._floats:
                self._floats.pop()
                self._ints.pop()
        motion = motion_of(now, self._actor)
        if motion is None:
            self.rows.append((time, *[math.nan] * 8))
            self.meter.skip()
            self._errors.append(math.nan)
            self._keep_state(np.full(VehicleState.float_width, np.nan), None)
            return
        x, y, z = motion.pose.position.tolist()
        yaw = heading_of(motion)
        row = now.row_of(self._actor)
        known = row >= 0 or _is_driven(now, self._actor)
        forward, left = motion.acceleration[:2].tolist() if known else (math.nan, math.nan)
        self.rows.append((time, x, y, z, yaw, float(motion.velocity[0]), forward, left, 1.0))
        self.meter.add(now, x, y, yaw)
        self._errors.append(_trajectory_error(now, row, x, y, yaw) if row >= 0 else math.nan)
        self._keep_state(now.vehicle.floats[:, row], now.vehicle.ints[:, row]) if row >= 0 else None
        if not self.model:
            self.model = self._model_of(now, row)

    def _keep_state(self, floats: FloatArray, ints: IntArray | None) -> None:
        self._floats.append(floats.copy())
        self._ints.append(np.full(len(VehicleState.int_columns), -1) if ints is None else ints.copy())

    def _model_of(self, now: Snapshot, row: int) -> str:
        if row >= 0:
            return self._models[int(now.vehicle.model[row])]
        table = now.traffic if now.traffic.row_of(self._actor) >= 0 else now.ghost
        return self._models[int(table.model[table.row_of(self._actor)])]

    @property
    def trajectory_error(self) -> FloatArray:
        """`(N,)` [m]."""
        return np.array(self._errors)

    @property
    def state(self) -> VehicleState | None:
        """Rows of the vehicle's state, None of one that has none."""
        if len(self._floats) != len(self.rows) or not any(ints[0] >= 0 for ints in self._ints):
            return None
        return VehicleState(np.stack(self._floats, axis=1), np.stack(self._ints, axis=1))


def trace_of(
    recorded: Recorded,
    actor: int = EGO,
    *,
    begin: float | None = None,
    end: float | None = None,
    reference: FloatArray | None = None,
    watch: Callable[[Iterator[Snapshot], int], Iterator[Snapshot]] = lambda snapshots, _: snapshots,
) -> Trace:
    """Run a recording again and read an actor.

    Args:
        recorded: the recording.
        actor: id of a vehicle of any kind.
        begin: simulated time from which on [s], None: from the start.
        end: and up to which [s], None: to the end.
        reference: `(M, 2)` line in map [m] that it is held against, too.
        watch: is given the snapshots and how many there are, and hands them on: a progress bar.

    Raises:
        InputError: there is no such vehicle, or no such time.
    """
    check_times(recorded, begin, end)
    scene = recorded.ready.scene
    reader = _Reader(scene, actor)
    last: Snapshot | None = None
    until = math.inf if end is None else end + 1e-9
    since = -math.inf if begin is None else begin - 1e-9
    for now in watch(recorded.snapshots(), len(recorded.ticks) + 1):
        if now.time * 1e-9 > until:
            break
        last = now
        reader.times.append(now.time * 1e-9)
        if now.time * 1e-9 >= since:
            reader.add(now)
    if last is None or not reader.rows:
        raise InputError("--from", "", "the recording has no tick then", "give an earlier time")
    if not any(row[-1] == 1.0 for row in reader.rows):
        raise InputError("--actor", "", f"no vehicle has the id {actor}", known_vehicles(last))
    return _trace(recorded, actor, reader, reference, since)


def check_times(recorded: Recorded, begin: float | None, end: float | None) -> None:
    """Refuse a span of time that no part of a recording can fill.

    Raises:
        InputError: it is empty or before the recording.
    """
    for option, value in (("--from", begin), ("--to", end)):
        if value is not None and not math.isfinite(value):
            raise InputError(option, "", f"{value} is not a valid time", "give seconds of simulated time")
    if begin is not None and end is not None and not begin < end:
        raise InputError("--to", "", f"{end:g} s is not after --from {begin:g} s", "give a later time")
    if end is not None and end <= recorded.start:
        problem = f"{end:g} s is not after the start of the recording at {recorded.start:g} s"
        raise InputError("--to", "", problem, "give a later time")


def known_vehicles(now: Snapshot) -> str:
    """The vehicles that there are, for the error message where a user names another one."""
    egos = ", ".join(map(str, now.egos[:12]))
    traffic = [
        number
        for number, plan in zip(now.traffic.id.tolist(), now.traffic.plan_of_ego.tolist(), strict=True)
        if not plan
    ]
    others = (
        f"; NPC vehicles: {', '.join(map(str, traffic[:12]))}{', ...' if len(traffic) > 12 else ''}" if traffic else ""
    )
    return f"ego vehicles: {egos}{others}"


def _trace(recorded: Recorded, actor: int, reader: _Reader, reference: FloatArray | None, since: float) -> Trace:
    time, x, y, z, heading, speed, forward, left, _ = np.array(reader.rows).T
    acceleration = np.stack((forward, left), axis=1)
    lanes = lanes_along(recorded.ready.scene.network, np.stack((x, y, z), axis=1), heading)
    timing, timing_time = recorded.timing, np.array(reader.times[1:])
    if timing is not None:
        timing_time = timing_time[: len(timing)]
        shown = np.flatnonzero(timing_time >= since)
        timing = timing.between(int(shown[0]), len(timing_time)) if len(shown) else None
        timing_time = timing_time[shown]
    error = None
    if reference is not None:
        error = offsets_from_line(np.stack((x, y), axis=1), heading, reference)
    return Trace(
        actor=actor,
        model=reader.model,
        time=time,
        x=x,
        y=y,
        z=z,
        heading=heading,
        speed=speed,
        acceleration=acceleration,
        jerk=_jerk(time, acceleration),
        state=reader.state,
        link=lanes.link,
        lane_error=lanes.error,
        limit=lanes.limit,
        trajectory_error=reader.trajectory_error,
        reference_error=error,
        gaps=reader.meter.gaps(time, x, y, heading, speed),
        collisions=tuple(reader.marks.collisions),
        faults=tuple(reader.marks.faults.values()),
        timing=timing,
        timing_time=timing_time,
        notes=tuple(recorded.notes),
    )


def _jerk(time: FloatArray, acceleration: FloatArray) -> FloatArray:
    """Change of acceleration over `JERK_SPAN` about each moment, by the moments that there are."""
    low = np.searchsorted(time, time - 0.5 * JERK_SPAN - 1e-9)
    high = np.searchsorted(time, time + 0.5 * JERK_SPAN + 1e-9) - 1
    span = time[high] - time[low]
    jerk = np.full_like(acceleration, np.nan)
    wide = span > 0.0
    jerk[wide] = (acceleration[high[wide]] - acceleration[low[wide]]) / span[wide, None]
    return jerk


def _trajectory_error(now: Snapshot, row: int, x: float, y: float, yaw: float) -> float:
    """How far a vehicle is to the left of the trajectory that it follows [m]; NaN if it follows none."""
    if now.vehicle.control_kind[row] != ControlKind.TRAJECTORY:
        return math.nan
    count = int(now.trajectory.counts[row])
    if count < 2:
        return math.nan
    line = now.trajectory.points[row, :count, :2]
    return float(offsets_from_line(np.array([(x, y)]), np.array([yaw]), line)[0])


def _is_driven(now: Snapshot, actor: int) -> bool:
    """Whether an actor is a vehicle of the traffic that drives on its lane."""
    row = now.traffic.row_of(actor)
    return row >= 0 and bool(now.traffic.present[row] == Presence.ON_LANE)


def heading_of(motion: BodyMotion) -> float:
    """Counter-clockwise from east [rad]."""
    return math.atan2(float(motion.pose.rotation[1, 0]), float(motion.pose.rotation[0, 0]))
