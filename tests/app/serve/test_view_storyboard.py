"""The page of a run that plays a storyboard: what its process is given, what it is told, and going back in the run."""

from __future__ import annotations

import multiprocessing
import pickle
import threading

import pytest

from dorosim.app.analyse.trace.recorded import open_recording
from dorosim.app.run.session import RunContext
from dorosim.app.serve.replay.index import RecordingIndex
from dorosim.app.serve.replay.page import RecordingPage
from dorosim.app.serve.replay.player import RecordingPlayer
from dorosim.app.serve.shown_run import GuideCache
from dorosim.app.serve.view_service import ViewService
from dorosim.app.setting.settings import GrpcSettings, RosSettings, Settings, UdpSettings, ViewSettings
from dorosim.bridge.view.storyboard import StoryboardGuide
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.view.message import RunBegun
from dorosim.endpoint.view.run_proxy import RunProxy
from dorosim.ground.error import DorosimError
from dorosim.world.actor.command import PauseRun
from dorosim.world.snapshot import Snapshot
from tests.app.network import network_file
from tests.app.program import Program
from tests.port import free_port
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.timing import wait_for

TEXT = file_text(
    event("go", speed(8.0, "linear", over=2.0), TIME.format(time=0.5))
    + event("brake", speed(0.0, "linear", over=1.0), TIME.format(time=4)),
    end=6.0,
)


class StoryboardProgram(Program):
    """A program that plays a scenario and records it, and the page's end of the way to it.

    Attributes:
        begun: what the page was told of each run.

    Args:
        folder: for its files.
        looked_at: simulated time at which a browser opens the page [s].
    """

    def __init__(self, folder, looked_at: float = 0.0) -> None:
        file = folder / "go.xosc"
        file.write_text(TEXT)
        self.record = folder / "run.rec"
        settings = Settings(
            scenario=str(file),
            record=str(self.record),
            udp=UdpSettings(network=str(network_file(folder, free_port(), free_port()))),
            grpc=GrpcSettings(enabled=False),
            ros=RosSettings(server="off"),
            view=ViewSettings(address="127.0.0.1:0"),
        )
        super().__init__(folder, settings, 2.0)
        self.service = self.add(ViewService)
        self.start()
        wait_for(lambda: self.now.time >= looked_at * 1e9, 300.0)  # a first run compiles
        mine, its = multiprocessing.Pipe()
        self.proxy = RunProxy(its)
        self.begun: list[RunBegun] = []
        follow = (self.begun.append, lambda _: None, lambda *_: None)
        threading.Thread(target=self.proxy.follow, args=follow, daemon=True).start()
        self.service._come(mine)
        wait_for(lambda: self.begun, 60.0)
        self.proxy.want()  # as a page does for a visitor
        wait_for(lambda: self.service._link.visited)
        wait_for(lambda: self.now.time > 0, 300.0)

    @property
    def moments(self) -> dict[str, float]:
        return {one.text: one.time for one in self.proxy.ask("page", "moments")}


@pytest.fixture
def program(tmp_path):
    made = StoryboardProgram(tmp_path)
    yield made
    made.close()


def texts(program: StoryboardProgram) -> list[str]:
    return [one[2] for one in program.proxy.ask("page", "status").happenings]


def test_the_page_reads_the_scenario_itself_and_the_run_goes_back_to_a_moment(program):
    files, scene, _, kept = pickle.loads(pickle.dumps(program.begun[0].given))
    assert scene.storyboard is None
    cache = GuideCache()
    guide = cache.get(kept, files)
    assert isinstance(guide, StoryboardGuide)
    assert cache.get(kept, files) is guide
    assert guide.fits(program.begun[0].now.storyboard)

    program.proxy.ask("runs", "restart")  # the page was not there from the beginning
    wait_for(lambda: "before event brake starts" in program.moments)
    assert {"storyboard: event go starts", "storyboard: event brake starts"} <= set(texts(program))
    program.proxy.do(PauseRun(True))
    before = program.current
    back = program.moments["before event go starts"]
    there = program.proxy.ask("page", "go_to", back)
    assert there == back
    wait_for(lambda: len(program.begun) == 2)
    after = program.current
    assert (after.number, after.loop.scene) == (before.number + 1, before.loop.scene)
    assert program.now.paused
    assert program.now.time == round(there * 1e9)
    assert "before event brake starts" not in program.moments
    assert guide.fits(program.now.storyboard)

    program.proxy.do(PauseRun(False))
    wait_for(lambda: program.now.storyboard.ended > 0)
    assert program.now.storyboard.ended == 6_000_000_000
    assert "storyboard over: the stop trigger is met" in texts(program)
    with pytest.raises(DorosimError, match="no moment at or before -1 s"):
        program.proxy.ask("page", "go_to", -1.0)

    program.close()
    branch = open_recording(program.record.with_name("run-2.rec"), None, program.data)
    assert branch.start == there
    *_, last = branch.snapshots()
    assert last.storyboard.ended == 6_000_000_000


def test_moments_are_kept_before_anybody_looks(tmp_path):
    program = StoryboardProgram(tmp_path, looked_at=0.7)
    try:
        assert program.moments["before event go starts"] == pytest.approx(0.49, abs=0.02)
        program.proxy.do(PauseRun(True))
        assert program.proxy.ask("page", "go_to", 0.3) == 0.0
        wait_for(lambda: len(program.begun) == 2)
        assert (program.now.paused, program.now.time, program.moments) == (True, 0, {})
    finally:
        program.close()


def test_a_scenario_of_the_data_folder_is_listed_and_begins_another_run(program):
    (program.data / "Scenario" / "mine").mkdir()
    (program.data / "Scenario" / "mine" / "later.xosc").write_text(TEXT.replace('name="go"', 'name="later"'))
    assert program.proxy.ask("page", "choices").scenarios == ("mine/later.xosc",)
    before = program.current.number
    assert program.proxy.ask("page", "load", "mine/later.xosc").startswith("mine/later.xosc: map ")
    wait_for(lambda: len(program.begun) == 2)
    assert program.current.number == before + 1
    wait_for(lambda: "before event later starts" in program.moments)


def test_a_recording_on_the_page_has_moments_and_goes_to_them(program):
    wait_for(lambda: program.now.storyboard.ended > 0)
    program.close()
    recorded = open_recording(program.record, None, program.data)
    index, clock = RecordingIndex(recorded), PacedClock(None)
    player = RecordingPlayer(recorded, index, clock, waits=True)
    context = RunContext(given=(), data=program.data, journal=Journal(lambda _: None), clock=clock)
    shown: list[Snapshot] = []
    page = RecordingPage(Settings(view=ViewSettings(address="127.0.0.1:0")), context, player, None, None)
    index.start()
    thread = threading.Thread(target=player.run, args=(lambda now, *_: shown.append(now), lambda: None))
    thread.start()
    try:
        wait_for(lambda: index.is_done, 60.0)
        moments = {one.text: one.time for one in page.moments()}
        at = moments["before event brake starts"]
        assert at == pytest.approx(3.99, abs=0.011)
        assert page.go_to(at) == at
        wait_for(lambda: shown)
        assert shown[-1].time == round(at * 1e9)
        with pytest.raises(DorosimError, match="not within the recording"):
            page.go_to(1e6)
    finally:
        player.stop()
        thread.join(60.0)
        index.close()
        page.close()
