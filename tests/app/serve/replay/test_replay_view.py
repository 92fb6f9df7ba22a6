"""A recording that is played on the live page: pauses, jumps, events, another sky, and nothing that changes it."""

from __future__ import annotations

import signal
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from multiprocessing.connection import Pipe
from pathlib import Path

import pytest

from dorosim.app.analyse.sky import AS_IT_WAS, ShownSky, sky_of
from dorosim.app.analyse.trace.recorded import Recorded, open_recording
from dorosim.app.run.session import RunContext
from dorosim.app.serve.replay.index import END, RecordingIndex
from dorosim.app.serve.replay.page import AS_RECORDED, RecordingPage
from dorosim.app.serve.replay.player import RecordingPlayer
from dorosim.app.serve.sensor.plan import SensorPlan
from dorosim.app.serve.sensor.start import late_station
from dorosim.app.setting.settings import Settings, ViewSettings
from dorosim.bridge.udp.publish import Publisher
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.view.run_proxy import RunProxy
from dorosim.ground.error import DorosimError, InputError
from dorosim.ground.noise import Noise
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.actor.command import PauseRun, RemoveActor
from dorosim.world.environment.weather import WeatherKind
from dorosim.world.snapshot import EGO, Snapshot
from tests.app.command import dorosim
from tests.app.recorded_drive import CAMERA, record
from tests.loaded import loaded_command
from tests.port import free_port
from tests.timing import wait_for

TICKS = 450
SNOWY_NIGHT = sky_of("snowy", 23.0, None, 150.0)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recorded") / "run.rec"
    record(path, TICKS)
    return path


@pytest.fixture(scope="module")
def recorded(file: Path) -> Recorded:
    return open_recording(file, None, file.parent)


@pytest.fixture(scope="module")
def digests(recorded: Recorded) -> list[bytes]:
    """Of the first snapshot and that of each tick."""
    return [now.digest() for now in recorded.snapshots()]


class Viewed:
    """A recording that is played, and its page's end of the connection."""

    def __init__(
        self, recorded: Recorded, factor: float | None = None, sky: ShownSky = AS_IT_WAS, *, waits: bool = False
    ) -> None:
        self.index, self.clock = RecordingIndex(recorded), PacedClock(factor)
        self.player = RecordingPlayer(recorded, self.index, self.clock, waits=waits)
        self.lines: list[str] = []
        journal = Journal(self.lines.append)
        context = RunContext(given=(), data=recorded.path.parent, journal=journal, clock=self.clock)
        settings = Settings(view=ViewSettings(address="127.0.0.1:0"))
        ready = recorded.ready
        self.station = late_station(
            SensorPlan(),
            ready,
            Noise(recorded.header.seed),
            settings,
            revision=DEFAULT_REVISION,
            stamped=Publisher(ready.scene, DEFAULT_REVISION, 0),
            journal=journal,
            clock=self.clock,
        )
        self.page = RecordingPage(settings, context, self.player, self.station, sky)
        mine, its = Pipe()
        self.proxy = RunProxy(its)
        self.begun: list[Snapshot] = []
        self.shown: list[Snapshot] = []
        self.heard: list[int] = []
        self.played: list[tuple[int, bytes]] = []
        self.page._come(mine)
        follow = (lambda begun: self.begun.append(begun.now), self.shown.append, self._hear)
        threads = [threading.Thread(target=self.proxy.follow, args=follow, daemon=True)]
        threads.append(threading.Thread(target=self.player.run, args=(self._show, self.page.idle), daemon=True))
        self.index.start()
        for thread in threads:
            thread.start()
        self._threads = threads

    def _show(self, now: Snapshot, before: Snapshot, commands: object) -> None:
        self.played.append((self.player.frame, now.digest()))
        self.page.show(now, before, commands)

    def _hear(self, readings: list, _: object) -> None:
        self.heard += [one.sensor for one in readings]

    def frame(self) -> Snapshot:
        """The next snapshot that the page gets."""
        count = len(self.shown)
        self.proxy.want()
        assert wait_for(lambda: len(self.shown) > count)
        return self.shown[-1]

    def close(self) -> None:
        self.player.stop()
        self._threads[1].join(10.0)
        self.index.close()
        self.page.close()
        self.station.close()


@pytest.fixture
def viewed(recorded: Recorded) -> Iterator[Viewed]:
    made = Viewed(recorded)
    yield made
    made.close()


def test_it_plays_what_was_recorded_and_stands_at_the_end(viewed: Viewed, digests: list[bytes]) -> None:
    assert wait_for(lambda: not viewed.player.playing)
    assert viewed.played == list(enumerate(digests))[1:]
    status = viewed.player.status
    assert (status.name, status.begin, status.time) == ("run.rec", 0.0, pytest.approx(TICKS * 0.01))
    assert (status.playing, status.problem) == (False, "")
    assert viewed.frame().paused


