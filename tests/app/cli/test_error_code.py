"""Codes of errors: every module that raises has one, each has its place on the page, and every command shows one."""

from __future__ import annotations

import ast
import re

import pytest

from dorosim.app.cli.error_code import BY_MODULE, PAGE, ErrorCode, code_of, code_of_module
from dorosim.endpoint.udp.socket import AddressInUseError
from dorosim.ground.error import DorosimError, InputError
from tests.app.command import dorosim
from tests.source import PACKAGE, ROOT, sources, tree

ERRORS = re.compile(r"^[A-Z]\w*Error$")
NOT_OURS = {"ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "RuntimeError", "OSError"}
READERS = {"recording/whole_file.py", "app/setting/settings.py", "scenario/morai/codec.py"}
"""They read files of all kinds: what called them says of which."""


def module_of(path):
    return "dorosim." + path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def makes_errors(path):
    """Whether a module makes an error that a user may see."""
    for node in ast.walk(tree(path)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if ERRORS.match(name) and name not in NOT_OURS:
                return True
    return False


def headings():
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    return re.findall(r"^#{2,4} `?([a-z0-9-]+)`?$", page, flags=re.MULTILINE)


def test_every_module_that_makes_errors_has_a_code_or_leaves_it_to_its_callers():
    raising = [path for path in sources() if makes_errors(path)]
    assert len(raising) > 150
    without = [path for path in raising if code_of_module(module_of(path)) is None]
    assert {path for path in without if not path.startswith("ground/")} == READERS


def test_every_name_of_the_table_is_a_module_or_package():
    for name in BY_MODULE:
        path = PACKAGE / name.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").is_file(), name


def test_every_code_is_used_and_has_a_heading_on_the_page():
    found = headings()
    assert [code for code in ErrorCode if str(code) not in found] == []
    made_here = {ErrorCode.USAGE, ErrorCode.NO_ROOM, ErrorCode.FAULT, ErrorCode.PORT_IN_USE}
    assert set(ErrorCode) == {code for code in BY_MODULE.values() if code} | made_here


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nonsense"], "usage"),
        (["run", "--seed", "x"], "usage"),
        (["map", "generate", "x", "--size", "huge"], "option"),
        (["run", "--speed", "-1"], "settings"),
        (["map", "check", "nowhere"], "map"),
        (["run", "--vehicle", "Spaceship"], "vehicle"),
        (["scenario", "check", "nowhere.json"], "scenario"),
        (["sensor", "shot", "--sensors", "nowhere.json"], "sensor-set"),
        (["run", "--network", "nowhere.toml"], "network-settings"),
        (["run", "--grpc", "localhost"], "address"),
        (["run", "--port-offset", "65000"], "settings"),
        (["run", "--port-offset", "70000"], "settings"),
        (["run", "--record", "nowhere/run.rec"], "output-file"),
        (["run", "--save-scenario", "nowhere/made.json"], "output-file"),
        (["run", "--save-snapshot", "nowhere/end"], "output-file"),
        (["config", "init", "/dev/null/dorosim.toml"], "output-file"),
        (["replay", "nowhere.rec"], "recording"),
        (["state", "show", "nowhere"], "snapshot"),
        (["bag", "info", "nowhere.bag"], "bag"),
        (["packet", "decode", "zz"], "packet"),
        (["run", "--map", "motorway", "--pedestrians", "20"], "start-place"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_command_shows_the_code_of_what_is_wrong(tmp_path, arguments, code):
    done = dorosim(*arguments, *(["--data", tmp_path] if arguments[0] == "run" else []))
    assert done.returncode == 2
    assert re.findall(r"^dorosim: error \[([a-z-]+)\]: .", done.stderr, flags=re.MULTILINE) == [code]


@pytest.mark.parametrize("arguments", [["--help"], ["map", "--help"], ["packet", "list"]], ids=" ".join)
def test_what_went_well_shows_none(arguments):
    done = dorosim(*arguments)
    assert done.returncode == 0
    assert "error [" not in done.stderr


def test_the_class_of_an_error_counts_before_its_module():
    assert code_of(AddressInUseError("udp", "127.0.0.1:9093", "is in use")) is ErrorCode.PORT_IN_USE


def test_an_error_that_was_never_raised_has_the_code_of_its_cause():
    other = InputError("dorosim.toml", "map", "there is none")
    assert code_of(other) is ErrorCode.OPTION
    assert code_of(other, ErrorCode.SETTINGS) is ErrorCode.SETTINGS
    try:
        from dorosim.app.store.map import read_map_files

        read_map_files("nowhere")
    except DorosimError as error:
        other.__cause__ = error
    assert code_of(other, ErrorCode.SETTINGS) is ErrorCode.MAP


def test_config_check_shows_codes_too(tmp_path):
    file = tmp_path / "dorosim.toml"
    file.write_text('map = "nowhere"\nspeed = -1.0\nnonsense = 1\n')
    done = dorosim("config", "check", file)
    assert done.returncode == 2
    assert set(re.findall(r"^error \[([a-z-]+)\]: ", done.stdout, flags=re.MULTILINE)) == {"map", "settings"}
    assert '"code":"map"' in dorosim("config", "check", file, "--json").stdout.replace(" ", "")


@pytest.mark.parametrize("content", ["[]", "{}", '{"cameraList": 3}', "nothing"])
def test_a_faulty_sensor_set_is_not_told_as_a_scenario(tmp_path, content):
    file = tmp_path / "sensors.json"
    file.write_text(content)
    for command in (["sensor", "list", file], ["run", "--duration", "0.1", "--sensors", file, "--data", tmp_path]):
        done = dorosim(*command)
        assert done.returncode == 2
        assert "error [sensor-set]: " in done.stderr


def test_a_faulty_scenario_is_told_as_one(tmp_path):
    file = tmp_path / "scenario.json"
    file.write_text("[]")
    assert "error [scenario]: " in dorosim("scenario", "check", file).stderr


def test_an_address_that_is_none_has_its_code_in_network_settings_too(tmp_path):
    file = tmp_path / "net.toml"
    file.write_text('[[listen]]\naddress = "localhost"\n')
    assert "error [address]: " in dorosim("run", "--network", file, "--data", tmp_path).stderr
