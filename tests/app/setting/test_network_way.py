"""Addresses between machines, ports and rates that cannot be."""

from __future__ import annotations

import json

import pytest

from dorosim.app.setting.network import read_network
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.error import InputError


def toml(folder, text: str):
    path = folder / "net.toml"
    path.write_text(text)
    return read_network(path)


def saved(folder, *entries: dict):
    path = folder / "net.json"
    path.write_text(json.dumps({"egoNetworkData": [{"UNIQUEID": 0, "listEgoNetworkInfo": list(entries)}]}))
    return read_network(path)


def udp(comm: int = 1, **ports: int) -> dict:
    return {"commType": comm, "udpConfig": {"hostPort": 4000, "destinationPort": 4001} | ports}


def test_a_sender_to_another_machine_does_not_bind_to_loopback(tmp_path):
    network, _ = toml(tmp_path, '[[send]]\nmessage = "ObjectInfo"\nto = "192.168.0.7:909"')
    assert network.publications[0].source == Address("0.0.0.0", 0)
    network, _ = toml(tmp_path, '[[send]]\nmessage = "ObjectInfo"\nto = "127.0.0.1:909"')
    assert network.publications[0].source == Address("127.0.0.1", 0)
    with pytest.raises(InputError, match=r"cannot send to 192\.168\.0\.7:909; send from 0\.0\.0\.0:908 instead"):
        toml(tmp_path, '[[send]]\nmessage = "ObjectInfo"\nfrom = "127.0.0.1:908"\nto = "192.168.0.7:909"')


@pytest.mark.parametrize("to", ["127.0.0.1:0", "127.0.0.1:²", "127.0.0.1:-1", "127.0.0.1", ":1", "a b:1"])
def test_what_is_no_address_is_refused(tmp_path, to):
    with pytest.raises(InputError, match="is not a valid address"):
        toml(tmp_path, f'[[send]]\nmessage = "ObjectInfo"\nto = "{to}"')


def test_a_saved_port_that_is_none_is_refused(tmp_path):
    with pytest.raises(InputError, match="port 70000"):
        saved(tmp_path, {"PUBSUB_TYPE": 770, "config": udp(hostPort=70000)})


@pytest.mark.parametrize("kind", [771, 2817])
def test_whichever_block_of_a_controller_is_set_to_udp_counts(tmp_path, kind):
    controller = {"PUBSUB_TYPE": kind, "Division_TYPE": 3}
    network, _ = saved(tmp_path, controller | {"config": udp(0), "EgoCtrlConfig": udp(hostPort=5000)})
    assert network.listen == (Address("127.0.0.1", 5000),)
    network, _ = saved(tmp_path, controller | {"config": udp(hostPort=6000), "EgoCtrlConfig": udp(0)})
    assert network.listen == (Address("127.0.0.1", 6000),)


def test_the_extended_ghost_controller_is_known_and_others_are_named(tmp_path):
    network, notices = saved(tmp_path, {"PUBSUB_TYPE": 4809, "config": udp()}, {"PUBSUB_TYPE": 9999, "config": udp()})
    assert len(network.listen) == 1
    assert "PUBSUB_TYPE 9999: no UDP message of this type is known" in notices[0]


@pytest.mark.parametrize("host", ["", "..", "x" * 300, "a b", "tab\there", "-a"])
def test_a_saved_file_with_a_destination_that_is_no_host_says_so(tmp_path, host):
    entry = {"PUBSUB_TYPE": 770, "config": {"commType": 1, "udpConfig": {"hostIP": "127.0.0.1", "destinationIP": host}}}
    entry["config"]["udpConfig"] |= {"hostPort": 4000, "destinationPort": 4001}
    with pytest.raises(InputError, match="is not a valid host to send to"):
        saved(tmp_path, entry)


@pytest.mark.parametrize("rate", [0.0, 1e-300, -1.0, 1001.0])
def test_a_rate_that_cannot_be_kept_is_refused(tmp_path, rate):
    with pytest.raises(InputError, match=r"give a rate from 0\.001 to 1000 Hz"):
        toml(tmp_path, f'[[send]]\nmessage = "ObjectInfo"\nto = "127.0.0.1:909"\nrate_hz = {rate}')


def test_a_saved_file_in_another_encoding_is_refused_and_a_byte_order_mark_is_not(tmp_path):
    entry = {"PUBSUB_TYPE": 770, "config": {"commType": 0, "udpConfig": {"hostIP": "서울"}}}
    text = json.dumps({"egoNetworkData": [{"UNIQUEID": 0, "listEgoNetworkInfo": [entry]}]}, ensure_ascii=False)
    path = tmp_path / "net.json"
    path.write_bytes(text.encode("cp949"))
    with pytest.raises(InputError, match="is not a network settings file"):
        read_network(path)
    path.write_bytes(text.encode("utf-8-sig"))
    read_network(path)