def test_it_stands_at_its_beginning_until_somebody_looks(recorded: Recorded, digests: list[bytes]) -> None:
    viewed = Viewed(recorded, waits=True)
    try:
        assert wait_for(lambda: viewed.index.is_done)
        assert (viewed.player.frame, viewed.played) == (0, [])
        first = viewed.frame()
        assert first.paused
        assert first.tick == 0
        assert wait_for(lambda: len(viewed.played) == TICKS)
        assert viewed.played == list(enumerate(digests))[1:]
    finally:
        viewed.close()


def test_who_pauses_it_first_is_not_overruled_by_the_next_look(recorded: Recorded) -> None:
    viewed = Viewed(recorded, factor=1.0, waits=True)
    try:
        viewed.proxy.do(PauseRun(paused=True))
        assert viewed.frame().paused
        assert viewed.frame().paused
        assert viewed.player.frame == 0
    finally:
        viewed.close()


def test_it_jumps_to_any_moment_and_goes_on_from_there(viewed: Viewed, digests: list[bytes]) -> None:
    assert wait_for(lambda: not viewed.player.playing)
    for seconds in (0.0, 1.23, 1.0, 3.2, 0.005, 3.5):
        viewed.proxy.ask("player", "seek", seconds)
        frame = int(seconds * 100 + 1e-6)
        assert wait_for(lambda frame=frame: viewed.played[-1] == (frame, digests[frame]))
    viewed.proxy.ask("player", "seek", 2.0)
    viewed.proxy.ask("player", "play")
    assert wait_for(lambda: viewed.played[-1] == (TICKS, digests[TICKS]))


def test_at_the_end_it_plays_from_the_beginning(viewed: Viewed, digests: list[bytes]) -> None:
    assert wait_for(lambda: not viewed.player.playing)
    viewed.played.clear()
    viewed.proxy.ask("player", "play")
    assert wait_for(lambda: not viewed.player.playing and len(viewed.played) == TICKS + 1)
    assert viewed.played[0] == (0, digests[0])


@pytest.mark.parametrize("seconds", [-1.0, 4.6, 1e9, float("nan"), float("inf")])
def test_a_moment_that_it_has_not_is_refused(viewed: Viewed, seconds: float) -> None:
    with pytest.raises(DorosimError, match=r"is not within the recording; give 0 to 4\.5"):
        viewed.proxy.ask("player", "seek", seconds)


def test_events_are_listed_with_their_times(viewed: Viewed) -> None:
    assert wait_for(lambda: viewed.index.is_done)
    events = viewed.proxy.ask("player", "events")
    texts = [one.text for one in events]
    assert any(text.startswith("collision of ") for text in texts)
    assert any(text.startswith("fault: ") for text in texts)
    assert any(text.startswith("fault ended: ") for text in texts)
    assert [one.time for one in events] == sorted(one.time for one in events)
    assert events[-1] == (pytest.approx(TICKS * 0.01), END)
    assert viewed.proxy.ask("player", "events", 2) == events[2:]
    status = viewed.proxy.ask("player", "status")
    assert (status.events, status.known, status.end) == (len(events), TICKS * 0.01, TICKS * 0.01)
    viewed.proxy.ask("player", "seek", next(one.time for one in events if "collision" in one.text))
    assert wait_for(lambda: len(viewed.player.now.contact))


def test_the_tab_of_recordings_shows_and_jumps(viewed: Viewed, recorded: Recorded) -> None:
    """By what its panel asks: how far the recording is, its events, and to be played from a frame on."""
    assert wait_for(lambda: viewed.index.is_done)
    status = viewed.proxy.ask("records", "replaying")
    assert (status.active, status.name, status.end) == (True, recorded.path.stem, TICKS)
    assert status.events == viewed.proxy.ask("player", "events")
    loaded = viewed.proxy.ask("records", "load", status.name)
    assert (loaded.time, loaded.length) == (pytest.approx(viewed.player.now.time * 1e-9), pytest.approx(TICKS * 0.01))
    assert viewed.proxy.ask("records", "frame_at", 1.2) == 120
    viewed.proxy.ask("records", "add_span", 120, loaded.end)
    viewed.played.clear()
    viewed.proxy.ask("records", "play")
    assert wait_for(lambda: not viewed.player.playing and len(viewed.played) == TICKS - 119)
    assert viewed.played[0][0] == 120
    with pytest.raises(DorosimError, match="'dorosim replay other --view' plays another recording"):
        viewed.proxy.ask("records", "load", "other")
    with pytest.raises(DorosimError, match="dorosim run --record"):
        viewed.proxy.ask("records", "begin", "new")


