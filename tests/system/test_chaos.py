"""The whole system under random legal commands: what must hold holds after every tick.

One run takes every command of the world in a town full of traffic, people, obstacles and lights. The other takes every
datagram, over a transport that drops, doubles, reorders, truncates, spoils and delays, with sensors of every kind. A
failure tells its seed and tick; `make soak` runs many seeds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from dorosim.app.setting.settings import EgoSettings, Settings
from dorosim.world.command import Command
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.snapshot import Snapshot
from tests.recording.header import run_header
from tests.system.chooser import Chooser
from tests.system.command_generator import COMMANDS, GENERATORS, any_command
from tests.system.invariant import Moment, check
from tests.system.packet_generator import COMMAND_PACKETS, PACKETS, SCENARIOS, any_packet
from tests.system.rig import Rig
from tests.system.scenario_file import FILE
from tests.system.sensing import Sensing
from tests.system.transport import Transport
from tests.world.world import npcs_about_town, walkers_over_crosswalks

EGOS = ("2016_Hyundai_Ioniq", "2018_Hyundai_ElecCity", "2015_Kia_K5")
TICKS_MS = (10.0, 20.0, 50.0)
SOAK = range(1000, 1200)


def town(folder: Path, seed: int) -> Rig:
    """A town with two or three ego vehicles, 30 to 60 NPC vehicles, people and obstacles."""
    scenarios = folder / "Scenario"
    scenarios.mkdir()
    for name, content in zip(SCENARIOS, (json.dumps(FILE), "{}", "{"), strict=True):
        (scenarios / f"{name}.json").write_text(content)
    rng = np.random.default_rng(seed)
    egos = tuple(EgoSettings(vehicle=name) for name in EGOS[: int(rng.integers(2, 4))])
    run = Rig(Settings(ego=egos, seed=seed, tick_ms=float(rng.choice(TICKS_MS))), folder)
    x, y, z = (float(run.now.vehicle.floats[k, 0]) for k in range(3))
    run.put(*npcs_about_town(run.built.scene, int(rng.integers(30, 61)), seed))
    run.put(*walkers_over_crosswalks(run.built.scene.network, 8, seed))
    for n in range(6):
        model = int(rng.integers(len(OBSTACLE_MODELS)))
        run.put(SpawnObstacle(actor=0, model=model, position=(x - 9.0 * n - 9.0, y - 3.0, z)))
    return run


class Watched:
    """A run whose every tick is checked.

    Args:
        run: the run.
        seed: for messages.
    """

    def __init__(self, run: Rig, seed: int) -> None:
        self.run, self.seed = run, seed
        self.first, self.header = run.now, run_header(run)
        self._digest = run.now.digest()
        self._asked: Sequence[Command] = ()
        run.loop.observers = (self._note,)

    def _note(self, _: Snapshot, commands: Sequence[Command]) -> None:
        self._asked = commands

    def turn(self) -> Snapshot:
        """Let a tick go by, and check it."""
        run, before = self.run, self.run.now
        now = run.turn()
        sent = run.endpoint.outgoing if now.time % run.endpoint.period == 0 else {}
        scene = run.built.scene
        check(Moment(self.seed, scene, self.header, self.first, before, now, self._digest, sent, self._asked))
        self._digest = now.digest()
        return now


def command_a_town(folder: Path, seed: int, ticks: int) -> None:
    """Every command of the world, a few in a tick."""
    run = town(folder, seed)
    watched, chooser = Watched(run, seed), Chooser(seed, run.built.scene)
    watched.turn()
    taken = 0
    for _ in range(ticks):
        chooser.look(run.now)
        # a quiet tick now and then shows what follows from the commands before
        for _ in range(chooser.one_of((0, 0, 1, 1, 2, 4))):
            run.put(any_command(chooser))
        now = watched.turn()
        taken += sum(not outcome.refusal for outcome in now.outcomes)
    assert taken > 0.5 * ticks, f"seed {seed}: most commands are refused"


def send_to_a_town(folder: Path, seed: int, ticks: int) -> None:
    """Every datagram, over a bad transport."""
    run = town(folder, seed)
    watched, chooser, sensing = Watched(run, seed), Chooser(seed, run.built.scene), Sensing(run, seed)
    run.loop.observers = (*run.loop.observers, sensing.station)
    before = set(folder.rglob("*"))
    transport = Transport(np.random.default_rng((seed, 1)))
    watched.turn()
    for tick in range(ticks):
        chooser.look(run.now)
        if chooser.happens(0.5):
            transport.send(tick, any_packet(chooser))
        run.send(*transport.arrived(tick))
        watched.turn()
    assert run.journal.counts["received"] > 0.2 * ticks, f"seed {seed}: hardly anything arrives"
    assert run.journal.counts["bad size"] > 0, f"seed {seed}: nothing is truncated"
    sensing.check(folder, before)


def test_every_command_has_a_generator():
    assert set(GENERATORS) == set(COMMANDS)


def test_every_datagram_has_a_generator():
    assert set(PACKETS) == set(COMMAND_PACKETS)


@pytest.mark.parametrize("seed", range(3))
def test_what_must_hold_holds_under_any_command(tmp_path, seed):
    command_a_town(tmp_path, seed, 150)


@pytest.mark.parametrize("seed", range(3))
def test_what_must_hold_holds_under_any_datagram(tmp_path, seed):
    send_to_a_town(tmp_path, seed, 160)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SOAK)
def test_what_must_hold_holds_under_any_command_for_long(tmp_path, seed):
    command_a_town(tmp_path, seed, 600)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SOAK)
def test_what_must_hold_holds_under_any_datagram_for_long(tmp_path, seed):
    send_to_a_town(tmp_path, seed, 600)
