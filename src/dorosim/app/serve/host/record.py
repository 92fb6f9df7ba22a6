"""Recordings that clients begin, end and replay while the simulator runs."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from dorosim.app.run.build import Build, world_of
from dorosim.app.run.initial_commands import Opening
from dorosim.app.run.replay_script import ReplayScript, frame_times, parts_of
from dorosim.app.run.resume import Start, build_recorded
from dorosim.app.run.session import RunContext, RunSession, session_of
from dorosim.app.run.switch import RunSwitch
from dorosim.app.serve.host.run import HostRuns
from dorosim.app.serve.sensor.plan import SensorPlan
from dorosim.app.store.folder import inside, missing_file
from dorosim.app.store.scenario import ScenarioFolder
from dorosim.bridge.host import RecordStatus
from dorosim.bridge.scenario import ScenarioLoader
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.recording.format import Header, RunHeader, Tick, decode_recording
from dorosim.recording.snapshot import snapshot_to_bytes
from dorosim.recording.whole_file import read_file
from dorosim.recording.writer import RecordingWriter
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

SUFFIX = ".rec"


@dataclass(slots=True)
class _Recorder:
    """A recording that is being written."""

    name: str
    writer: RecordingWriter
    ticks: int = 0
    last: int = 0
    begun: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A recording that can be replayed.

    Attributes:
        name: of its file. header: of it. ready: its start. ticks: all of them.
        times: simulated time of each frame since the beginning [s].
        takes: commands at the start of each time that it is replayed.
    """

    name: str
    header: RunHeader
    ready: Build
    ticks: tuple[Tick, ...]
    times: tuple[float, ...]
    takes: tuple[tuple[Command, ...], ...]


