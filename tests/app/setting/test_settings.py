"""`dorosim.toml`, network settings files and options over them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dorosim.app.run.build import build, check_settings
from dorosim.app.run.run import clock_of
from dorosim.app.setting.environment import EnvironmentSettings
from dorosim.app.setting.network import read_network
from dorosim.app.setting.override import (
    given_options,
    grpc_from_text,
    option_values,
    overridden,
    pose_from_text,
    speed_from_text,
    without_beginning,
)
from dorosim.app.setting.settings import (
    EgoSettings,
    GrpcSettings,
    Settings,
    TrafficSettings,
    given_keys,
    read_settings,
)
from dorosim.endpoint.udp.network import UdpNetwork
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.error import InputError
from tests.shared import shared


def written(folder: Path, text: str, name: str = "dorosim.toml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_every_key_is_read(tmp_path):
    text = """
map = "town"
speed = 2.5
duration = 10.0
seed = 7
tick_ms = 5.0
epoch = 1700000000.0
record = "run.rec"
data = "data"

[[ego]]
vehicle = "2016_Kia_Niro(HEV)"
pose = [1.0, 2.0, 90.0]

[[ego]]
link = "A"
s = 3.0

[udp]
revision = "25.S4"
steer_positive = "right"
network = "net.toml"
"""
    settings = read_settings(written(tmp_path, text))
    assert (settings.speed, settings.seed, settings.tick_ms) == (2.5, 7, 5.0)
    assert settings.ego[0] == EgoSettings(vehicle="2016_Kia_Niro(HEV)", pose=(1.0, 2.0, 90.0))
    assert settings.ego[1] == EgoSettings(link="A", s=3.0)
    assert (settings.udp.revision, settings.udp.steer_positive, settings.udp.network) == ("25.S4", "right", "net.toml")


@pytest.mark.parametrize(
    ("text", "place", "cure"),
    [
        ("sped = 1", "sped", "did you mean 'speed'?"),
        ("[udp]\nrevison = '24.R2'", "udp.revison", "did you mean 'revision'?"),
        ("[[ego]]\nvehicel = 'x'", "ego[0].vehicel", "did you mean 'vehicle'?"),
        ("seed = 'many'", "seed", "settings.md"),
        ("map = ", "", "mend that place"),
    ],
)
def test_a_wrong_key_or_value_is_named_with_a_cure(tmp_path, text, place, cure):
    with pytest.raises(InputError) as error:
        read_settings(written(tmp_path, text))
    assert error.value.place == place
    assert cure in error.value.cure
    assert "dorosim.toml" in str(error.value)


def test_a_missing_settings_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_settings(tmp_path / "none.toml")


def test_options_override_the_file(tmp_path):
    settings = read_settings(written(tmp_path, "seed = 3\n[[ego]]\npose = [1, 2, 3]"))
    options = {"seed": None, "map": "x", "ego.link": "L", "ego.pose": None, "udp.revision": "26.R1"}
    changed = overridden(settings, option_values(options, settings))
    assert (changed.seed, changed.map, changed.udp.revision) == (3, "x", "26.R1")
    assert changed.ego[0] == EgoSettings(link="L"), "a link replaces the file's pose"


@pytest.mark.parametrize("text", ["1,2", "a,b,c", "1,2,nan", "1e9,0,0", ""])
def test_a_pose_that_is_none_is_refused(text):
    with pytest.raises(InputError, match="--pose"):
        pose_from_text(text)


def test_a_run_that_goes_on_does_not_begin_again_what_its_settings_file_began():
    crowd, sky = TrafficSettings(vehicles=100, pedestrians=20), EnvironmentSettings(weather="rainy")
    file = Settings(seed=5, scenario="a", traffic=crowd, environment=sky)
    assert without_beginning(file) == Settings(seed=5)


def test_speeds():
    assert clock_of("max").factor is None
    assert clock_of(speed_from_text("2.5")).factor == 2.5
    for wrong in ("fast", "0", "-1", "nan", "inf"):
        with pytest.raises(InputError):
            speed_from_text(wrong)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (Settings(ego=()), "0 ego vehicles"),
        (Settings(tick_ms=0.0), r"tick_ms: 0\.0 is outside 1 to 100"),
        (Settings(tick_ms=float("nan")), "tick_ms: nan is outside"),
        (Settings(seed=-1), "seed: -1 is outside"),
        (Settings(seed=2**64), "seed: 18446744073709551616 is outside"),
        (Settings(duration=float("nan")), "duration: nan is outside"),
        (Settings(duration=float("inf")), "duration: inf is outside"),
        (Settings(epoch=1e10), "epoch: 10000000000.0 is outside"),
        (Settings(ego=(EgoSettings(pose=(0.0, float("nan"), 0.0)),)), r"ego\[0\]\.pose: nan is outside"),
        (Settings(ego=(EgoSettings(link="x", s=float("inf")),)), r"ego\[0\]\.s: inf is outside"),
        (
            Settings(ego=(EgoSettings(link="_11_0_R1_", s=1e5),)),
            "100000 m is beyond the end of link _11_0_R1_; give 0 to",
        ),
        (Settings(map="nowhere"), "there is no such map"),
        (Settings(ego=(EgoSettings(vehicle="2016_Hyundai_Ionik"),)), "no vehicle is called"),
        (Settings(ego=(EgoSettings(link="nowhere"),)), "there is no such link"),
    ],
)
def test_settings_that_cannot_be_used_say_why(tmp_path, settings, problem):
    with pytest.raises(InputError, match=problem):
        build(settings, tmp_path)


def test_a_network_file_replaces_the_lists_that_it_has(tmp_path):
    text = """
