"""`dorosim bag` and `dorosim run --bag`, as users call them."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from dorosim.app.analyse.bag.trajectories import read_trajectories
from dorosim.recording.bag.repair import look_into
from dorosim.wire.ros.registry import registry_of
from tests.app.command import dorosim
from tests.app.network import network_file
from tests.port import free_port
from tests.recording.bag_maker import drive_messages, ego_at, write_bag
from tests.recording.real_rosbag import ROSBAG, real_rosbag
from tests.timing import wait_for

REGISTRY = registry_of("2024")


def test_a_run_that_is_killed_leaves_a_bag_that_can_be_mended(tmp_path):
    net, bag = network_file(tmp_path, free_port(), free_port()), tmp_path / "run.bag"
    settings = tmp_path / "dorosim.toml"
    settings.write_text(f'[ros]\nserver = "off"\n\n[ros.bag]\nfile = "{bag}"\ntopics = ["/Ego_topic", "/Sync*"]\n')
    words = ["run", "--config", settings, "--network", net, "--data", tmp_path, "--grpc", "off", "-q"]
    program = subprocess.Popen([sys.executable, "-m", "dorosim", *map(str, words)], stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: program.poll() is not None or (bag.exists() and bag.stat().st_size > 30_000), 120.0)
        assert program.poll() is None
    finally:
        program.send_signal(signal.SIGKILL)
        program.wait()
    told = dorosim("bag", "info", bag)
    assert told.returncode == 0
    assert "is not whole: " in told.stdout
    assert f"dorosim bag repair {bag}" in told.stdout
    mended = dorosim("bag", "repair", bag)
    assert mended.returncode == 0, mended.stderr
    assert f"the damaged one is {tmp_path / 'run.orig.bag'}" in mended.stdout
    found = look_into(bag)
    assert found.whole
    assert set(found.counts) == {"/Ego_topic", "/SyncModeInfo"}
    span = (found.last - found.first) * 1e-9
    assert found.counts["/Ego_topic"] == pytest.approx(50 * span, abs=3), "and none is missing before its end"
    assert "nothing to mend" in dorosim("bag", "repair", bag).stdout
    if ROSBAG:
        real_rosbag("check", bag)


def test_a_bag_is_replayed_and_recorded_again(tmp_path):
    net = network_file(tmp_path, free_port(), free_port())
    (tmp_path / "Recording").mkdir()
    write_bag(tmp_path / "Recording" / "drive.bag", drive_messages(REGISTRY, 2.0))
    settings = tmp_path / "dorosim.toml"
    settings.write_text('epoch = 1000.0\n\n[ros]\nserver = "off"\n')
    out = tmp_path / "again.bag"
    words = ["--config", settings, "--network", net, "--data", tmp_path, "--grpc", "off", "--speed", "max"]
    run = dorosim("bag", "replay", "drive", "--start", "0.5", "--rate", "2", "--targets", "ego", "--bag", out, *words)
    assert run.returncode == 0, run.stderr
    assert "0.7" in run.stdout, "1.5 s, twice as fast"
    assert "ROS messages recorded: " in run.stdout
    film = read_trajectories(out)
    for moment in (0.1, 0.3, 0.6):
        # the first tick ends at 10 ms and shows the first moment
        t = (film.begin - 1000 * 10**9) * 1e-9 + moment - 0.01
        wanted = ego_at(0.5 + 2.0 * t)[:2]
        assert film.ego_at(round(moment * 1e9)).position[:2] == pytest.approx(wanted, abs=2e-3)
    if ROSBAG:
        assert "/Ego_topic" in real_rosbag("info", out)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("info", "none.bag"), "No such file"),
        (("info", "text.bag"), "is not a ROS bag of format 2.0; give a ROS 1 bag"),
        (("repair", "text.bag"), "is not a ROS bag"),
        (("repair", "text.bag", "--out", "none/x.bag"), "none/x.bag: there is no folder"),
        (("record", "text.bag", "a.txt"), "let it end in .bag (ROS 1) or .mcap"),
        (("record", "text.bag", "a.bag"), "text.bag"),
        (("record", "text.bag", "a.bag", "--generation", "1999"), "use 2022, 2024, 24.r2, 26.r1"),
        (("replay", "text.bag", "--targets", "dog"), "use ego, npc, pedestrian"),
    ],
)
def test_wrong_words_end_with_a_sentence(tmp_path, words, problem):
    (tmp_path / "text.bag").write_text("hello")
    named = [str(tmp_path / word) if "." in word and not word.startswith("26") else word for word in words]
    run = dorosim("bag", *named)
    assert run.returncode == 2
    assert problem in run.stderr
    assert "Traceback" not in run.stderr
    assert (tmp_path / "text.bag").read_text() == "hello"


def test_topics_without_a_bag_are_refused(tmp_path):
    run = dorosim("run", "--bag-topics", "/Ego_topic", "--data", tmp_path)
    assert run.returncode == 2
    assert "give its file with --bag" in run.stderr


def test_topics_that_nothing_fits_are_told_of(tmp_path):
    (tmp_path / "net.toml").write_text("listen = []\nsend = []\n")
    (tmp_path / "my.toml").write_text('[[sensor]]\nkind = "gps"\n')
    rest = ("--data", tmp_path, "--ros-server", "off", "--grpc", "off", "--no-view", "--config", tmp_path / "my.toml")
    run = dorosim(
        *("run", "--network", tmp_path / "net.toml", "--speed", "max", "--duration", "0.1", *rest),
        *("--record", tmp_path / "a.rec", "--bag", tmp_path / "a.bag", "--bag-topics", "Ego_topic,/Ego*,/gps"),
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr.count("notice: bag: ") == 1
    assert "notice: bag: no topic fits 'Ego_topic'; did you mean /Ego_topic" in run.stderr
    record = dorosim("bag", "record", tmp_path / "a.rec", tmp_path / "b.bag", "--topics", "zzz", "--data", tmp_path)
    assert record.returncode == 0
    assert "notice: no topic fits 'zzz'; there are /" in record.stdout


def test_help_says_what_a_bag_of_a_recording_lacks():
    told = dorosim("bag", "record", "--help")
    assert told.returncode == 0
    assert "Sensors are not read" in told.stdout
    assert "dorosim run --bag" in told.stdout
