"""Names, rates, frames and what is offered: the documents' defaults and the settings' changes."""

from __future__ import annotations

import pytest

from dorosim.bridge.ros.catalogue import PROVIDED, PUBLISHED, SUBSCRIBED, TopicChange, offer
from dorosim.ground.error import InputError
from dorosim.wire.ros.registry import GENERATIONS, registry_of
from tests.bridge.ros.stage import ROWS, RosStage

SENT = {
    "/Ego_topic": ("morai_msgs/EgoVehicleStatus", 770),
    "/Object_topic": ("morai_msgs/ObjectStatusList", 772),
    "/CollisionData": ("morai_msgs/CollisionData", 261),
    "/GetTrafficLightStatus": ("morai_msgs/GetTrafficLightStatus", 258),
    "/InsnStatus": ("morai_msgs/IntersectionStatus", 265),
    "/IntscnTL_topic": ("morai_msgs/IntscnTL", 263),
    "/tf": ("tf2_msgs/TFMessage", 267),
    "/VehicleCollisionData": ("morai_msgs/VehicleCollisionData", 268),
}
HEARD = {
    "/ctrl_cmd": ("morai_msgs/CtrlCmd", 771),
    "/commands/vel": ("geometry_msgs/Twist", 3841),
    "/gv_direct_cmd": ("morai_msgs/GVDirectCmd", 0),
    "/gv_state_cmd": ("morai_msgs/GVStateCmd", 0),
    "/ghost_ctrl_cmd": ("morai_msgs/GhostMessage", 2817),
    "/NpcGhost_Topic": ("morai_msgs/NpcGhostCmd", 2818),
    "/SetTrafficLight": ("morai_msgs/SetTrafficLight", 259),
    "/InsnControl": ("morai_msgs/IntersectionControl", 264),
    "/ScenarioLoad": ("morai_msgs/ScenarioLoad", 783),
    "/SaveSensorData": ("morai_msgs/SaveSensorData", 266),
    "/lamps": ("morai_msgs/Lamps", 776),
    "/SensorPosControl": ("morai_msgs/SensorPosControl", 262),
    "/ego_setting": ("morai_msgs/MultiEgoSetting", 260),
}
SERVED = {
    "/Service_MoraiEventCmd": ("morai_msgs/MoraiEventCmdSrv", 780),
    "/Service_MoraiMapSpec": ("morai_msgs/MoraiMapSpecSrv", 782),
    "/Service_MoraiSL": ("morai_msgs/MoraiScenarioLoadSrv", 775),
    "/Morai_TLSrv": ("morai_msgs/MoraiTLInfoSrv", 778),
    "/Service_MoraiVehicleSpec": ("morai_msgs/MoraiVehicleSpecSrv", 781),
}
"""Of facts/ros-grpc-mgeo.md, 1.3 and 1.4: type and number of the network module, by default name."""
FAULTS_SINCE_2024 = {"fault_status", "fault_control", "fault_tire", "fault_sensor"}


def test_the_topics_and_services_of_the_documents_are_there_by_default():
    for rows, told in ((PUBLISHED, SENT), (SUBSCRIBED, HEARD)):
        found = {row.topic: (row.type, row.module) for row in rows}
        assert told.items() <= found.items()
    found = {row.service: (row.type, row.module) for row in PROVIDED}
    assert {name: found.get(name) for name in SERVED} == SERVED
    assert {row.rate_hz for row in PUBLISHED if row.topic in SENT} == {50.0}


def test_keys_and_names_are_unique():
    assert len(ROWS) == len(PUBLISHED) + len(SUBSCRIBED) + len(PROVIDED)
    topics = [row.topic for row in (*PUBLISHED, *SUBSCRIBED)]
    assert len(set(topics)) == len(topics)


@pytest.mark.parametrize("generation", GENERATIONS)
def test_what_a_generation_has_no_type_for_is_not_offered(generation):
    registry = registry_of(generation)
    found = offer(registry, {})
    assert all(row.type in registry.types for row in (*found.published, *found.subscribed))
    assert all(row.type in registry.services for row in found.provided)
    missing = set(ROWS) - {row.key for row in (*found.published, *found.subscribed, *found.provided)}
    is_old = generation == "2022"
    assert {"gv_direct_cmd", "gv_state_cmd"} <= missing if is_old else not missing & set(HEARD)
    assert (missing >= FAULTS_SINCE_2024) == is_old


def test_names_rates_and_frames_are_those_of_the_settings():
    changes = {
        "ego": TopicChange(name="/car/ego", rate_hz=100.0, frame="odom"),
        "ctrl_cmd": TopicChange(name="/car/cmd"),
        "event": TopicChange(name="/car/event"),
        "objects": TopicChange(on=False),
        "lamps": TopicChange(on=False),
        "map_spec": TopicChange(on=False),
    }
    found = offer(registry_of("2024"), changes)
    published = {row.topic: row for row in found.published}
    assert published["/car/ego"].rate_hz == 100.0
    assert not {"/Ego_topic", "/Object_topic"} & set(published)
    assert published["/CollisionData"] in PUBLISHED
    topics = {row.topic for row in found.subscribed}
    assert "/car/cmd" in topics
    assert not {"/ctrl_cmd", "/lamps"} & topics
    services = {row.service for row in found.provided}
    assert "/car/event" in services
    assert not {"/Service_MoraiEventCmd", "/Service_MoraiMapSpec"} & services
    stage = RosStage()
    assert published["/car/ego"].make(stage.situation).header.frame_id == "odom"
    assert stage.told("ego").header.frame_id == "map", "the table is as it was"


@pytest.mark.parametrize(
    ("key", "change", "told"),
    [
        ("eggo", TopicChange(), "did you mean 'ego'?"),
        ("zzzz", TopicChange(), "known keys: clock, collision, "),
        ("ego", TopicChange(name="Ego_topic"), "is not a valid name of a topic"),
        ("ego", TopicChange(name="/a//b"), "is not a valid name of a topic"),
        ("ego", TopicChange(name="/a b"), "is not a valid name of a topic"),
        ("ego", TopicChange(rate_hz=-1.0), "-1 is not a valid rate"),
        ("ego", TopicChange(rate_hz=float("nan")), "nan is not a valid rate"),
        ("ego", TopicChange(rate_hz=1001.0), "is not a valid rate"),
        ("lamps", TopicChange(rate_hz=5.0), "only what is published has one"),
        ("event", TopicChange(frame="map"), "only what is published has one"),
        ("light", TopicChange(frame="map"), "its messages have no frame"),
        ("ego", TopicChange(name="/Object_topic"), "/Object_topic is the name of 'ego', too"),
        ("lamps", TopicChange(name="/Ego_topic"), "/Ego_topic is the name of 'ego', too"),
        ("event", TopicChange(name="/Morai_TLSrv"), "/Morai_TLSrv is the name of 'event', too"),
    ],
)
def test_what_cannot_be_is_an_error_with_its_key(key, change, told):
    with pytest.raises(InputError) as caught:
        offer(registry_of("2024"), {key: change})
    assert told in str(caught.value)
    assert "ros.topic." in str(caught.value)


def test_keys_of_others_are_left_to_them():
    found = offer(registry_of("2024"), {"camera": TopicChange(name="1")}, others=("camera",))
    assert len(found.published) == len([row for row in PUBLISHED if row.on])