[[listen]]
address = "127.0.0.1:9999"

[[send]]
message = "EgoVehicleStatus"
from = "127.0.0.1:908"
to = "127.0.0.1:1909"
rate_hz = 20
"""
    network, notices = read_network(written(tmp_path, text, "net.toml"))
    assert network.listen == (Address("127.0.0.1", 9999),)
    assert [(one.message, one.source.port, one.destination.port, one.rate_hz) for one in network.publications] == [
        ("EgoVehicleStatus", 908, 1909, 20.0)
    ]
    assert notices == []
    network, _ = read_network(written(tmp_path, '[[listen]]\naddress = "127.0.0.1:1"', "net.toml"))
    assert network.publications == UdpNetwork().publications


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[[listen]]\naddress = "9999"', "listen[0].address"),
        ('[[listen]]\naddress = "127.0.0.1:99999"', "listen[0].address"),
        ('[[send]]\nmessage = "EgoCtrlCmd"\nto = "127.0.0.1:1"', "send[0].message"),
        ('[[send]]\nmessage = "ObjectInfo"\nto = "127.0.0.1:1"\nrate_hz = 0', "send[0].rate_hz"),
        ('[[send]]\nmessage = "ObjectInfo"\nto = "127.0.0.1:1"\nrate_hz = nan', "send[0].rate_hz"),
        ('[[sent]]\nmessage = "ObjectInfo"', "sent"),
        ('[[listen]]\naddress = "127.0.0.1:1"\nego = 0', "listen[0].ego"),
        ('[[send]]\nmessage = "ObjectInfo"\nto = "127.0.0.1:1"\nego = 1001', "send[0].ego"),
    ],
)
def test_a_wrong_network_file_is_named_with_the_place(tmp_path, text, place):
    with pytest.raises(InputError) as error:
        read_network(written(tmp_path, text, "net.toml"))
    assert error.value.place == place


def test_a_network_file_as_the_product_saves_it():
    network, notices = read_network(shared("samples/network_settings.json"))
    assert network.listen == (Address("127.0.0.1", 9123),)
    sent = [(one.message, one.source.port, one.destination.port) for one in network.publications]
    assert sent == [
        ("CollisionData", 9091, 9122),
        ("CompetitionVehicleStatus", 908, 909),
        ("EgoVehicleStatus", 910, 9121),
        ("ObjectInfo", 7605, 7505),
    ]
    assert any("PUBSUB_TYPE 267" in notice for notice in notices), "tf2 by ROS is kept and named"


def test_a_network_file_says_which_ports_are_those_of_further_egos(tmp_path):
    text = """
