"""The native ROS 1 node beside a small master of the test's own: what it says, and what it makes of what it hears."""

from __future__ import annotations

import socket
import struct

import pytest

from dorosim.bridge.ros.topic import Published
from tests.endpoint.ros.node_rig import (
    REGISTRY,
    SmallMaster,
    cloud,
    frame,
    rig,
    text,
    until,
)
from tests.port import free_port


def test_all_topics_and_services_are_registered_and_taken_back(master):
    with rig(master.uri) as run:
        until(lambda: run.said)
        assert master.names("registerPublisher") == {"/Ego_topic", "/lidar3D", "/map_name", "/clock"}
        assert master.names("registerSubscriber") == {"/ctrl_cmd", "/text"}
        service = next(call for call in master.told if call[0] == "registerService")
        assert service[1:] == (
            "/dorosim",
            "/Service_MoraiEventCmd",
            f"rosrpc://127.0.0.1:{run.node.port}",
            run.node.api,
        )
        assert ("registerSubscriber", "/dorosim", "/ctrl_cmd", "morai_msgs/CtrlCmd", run.node.api) in master.told
        assert run.said == [f"ROS node /dorosim is registered at {master.uri}"]
    assert master.names("unregisterPublisher") == master.names("registerPublisher")
    assert master.names("unregisterSubscriber") == master.names("registerSubscriber")
    assert master.names("unregisterService") == {"/Service_MoraiEventCmd"}
    assert "/use_sim_time" not in master.parameters


@pytest.mark.parametrize("before", [None, False])
def test_time_of_the_simulation_is_asked_for_and_what_was_before_comes_back(master, before):
    if before is not None:
        master.parameters["/use_sim_time"] = before
    with rig(master.uri, sim_time=True):
        until(lambda: master.parameters.get("/use_sim_time") is True)
    assert master.parameters.get("/use_sim_time") is before


def test_topics_come_and_go(run, master):
    sock, _ = run.subscribe("/lidar3D")
    extra = Published("x", "/extra", "std_msgs/String", lambda _: None)
    run.hub.announce([extra], gone=["/lidar3D"])
    until(lambda: "/extra" in master.names("registerPublisher"))
    until(lambda: "/lidar3D" in master.names("unregisterPublisher"))
    assert sock.recv(1) == b"", "who listened is hung up on"
    sock.close()


def test_a_master_that_comes_late_goes_away_and_begins_anew():
    port = free_port()
    with rig(f"http://127.0.0.1:{port}", sim_time=True) as run:
        until(lambda: run.told)
        assert run.told[0][0] == "ROS master not reached"
        for round_ in (1, 2):
            again = SmallMaster(port)
            until(lambda n=round_: len(run.said) == n)
            assert "/ctrl_cmd" in again.names("registerSubscriber")
            assert again.parameters["/use_sim_time"] is True
            again.close()
            until(lambda n=round_: run.kinds().count("ROS master not reached") == n + 1)


def test_a_master_that_forgets_is_told_again(run, master):
    master.nodes.clear()
    before = len(master.told)
    until(lambda: [call for call in master.told[before:] if call[0] == "registerService"])


def test_a_subscriber_gets_a_header_and_messages(run):
    sock, header = run.subscribe("/Ego_topic")
    assert header["md5sum"] == "a54480c8f4c41293a77cf7a0eb3925c9", "facts/ros-grpc-mgeo.md, 1.2"
    assert header["type"] == "morai_msgs/EgoVehicleStatus"
    assert (header["topic"], header["callerid"], header["latching"]) == ("/Ego_topic", "/dorosim", "0")
    assert "MSG: geometry_msgs/Vector3" in header["message_definition"]
    message = REGISTRY.make("morai_msgs/EgoVehicleStatus", unique_id=7, heading=1.5)
    run.hub.publish("/Ego_topic", message)
    assert frame(sock) == bytes(REGISTRY.encode(message))
    assert not run.node.wants("/lidar3D")
    sock.close()
    until(lambda: not run.node.wants("/Ego_topic"))


def test_stars_fit_and_other_types_are_refused_with_the_reason(run):
    sock, header = run.subscribe("/Ego_topic", type="*", md5sum="*")
    assert header["md5sum"] == "a54480c8f4c41293a77cf7a0eb3925c9"
    sock.close()
    for topic, wrong in (
        ("/Ego_topic", {"md5sum": "0" * 32}),
        ("/Ego_topic", {"type": "std_msgs/String"}),
        ("/nothing", {}),
    ):
        sock, header = run.subscribe(topic, **wrong)
        assert "error" in header
        assert sock.recv(1) == b""
        sock.close()
    assert run.kinds().count("ROS connection refused") == 3
    assert "a54480c8f4c41293a77cf7a0eb3925c9" in run.told[0][1]


def test_the_last_message_of_a_latched_topic_waits_for_subscribers(run):
    run.hub.publish("/map_name", text("one"))
    run.hub.publish("/map_name", text("town"))
    for _ in range(2):
        sock, header = run.subscribe("/map_name")
        assert header["latching"] == "1"
        assert frame(sock) == b"\x04\0\0\0town"
        sock.close()


def test_long_messages_come_whole_beside_short_ones(run):
    sock, _ = run.subscribe("/lidar3D")
    other, _ = run.subscribe("/Ego_topic")
    sent = [cloud(1_200_000 + n) for n in range(5)]
    for message in sent:
        run.hub.publish("/lidar3D", message)
        run.hub.publish("/Ego_topic", REGISTRY.make("morai_msgs/EgoVehicleStatus"))
    for message in sent:
        assert frame(sock) == bytes(REGISTRY.encode(message))
    assert all(len(frame(other)) > 100 for _ in sent)
    sock.close()
    other.close()


def test_a_subscriber_that_sleeps_loses_old_messages_and_holds_nobody(run):
    sleeping, _ = run.subscribe("/lidar3D")
    awake, _ = run.subscribe("/Ego_topic")
    for n in range(60):
        run.hub.publish("/lidar3D", cloud(1_000_000 + n))
        run.hub.publish("/Ego_topic", REGISTRY.make("morai_msgs/EgoVehicleStatus", unique_id=n))
        assert struct.unpack_from("<I", frame(awake), 16)[0] == n, "after a header without a frame id"
    until(lambda: run.hub.counts["ROS subscriber too slow"])
    sizes = []
    while not sizes or sizes[-1] < 1_000_059:
        sizes.append(len(frame(sleeping)) - len(bytes(REGISTRY.encode(cloud(0)))))
    assert sizes == sorted(sizes), "in order"
    assert len(sizes) == 60 - run.hub.counts["ROS subscriber too slow"], "whole, none twice, and the newest last"
    sleeping.close()
    awake.close()


def test_a_subscriber_that_dies_is_forgotten(run):
    sock, _ = run.subscribe("/lidar3D")
    run.hub.publish("/lidar3D", cloud(8_000_000))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()
    until(lambda: not run.node.wants("/lidar3D"))


def test_a_message_that_cannot_be_written_is_told_and_the_next_one_comes(run):
    run.hub.publish("/map_name", text("\ud800"))
    sock, _ = run.subscribe("/map_name")
    until(lambda: len(run.told) == 1)
    run.hub.publish("/map_name", text("\ud800"))
    run.hub.publish("/map_name", text("on"))
    assert frame(sock) == b"\x02\0\0\0on"
    assert run.kinds() == ["ROS message not sent"] * 2
    sock.close()
