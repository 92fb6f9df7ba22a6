"""Steps of many episodes in compiled code: actions, ticks and what agents perceive, for all worlds in one call each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from dorosim.batch.compiled import CompiledStepper
from dorosim.ground.column import IntArray
from dorosim.gym.action import ACCELERATIONS, STEERS, Action
from dorosim.gym.episode import Episode
from dorosim.gym.setting import EnvSettings
from dorosim.recording.drive_record_kernel import note_drives
from dorosim.road.network import RoadNetwork
from dorosim.sensor.agent.action_kernel import ActionCode, write_drives
from dorosim.sensor.agent.agents import AgentBuffers, Agents
from dorosim.sensor.agent.block_sight import described
from dorosim.sensor.agent.pool_kernel import (
    READ_AGENTS,
    AgentPlace,
    read_speeds,
    read_worlds,
    step_worlds,
)
from dorosim.sensor.agent.state import AgentEvent
from dorosim.world.command import Command
from dorosim.world.ordinary.batch_kernel import WorldPlace
from dorosim.world.ordinary.link_kernel import MAKE_TICKS

_CODES = {"pedals": ActionCode.PEDALS, "velocity": ActionCode.VELOCITY, "discrete": ActionCode.DISCRETE}
_GOES, _DRIVES, _DONE, _NOW = (
    int(WorldPlace.GOES),
    int(WorldPlace.DRIVES),
    int(WorldPlace.DONE),
    int(WorldPlace.NOW),
)
_MISSING = int(AgentPlace.MISSING)
_LOST, _ARRIVAL = int(AgentEvent.LOST), int(AgentEvent.ARRIVAL)
Flags = NDArray[np.bool_]
Actions = Sequence[Action | None] | NDArray[np.float64]
"""Those of all agents: numbers of the space, side by side, or one by one."""


def action_code(actions: str) -> ActionCode | None:
    """What compiled code has actions as; None where it has not."""
    return _CODES.get(actions)


class CompiledSteps:
    """Steps of episodes that have as many agents each, and the same settings.

    What is rare in a world, as a contact, is done for it alone by `Episode`; so are steps of several ticks that are
    recorded.

    Args:
        episodes: one a world.
        settings: of all of them.
        buffers: `(N * A, ...)` what is written, of which each episode has its part.
        counts: `(N, 2)` steps and seed of each episode.
    """

    def __init__(
        self, episodes: Sequence[Episode], settings: EnvSettings, buffers: AgentBuffers, counts: IntArray
    ) -> None:
        self._episodes, self._settings, self._counts = episodes, settings, counts
        worlds, agents = len(episodes), settings.agents
        self._stepper = CompiledStepper(settings.threads, agents)
        self._batch = self._stepper.batch
        first = episodes[0]
        self._ids = np.array(first.ids, np.int64)
        self._code = action_code(settings.actions)
        self._number = np.array([settings.max_speed, first.task.backwards, settings.max_curvature])
        self._acceleration, self._share = np.array(ACCELERATIONS), np.array(STEERS)
        # addresses of what compiled code knows of their recordings, 0 for none
        self._notes, self._unwritten = np.zeros(worlds, np.int64), np.zeros(worlds, np.int64)
        self._event = buffers.event
        self._into = (
            buffers.observation.reshape(worlds, agents, -1),
            buffers.term.reshape(worlds, agents, -1),
            buffers.reward.reshape(worlds, agents),
            buffers.event.reshape(worlds, agents),
        )
        self._places = np.zeros((len(AgentPlace), worlds), np.int64)
        self._agents: list[Agents | None] = [None] * worlds
        self._network: RoadNetwork | None = None
        self._shared: NDArray[np.int64] | None = None
        self._speed, self._time = np.zeros((worlds, agents)), np.zeros(worlds, np.int64)

    def step(self, actions: Actions, over: Flags, only: IntArray) -> None:
        """Go on by a step.

        Args:
            actions: of all agents, `(N * A, 2)` or one by one.
            over: `(N * A,)` agents that are done; their actions do not count.
            only: numbers of the worlds that go on, ascending.

        Raises:
            ValueError: an action is none of the space.
            gymnasium.error.ResetNeeded: a world has not begun.
        """
        self._join(only)
        batch, ticks = self._batch, self._settings.ticks
        places = batch.places
        places[_GOES] = places[_DRIVES] = 0
        places[_GOES, only] = 1
        for number in only[places[_NOW, only] == 0].tolist():
            # one that is in its block has gone on there and nowhere else, and nothing else of it has changed
            world = self._episodes[number].world
            assert world is not None
            self._notes[number] = world.note_place()
            # the compiled call makes all ticks of a step, of which a recording has each
            fits = ticks == 1 or not world.is_recorded
            places[_GOES, number] = fits and self._knows(number) and batch.enter(number)
        commands: dict[int, tuple[Command, ...]] = {}
        if self._code is not None and isinstance(actions, np.ndarray):
            self._write_drives(actions, over)
        else:
            for number in only.tolist():
                given = commands[number] = self._commands(actions, over, number)
                places[_GOES, number] &= batch.give_drives(number, given)
        for number in only[places[_GOES, only] == 0].tolist():
            # asked for before anything goes on, since an action may be none
            if number not in commands:
                commands[number] = self._commands(actions, over, number)
        batch.go(only, ticks=ticks, run=self._stepper.run, make=self._make, then=self._read)
        whole = (places[_DONE] == ticks) & (self._places[_MISSING] == -1)
        self._counts[only[whole[only]], 0] += 1
        self._note(only[whole[only] & (self._notes[only] != 0)])
        errors: list[Exception] = []
        for number in only[~whole[only]].tolist():
            try:
                self._step_alone(number, commands.get(number), actions, over)
            except Exception as error:
                errors.append(error)
        if errors:
            raise errors[0]
        lost = np.flatnonzero(self._event & (_LOST | _ARRIVAL) == _LOST) // self._settings.agents
        for number in np.unique(lost).tolist():
            # who was stepped alone has been given other ways by now
            if places[_GOES, number] and whole[number]:
                self._episodes[number].find_ways(int(batch.now(number).time))

    def _note(self, recorded: IntArray) -> None:
        """Let recordings have the tick that some worlds have made in compiled code."""
        if not len(recorded):
            return
        batch, left = self._batch, self._unwritten
        count = note_drives(batch.places, batch.drive, batch.drive_ints, self._notes, recorded, left)
        for number in left[:count].tolist():
            world = self._episodes[number].world
            assert world is not None
            world.note(batch.drives_of(number))
            world.note_place()

    def _step_alone(self, number: int, commands: tuple[Command, ...] | None, actions: Actions, over: Flags) -> None:
        """Make those ticks of a step of one world that were not made with the others, and read it."""
        episode, done = self._episodes[number], int(self._batch.places[_DONE, number])
        assert episode.world is not None
        since = episode.world.now.time - done * episode.world.start.scene.tick
        if not done:
            done = 1
            episode.world.step(self._commands(actions, over, number) if commands is None else commands)
        episode.finish_step(since, done)

    def _join(self, only: IntArray) -> None:
        """Let all worlds be in the batch, by the number of their episode."""
        if len(self._batch) == len(self._episodes):
            return
        if any(self._episodes[number].world is None for number in only.tolist()):
            raise gymnasium.error.ResetNeeded("call reset before the first step")
        for number, episode in enumerate(self._episodes):
            if episode.world is None:
                raise gymnasium.error.ResetNeeded("call reset of all worlds before the first step")
            if episode.world.join(self._batch) != number:
                raise ValueError(f"world {number} is in another place of the batch")

    def _commands(self, actions: Actions, over: Flags, number: int) -> tuple[Command, ...]:
        agents = self._settings.agents
        rows = range(number * agents, (number + 1) * agents)
        return self._episodes[number].commands([None if over[row] else actions[row] for row in rows])

    def _write_drives(self, actions: NDArray[np.float64], over: Flags) -> None:
        """Let actions become what vehicles are driven by.

        Raises:
            ValueError: one is none of the space.
        """
        assert self._code is not None
        worlds, agents = len(self._episodes), self._settings.agents
        batch, given = self._batch, actions.reshape(worlds, agents, 2)
        while True:
            row = write_drives(
                int(self._code),
                self._number,
                self._acceleration,
                self._share,
                self._ids,
                given,
                over.reshape(worlds, agents),
                batch.places,
                batch.drive,
                batch.drive_ints,
            )
            if row < 0:
                return
            # it is refused in the words of a single world, or means what it means there
            self._commands(actions, over, row // agents)
            batch.places[_GOES, row // agents] = 0

    def _make(self, *given: Any) -> None:
        """Make the ticks of a range of worlds, and write what their agents perceive; arguments as of `Make`."""
        assert self._shared is not None
        made, (begin, end) = given[:5], given[5:]
        addresses = MAKE_TICKS.address(), READ_AGENTS.address()
        step_worlds(addresses[0], made, addresses[1], self._places, self._shared, self._into, begin, end)

    def _read(self, begin: int, end: int) -> None:
        """Write what agents perceive in a range of worlds."""
        assert self._shared is not None
        read_worlds(READ_AGENTS.address(), self._batch.places, self._places, self._shared, *self._into, begin, end)

    def _knows(self, number: int) -> bool:
        """See that compiled code knows where the agents of a world are; False if their map is another one."""
        agents = self._episodes[number].agents
        assert agents is not None
        if agents is not self._agents[number]:
            self._agents[number] = agents
            self._places[:_MISSING, number] = agents.places
        if self._network is None:
            self._network, self._arrays = agents.scene.network, agents.shared
            self._shared, self._described = described(self._arrays)
        return agents.scene.network is self._network

    def speeds(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """`(N, A)` speed along body x of each agent's vehicle [m/s], and `(N,)` simulated time of each world [ns]."""
        places = self._batch.places
        read_speeds(places, self._ids, self._speed, self._time)
        apart = np.ones(len(self._episodes), np.bool_)
        apart[: places.shape[1]] = places[_NOW] == 0
        for number in np.flatnonzero(apart).tolist():
            episode = self._episodes[number]
            if episode.world is None:
                continue
            now = episode.world.now
            self._time[number] = now.time
            self._speed[number] = [now.vehicle.velocity_x[now.row_of(actor)] for actor in episode.ids]
        return self._speed, self._time

    def close(self) -> None:
        """Let go of threads."""
        self._stepper.close()
