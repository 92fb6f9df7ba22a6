"""What holds for all commands: help, completion, exit statuses, JSON, and no colours where there is no terminal."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from dorosim.app.cli import main as program
from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.run.report import progress
from dorosim.app.run.report.json_output import print_json
from dorosim.app.setting.check import file_problems
from tests.app import command as command_module
from tests.app.command import dorosim, dorosim_process, dorosim_unread
from tests.app.terminal import on_terminal
from tests.loaded import COMMAND
from tools.reference.command import command_page, walk_commands

ROOT = typer.main.get_command(program.app)
COMMANDS = tuple(walk_commands(ROOT, "dorosim"))
PATHS = [path.split()[1:] for path, _ in COMMANDS]
ESCAPE = "\x1b"


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_help_is_there_and_has_no_colours_on_a_pipe(path):
    done = dorosim(*path, "--help", coloured=True)
    assert done.returncode == 0
    assert " ".join(["dorosim", *path]) in done.stdout
    assert ESCAPE not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("packet", "list"),
        ("packet", "show", "EgoCtrlCmd"),
        ("packet", "decode", "00"),
        ("map", "info", "town"),
        ("map", "check", "town"),
        ("config", "show"),
        ("sensor", "list"),
        ("run", "--map", "nowhere"),
        ("run", "--nothing"),
        ("replay", "nowhere"),
    ],
    ids=" ".join,
)
def test_what_goes_through_a_pipe_has_no_escape_codes(command):
    done = dorosim(*command, coloured=True)
    assert done.stdout + done.stderr
    assert ESCAPE not in done.stdout + done.stderr


def test_no_color_is_honoured_on_a_terminal():
    red = f"{ESCAPE}[31m"
    _, coloured = on_terminal("packet", "decode", "00")
    assert red in coloured
    _, plain = on_terminal("packet", "decode", "00", more={"NO_COLOR": "1"})
    assert "no message" in plain
    assert red not in plain


def test_every_command_is_on_the_reference_page():
    page = command_page()
    for path, command in walk_commands(ROOT, "dorosim"):
        assert f"### {path}\n" in page
        for one in command.params:
            for name in one.opts if one.param_type_name == "option" else ():
                assert f"`{name}" in page
    for code in ExitCode:
        assert f"| {int(code)} | {code.meaning} |" in page


def test_every_option_and_command_has_a_help():
    for path, command in walk_commands(ROOT, "dorosim"):
        assert command.help, path
        assert all(one.help for one in command.params), path


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_help_says_every_word_of_a_text(path, monkeypatch):
    """Brackets are markup to what prints it."""
    monkeypatch.setitem(command_module.SURROUNDINGS, "COLUMNS", "1000")
    command = dict(COMMANDS)[" ".join(["dorosim", *path])]
    shown = " ".join(dorosim(*path, "--help").stdout.split())
    for one in command.params:
        assert one.help in shown
    for paragraph in command.help.split("\n\n"):
        assert " ".join(paragraph.split()) in shown


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (program.DorosimError("no such thing"), ExitCode.BAD_INPUT, "dorosim: error [option]: no such thing"),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, ""),
        (ZeroDivisionError("inside"), ExitCode.FAILED, "ZeroDivisionError: inside"),
    ],
)
def test_exit_statuses_say_what_happened(monkeypatch, error, status, words):
    def fail(**_):
        raise error

    monkeypatch.setattr(program, "app_for", lambda _: fail)
    done = dorosim("run")
    assert done.returncode == status
    assert words in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("--version",),
        ("packet", "--help"),
        ("packet", "list"),
        ("packet", "show", "EgoCtrlCmd"),
        ("packet", "list", "--json"),
        ("map", "check", "town"),
        ("config", "show"),
    ],
    ids=" ".join,
)
def test_a_reader_that_has_gone_is_nothing_that_was_found(command):
    assert dorosim_unread(*command) == ExitCode.OK


def test_errors_that_nobody_reads_have_their_status():
    assert dorosim_unread("map", "check", "nowhere") == ExitCode.BAD_INPUT
    for usage in (("nonsense",), ("run", "--no-such-option"), ("plot",), ("run", "--seed", "x")):
        assert dorosim_unread(*usage) == ExitCode.BAD_INPUT, usage


def test_a_reader_that_has_gone_is_nothing_to_a_shell():
    """As above, with what Python itself writes when a process ends."""
    script = f"{' '.join(COMMAND)} packet list | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_a_run_goes_on_when_its_reader_has_gone(tmp_path):
    (tmp_path / "net.toml").write_text("listen = []\nsend = []\n")
    status = dorosim_unread(
        *("run", "--network", tmp_path / "net.toml", "--data", tmp_path, "--ros-server", "off", "--grpc", "off"),
        *("--no-view", "--speed", "max", "--duration", "0.5", "--record", tmp_path / "run.rec"),
    )
    assert status == ExitCode.OK
    assert dorosim("replay", tmp_path / "run.rec", "--data", tmp_path).stdout.startswith("50 ticks (0.50 s) replayed")


@pytest.mark.parametrize("command", [("packet", "list"), ("packet", "list", "--json"), ("--version",)], ids=" ".join)
def test_a_full_disk_is_no_fault_of_dorosim(command):
    script = f"{' '.join(COMMAND)} {' '.join(command)} >/dev/full"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == ExitCode.BAD_INPUT
    assert done.stderr == "dorosim: error [no-room]: nothing more can be written: No space left on device\n"


def test_output_that_is_closed_is_no_fault_of_dorosim(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    print_json({"a": 1})
    assert capsys.readouterr().err == ""


def test_options_that_do_not_exist_are_bad_input():
    assert dorosim("run", "--nothing").returncode == ExitCode.BAD_INPUT
    assert dorosim("nothing").returncode == ExitCode.BAD_INPUT


@pytest.mark.parametrize("port", ["99999", "-1", "0"])
def test_a_port_that_cannot_be_is_bad_input(port):
    assert dorosim("packet", "decode", "--port", port).returncode == ExitCode.BAD_INPUT


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        (("map", "info", "town"), {"name", "source", "lanes_km", "extent_m", "traffic_lights", "centre_deg"}),
        (("map", "check", "town"), {"map", "errors", "problems", "notices"}),
        (("packet", "show", "EgoCtrlCmd"), {"message", "bytes", "fields", "header"}),
        (("config", "show"), {"settings", "origins", "file"}),
    ],
)
def test_json_is_one_line_with_the_keys_that_are_promised(command, keys):
    done = dorosim(*command, "--json")
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    assert set(json.loads(done.stdout)) >= keys


def test_json_says_what_the_text_says():
    told = json.loads(dorosim("map", "info", "town", "--json").stdout)
    text = dorosim("map", "info", "town").stdout
    assert f"{told['links']}: {told['lanes']} lanes, {told['lanes_km']:.1f} km" in text
    rows = json.loads(dorosim("packet", "list", "--json").stdout)
    listed = dorosim("packet", "list").stdout
    assert all(row["message"] in listed and row["header"] in listed for row in rows)


def completed(program: Path, *words: str) -> list[str]:
    """What bash offers for the last of some words."""
    script = (
        f'eval "$(_DOROSIM_COMPLETE=source_bash {program})"\n'
        "complete -p dorosim >/dev/null || exit 3\n"
        f'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dorosim_completion {program}\n'
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        ["bash", "-c", script, "bash", "dorosim", *words], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_commands_and_names(tmp_path):
    (tmp_path / "Scenario" / "town").mkdir(parents=True)
    (tmp_path / "Scenario" / "town" / "rush.json").touch()
    (tmp_path / "Map" / "mine").mkdir(parents=True)
    command = tmp_path / "dorosim"
    command.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n')
    command.chmod(0o700)
    assert completed(command, "conf") == ["config"]
    assert set(completed(command, "config", "")) == {"init", "check", "show"}
    assert completed(command, "run", "--ros-m") == ["--ros-master"]
    assert completed(command, "run", "--vehicle", "2016_Hyundai_Ion") == ["2016_Hyundai_Ioniq"]
    assert completed(command, "run", "--revision", "25") == ["25.S4"]
    assert completed(command, "run", "--data", str(tmp_path), "--map", "") == ["town", "village", "motorway", "mine"]
    assert completed(command, "run", "--data", str(tmp_path), "--scenario", "t") == ["town/rush"]
    assert completed(command, "packet", "show", "EgoC") == ["EgoCtrlCmd"]


def test_help_is_quick():
    """It takes 0.15 s; of that, what prints it takes 0.12. A heavy import that creeps in takes as much again."""
    best = min(_seconds("--help") for _ in range(5))
    alone = min(_seconds("-c", "import typer.rich_utils, rich.markdown", interpreter=True) for _ in range(5))
    assert best < 0.25 or best < 2.2 * alone
    script = "import sys; import dorosim.app.cli.main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "numba", "msgspec", "grpc", "rich.live"} & set(loaded)


def test_dorosim_alone_loads_nothing():
    bare = min(_seconds("-c", "pass", interpreter=True) for _ in range(5))
    assert min(_seconds("-c", "import dorosim", interpreter=True) for _ in range(5)) < bare + 0.1
    script = "import sys; before = set(sys.modules); import dorosim; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["dorosim"]


def _seconds(*arguments: str, interpreter: bool = False) -> float:
    """Processor time of a process of its own: what else the machine does counts for less in it."""
    before = os.times()
    command = [sys.executable] if interpreter else COMMAND
    subprocess.run([*command, *arguments], capture_output=True, check=True, timeout=60)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def test_bars_are_shown_on_terminals_only(monkeypatch, capfd):
    def never():
        raise AssertionError("nobody needs the total")

    assert list(progress.counted(range(5), never, "counting")) == [0, 1, 2, 3, 4]
    with progress.working("working"):
        pass
    assert list(progress.waited(iter("ab"), "waiting")) == ["a", "b"]
    captured = capfd.readouterr()
    assert captured.out + captured.err == ""


BARS = """
import time
from dorosim.app.run.report.progress import counted, waited
for one in counted(range(60), lambda: 60, "counting", "things"):
    time.sleep(0.01)
