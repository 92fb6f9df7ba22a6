"""An address that cannot be used is told with the interface that it is of."""

from __future__ import annotations

import pytest

from tests.app.command import dorosim

USUAL = {
    "grpc.address": ("of the gRPC server", 7789),
    "view.address": ("of the live page", 8080),
    "ros.server": ("of the rosbridge server", 9090),
}


@pytest.mark.parametrize("key", USUAL)
@pytest.mark.parametrize("text", ["nonsense", "127.0.0.1:99999", "127.0.0.1:x", ""])
def test_an_address_that_is_none_names_its_interface_and_usual_port(tmp_path, key, text):
    what, port = USUAL[key]
    table, name = key.split(".")
    config = tmp_path / "dorosim.toml"
    config.write_text(f'[{table}]\n{name} = "{text}"\n')
    for command in (("config", "check", config), ("run", "--config", config, "--duration", "0.1")):
        done = dorosim(*command)
        assert done.returncode == 2
        told = done.stdout + done.stderr
        assert f'{key}: {text!r} is not a valid address {what}; write it as "127.0.0.1:{port}"' in told
        assert "9093" not in told


@pytest.mark.parametrize(("key", "port"), [("to", 1232), ("from", 1231)])
def test_an_address_of_a_sensor_names_it(tmp_path, key, port):
    config = tmp_path / "dorosim.toml"
    to = "" if key == "to" else 'to = "127.0.0.1:1232"\n'
    config.write_text(f'[[sensor]]\nkind = "camera"\n{to}{key} = "here"\n')
    done = dorosim("run", "--config", config, "--duration", "0.1", "--data", tmp_path)
    assert done.returncode == 2
    assert f"sensor[0].{key}: 'here' is not a valid address for packets of a sensor" in done.stderr
    assert f"127.0.0.1:{port}" in done.stderr


@pytest.mark.parametrize(
    ("option", "what", "other"),
    [
        ("--grpc", "gRPC", "--grpc"),
        ("--view-at", "live page", "--view-at"),
        ("--ros-server", "rosbridge", "--ros-server"),
    ],
)
def test_an_address_of_another_machine_names_its_interface_and_option(tmp_path, option, what, other):
    done = dorosim("run", option, "203.0.113.7:4000", "--duration", "0.1", "--data", tmp_path)
    assert done.returncode == 2
    assert f"{what}: 203.0.113.7:4000: is not an address of this machine; give another address with {other}" in (
        done.stderr
    )
