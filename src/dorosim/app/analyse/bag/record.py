"""Writes the messages of a recording's ROS topics to a bag, by running the recording again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dorosim import __version__
from dorosim.app.analyse.bag.file import topic_notices
from dorosim.app.run.replay_script import ReplayScript, frame_times, parts_of
from dorosim.app.run.report.progress import counted
from dorosim.app.run.resume import build_recorded
from dorosim.app.store.folder import data_folder
from dorosim.bridge.host import BagStatus, Host, RecordStatus
from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.epoch import Epoch
from dorosim.endpoint.loop.loop import Loop, Observer
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.recording.bag.recorder import BagRecorder
from dorosim.recording.bag.writer import kind_of_bag
from dorosim.recording.format import decode_recording
from dorosim.recording.saver import check_place
from dorosim.recording.whole_file import read_file
from dorosim.wire.ros.registry import DEFAULT_GENERATION, GENERATIONS, registry_of


class _Alone:
    """The program around a recording that is run again: messages read its attributes, and no client is connected."""

    def __init__(self, map_name: str, epoch: int, data: Path) -> None:
        self.map_name, self.version, self.epoch, self.place = map_name, __version__, epoch, str(data)
        self.synchronous, self.frame = False, 20_000_000
        self.recording = self.replaying = RecordStatus()
        self.status = BagStatus()

    def report(self, kind: str, text: str, lines: Any = ()) -> None:
        """Does nothing: the program has no log here."""


def record_bag(
    recording: Path,
    bag: Path,
    topics: tuple[str, ...],
    generation: str | None,
    map_name: str | None,
    data: Path | None,
) -> str:
    """Write a bag of a recording. Returns the lines to print: messages, topics, simulated time, notices.

    Args:
        recording: file of `dorosim run --record`.
        bag: to write.
        topics: names or patterns; none: all.
        generation: of morai_msgs, None for the usual one.
        map_name: where the map is now, None for where it was.
        data: data folder, None for the usual one.

    Raises:
        InputError: the recording or its map cannot be used, or the bag cannot be written.
    """
    kind_of_bag(bag)
    check_place(bag)
    if generation is not None and generation not in GENERATIONS:
        raise InputError("--generation", "", f"there is no {generation!r}", f"use {', '.join(GENERATIONS)}")
    header, every = decode_recording(str(recording), read_file(recording))
    folder = data_folder(str(data) if data else None)
    ready = build_recorded(str(recording), header, map_name, folder)
    ticks = tuple(every)
    if not ticks:
        raise InputError(str(recording), "", "holds no tick", "record for longer")
    noise, registry = Noise(header.seed), registry_of(generation or DEFAULT_GENERATION)
    replay = ReplayScript(str(recording), parts_of(ready, ticks, noise), frame_times(ready, ticks))
    hub, loop = _hub_beside(ready, noise, replay, registry, _Alone(ready.map_files.name, header.epoch, folder))
    recorder = BagRecorder(bag, topics, registry, lambda: hub.time, patient=True)
    hub.join(recorder)
    try:
        for _ in counted(ticks, lambda: len(ticks), "recording", "ticks"):
            loop.turn()
    finally:
        recorder.close()
    if recorder.problem:
        raise InputError(str(bag), "", recorder.problem, "write it where there is room")
    count = sum(recorder.counts.values())
    lines = f"{bag}: {count:,} messages of {len(recorder.counts)} topics, {loop.now.time * 1e-9:.2f} s simulated"
    problem = replay.status.problem
    notices = [f"notice: {line}" for line in topic_notices(topics, hub.published)]
    return "\n".join((f"{lines}; the replay {problem}" if problem else lines, *notices))


def _hub_beside(ready: Any, noise: Noise, replay: ReplayScript, registry: Any, alone: Any) -> tuple[Any, Loop]:
    """A hub of the topics, and the loop that gives it each new snapshot."""
    from dorosim.bridge.actor import names_of
    from dorosim.bridge.ros.catalogue import PUBLISHED
    from dorosim.bridge.ros.topic import RosForm, RosSituation
    from dorosim.bridge.situation import SceneIndex, Situation
    from dorosim.endpoint.ros.hub import Hub, HubPlace

    hub = Hub(registry, [one for one in PUBLISHED if one.type in registry.types], (), (), lambda _, __: None)
    observers: tuple[Observer, ...] = (hub, lambda now, _: replay.compare(now))
    loop = Loop(ready.scene, ready.first, noise, PacedClock(None), None, observers, script=replay, epoch=Epoch(alone))
    host = Host(alone, alone, alone, alone, alone, alone)
    index, form = SceneIndex(ready.scene), RosForm(registry=registry, epoch=alone.epoch)
    history: dict[str, Any] = {}

    def situate(client: str) -> RosSituation:
        situation = Situation(loop.now, ready.scene, index, names_of(loop.now), host, client)
        return RosSituation(situation, form.with_epoch(alone.epoch), history)

    hub.serve(HubPlace(CommandGateway(loop), situate, stamped=alone, tick=loop.scene.tick))
    return hub, loop