[[listen]]
address = "127.0.0.1:9000"
ego = 2

[[send]]
message = "ObjectInfo"
to = "127.0.0.1:9001"
ego = 3
"""
    network, _ = read_network(written(tmp_path, text, "net.toml"))
    assert (network.listen, network.publications) == (UdpNetwork().listen, UdpNetwork().publications)
    assert network.listen_of(2) == (Address("127.0.0.1", 9000),)
    assert 9293 in {address.port for address in network.listen_of(3)}, "a list that is not there is that of ego 1"
    assert [one.destination.port for one in network.publications_of(3)] == [9001]
    assert {one.destination.port for one in network.publications_of(2)} == {1009, 7605, 9192, 7602, 9202}


def test_a_file_of_the_product_has_entries_of_further_egos(tmp_path):
    def entry(kind: int, port: int, to: int) -> dict:
        udp = {"hostPort": port, "destinationPort": to}
        return {"PUBSUB_TYPE": kind, "config": {"commType": 1, "pubFrequency": 20.0, "udpConfig": udp}}

    targets = {
        0: [entry(770, 5000, 5001)],
        7: [entry(771, 5203, 5204)],
        4: [entry(770, 5100, 5101), entry(771, 5103, 1)],
    }
    data = [{"UNIQUEID": key, "listEgoNetworkInfo": rows} for key, rows in targets.items()]
    data.append({"UNIQUEID": -3, "listEgoNetworkInfo": [entry(770, 1, 2)]})
    network, notices = read_network(written(tmp_path, json.dumps({"egoNetworkData": data}), "net.json"))
    assert [(one.message, one.destination.port, one.rate_hz) for one in network.publications] == [
        ("EgoVehicleStatus", 5001, 20.0)
    ]
    (status,) = network.publications_of(2)
    assert (status.ego, status.source.port, status.destination.port) == (2, 5100, 5101), "the lower id comes first"
    assert [address.port for address in network.listen_of(2)] == [5103]
    assert [address.port for address in network.listen_of(3)] == [5203]
    assert [one.destination.port for one in network.publications_of(3)] == [5201], "not in the file: that of ego 1"
    assert len(notices) == 1
    assert "target -3" in notices[0]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"egoNetworkData": 5}', '{"egoNetworkData": [{"UNIQUEID": "x"}]}'])
def test_a_broken_product_file_is_one_clear_error(tmp_path, text):
    with pytest.raises(InputError, match="is not a network settings file as MORAI SIM saves it"):
        read_network(written(tmp_path, text, "net.json"))


def test_where_grpc_is_served(tmp_path):
    file = read_settings(written(tmp_path, '[grpc]\naddress = "127.0.0.1:1"\nstreams = 3'))
    assert grpc_from_text("0.0.0.0:7", file.grpc) == GrpcSettings(address="0.0.0.0:7", streams=3)
    assert grpc_from_text("off", file.grpc) == GrpcSettings(enabled=False, address="127.0.0.1:1", streams=3)
    assert "grpc.address" in given_options({"grpc": file.grpc})
    assert "grpc.address" in given_keys(tmp_path / "dorosim.toml")


@pytest.mark.parametrize("line", ["message_mib = 0", "frame_mib = 0", "frame_mib = 2000", "clients = 0"])
def test_ros_has_bounds(tmp_path, line):
    settings = read_settings(written(tmp_path, f"[ros]\n{line}"))
    with pytest.raises(InputError, match=f"ros.{line.split()[0]}"):
        check_settings(settings)


@pytest.mark.parametrize("line", ["message_mib = 0", "streams = 0", "workers = 5000", "step_patience_s = 0.0"])
def test_grpc_has_bounds(tmp_path, line):
    settings = read_settings(written(tmp_path, f"[grpc]\n{line}"))
    with pytest.raises(InputError, match=f"grpc.{line.split()[0]}"):
        check_settings(settings)
