"""`dorosim config`, and the settings file that a run takes without being told."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest

from dorosim.app.setting.check import file_problems
from dorosim.app.setting.doc import Many, all_tables, sample, setting_table, toml_value
from dorosim.app.setting.file import first_file
from dorosim.app.setting.settings import Settings, given_keys, read_settings
from dorosim.ground.error import InputError
from dorosim.recording.snapshot import write_snapshot
from tests.app.command import dorosim
from tests.recording.header import run_header

KEYS = [key for table in all_tables() for key in table.keys]


@pytest.mark.parametrize("key", KEYS, ids=[key.place for key in KEYS])
def test_every_key_has_a_meaning(key):
    assert len(key.meaning) > 5
    assert not key.meaning.endswith(".")


EXAMPLES = Path(__file__).parents[3] / "examples"
"""Of their files all but that of network settings are files of settings."""


def test_every_table_is_found_in_the_classes():
    titles = [table.title for table in all_tables()]
    for title in ("[[ego]]", "[[sensor]]", "[traffic]", "[udp]", "[grpc]", "[ros]", "[ros.topic.KEY]", "[ros.bag]"):
        assert title in titles
    top = {key.name for key in setting_table().keys}
    assert top == set(Settings.__struct_encode_fields__)


def test_the_first_file_holds_every_key_and_gives_none(tmp_path):
    path = tmp_path / "new" / "dorosim.toml"
    assert dorosim("config", "init", path).returncode == 0
    assert read_settings(path) == Settings()
    assert not [place for place in given_keys(path) if not isinstance(_at(path, place), dict)]
    assert file_problems(path) == []
    text = path.read_text()
    assert max(map(len, text.splitlines())) <= 100
    for key in KEYS:
        if key.table is None:
            assert re.search(rf"^#{key.name} = ", text, re.MULTILINE), key.place


def _at(path, place):
    tree = tomllib.loads(path.read_text())
    for part in place.split("."):
        tree = tree[part]
    return tree


def test_all_keys_of_the_first_file_can_be_given(tmp_path):
    path = tmp_path / "all.toml"
    path.write_text(re.sub(r"^#(?=[a-z0-9_]+ = |\[)", "", first_file(), flags=re.MULTILINE))
    settings = read_settings(path)
    assert len(settings.sensor) == len(settings.ego) == len(settings.ros.topic) == 1
    given = given_keys(path)
    for table in all_tables():
        for key in table.keys:
            if key.table is None and table.many is Many.ONE:
                assert key.place in given


def test_a_file_that_is_there_is_kept(tmp_path):
    path = tmp_path / "dorosim.toml"
    path.write_text("seed = 3\n")
    refused = dorosim("config", "init", path)
    assert (refused.returncode, path.read_text()) == (2, "seed = 3\n")
    assert "--force" in refused.stderr
    assert dorosim("config", "init", path, "--force").returncode == 0
    assert read_settings(path).seed == 0


BAD = """
sped = 3
map = "nowhere"
seed = -1
[[ego]]
vehicel = "x"
vehicle = "2016_Hyundai_Ionik"
[[ego]]
pose = [1, "x", 2]
[[sensor]]
kind = "lidar"
[udp]
network = "missing.toml"
[grpc]
address = "192.0.2.1:7789"
[ros]
server = "nowhere"
"""


def test_everything_that_is_wrong_is_told_at_once(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(BAD)
    done = dorosim("config", "check", path, "--json")
    assert done.returncode == 2
    (found,) = json.loads(done.stdout)
    told = {one["key"]: f"{one['problem']}; {one['cure']}" for one in found["problems"]}
    assert found["file"] == str(path)
    assert set(told) == {
        *("sped", "map", "seed", "ego[0].vehicel", "ego[0]", "ego[1].pose[1]", "sensor[0].kind"),
        *("udp.network", "grpc.address", "ros.server"),
    }
    assert "did you mean 'speed'?" in told["sped"]
    assert "did you mean 'vehicle'?" in told["ego[0].vehicel"]
    assert "2016_Hyundai_Ioniq" in told["ego[0]"]
    assert "known maps" in told["map"]
    assert "not an address of this machine" in told["grpc.address"]
    lines = dorosim("config", "check", path)
    assert lines.returncode == 2
    assert len(lines.stdout.splitlines()) == len(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[ros.topic.ego]\nrate = 3\n", ["ros.topic.ego.rate: is not a known key; did you mean 'rate_hz'?"]),
        (
            "[ros.topic.ego]\nrate_hz = 1.0\n[ros.topic.lamps]\nrate_hz = 'x'\nfram = 'y'\n",
            [
                "ros.topic.lamps.rate_hz: 'x' is not a number",
                "ros.topic.lamps.fram: is not a known key; did you mean 'frame'?",
            ],
        ),
        ("[ros.topic]\nego = 3\n", ["ros.topic.ego: 3 is not a table"]),
        (
            "[[sensor]]\nkind = 3\n[[sensor]]\nkind = 'camera'\nrate_hz = 'x'\n[[sensor]]\n",
            ["sensor[0].kind: 3 is not a text", "sensor[1].rate_hz: 'x' is not a number", "sensor[2].kind: is missing"],
        ),
        ("sensor = [3, {kind = 'gps', ego = 7}]\n", ["sensor[0]: 3 is not a table", "sensor[1].ego: "]),
        (
            'snapshot_at = [["a", "x"], [2.0, 3], [1.0], [-1.0, "x"], [1.0, "none/x"]]\n',
            [
                "snapshot_at[0][0]: 'a' is not a number",
                "snapshot_at[1][1]: 3 is not a text",
                "snapshot_at[2]: [1.0] has not as many parts as it should",
                "snapshot_at[3]: -1.0 is outside 0 to 1e+08",
                "snapshot_at[4]: none/x: ",
            ],
        ),
        (
            'sensor_data_folders = ["/tmp", "/etc/hostname", " ", 3]\n',
            ["sensor_data_folders[3]: 3 is not a text", "sensor_data_folders: /etc/hostname: is not a folder"],
        ),
        ("[[ego]]\npose = [1, 'x', 2]\n[[ego]]\ns = -1.0\n", ["ego[0].pose[1]: 'x' is", "ego[1].s: -1.0 is outside"]),
        ("[ros.bag]\ntargets = ['bus', 'npc', 'dog']\n", ["ros.bag.targets[0]: 'bus'", "ros.bag.targets[2]: 'dog'"]),
    ],
)
def test_each_problem_is_told_once_where_it_is(tmp_path, text, told):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    found = [str(one).removeprefix(f"{path}: ") for one in file_problems(path)]
    assert len(found) == len(told), found
    for one, start in zip(found, told, strict=True):
        assert one.startswith(start), (one, start)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sensor_threads = 0\n", "sensor_threads: 0 is outside 1 to 1000"),
        ("sensor_threads = -5\n", "sensor_threads: -5 is outside"),
        ("[udp]\nutc_offset_h = nan\n", "udp.utc_offset_h: nan is outside -24 to 24"),
        ('data = "/dev/null"\n', "data: /dev/null/Scenario: cannot be made: /dev/null is not a folder"),
    ],
)
def test_what_would_end_a_run_is_told_before(tmp_path, text, told):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    assert str(file_problems(path)[0]).startswith(f"{path}: {told}")


def test_a_data_folder_that_can_be_made_is_right_and_is_not_made(tmp_path):
    path = tmp_path / "good.toml"
    path.write_text(f'data = "{tmp_path}/one/two"\n')
    assert file_problems(path) == []
    assert not (tmp_path / "one").exists()


def test_topics_are_checked_though_the_revision_is_wrong(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('[udp]\nrevision = "24.R9"\n[ros.topic.Ego]\nrate_hz = 3.0\n')
    assert [one.place for one in file_problems(path)] == ["udp.revision", "ros.topic.Ego"]


@pytest.mark.parametrize(
    "path", sorted(set(EXAMPLES.glob("*.toml")) - {EXAMPLES / "high_ports.toml"}), ids=lambda one: one.name
)
def test_the_settings_files_of_the_examples_are_right(path):
    assert file_problems(path) == []


def test_a_key_is_not_told_twice(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('[udp]\nrevision = "24.R9"\n')
    (problem,) = file_problems(path)
    assert str(problem).startswith(f"{path}: udp.revision: there is no revision '24.R9'; use one of ")


def test_what_is_no_toml_is_one_problem(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("map = ")
    done = dorosim("config", "check", path, tmp_path / "missing.toml")
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 2


def test_show_says_who_gave_what(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text('seed = 3\ntick_ms = 20.0\n[[ego]]\nlink = "A"\n[ros.bag]\ntopics = ["/Ego*"]\n')
    options = ("--config", path, "--seed", "4", "--vehicle", "2016_Kia_Niro(HEV)", "--vehicles", "7", "--bag", "x.bag")
    done = dorosim("config", "show", *options, "--grpc", "off", "--json")
    told = json.loads(done.stdout)
    origins = told["origins"]
    by_option = {place for place, origin in origins.items() if origin == "option"}
    assert by_option >= {"seed", "ego[0].vehicle", "traffic.vehicles", "ros.bag.file", "grpc.enabled"}
    assert {place for place, origin in origins.items() if origin == str(path)} == {
        *("tick_ms", "ego[0].link", "ros.bag.topics")
    }
    assert origins["map"] == origins["traffic.pedestrians"] == "default"
    counts = msgspec.convert(told["settings"], Settings)
    assert (counts.seed, counts.ego[0].link, counts.traffic.vehicles) == (4, "A", 7)


@pytest.fixture
def snapshot(town, tmp_path):
    """A snapshot of a run with seed 5 at revision 26.R1."""
    path = tmp_path / "half.snapshot"
    write_snapshot(path, msgspec.structs.replace(run_header(town), seed=5, revision="26.R1"), town.now)
    return path


def shown(*options) -> tuple[Settings, dict[str, str]]:
    """Settings that count and who gave each."""
    told = json.loads(dorosim("config", "show", *options, "--json").stdout)
    return msgspec.convert(told["settings"], Settings), told["origins"]


def test_show_says_what_a_snapshot_takes_away(tmp_path, snapshot):
    path = tmp_path / "my.toml"
    path.write_text('scenario = "x"\n[traffic]\nvehicles = 3\npedestrians = 0\n')
    _, origins = shown("--config", path, "--from", snapshot)
    assert (origins["scenario"], origins["traffic.vehicles"]) == ("snapshot", "snapshot")
    assert origins["traffic.pedestrians"] == str(path)
    assert (origins["from_snapshot"], origins["speed"]) == ("option", "default")


def test_show_says_what_a_snapshot_gives_whoever_else_says_it_too(town, tmp_path, snapshot):
    path = tmp_path / "my.toml"
    path.write_text('map = "town"\nseed = 5\n')
    for options in (("--config", path), ("--seed", "5"), ()):
        counts, origins = shown(*options, "--from", snapshot)
        assert (counts.map, counts.seed, counts.udp.revision) == ("town", 5, "26.R1")
        places = ("map", "seed", "tick_ms", "udp.revision", "ego[0].vehicle", "ego[0].pose")
        assert {origins[place] for place in places} == {"snapshot"}
    (ego,) = counts.ego
    assert ego.vehicle == town.built.egos[0].model
    assert ego.pose[:2] == town.built.egos[0].position[:2]
    _, origins = shown("--revision", "24.R2", "--from", snapshot)
    assert origins["udp.revision"] == "option"


def test_show_refuses_what_the_run_would_refuse(tmp_path, snapshot):
    done = dorosim("config", "show", "--seed", "4", "--from", snapshot)
    assert (done.returncode, done.stdout) == (2, "")
    assert "seed: is 4, but the run in" in done.stderr
    assert dorosim("config", "show", "--from", tmp_path / "none.snapshot").returncode == 2


def test_what_show_prints_is_a_settings_file(tmp_path):
    given = tmp_path / "given.toml"
    given.write_text("speed = 2.5\n[[ego]]\n[[ego]]\npose = [1.0, 2.0, 3.0]\n[ros.topic.ego_topic]\nrate_hz = 10.0\n")
    again = tmp_path / "again.toml"
    again.write_text(dorosim("config", "show", "--config", given).stdout)
    assert read_settings(again) == read_settings(given)


def test_a_settings_file_in_the_folder_is_used_and_told_of(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "other.toml"
    other.write_text("seed = 5\n")
    assert "no settings file" in dorosim("config", "show").stdout
    (tmp_path / "dorosim.toml").write_text('seed = 4\nmap = "nowhere"\n')
    assert "seed = 4" in dorosim("config", "show").stdout
    assert "seed = 5" in dorosim("config", "show", "--config", other).stdout
    run = dorosim("run", "--data", tmp_path)
    assert run.returncode == 2
    assert "settings: dorosim.toml, which lies in this folder" in run.stderr


@pytest.mark.parametrize(
    "value", [True, 3, 2.5, float("inf"), 'a "b"\\ \x7f\n', "도로", [1.0, 2.0], {"a b": 1, "c": [True]}, {}, []]
)
def test_values_are_toml(value):
    assert tomllib.loads(f"x = {toml_value(value)}")["x"] == value


def test_samples_are_of_the_type():
    for key in KEYS:
        if key.table is None:
            tomllib.loads(f"x = {sample(key.kind)}")


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("config", "init", "made.toml"), "made.toml"),
        (("config", "init", "--force", "there.toml"), "there.toml"),
        (("map", "generate", "made.zip", "--size", "small"), "made.zip"),
        (("map", "generate", "made", "--size", "small"), "made/link_set.json"),
        (("grpc", "proto", "stubs"), "stubs/morai/morai.proto"),
    ],
)
def test_on_a_full_disk_no_command_leaves_a_part_of_a_file(tmp_path, words, file):
    (tmp_path / "there.toml").write_text("seed = 3\n")
    limit = 1500  # the system refuses what goes beyond, as a full disk does
    done = subprocess.run(
        [sys.executable, "-m", "dorosim", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "NUMBA_CACHE_DIR": str(tmp_path / "k")}
        | {"PYTHONDONTWRITEBYTECODE": "1"},  # else Python keeps a part of a module that it has compiled
    )
    assert done.returncode == 2, done.stderr
    assert "cannot be written: " in done.stderr
    assert "fault of dorosim" not in done.stderr
    assert (tmp_path / "there.toml").read_text() == "seed = 3\n"
    assert not (tmp_path / file).exists() or file == "there.toml"
    assert [path for path in tmp_path.rglob("*") if path.suffix == ".part" or path.stat().st_size == 0] == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('weather = "rainy"\n', "weather: is not a known key there; it belongs to [environment]"),
        ('vehicle = "x"\n', "vehicle: is not a known key there; it belongs to [[ego]]"),
        (
            "[environment]\nseed = 3\n",
            "environment.seed: is not a known key there; it belongs before the first [table]",
        ),
        ("[udp]\norigins = []\n", "it belongs to [view] or to [ros]"),
        ("wether = 1\n", "wether: is not a known key; known keys"),
    ],
)
def test_a_key_in_the_wrong_table_is_told_where_it_belongs(tmp_path, text, told):
    path = tmp_path / "dorosim.toml"
    path.write_text(text)
    with pytest.raises(InputError) as found:
        read_settings(path)
    assert told in str(found.value)


def test_a_run_names_the_option_or_the_file_that_gave_a_wrong_value(tmp_path):
    def told(*arguments):
        done = dorosim("run", "--data", tmp_path, "--duration", "0.1", *arguments)
        assert done.returncode == 2
        return done.stderr.splitlines()[-1]

    assert told("--time-of-day", "25").startswith("dorosim: error [settings]: --time-of-day: 25.0 is outside 0 to 24")
    assert "[settings]: --pose: 1e+06 is outside" not in told("--pose", "0,0,90", "--rain", "-1")
    path = tmp_path / "given.toml"
    path.write_text("[environment]\ntime_of_day = 25.0\n[traffic]\nvehicles = -3\n")
    line = told("--config", path)
    assert f"[settings]: {path}: environment.time_of_day: 25.0 is outside" in line
    assert line.endswith(f"'dorosim config check {path}' lists all that is wrong")
    # an option that is right goes over the file, and one that is wrong is named though there is a file
    assert "traffic.vehicles" in told("--config", path, "--time-of-day", "12")
    assert "--time-of-day: 26.0" in told("--config", path, "--time-of-day", "26")
    path.write_text("nonsense = 1\n")
    assert told("--config", path).endswith(f"'dorosim config check {path}' lists all that is wrong")
    assert "config check" not in told("--config", tmp_path / "missing.toml")


def test_pictures_of_a_sky_name_the_option_too(tmp_path):
    done = dorosim("sensor", "shot", "--time-of-day", "25", "--data", tmp_path)
    assert (done.returncode, "--time-of-day: 25.0 is outside" in done.stderr) == (2, True)
