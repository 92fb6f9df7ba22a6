"""Which settings a snapshot decides, and what contradicts it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from dorosim.app.run.output import Output
from dorosim.app.run.replay import replay_file
from dorosim.app.run.report.run_summary import describe_driving
from dorosim.app.run.resume import start_of
from dorosim.app.run.session import RunContext, open_session
from dorosim.app.setting.override import given_options, option_values
from dorosim.app.setting.settings import EgoSettings, Settings, UdpSettings, given_keys
from dorosim.app.store.scenario import ScenarioFolder
from dorosim.bridge.scenario import ScenarioLoader
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.ground.error import InputError
from dorosim.recording.snapshot import read_snapshot, write_snapshot
from dorosim.world.actor.command import PauseActor
from dorosim.world.command import Source
from dorosim.world.snapshot import EGO, STATE
from dorosim.world.vehicle.command import DriveByKeyboard, DriveVehicle, FollowTrajectory, SelectMode, TakeKeyboard
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.app.command import dorosim
from tests.recording.header import run_header
from tests.system.living_world import turn
from tests.system.rig import Rig


@pytest.fixture
def saved(town: Rig, tmp_path: Path) -> Path:
    """A snapshot of 0.3 s, of a run with seed 0 on the town at revision 24.R2."""
    turn(town, 30)
    path = tmp_path / "run.snapshot"
    write_snapshot(path, run_header(town), town.now)
    return path


def settings(saved: Path, **more) -> Settings:
    return Settings(from_snapshot=str(saved), **more)


def test_a_run_goes_on_where_the_snapshot_was_saved(town, saved, tmp_path):
    start = start_of(settings(saved), (), tmp_path)
    assert start.ready.first.digest() == town.now.digest()
    assert start.ready.egos == town.built.egos
    assert start.content == saved.read_bytes()
    assert start.epoch == 0
    assert (start.settings.seed, start.settings.tick_ms, start.settings.udp.revision) == (0, 10.0, "24.R2")


def test_what_the_snapshot_says_counts_over_defaults(town, saved, tmp_path):
    odd = msgspec.structs.replace(run_header(town), seed=7, tick=20_000_000, revision="26.R1", epoch=5 * 10**9)
    write_snapshot(saved, odd, town.now)
    start = start_of(settings(saved), (), tmp_path)
    assert (start.settings.seed, start.settings.tick_ms, start.settings.udp.revision) == (7, 20.0, "26.R1")
    assert start.ready.scene.tick == 20_000_000
    assert start.epoch == 5 * 10**9


def test_what_does_not_change_how_it_goes_on_may_be_given(saved, tmp_path):
    free = settings(saved, epoch=3.0, udp=UdpSettings(revision="22.R1"), map="town", seed=0, tick_ms=10.0)
    start = start_of(free, {"udp.revision", "epoch", "map", "seed", "tick_ms"}, tmp_path)
    assert start.settings.udp.revision == "22.R1"
    assert start.epoch is None


@pytest.mark.parametrize(
    ("key", "more", "words"),
    [
        ("seed", {"seed": 3}, "seed: is 3, but the run in .* has 0; leave it out"),
        ("tick_ms", {"tick_ms": 5.0}, "tick_ms: is 5, but the run in .* has 10"),
        ("ego", {"ego": (EgoSettings(pose=(1.0, 2.0, 3.0)),)}, "ego vehicles: are not those that the run"),
        ("ego", {"ego": (EgoSettings(), EgoSettings())}, "ego vehicles: are not those that the run"),
    ],
)
def test_a_setting_that_contradicts_is_named_if_somebody_gave_it(saved, tmp_path, key, more, words):
    with pytest.raises(InputError, match=words):
        start_of(settings(saved, **more), {key}, tmp_path)
    start_of(settings(saved, **more), (), tmp_path)


def test_the_settings_file_of_the_run_itself_does_not_contradict(saved, tmp_path):
    config = tmp_path / "dorosim.toml"
    config.write_text('map = "town"\nseed = 0\n[[ego]]\nvehicle = "2016_Hyundai_Ioniq"\n[udp]\nrevision = "24.R2"\n')
    given = given_keys(config)
    assert given == {"map", "seed", "ego", "ego[0]", "ego[0].vehicle", "udp", "udp.revision"}
    assert start_of(settings(saved), given, tmp_path).ready.first.tick == 30


def test_another_map_is_refused(town, saved, tmp_path):
    other = msgspec.structs.replace(run_header(town), map_digest="00")
    write_snapshot(saved, other, town.now)
    with pytest.raises(InputError, match="is not the one of the run in it; give the right one with --map"):
        start_of(settings(saved), (), tmp_path)


def test_a_state_that_no_run_has_written_is_refused(town, saved, tmp_path):
    link = STATE.leaves(town.now)["traffic.link"] + 10**6
    write_snapshot(saved, run_header(town), STATE.build(STATE.leaves(town.now) | {"traffic.link": link}))
    with pytest.raises(InputError, match=r"no run can be in this state: traffic\.link"):
        start_of(settings(saved), (), tmp_path)


@pytest.mark.parametrize("change", [{"tick": 0}, {"seed": -1}, {"epoch": -5}, {"egos": ()}, {"revision": "99.R1"}])
def test_a_header_that_no_run_has_written_is_refused(town, saved, tmp_path, change):
    write_snapshot(saved, msgspec.structs.replace(run_header(town), **change), town.now)
    if "revision" in change:
        assert start_of(settings(saved), (), tmp_path).settings.udp.revision == "99.R1"
        return
    with pytest.raises(InputError, match="the file is broken"):
        start_of(settings(saved), (), tmp_path)


def test_options_that_were_given_are_known():
    options = {"seed": 0, "map": None, "ego.pose": None, "ego.link": "x", "udp.revision": None}
    found = given_options(option_values(options, Settings()))
    assert found == {"seed", "ego", "ego[0].link"}
    assert given_options({"udp.revision": "24.R2"}) == {"udp.revision"}


def test_snapshots_are_saved_on_the_way_and_at_the_end(town, tmp_path):
    at = ((0.0, "first"), (0.095, "tenth"), (0.2, "twentieth"), (9.0, "never"))
    files = {name: tmp_path / name for _, name in at}
    output = Output(
        Settings(save_snapshot=str(tmp_path / "last"), snapshot_at=tuple((s, str(files[n])) for s, n in at))
    )
    output.begin(run_header(town), b"", town.now)
    town.loop.observers = (output,)
    town.turn(25)
    told = output.finish(town.now, ScenarioLoader(town.built.scene, ScenarioFolder(tmp_path, "town")))
    output.close()
    output.check()
    ticks = {name: read_snapshot(tmp_path / name).snapshot.tick for name in ("first", "tenth", "twentieth", "last")}
    assert ticks == {"first": 0, "tenth": 10, "twentieth": 20, "last": 25}
    assert not files["never"].exists()
    assert f"the run ended before the snapshot at 9 s: {files['never']}" in told
    assert len(told) == 5


def test_a_snapshot_that_cannot_be_written_ends_no_run_but_is_told(town, tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    output = Output(Settings(snapshot_at=((0.05, str(folder / "x")),)))
    output.begin(run_header(town), b"", town.now)
    town.loop.observers = (output,)
    folder.rmdir()
    assert town.turn(20).tick == 20
    with pytest.raises(InputError, match="cannot be written"):
        output.check()


def test_places_that_cannot_be_written_are_found_before_the_run(tmp_path):
    for place in (tmp_path / "none" / "x", tmp_path, tmp_path / "a\0b"):
        with pytest.raises(InputError, match="give another file"):
            Output(Settings(save_snapshot=str(place)))


def test_a_time_that_is_over_is_an_error(town, tmp_path):
    turn(town, 30)
    output = Output(Settings(snapshot_at=((0.1, str(tmp_path / "x")),)))
    with pytest.raises(InputError, match=r"0\.1 s is before the start of the run at 0\.3 s"):
        output.begin(run_header(town), b"", town.now)


def test_numbers_of_a_file_are_plain_numbers(saved):
    """So that what is computed from them is what would have been computed without a file."""
    now = read_snapshot(saved).snapshot
    assert [type(value) for value in STATE.plain(now)] == [int, int, bool, int, int, tuple, float, *([int] * 5)]
    assert all(type(ego) is int for ego in now.egos)
    assert not any(isinstance(value, np.generic) for value in STATE.plain(now))


def test_the_banner_says_what_the_ego_vehicle_does(town):
    def after(*commands):
        town.put(*commands)
        return describe_driving(town.turn())

    assert describe_driving(town.now) == "stands, held, until the first command"
    assert after(DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.1)) == "follows its last command"
    ahead = tuple((float(town.now.vehicle.x[0]) + 10.0 * k, float(town.now.vehicle.y[0]), 0.0, 5.0) for k in (1, 2))
    assert after(FollowTrajectory(EGO, ahead)) == "follows the trajectory that it was sent"
    assert after(SelectMode(EGO, ControlMode.CRUISE)) == "drives by itself, in cruise mode"
    assert after(PauseActor(EGO, paused=True)) == "is paused, and stands until it is let go"


@pytest.fixture
def driven(town: Rig, tmp_path: Path) -> Path:
    """A snapshot of a run whose ego vehicle somebody drives by keys."""
    town.put(TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0))
    town.turn(30)
    assert town.now.vehicle.seized[0] == 1
    path = tmp_path / "driven.snapshot"
    write_snapshot(path, run_header(town), town.now)
    return path


def test_nobody_is_at_the_keyboard_of_a_run_that_goes_on(driven, tmp_path):
    """Its ego vehicle is held, and obeys clients; its recording is what it was."""
    config, network, record = tmp_path / "dorosim.toml", tmp_path / "net.toml", tmp_path / "end.rec"
    config.write_text(
        f'from_snapshot = "{driven}"\nsave_snapshot = "{tmp_path / "end"}"\nduration = 0.05\nspeed = "max"\n'
        f'data = "{tmp_path}"\nrecord = "{record}"\n[udp]\nnetwork = "{network}"\n'
    )
    network.write_text("listen = []\nsend = []\n")
    assert dorosim("run", "--config", config, "--quiet").returncode == 0
    vehicle = read_snapshot(tmp_path / "end").snapshot.vehicle
    assert (vehicle.seized[0], vehicle.control_kind[0]) == (0, ControlKind.HOLD)
    assert replay_file(record, None, tmp_path).equal


def test_nobody_is_at_the_keyboard_after_a_reset_either(driven, tmp_path):
    network = tmp_path / "net.toml"
    network.write_text("listen = []\nsend = []\n")
    context = RunContext(given=(), data=tmp_path, journal=Journal(lambda *_: None), clock=PacedClock(None))
    session = open_session(settings(driven, udp=UdpSettings(network=str(network))), context)
    loop = session._loop((), ())
    for _ in range(2):
        now = loop.turn()
        assert (now.vehicle.seized[0], now.vehicle.control_kind[0]) == (0, ControlKind.HOLD)
        loop.put(Source.PEER, DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.AUTO, brake=0.5))
        now = loop.turn()
        assert (now.refusals, now.vehicle.target_brake[0]) == ((), 0.5)
        loop.reset()
    session.endpoint.close()


def test_a_settings_file_that_names_a_snapshot_does_not_begin_its_traffic_again(saved, tmp_path):
    config = tmp_path / "dorosim.toml"
    config.write_text(
        f'from_snapshot = "{saved}"\nsave_snapshot = "{tmp_path / "end"}"\nduration = 0.05\nspeed = "max"\n'
        f'data = "{tmp_path}"\n[traffic]\nvehicles = 5\npedestrians = 5\n[udp]\nnetwork = "{tmp_path / "net.toml"}"\n'
    )
    (tmp_path / "net.toml").write_text("listen = []\nsend = []\n")
    assert dorosim("run", "--config", config, "--quiet").returncode == 0
    start, end = read_snapshot(saved).snapshot, read_snapshot(tmp_path / "end").snapshot
    assert end.tick == start.tick + 5
    assert (len(end.traffic), len(end.people)) == (len(start.traffic), len(start.people))
