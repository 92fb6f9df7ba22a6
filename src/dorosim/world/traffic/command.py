"""Commands about NPC vehicles."""

from __future__ import annotations

from dorosim.world.command import NEW_ACTOR, ActorCommand, Command, Vector
from dorosim.world.spawn.mode import BiasRule


class CreateNpc(ActorCommand, frozen=True, tag=True, kw_only=True):
    """Puts an NPC vehicle on a lane, or beside the lanes.

    Attributes:
        model: name in the vehicle catalogue.
        link, s: row of the link and arc length of the body origin [m]; they do not count where a position is given.
        speed: at the start [m/s].
        ratio: of its desired speed to each link's speed limit; 0 if `desired_speed` counts.
        exact_ratio: its ratio is exactly `ratio`; otherwise that times a random factor of its driver, near 1.
        desired_speed: constant [m/s].
        way: links in driving order; empty: up to `end`, or at random.
        end: link at which its way ends, -1 for none; counts where `way` is empty.
        close_loop: it drives its way again and again.
        lane_change: it may change lanes for its own advantage.
        bias_rule: FIX: `bias` is its offset; GAUSSIAN: `bias` is the standard deviation of an offset drawn once.
        bias: lateral, over half the lane width, left positive.
        spawn_point: id of the point that spawned it, 0 for none.
        ahead: link under the front bumper where that is beyond the end of `link`; -1: the first that fits.
        move_on: whether it may be put farther along the lane where its place is taken.
        paused: it stands until it is let go (`PauseActor`).
        position: of the body origin in the map [m], away from the lanes; None: on the lane. There it stands until a
            command lets it drive, as after `PlaceActor`; with a speed it drives onto the lane next to it at once.
        rotation: roll, pitch, yaw [rad] at that position; roll does not count.
        mistakes: how often its driver looks elsewhere for 1 to 3 s, per second of driving; 0 for never.
    """

    actor: int = NEW_ACTOR
    model: str
    link: int = -1
    s: float = 0.0
    speed: float = 0.0
    ratio: float = 1.0
    exact_ratio: bool = False
    desired_speed: float = 0.0
    way: tuple[int, ...] = ()
    end: int = -1
    close_loop: bool = False
    lane_change: bool = True
    bias_rule: BiasRule = BiasRule.FIX
    bias: float = 0.0
    spawn_point: int = 0
    ahead: int = -1
    move_on: bool = False
    paused: bool = False
    position: Vector | None = None
    rotation: Vector = (0.0, 0.0, 0.0)
    mistakes: float = 0.0


class ChangeNpc(ActorCommand, frozen=True, tag=True):
    """Changes how an NPC vehicle drives; None leaves a setting as it is. Attributes as those of `CreateNpc`.

    Giving a ratio ends a constant speed, and the other way round.
    """

    ratio: float | None = None
    desired_speed: float | None = None
    way: tuple[int, ...] | None = None
    end: int | None = None
    close_loop: bool | None = None
    lane_change: bool | None = None
    bias: float | None = None


class ChangeDriver(ActorCommand, frozen=True, tag=True):
    """Changes how the driver of an NPC vehicle, or of one that cruises, follows others; None leaves a number.

    The driver of a vehicle that cruises is another one each time that it begins to.

    Attributes:
        time_gap: T of the IDM, above 0 to 10 [s].
        standstill_gap: s0, above 0 to 50 [m].
        acceleration, deceleration: a and b, above 0 to 10 [m/s²].
    """

    time_gap: float | None = None
    standstill_gap: float | None = None
    acceleration: float | None = None
    deceleration: float | None = None


class PlaceNpcGhost(Command, frozen=True, tag=True):
    """Puts a ghost, an NPC vehicle that a client places, at a pose; the first command for an alias makes the ghost.

    Attributes:
        alias: id that the sender gives, not 0.
        model: name; one that the catalogue does not have falls back by likeness.
        position: body origin in the map [m].
        rotation: roll, pitch, yaw [rad].
        speed: along body x [m/s]; None: the ghost moves with the velocity between its last two poses.
        steer: front wheel angle [rad], left positive; counts with a speed.
    """

    alias: int
    model: str
    position: Vector
    rotation: Vector
    speed: float | None = None
    steer: float = 0.0
