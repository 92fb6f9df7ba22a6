"""Plays a bag: tick by tick the commands that put all actors where the bag has them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntFlag

import msgspec

from dorosim.bridge.drive import vehicle_pose
from dorosim.bridge.obstacle import obstacle_to_make
from dorosim.bridge.people import Walk, pedestrian_to_make
from dorosim.bridge.ros.bag_trajectories import BagActor, BagTrajectories, Placed, Role
from dorosim.world.actor.command import Category, PauseRun, RemoveActor, RemoveCategories
from dorosim.world.command import Command, Vector
from dorosim.world.obstacle.command import MAX_OBSTACLE_SCALE, PlaceObstacle, SpawnObstacle
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.command import MAX_LED_SPEED, LeadPedestrian
from dorosim.world.snapshot import EGO, Outcome, Snapshot
from dorosim.world.spawn.command import EnableSpawnPoints
from dorosim.world.traffic.command import PlaceNpcGhost
from dorosim.world.vehicle.command import LeaveKeyboard, PlaceGhost, PlaceVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlMode, Gear

ALIAS = 1 << 40
"""Beyond what a sender of ghosts can call its own: ROS and UDP have ids of 32 bits."""


class PlayTarget(IntFlag):
    """Which actors are replayed (documents/ros-messages-ko.txt, replay_target_option).

    Obstacles go with the NPC vehicles.
    """

    EGO = 1
    NPC = 2
    PEDESTRIAN = 4


ALL_TARGETS = PlayTarget.EGO | PlayTarget.NPC | PlayTarget.PEDESTRIAN
_TARGET = {Role.NPC: PlayTarget.NPC, Role.PEDESTRIAN: PlayTarget.PEDESTRIAN, Role.OBSTACLE: PlayTarget.NPC}
_CLEARED = {PlayTarget.NPC: Category.VEHICLE | Category.OBSTACLE, PlayTarget.PEDESTRIAN: Category.PEDESTRIAN}


class Player:
    """A replay of a bag in a run. All methods are called on the thread of the loop.

    It moves with simulated time, `speed` times as fast. At the end it pauses the run, once; if the run then goes on,
    all actors stand at their last places.

    Args:
        trajectories: the trajectories of the bag.

    Attributes:
        trajectories: the same. targets: which actors are replayed. speed: 1.0 for as it was.
        moment: of the bag that is replayed now [ns from its beginning]. ended: whether that is its end.
        problem: why it was broken off, "" for nothing.
    """

    def __init__(self, trajectories: BagTrajectories) -> None:
        self.trajectories = trajectories
        self.targets = ALL_TARGETS
        self.speed = 1.0
        self.moment = 0
        self.ended = False
        self.problem = ""
        self._anchor: tuple[int, int] | None = None
        self._entered = PlayTarget(0)
        self._shown = (-1, PlayTarget(0))
        self._last = -1
        self._stopped = False
        self._made: dict[BagActor, int] = {}
        self._poses: dict[BagActor, tuple[Vector, float]] = {}
        self._refused: set[BagActor] = set()
        self._asked: dict[int, BagActor] = {}
        self._silenced: dict[PlayTarget, tuple[int, ...]] = {}

    def seek(self, moment: int) -> None:
        """Go on from a moment [ns from the beginning]."""
        self.moment = min(max(moment, 0), self.trajectories.length)
        self._anchor, self.ended, self._stopped = None, False, False

    def run_at(self, speed: float) -> None:
        """Go on so many times as fast as it was."""
        self.speed, self._anchor = speed, None

    def commands(self, now: Snapshot, tick: int) -> tuple[Command, ...] | None:
        """What the next tick is to do; None after the replay was broken off.

        Args:
            now: the last snapshot.
            tick: its length [ns].
        """
        if now.time < self._last:
            self.problem = self.problem or "the run began anew"
        self._last = now.time
        if self.problem:
            return None
        time = now.time if now.paused else now.time + tick
        if self._anchor is None:
            self._anchor = (time, self.moment)
        moment = self._anchor[1] + round((time - self._anchor[0]) * self.speed)
        if self.ended and not self._stopped:
            self._stopped = True
            return (PauseRun(paused=True),)
        moment = min(moment, self.trajectories.length)
        self.ended = moment == self.trajectories.length
        self.moment = moment
        if now.paused and self._shown == (moment, self.targets):
            return ()
        self._shown = (moment, self.targets)
        before = tuple(self._enter(now))
        return (*before, *self._place(now, moment, len(before)))

    def note_outcomes(self, now: Snapshot | None, outcomes: tuple[Outcome, ...]) -> None:
        """What became of the commands of the last tick."""
        asked, self._asked = self._asked, {}
        if now is None:
            return
        for place, actor_key in asked.items():
            if outcomes[place].refusal:
                self._refused.add(actor_key)
            else:
                self._made[actor_key] = outcomes[place].actor

    def closing_commands(self, now: Snapshot) -> tuple[Command, ...]:
        """Returns the commands that end the replay.

        The actors that it made leave, and a replayed ego vehicle stands, held, in auto mode.
        """
        return (*self._leave(now, self._entered), *self._gone(now, {}))

    def _enter(self, now: Snapshot) -> Iterator[Command]:
        """Yields commands that make room for new targets, and release actors that are no longer targets."""
        left, added = self._entered & ~self.targets, self.targets & ~self._entered
        if left:
            yield from self._leave(now, left)
        cleared = [_CLEARED[target] for target in added if target in _CLEARED]
        if cleared:
            yield RemoveCategories(Category(sum(cleared)))
            for target, points in ((PlayTarget.NPC, now.spawn.vehicle), (PlayTarget.PEDESTRIAN, now.spawn.pedestrian)):
                ids = tuple(points.id[points.enabled != 0].tolist())
                if ids and target in added:
                    self._silenced[target] = ids
                    yield EnableSpawnPoints(False, ids)
        self._entered = self.targets

    def _leave(self, now: Snapshot, targets: PlayTarget) -> Iterator[Command]:
        self._entered &= ~targets
        if PlayTarget.EGO in targets:
            yield LeaveKeyboard(EGO, ControlMode.AUTO)
            yield _stand_still(now)
        roles = [role for role, target in _TARGET.items() if target in targets]
        for actor_key in [actor_key for actor_key in self._made if actor_key.role in roles]:
            actor = self._made.pop(actor_key)
            if _is_there(now, actor_key, actor):
                yield RemoveActor(actor)
        for target in targets:
            ids = tuple(one for one in self._silenced.pop(target, ()) if now.spawn.holds(one))
            if ids:
                yield EnableSpawnPoints(True, ids)

    def _place(self, now: Snapshot, moment: int, before: int) -> list[Command]:
        """Returns the commands that place all targets as at a moment of the bag, and remove actors that are not in it.

        Args:
            now: the last snapshot.
            moment: of the bag [ns from its beginning].
            before: how many commands come before these in the tick.
        """
        found: list[Command] = []
        if PlayTarget.EGO in self.targets:
            ego = self.trajectories.ego_at(moment)
            if ego is not None:
                # the replay takes the ego vehicle from any other driver, the keyboard included
                found.append(LeaveKeyboard(EGO, ControlMode.AUTO))
                found.append(SelectMode(EGO, ControlMode.GHOST))
                found.append(PlaceGhost(EGO, ego.position, ego.rotation, ego.speed * self.speed, ego.steer))
        present = dict(self.trajectories.others_at(moment)) if self.targets & ~PlayTarget.EGO else {}
        present = {actor_key: one for actor_key, one in present.items() if _TARGET[actor_key.role] in self.targets}
        found += self._gone(now, present)
        self._asked = {}
        for actor_key, placed in present.items():
            found += self._put(now, actor_key, placed, before + len(found))
        return found

    def _gone(self, now: Snapshot, present: dict[BagActor, Placed]) -> Iterator[Command]:
        """Yields commands that remove replayed actors that are not in the bag at this moment, or no longer targets."""
        ghosts = {ALIAS + actor_key.id for actor_key in present if actor_key.role is Role.NPC}
        rows = zip(now.ghost.alias.tolist(), now.ghost.id.tolist(), strict=True)
        yield from (RemoveActor(actor) for alias, actor in rows if alias >= ALIAS >> 1 and alias not in ghosts)
        for actor_key in [actor_key for actor_key in self._made if actor_key not in present]:
            actor = self._made.pop(actor_key)
            if _is_there(now, actor_key, actor):
                yield RemoveActor(actor)

    def _put(self, now: Snapshot, actor_key: BagActor, placed: Placed, at: int) -> tuple[Command, ...]:
        """Returns what puts an actor where the bag has it; `at` is the command's place among those of this tick."""
        position, yaw = placed.position, placed.yaw
        if actor_key.role is Role.NPC:
            return (PlaceNpcGhost(ALIAS + actor_key.id, placed.name, position, (0.0, 0.0, yaw)),)
        if actor_key in self._refused:
            return ()
        actor = self._made.get(actor_key, 0)
        if not actor or not _is_there(now, actor_key, actor):
            self._asked[at] = actor_key
            self._poses[actor_key] = (position, yaw)
            if actor_key.role is Role.PEDESTRIAN:
                return (pedestrian_to_make(placed.name, position, yaw, Walk())[0],)
            return (_obstacle(placed),)
        if actor_key.role is Role.PEDESTRIAN:
            vx, vy = (part * self.speed for part in placed.velocity)
            fast = max(abs(vx), abs(vy)) * 1.5 > MAX_LED_SPEED
            return (LeadPedestrian(actor, position, yaw, (0.0, 0.0) if fast else (vx, vy)),)
        if self._poses.get(actor_key) == (position, yaw):
            return ()
        self._poses[actor_key] = (position, yaw)
        return (PlaceObstacle(actor, position, (0.0, 0.0, yaw)),)


def _stand_still(now: Snapshot) -> PlaceVehicle:
    """Returns the command that lets the ego vehicle stand where it is, held, until a client or a user drives it."""
    return PlaceVehicle(EGO, *vehicle_pose(now, EGO), 0.0, Gear.D, ControlMode.AUTO)


def _is_there(now: Snapshot, actor_key: BagActor, actor: int) -> bool:
    table = now.people if actor_key.role is Role.PEDESTRIAN else now.obstacles
    return table.row_of(actor) >= 0


def _obstacle(placed: Placed) -> SpawnObstacle:
    """What makes an obstacle, as large as the bag has it."""
    made, _ = obstacle_to_make(placed.name, placed.position, (0.0, 0.0, placed.yaw), (1.0, 1.0, 1.0))
    model = OBSTACLE_MODELS[made.model]
    usual = (model.length, model.width, model.height)
    if not all(part > 0.0 for part in placed.size):
        return made
    scale = tuple(
        min(max(size / own, 1.0 / MAX_OBSTACLE_SCALE), MAX_OBSTACLE_SCALE)
        for size, own in zip(placed.size, usual, strict=True)
    )
    return msgspec.structs.replace(made, scale=scale)
