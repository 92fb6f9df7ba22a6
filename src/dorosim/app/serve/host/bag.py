"""Bags that are replayed into the present run; see `dorosim.bridge.host.Bags`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dorosim.app.run.switch import CurrentRun, RunSwitch
from dorosim.app.setting.settings import BagSettings
from dorosim.app.store.folder import inside, is_file, missing_file
from dorosim.bridge.host import BagOrder, BagStatus
from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.loop.cue import Cue
from dorosim.ground.error import InputError
from dorosim.recording.saver import check_place
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Source

if TYPE_CHECKING:
    from dorosim.app.run.session import RunContext
    from dorosim.bridge.ros.bag_trajectories import BagTrajectories
    from dorosim.bridge.ros.player import Player
    from dorosim.world.snapshot import Snapshot

SUFFIXES = ("", ".bag", ".mcap")
MIN_REPLAY_RATE, MAX_REPLAY_RATE = 0.01, 100.0
"""Replays go so many times as fast as the bag was recorded."""
_CODES = {"ego": 1, "npc": 2, "pedestrian": 4}


class _Playing:
    """A player as the script of a run (`dorosim.endpoint.loop.loop.Script`).

    Args:
        player: plays.
        tick: of the run [ns].
        over: is called once, when the end has been shown.
    """

    def __init__(self, player: Player, tick: int, over: Callable[[], None] | None) -> None:
        self.player = player
        self._tick = tick
        self._over = over

    def __call__(self, now: Snapshot) -> Cue | None:
        """What the next tick holds."""
        player = self.player
        if self._over is not None and player.ended:
            self._over()
            self._over = None
        commands = player.commands(now, self._tick)
        return Cue(commands, final=True, on_outcomes=player.note_outcomes) if commands else None


class HostBags:
    """Bags in the data folder, which are replayed into the present run.

    Args:
        settings: of bags.
        context: what all runs share.
        switch: from one run to another.

    Raises:
        InputError: the bag that the settings ask for cannot be replayed.
    """

    def __init__(self, settings: BagSettings, context: RunContext, switch: RunSwitch) -> None:
        self._folder = context.data / "Recording"
        self._switch = switch
        self._directing = threading.Lock()
        self._trajectories: BagTrajectories | None = None
        self._playing: _Playing | None = None
        self._run: CurrentRun | None = None
        self._problem = ""
        self._first = settings if settings.replay is not None else None
        if settings.replay is not None:
            self._trajectories = first_trajectories(settings.replay, settings, self._folder)

    def begin(self, current: CurrentRun) -> None:
        """A run is about to begin: the first one replays what the settings ask for, another one nothing."""
        first, trajectories = self._first, self._trajectories
        self._first = None
        if first is None or trajectories is None:
            self._trajectories = self._playing = None
            return
        order = BagOrder(sum({_CODES[one] for one in first.targets}), round(first.start_s * 1e9), first.rate)
        self._play(current, trajectories, order, self._switch.stop if first.end else None)

    @property
    def status(self) -> BagStatus:
        """What is replayed."""
        trajectories, playing = self._trajectories, self._playing
        if trajectories is None:
            return BagStatus(problem=self._problem)
        if playing is None:
            return BagStatus(trajectories.name, length=trajectories.length)
        player = playing.player
        if player.problem:
            return BagStatus(problem=player.problem)
        return BagStatus(trajectories.name, True, player.ended, player.moment, trajectories.length)

    def load(self, name: str) -> BagStatus:
        """Choose a bag; one that is being replayed ends."""
        from dorosim.app.analyse.bag.trajectories import read_trajectories

        trajectories = read_trajectories(bag_path(name, self._folder))
        with self._directing:
            self._end()
            self._trajectories = trajectories
        return self.status

    def direct(self, order: BagOrder) -> None:
        """Begin to replay the bag that was chosen, or change how it is replayed."""
        if order.speed is not None:
            _check(order.speed)
        with self._directing:
            trajectories, playing = self._trajectories, self._playing
            if trajectories is None or (playing is not None and playing.player.problem):
                raise InputError("replay", "", "no bag is loaded", "load one first")
            if order.start is not None and not 0 <= order.start <= trajectories.length:
                problem = f"{order.start * 1e-9:g} s is not within its {trajectories.length * 1e-9:.2f} s"
                raise InputError(trajectories.name, "", problem, "start within it")
            current = self._switch.current
            if order.paused:
                current.gateway.do((PauseRun(paused=True),))
            if playing is None:
                if current.loop.script is not None:
                    raise InputError("replay", "", "the run replays a recording", "start another run first")
                current.gateway.between_ticks(lambda _: self._play(current, trajectories, order, None))
            else:
                player = playing.player
                current.gateway.between_ticks(lambda _: _change(player, order))

    def stop(self) -> None:
        """End the replay, and forget the bag: its actors leave, and the ego vehicle stands."""
        with self._directing:
            if self._trajectories is None:
                raise InputError("replay", "", "no bag is loaded", "load one first")
            self._end()

    def _play(
        self, current: CurrentRun, trajectories: BagTrajectories, order: BagOrder, over: Callable[[], None] | None
    ) -> None:
        """Let a run be moved by a trajectories from its next tick on. Called between two ticks."""
        from dorosim.bridge.ros.player import Player

        player = Player(trajectories)
        _change(player, order)
        self._playing, self._run, self._problem = _Playing(player, current.loop.scene.tick, over), current, ""
        current.loop.script = self._playing

    def _end(self) -> None:
        """End what is replayed, if anything is."""
        playing, run = self._playing, self._run
        self._trajectories = self._playing = self._run = None
        if playing is None or run is None or run.loop.script is not playing:
            return
        current = self._switch.current
        if run.loop is not current.loop:
            return

        def let_go(_: Snapshot) -> None:
            run.loop.script = None

        now = current.gateway.between_ticks(let_go).now
        if not playing.player.problem:
            CommandGateway(current.loop, Source.REPLAY).do(playing.player.closing_commands(now))


def first_trajectories(name: str, settings: BagSettings, folder: Path) -> BagTrajectories:
    """The bag that a run replays from its start on.

    Args:
        name: any file, or a bag in the folder.
        settings: how it is replayed.
        folder: Recording/ of the data folder.

    Raises:
        InputError: it cannot be read, or cannot be replayed so.
    """
    from dorosim.app.analyse.bag.trajectories import read_trajectories

    _check(settings.rate)
    trajectories = read_trajectories(bag_path(name, folder, anywhere=True))
    if not 0.0 <= settings.start_s * 1e9 <= trajectories.length:
        problem = f"{settings.start_s:g} s is not within its {trajectories.length * 1e-9:.2f} s"
        raise InputError(name, "", problem, "start within it")
    return trajectories


def bag_path(name: str, folder: Path, *, anywhere: bool = False) -> Path:
    """The file of a bag that a client names.

    Args:
        name: of a bag in the folder, with its ending or without.
        folder: Recording/ of the data folder.
        anywhere: whether any file may be named, as users may.

    Raises:
        InputError: there is none, or the name leads out of the folder.
    """
    if anywhere and is_file(Path(name)):
        return Path(name)
    if not name.strip():
        raise InputError("bag", "", "the name is empty", "give the name of a file")
    for suffix in SUFFIXES:
        path = inside(folder, name.strip(), suffix)
        if path.is_file():
            return path
    known = (str(one.relative_to(folder)) for one in folder.rglob("*") if one.suffix in SUFFIXES[1:])
    raise missing_file("bag", name, folder, known, "put one there")


def _change(player: Player, order: BagOrder) -> None:
    from dorosim.bridge.ros.player import PlayTarget

    if order.targets is not None:
        player.targets = PlayTarget(order.targets)
    if order.start is not None:
        player.seek(order.start)
    if order.speed is not None:
        player.run_at(order.speed)


def _check(speed: float) -> None:
    if not MIN_REPLAY_RATE <= speed <= MAX_REPLAY_RATE:
        raise InputError("replay", "", f"a speed of {speed:g}", f"use {MIN_REPLAY_RATE:g} to {MAX_REPLAY_RATE:g}")


def bag_file(settings: BagSettings) -> Path | None:
    """The bag that a run is to be recorded to, None for none.

    Raises:
        InputError: it cannot be written.
    """
    if settings.file is None:
        return None
    path = Path(settings.file)
    if path.suffix.casefold() not in SUFFIXES[1:]:
        raise InputError(settings.file, "", "is not a valid name of a bag", "let it end in .bag (ROS 1) or .mcap")
    check_place(path)
    return path
