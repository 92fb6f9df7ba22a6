"""SpeedProfileAction (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from dorosim.ground.plain_kernel import plain
from dorosim.scenario.openscenario.engine.condition.entity import part_of_vector
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.world.storyboard.speed_kernel import speed_in_piece
from dorosim.world.storyboard.vector_kernel import Part

_NEAR = 1e-6
_speed_in_piece = plain(speed_in_piece)
_SPEED, _ACCELERATION, _OFFSET, _ELAPSED = range(4)


class ProfileEntry(NamedTuple):
    """A speed [m/s], so much after the one before [s]; time None: as soon as the limits let it."""

    speed: float
    time: float | None


class Limits(NamedTuple):
    """Limits of a motion, all positive: acceleration, deceleration [m/s2] and their rates [m/s3], speed [m/s]."""

    acceleration: float = math.inf
    deceleration: float = math.inf
    acceleration_rate: float = math.inf
    deceleration_rate: float = math.inf
    speed: float = math.inf

    def rate(self, change: float) -> float:
        """The rate by which the acceleration changes upwards or downwards, with its sign."""
        return self.acceleration_rate if change > 0.0 else -self.deceleration_rate


class _SpeedPiece(NamedTuple):
    """A piece of a profile from a time on: speed, acceleration and its rate at its start."""

    time: float
    speed: float
    acceleration: float
    rate: float

    def at(self, time: float) -> float:
        """The speed at a time."""
        return _speed_in_piece(time - self.time, self.speed, self.acceleration, self.rate)


@dataclass(frozen=True, slots=True)
class SpeedProfile:
    """Go through speeds, one after another.

    Attributes:
        entries: the speeds. smooth: acceleration changes by the rates of the limits; else at once.
        limits: of the motion. entity: whose speed is added, -1 for none.
    """

    entries: tuple[ProfileEntry, ...]
    smooth: bool
    limits: Limits
    entity: int = -1
    domain: Domain = Domain.LONGITUDINAL

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Keep speed and acceleration of now."""
        body = frame.entity[entity]
        row.memory[_SPEED] = body.speed
        row.memory[_ACCELERATION] = part_of_vector(
            body, body.acceleration_x, body.acceleration_y, body.acceleration_z, Part.LONGITUDINAL
        )
        row.memory[_OFFSET] = frame.entity[self.entity].speed if self.entity >= 0 else 0.0
        if not self.entries:
            row.finish()
        else:
            first = self.pieces(row.memory)[0]
            body.speed = first.speed

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Set the speed at the end of the tick."""
        row.memory[_ELAPSED] += frame.dt
        time, pieces = row.memory[_ELAPSED], self.pieces(row.memory)
        piece = next(one for one in reversed(pieces) if one.time <= time + _NEAR or one is pieces[0])
        frame.entity[entity].speed = piece.at(time)
        if piece is pieces[-1]:
            frame.entity[entity].speed = piece.speed
            row.finish()

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """The speed stays as it is."""

    def pieces(self, memory: Sequence[float]) -> tuple[_SpeedPiece, ...]:
        """The pieces of the profile, by what the action keeps."""
        return _pieces(self.entries, self.smooth, self.limits, memory[_SPEED], memory[_ACCELERATION], memory[_OFFSET])


class _Corner(NamedTuple):
    """A corner of the speeds over time."""

    time: float
    speed: float


@lru_cache(maxsize=256)
def _pieces(
    entries: tuple[ProfileEntry, ...], smooth: bool, limits: Limits, speed: float, acceleration: float, offset: float
) -> tuple[_SpeedPiece, ...]:
    """A whole profile from time 0 on; its last piece is the last speed, which stays."""
    corners = _corners(entries, smooth, limits, speed, offset)
    slopes = [(after.speed - one.speed) / (after.time - one.time) for one, after in itertools.pairwise(corners)]
    if len(corners) == 1:
        return (_SpeedPiece(0.0, corners[0].speed, 0.0, 0.0),)
    if not smooth or math.isinf(limits.acceleration_rate) or math.isinf(limits.deceleration_rate):
        straight = [_SpeedPiece(one.time, one.speed, slope, 0.0) for one, slope in zip(corners, slopes, strict=False)]
        return (*straight, _SpeedPiece(corners[-1].time, corners[-1].speed, 0.0, 0.0))
    if len(corners) == 2:
        return tuple(_single(corners[0], corners[1], limits, acceleration))
    return tuple(_rounded(corners, slopes, limits, acceleration))


def _corners(
    entries: Sequence[ProfileEntry], smooth: bool, limits: Limits, speed: float, offset: float
) -> list[_Corner]:
    """Speeds over time; what has no time is reached at the limits of acceleration."""
    first = entries[0]
    if first.time is not None and first.time <= _NEAR and not smooth:
        corners, rest = [_Corner(0.0, first.speed + offset)], entries[1:]
    elif first.time is not None and first.time <= _NEAR:
        corners, rest = [_Corner(0.0, speed)], entries[1:]
    else:
        corners, rest = [_Corner(0.0, speed)], entries
    for one in rest:
        last, target = corners[-1], one.speed + offset
        if one.time is None:
            change = target - last.speed
            if abs(change) < _NEAR:
                continue
            greatest = limits.acceleration if change > 0.0 else limits.deceleration
            duration = abs(change) / max(greatest, _NEAR)
        else:
            duration = one.time
        if duration < _NEAR:
            corners[-1] = _Corner(last.time, target)
        else:
            corners.append(_Corner(last.time + duration, target))
    return corners


def _rounded(
    corners: Sequence[_Corner], slopes: Sequence[float], limits: Limits, acceleration: float
) -> list[_SpeedPiece]:
    """Straight lines through the corners, with arcs of limited rates around them; the first arc begins at once."""
    pieces: list[_SpeedPiece] = []
    change = slopes[0] - acceleration
    line = _SpeedPiece(0.0, corners[0].speed, slopes[0], 0.0)
    if abs(change) > _NEAR:
        rate = limits.rate(change)
        arc = _SpeedPiece(0.0, corners[0].speed, acceleration, rate)
        pieces.append(arc)
        end = change / rate
        line = _SpeedPiece(end, arc.at(end), slopes[0], 0.0)
    pieces.append(line)
    for at, corner in enumerate(corners[1:], start=1):
        slope = slopes[at] if at < len(slopes) else 0.0
        change = slope - line.acceleration
        if abs(change) < _NEAR:
            continue
        # where the two lines cross is the middle of the arc between them
        crossing = (corner.speed - slope * corner.time - line.speed + line.acceleration * line.time) / (-change)
        rate = limits.rate(change)
        start = crossing - change / rate / 2.0
        if start < line.time - _NEAR:
            # there is no room for the arc: the corner stays sharp
            line = _SpeedPiece(corner.time, corner.speed, slope, 0.0)
            pieces.append(line)
            continue
        arc = _SpeedPiece(start, line.at(start), line.acceleration, rate)
        end = start + change / rate
        line = _SpeedPiece(end, arc.at(end), slope, 0.0)
        pieces += [arc, line]
    return pieces


def _single(start: _Corner, end: _Corner, limits: Limits, acceleration: float) -> list[_SpeedPiece]:
    """From one speed to another one in a given time: an arc, a straight line and an arc back to no acceleration.

    The greatest acceleration k on the way follows from the change of speed and the time, a quadratic equation. Without
    room for the line, or beyond the limits of k, the way takes as long as it has to.
    """
    change, duration = end.speed - start.speed, end.time - start.time
    slope = change / duration
    rise = limits.rate(slope - acceleration)
    fall = limits.rate(-slope)
    # duration k - k²/(2 rise) + k a/rise - a²/(2 rise) + k²/(2 fall) = change
    a, b = -0.5 / rise + 0.5 / fall, duration + acceleration / rise
    c = -0.5 * acceleration**2 / rise - change
    root = b * b - 4.0 * a * c
    if abs(a) < 1e-12:
        peak = -c / b
    elif root >= 0.0:
        peak = (-b + math.sqrt(root)) / (2.0 * a)
    else:
        square = (change + 0.5 * acceleration**2 / rise) / (0.5 / rise - 0.5 / fall)
        peak = math.copysign(math.sqrt(max(square, 0.0)), slope)
    peak = min(max(peak, -limits.deceleration), limits.acceleration)
    first = _SpeedPiece(start.time, start.speed, acceleration, rise)
    begin = start.time + (peak - acceleration) / rise
    line = _SpeedPiece(begin, first.at(begin), peak, 0.0)
    last = -0.5 * peak**2 / fall
    straight = (end.speed - last - line.speed) / peak if abs(peak) > _NEAR else 0.0
    turn = begin + max(straight, 0.0)
    arc = _SpeedPiece(turn, line.at(turn), peak, fall)
    return [first, line, arc, _SpeedPiece(turn - peak / fall, end.speed, 0.0, 0.0)]