def test_the_buttons_of_the_page_pause_step_and_begin_anew(recorded: Recorded, digests: list[bytes]) -> None:
    viewed = Viewed(recorded, factor=1.0)
    try:
        assert wait_for(lambda: viewed.player.frame > 20)
        viewed.proxy.do(PauseRun(paused=True))
        stood = viewed.frame()
        assert stood.paused
        assert viewed.frame().tick == stood.tick
        viewed.proxy.ask("page", "step")
        assert wait_for(lambda: viewed.played[-1] == (stood.tick + 1, digests[stood.tick + 1]))
        assert viewed.player.frame == stood.tick + 1
        viewed.proxy.ask("runs", "restart")
        assert wait_for(lambda: viewed.player.frame == 0)
        viewed.proxy.do(PauseRun(paused=False))
        assert wait_for(lambda: not viewed.frame().paused and viewed.player.frame > 10)
        viewed.proxy.ask("page", "set_pace", 0.0)
        assert wait_for(lambda: viewed.player.frame == TICKS)
        assert viewed.proxy.ask("page", "status").factor == 0.0
    finally:
        viewed.close()


def test_nothing_that_the_page_orders_changes_it(viewed: Viewed, digests: list[bytes]) -> None:
    with pytest.raises(DorosimError, match=AS_RECORDED):
        viewed.proxy.do(RemoveActor(EGO))
    for part, name, given in (("page", "load", ("any",)), ("runs", "start", (None,)), ("page", "last_value", ("", ""))):
        with pytest.raises(DorosimError, match="a recording is played"):
            viewed.proxy.ask(part, name, *given)
    assert wait_for(lambda: not viewed.player.playing)
    assert viewed.played == list(enumerate(digests))[1:]
    assert not viewed.lines


def test_another_sky_changes_the_picture_and_never_the_state(recorded: Recorded, digests: list[bytes]) -> None:
    viewed = Viewed(recorded, sky=SNOWY_NIGHT)
    try:
        assert wait_for(lambda: not viewed.player.playing)
        assert viewed.played == list(enumerate(digests))[1:]
        for now in (wait_for(lambda: viewed.begun)[0], viewed.frame()):
            environment = now.environment
            assert environment.weather[0] == WeatherKind.SNOWY
            assert environment.sun_time[0] == 23.0 * 3600.0
            assert environment.sky[2, 0] == 150.0
            assert environment.snow_depth[0] > 0.0
        assert viewed.player.now.environment.weather[0] == WeatherKind.SUNNY
    finally:
        viewed.close()


def test_a_visitor_looks_through_its_cameras(recorded: Recorded) -> None:
    viewed = Viewed(recorded, factor=1.0)
    try:
        viewed.proxy.listen(frozenset({CAMERA}))
        assert wait_for(lambda: viewed.heard)
        assert set(viewed.heard) == {CAMERA}
        assert not any(viewed.station.sent.values())
    finally:
        viewed.close()


def test_the_command_serves_the_page_until_it_is_ended(file: Path) -> None:
    place = f"127.0.0.1:{free_port()}"
    command = [*loaded_command(), "replay", str(file), "--view-at", place, "--from", "1.5", "--weather", "foggy"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:

        def page() -> bytes:
            with urllib.request.urlopen(f"http://{place}/", timeout=60.0) as answer:
                return bytes(answer.read(100_000))

        assert wait_for(lambda: _tried(page))
        process.send_signal(signal.SIGINT)
        out, told = process.communicate(timeout=30.0)
    finally:
        process.kill()
    assert process.returncode in (0, 130), told
    assert not out
    assert f"{file}: {TICKS} ticks, 0.00 to 4.50 s, map town" in told
    assert f"live page: http://{place}" in told
    assert "it stands at its beginning until a browser opens the page" in told
    assert "Traceback" not in told


def _tried(page) -> bytes:
    try:
        return page()
    except OSError:
        return b""


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--weather", "foggy"], "--weather is about a recording that is looked at; add --view"),
        (["--from", "1"], "--from is about a recording"),
        (["--view", "--json"], "both --view and --json are given"),
        (["--view", "--weather", "hot"], "'hot' is not a kind of weather"),
        (["--view", "--time-of-day", "nan"], "--time-of-day: nan is outside 0 to 24"),
        (["--view", "--visibility", "1"], "--visibility: 1.0 is outside 10 to 100000"),
        (["--view", "--speed", "fast"], "'fast' is not a valid speed"),
        (["--view", "--from", "99"], "99 s is not within the recording; give 0 to 4.5"),
        (["--view", "--part", "2"], "has no part 2"),
        (["--view-at", "nowhere"], "nowhere"),
    ],
)
def test_wrong_options_are_refused(file: Path, options: list[str], problem: str) -> None:
    done = dorosim("replay", file, *options)
    assert done.returncode == 2
    assert problem in done.stderr


def test_a_sky_of_nothing_is_that_of_the_recording(recorded: Recorded) -> None:
    now = recorded.ready.first
    assert sky_of(None, None, None, None).over(now) is now
    with pytest.raises(InputError, match="rain"):
        sky_of(None, None, 1000.0, None)
