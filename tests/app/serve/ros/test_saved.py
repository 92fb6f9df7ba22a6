"""What network settings files of the product say of ROS."""

from __future__ import annotations

import json

import pytest

from dorosim.app.serve.ros.saved import SavedRos, read_saved_ros, saved_ros_of, with_network
from dorosim.app.serve.ros.topics import ros_offer
from dorosim.app.setting.network import read_network
from dorosim.app.setting.settings import RosSettings, RosTopicSettings, Settings, UdpSettings
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.error import InputError
from tests.shared import shared

BRIDGE = "ws://10.0.0.7:9090"


def entry(kind: int, topic: str = "/dafault_topic", *, rate: float = 50.0, comm: int = 3, **ros) -> dict:
    """An entry as the product writes it, with what counts of it."""
    config = {"RosBridgeServerUrl": BRIDGE, "Topic": topic, "RosMessageOnOff": True, "frameID": "", "childFrameID": ""}
    udp = {"hostPort": 4000, "destinationPort": 4001}
    config = {"commType": comm, "pubFrequency": rate, "udpConfig": udp, "rosConfig": config | ros}
    return {"PUBSUB_TYPE": kind, "config": config}


def saved(folder, *entries: dict, target: int = 0):
    path = folder / "net.json"
    path.write_text(json.dumps({"egoNetworkData": [{"UNIQUEID": target, "listEgoNetworkInfo": list(entries)}]}))
    return path


def test_entries_that_are_set_to_ros_become_topics_of_the_settings(tmp_path):
    path = saved(
        tmp_path,
        entry(770, "/car/ego", rate=20.0, frameID="/world"),
        entry(772, "/things", comm=1),
        entry(771),
    )
    found = read_saved_ros(path)
    assert found.topics == {
        770: RosTopicSettings(name="/car/ego", rate_hz=20.0, frame="world", on=True),
        771: RosTopicSettings(rate_hz=50.0, on=True),
    }
    settings, notices = with_network(Settings(ros=RosSettings(topic={"ego": RosTopicSettings(rate_hz=100.0)})), found)
    assert settings.ros.topic == {
        "ego": RosTopicSettings(name="/car/ego", rate_hz=100.0, frame="world", on=True),
        "ctrl_cmd": RosTopicSettings(on=True),
    }
    assert len(notices) == 1, "of the server"
    ego = next(row for row in ros_offer(settings).published if row.key == "ego")
    assert (ego.topic, ego.rate_hz, ego.frame) == ("/car/ego", 100.0, "world")
    network, told = read_network(path)
    assert not told, "what ROS uses needs no notice"
    assert [one.message for one in network.publications] == ["ObjectInfo"]


def test_an_entry_can_be_off_and_one_of_an_unknown_type_is_told_of(tmp_path):
    found = read_saved_ros(saved(tmp_path, entry(770, RosMessageOnOff=False), entry(9999)))
    settings, (_, notice) = with_network(Settings(), found)
    assert "ego" not in {row.key for row in ros_offer(settings).published}
    assert "PUBSUB_TYPE 9999" in notice


def test_whichever_block_of_a_controller_is_set_to_ros_counts(tmp_path):
    controller = {"Division_TYPE": 3, "EgoCtrlConfig": entry(0, "/drive")["config"]}
    found = read_saved_ros(saved(tmp_path, entry(771, comm=0) | controller))
    assert found.topics[771].name == "/drive"
    assert read_saved_ros(saved(tmp_path, entry(771, comm=0) | controller, target=3)) == SavedRos(
        source=str(tmp_path / "net.json")
    ), "of another ego vehicle"


def test_nobody_is_connected_to_by_surprise(tmp_path):
    found = read_saved_ros(saved(tmp_path, entry(770)))
    assert found.bridge == BRIDGE

    def bridge_of(asked):
        settings, notices = with_network(Settings(ros=RosSettings(bridge=asked)), found)
        return settings.ros.bridge, len(notices)

    assert bridge_of(None) == (None, 1)
    assert 'bridge = "network"' in with_network(Settings(), found)[1][0]
    assert bridge_of("network") == (BRIDGE, 0)
    assert bridge_of("ws://127.0.0.1:1") == ("ws://127.0.0.1:1", 0)
    with pytest.raises(InputError, match=r"ros\.bridge"):
        with_network(Settings(ros=RosSettings(bridge="network")), SavedRos())


def test_the_entry_of_tf_names_the_frames_without_their_slashes(tmp_path):
    found = read_saved_ros(saved(tmp_path, entry(267, frameID="/world", childFrameID="/car")))
    ros = with_network(Settings(), found)[0].ros
    assert (ros.map_frame, ros.body_frame) == ("world", "car")
    ros = with_network(Settings(ros=RosSettings(map_frame="odom")), found)[0].ros
    assert (ros.map_frame, ros.body_frame) == ("odom", "car")


def test_all_types_that_the_documents_know_are_topics_and_services(tmp_path):
    """PUBSUB_TYPE by facts/ros-grpc-mgeo.md, 1.3 and 1.4, but for those of bags and synchronous mode."""
    modules = (771, 3841, 2817, 2818, 770, 772, 261, 258, 259, 265, 264, 263, 267, 783, 266, 776, 262, 260, 268)
    found = read_saved_ros(saved(tmp_path, *(entry(module) for module in (*modules, 780, 782, 775, 778, 781))))
    settings, notices = with_network(Settings(), found)
    assert len(notices) == 1, "of the server"
    assert ros_offer(settings).published


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (entry(770, "/a b"), "not a valid name of a topic"),
        (entry(770, rate=0.0), "rate of 0"),
        (entry(770, rate=1e9), "rate of"),
    ],
)
def test_an_entry_that_cannot_be_is_refused(tmp_path, bad, problem):
    with pytest.raises(InputError, match=problem):
        read_saved_ros(saved(tmp_path, bad))


def test_a_file_is_found_in_the_data_folder_and_dorosims_own_form_says_nothing_of_ros(tmp_path):
    (tmp_path / "Network").mkdir()
    saved(tmp_path / "Network", entry(770, "/car/ego"))
    found = saved_ros_of(Settings(udp=UdpSettings(network="net.json")), tmp_path)
    assert found.topics[770].name == "/car/ego"
    assert saved_ros_of(Settings(), tmp_path) == SavedRos()
    (tmp_path / "own.toml").write_text("")
    assert saved_ros_of(Settings(udp=UdpSettings(network=str(tmp_path / "own.toml"))), tmp_path) == SavedRos()


def test_the_sample_set_to_ros_gives_the_default_topics(tmp_path):
    """The sample's entries are set to UDP or nothing; set to ROS, they have placeholders for topics."""
    path = shared("samples/network_settings.json")
    assert read_saved_ros(path) == SavedRos(source=str(path))
    tree = json.loads(path.read_text("utf-8-sig"))
    for target in tree["egoNetworkData"]:
        for one in target["listEgoNetworkInfo"]:
            one["config"]["commType"] = 3
    changed = tmp_path / "net.json"
    changed.write_text(json.dumps(tree))
    found = read_saved_ros(changed)
    assert set(found.topics) >= {261, 267, 770, 771, 772, 780}
    assert all(one == RosTopicSettings(rate_hz=50.0, on=True) for one in found.topics.values())
    network, notices = read_network(changed)
    assert network.publications == ()
    assert network.listen == (Address("127.0.0.1", 9123),), "the controller's own block is set to UDP"
    assert not [notice for notice in notices if "ROS" in notice]