class HostRecords:
    """Recordings in the data folder; see `dorosim.bridge.host.Records`. An observer of the loop.

    Args:
        context: what all runs share.
        switch: from one run to another.
        runs: begins them.
    """

    def __init__(self, context: RunContext, switch: RunSwitch, runs: HostRuns) -> None:
        self._context = context
        self._switch = switch
        self._runs = runs
        self._recorder: _Recorder | None = None
        self._recorded = RecordStatus()
        self._chosen: _Chosen | None = None
        self._spans: list[tuple[int, int]] = []
        self._replay: ReplayScript | None = None

    def __call__(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """Record one tick, and compare one with that of a replay."""
        recorder = self._recorder
        if recorder is not None and recorder.begun:
            if now.tick != recorder.last + 1:
                self._finish(recorder, "the run began anew")
            else:
                recorder.writer(now, commands)
                recorder.ticks, recorder.last = recorder.ticks + 1, now.tick
                if recorder.writer.problem:
                    self._finish(recorder, recorder.writer.problem)
        script = self._switch.current.session.script
        if isinstance(script, ReplayScript):
            script.compare(now)

    @property
    def rests(self) -> bool:
        """Whether nothing is recorded or replayed; see `dorosim.endpoint.loop.at_once.RestingObserver`."""
        return self._recorder is None and not isinstance(self._switch.current.session.script, ReplayScript)

    def begin(self, name: str) -> str:
        """Begin to record. Returns the file. A recording that goes on is finished first."""
        name = name.strip() or time.strftime("%Y%m%d-%H%M%S")
        path = self._path(name)
        self.finish()
        current = self._switch.current
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(str(path), "", f"cannot be written: {error.strerror}", "give another name") from None
        recorder = _Recorder(name, RecordingWriter(path, current.loop.turn_timer, current.session.publisher))

        def start(now: Snapshot) -> None:
            header = current.session.header
            content = snapshot_to_bytes(header, now)
            recorder.writer.begin(Header(**msgspec.structs.asdict(header), start=content), now)
            recorder.last, recorder.begun = now.tick, True
            self._recorder = recorder

        try:
            current.gateway.between_ticks(start)
        except Exception:
            recorder.writer.close()
            raise
        return str(path)

    def finish(self) -> str:
        """Finish the recording. Returns the file, "" if there was none."""
        recorder = self._recorder
        if recorder is None:
            return ""
        self._switch.current.gateway.between_ticks(lambda _: self._finish(recorder, ""))
        return str(self._path(recorder.name))

    def end(self) -> None:
        """The run ends: finish its recording and its replay."""
        if self._recorder is not None:
            self._finish(self._recorder, "")
        script = self._switch.current.session.script
        if isinstance(script, ReplayScript):
            script.stop("the run ended")

    def _finish(self, recorder: _Recorder, problem: str) -> None:
        if self._recorder is recorder:
            self._recorder = None
            recorder.writer.close()
            problem = problem or recorder.writer.problem
            self._recorded = RecordStatus(name=recorder.name, ticks=recorder.ticks, problem=problem)

    @property
    def recording(self) -> RecordStatus:
        """What is being recorded, or was last."""
        recorder = self._recorder
        if recorder is None:
            return self._recorded
        return RecordStatus(active=True, name=recorder.name, ticks=recorder.ticks)

    def load(self, name: str, takes: Sequence[Sequence[Command]] = ()) -> RecordStatus:
        """Choose a recording to replay; its length."""
        path = self._path(name)
        if not path.is_file():
            folder = self._folder
            known = (str(one.relative_to(folder).with_suffix("")) for one in folder.rglob(f"*{SUFFIX}"))
            raise missing_file("recording", name, folder, known, "record one first")
        header, ticks = decode_recording(str(path), read_file(path))
        ready = build_recorded(str(path), header, None, self._context.data)
        every = tuple(ticks)
        if not every:
            raise InputError(str(path), "", "holds no tick", "record for longer")
        run = RunHeader(**{field: getattr(header, field) for field in RunHeader.__struct_fields__})
        times = frame_times(ready, every)
        self._chosen = _Chosen(name, run, ready, every, times, tuple(tuple(take) for take in takes) or ((),))
        self._spans = []
        self._replay = None
        return RecordStatus(name=name, end=len(every), length=times[-1])

    def add_span(self, first: int, last: int) -> None:
        """Replay a part of the chosen recording."""
        chosen = self._chosen
        if chosen is None:
            raise _none_chosen()
        if not 0 <= first < last <= len(chosen.ticks):
            problem = f"frames {first} to {last} are not within a recording of {len(chosen.ticks):,} ticks"
            raise InputError("replay", "", problem, "count them from 0, its beginning")
        self._spans.append((first, last))

    def frame_at(self, since: float) -> int:
        """The frame of the chosen recording at a simulated time since its beginning [s]."""
        chosen = self._chosen
        if chosen is None:
            raise _none_chosen()
        if not 0.0 <= since <= chosen.times[-1]:
            problem = f"{since:g} s is not within its {chosen.times[-1]:.1f} s"
            raise InputError("replay", "", problem, "choose a time in it")
        # half a tick for what was rounded on the way; from the last frame nothing would be replayed
        after = bisect_right(chosen.times, since + 0.5e-9 * chosen.ready.scene.tick)
        return min(after, len(chosen.ticks)) - 1

    def play(self) -> None:
        """Replay what was chosen, as another run."""
        chosen = self._chosen
        if chosen is None:
            raise _none_chosen()
        with self._switch.asking:
            header = chosen.header
            parts = parts_of(chosen.ready, chosen.ticks, Noise(header.seed), self._spans, chosen.takes, header.epoch)
            before, replay = self._replay, ReplayScript(chosen.name, parts, chosen.times)
            self._replay = replay
            try:
                self._runs.switch_to(lambda: self._session(chosen, replay), 0)
            except Exception:
                self._replay = before
                raise

    @property
    def replaying(self) -> RecordStatus:
        """What is being replayed, or was last."""
        replay = self._replay
        if replay is None:
            chosen = self._chosen
            if chosen is None:
                return RecordStatus()
            return RecordStatus(name=chosen.name, end=len(chosen.ticks), length=chosen.times[-1])
        return replay.status

    def _session(self, chosen: _Chosen, replay: ReplayScript) -> RunSession:
        """A run that replays."""
        header, present = chosen.header, self._switch.current.session
        udp = msgspec.structs.replace(present.start.settings.udp, revision=header.revision)
        settings = msgspec.structs.replace(
            present.start.settings,
            map=header.map_name,
            seed=header.seed,
            tick_ms=header.tick / 1e6,
            udp=udp,
            world=world_of(header),
        )
        first = replay.parts[0].start
        ready = replace(chosen.ready, first=first)
        content = snapshot_to_bytes(header, first) if first.tick else b""
        start = Start(self._runs.written_apart(settings), ready, header.epoch, content)
        library = ScenarioFolder(self._context.data / "Scenario", ready.scene.map_name)
        loader = ScenarioLoader(ready.scene, library)
        plan = SensorPlan(addresses=present.plan.addresses, links=present.plan.links)
        return session_of(
            start,
            Opening(loader, (), (f"replay of {chosen.name}",), ()),
            plan,
            replace(self._context, given=frozenset()),
            (present.endpoint.network, ()),
            sockets=present.endpoint.sockets,
            script=replay,
        )

    @property
    def _folder(self) -> Path:
        return self._context.data / "Recording"

    def _path(self, name: str) -> Path:
        plain = name.strip().removesuffix(SUFFIX)
        if not plain:
            raise InputError("recording", "", "the name is empty", "give the name of a file")
        return inside(self._folder, plain, SUFFIX)


def _none_chosen() -> InputError:
    return InputError("replay", "", "no recording is chosen", "choose one with ResimReplayInit")