for one in waited((time.sleep(0.3) for _ in range(2)), "waiting"):
    print("got one")
"""


def test_a_bar_counts_on_a_terminal_and_goes_away():
    status, written = on_terminal("-c", BARS, command=[sys.executable])
    assert status == 0
    assert "counting" in written
    assert "/60" in written
    assert "waiting" in written
    assert written.count("got one") == 2
    assert written.rindex(f"{ESCAPE}[?25h") > written.rindex(f"{ESCAPE}[?25l"), "the cursor is shown again"


@pytest.mark.soak
def test_counting_costs_next_to_nothing(monkeypatch):
    monkeypatch.setattr(progress, "is_shown", lambda: True)
    monkeypatch.setattr(progress, "FIRST", 1e9)
    items = range(200_000)

    def seconds(work):
        started = time.thread_time()
        for _ in work():
            pass
        return time.thread_time() - started

    bare = min(seconds(lambda: items) for _ in range(3))
    watched = min(seconds(lambda: progress.counted(items, lambda: len(items), "counting")) for _ in range(3))
    # a step of the smallest world takes 35 µs, a hundredth of it is 0.35
    assert (watched - bare) / len(items) < 0.35e-6 * 3


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """What a second of a run leaves behind: a recording, snapshots of its middle and its end, a bag, and a scenario."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "net.toml").write_text("listen = []\nsend = []\n")
    done = dorosim(
        *("run", "-q", "--network", folder / "net.toml", "--data", folder, "--ros-server", "off", "--grpc", "off"),
        *("--speed", "max", "--duration", "1", "--record", folder / "run.rec", "--bag", folder / "run.bag"),
        *("--snapshot-at", "0.5", folder / "half", "--save-snapshot", folder / "end"),
        *("--save-scenario", folder / "end.json"),
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_a_replay_on_a_pipe_shows_its_result_only(files):
    done = dorosim_process("replay", files / "run.rec", "--data", files)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "100 ticks (1.00 s) replayed: every snapshot is equal, bit for bit\n"
    told = json.loads(dorosim("replay", files / "run.rec", "--data", files, "--json").stdout)
    assert told == {
        "ticks": 100,
        "simulated_s": pytest.approx(1.0),
        "equal": True,
        "diverged_tick": None,
        "recorded_by": told["recorded_by"],
        "lost_bytes": 0,
    }


def test_snapshots_are_told_to_machines(files):
    half, end = files / "half", files / "end"
    shown = json.loads(dorosim("state", "show", end, "--json").stdout)
    assert (shown["tick"], shown["map"], shown["counts"]["ego vehicle"]) == (100, "town", 1)
    assert [(one["id"], one["kind"]) for one in shown["actors"]] == [(1, "ego vehicle")]
    equal = dorosim("state", "diff", end, end, "--json")
    assert (equal.returncode, json.loads(equal.stdout)["equal"]) == (0, True)
    other = dorosim("state", "diff", half, end, "--json", "--most", "1")
    told = json.loads(other.stdout)
    assert (other.returncode, told["equal"], len(told["differences"])) == (ExitCode.FOUND, False, 1)
    assert told["count"] > 1


def test_bags_and_scenarios_are_told_to_machines(files):
    told = json.loads(dorosim("bag", "info", files / "run.bag", "--json").stdout)
    assert (told["whole"], told["kind"]) == (True, "ROS 1 bag")
    messages = {topic["name"]: topic["messages"] for topic in told["topics"]}
    assert messages["/Ego_topic"] == 50
    assert 0.9e9 < told["ends_ns"] - told["begins_ns"] <= 1e9
    checked = dorosim("scenario", "check", files / "end.json", "--data", files, "--json")
    assert (checked.returncode, json.loads(checked.stdout)["missing"]) == (0, [])


@pytest.mark.parametrize(
    ("keys", "told"),
    [("", None), ("rate = nan", "a speed of nan"), ("start_s = -4.0", "-4 s is not within its 0.98 s")],
)
def test_a_replay_of_a_bag_is_checked_as_a_run_does(files, tmp_path, keys, told):
    path = tmp_path / "my.toml"
    path.write_text(f'[ros.bag]\nreplay = "{files / "run.bag"}"\n{keys}\n')
    found = file_problems(path)
    assert len(found) == (0 if told is None else 1)
    assert told is None or told in str(found[0])
