"""The real program and rospy: bags by service, and two nodes that step it together; its own bag is played by rosbag."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dorosim.wire.ros.registry import registry_of
from tests.recording.bag_maker import drive_messages, ego_at, write_bag

REPLAYER = """
from morai_msgs.msg import EgoVehicleStatus, MoraiSimProcStatus, ObjectStatusList
from morai_msgs.srv import MoraiSimProcSrv, MoraiSimProcSrvRequest
rospy.init_node("replayer")
service = rospy.ServiceProxy("/Morai_SimProc", MoraiSimProcSrv)
service.wait_for_service(60)
last = {}
for topic, kind in (("/Ego_topic", EgoVehicleStatus), ("/Object_topic", ObjectStatusList),
        ("/sim/process/state/msg/MoraiSimProcStatus", MoraiSimProcStatus)):
    rospy.Subscriber(topic, kind, lambda message, topic=topic: last.__setitem__(topic, message), queue_size=1)
def ask(**fields):
    request = MoraiSimProcSrvRequest()
    for name, value in fields.items():
        setattr(request.request, name, value)
    return service(request).response.result
def state():
    time.sleep(0.5)
    status, ego, others = last["/sim/process/state/msg/MoraiSimProcStatus"], last["/Ego_topic"], last["/Object_topic"]
    return {"status": [status.command_result, status.current_mode, status.current_status],
        "ego": [ego.position.x, ego.position.y], "npcs": len(others.npc_list), "people": len(others.pedestrian_list)}
while len(last) < 3:
    time.sleep(0.05)
say(state())
say(ask(sim_process_status=1, replay_option=0x0110, replay_target_option=1))
say(state())
say(ask(sim_process_status=1, replay_option=0x0001, rosbag_file_name="drive.bag"))
while last["/sim/process/state/msg/MoraiSimProcStatus"].current_status != 0x20:
    time.sleep(0.05)
say(state())
say(ask(sim_process_status=0x20))
say(ask(sim_process_status=1))
say(state())
hear()
"""

STEPPER = """
from morai_msgs.msg import CtrlCmd
from morai_msgs.srv import *
rospy.init_node("stepper", anonymous=True)
user = ARGUMENTS[0]
def proxy(name, kind):
    found = rospy.ServiceProxy(name, kind, persistent=True)
    found.wait_for_service(60)
    return found
begin, wait = proxy("/SyncModeCmd", MoraiSyncModeCmdSrv), proxy("/SyncModeWaitForTick", MoraiWaitForTickSrv)
control = proxy("/SyncModeCtrlCmd", MoraiSyncModeCtrlCmdSrv)
hear()
request = MoraiSyncModeCmdSrvRequest()
request.request.user_id, request.request.start_sync_mode, request.request.time_step = user, True, 20
answer = begin(request).response
frame = answer.frame
say([answer.user_id, answer.result, answer.time_step, frame])
hear()
seen = []
for _ in range(100):
    if user == "driver":
        order = MoraiSyncModeCtrlCmdSrvRequest()
        order.request.frame, order.request.command = frame, CtrlCmd(longlCmdType=1, accel=0.6)
        assert control(order).response.result
    frame += 1
    tick = MoraiWaitForTickSrvRequest()
    tick.request.user_id, tick.request.frame = user, frame
    told = wait(tick).response
    seen.append([told.tick_status, told.frame - frame, told.time, told.vehicle_status.velocity.x])
say(seen)
hear()
request.request.start_sync_mode = False
say(begin(request).response.result)
hear()
"""


def test_a_rospy_node_replays_a_bag(ros, tmp_path):
    (tmp_path / "Recording").mkdir()
    write_bag(tmp_path / "Recording" / "drive.bag", drive_messages(registry_of("2024"), 2.5))
    with ros.run_dorosim(tmp_path), ros.script(REPLAYER) as node:
        before = node.hear(90)
        assert before["status"][1:] == [1, 1]
        assert node.hear() is False, "no bag is loaded"
        assert node.hear()["status"] == [0x30, 1, 1]
        assert node.hear() is True
        after = node.hear()
        assert after["status"] == [1, 0x10, 0x20]
        assert after["ego"] == pytest.approx(ego_at(2.5)[:2], abs=0.2), "the last message before time stands"
        assert (after["npcs"], after["people"]) == (1, 1)
        assert node.hear() is True
        assert node.hear() is True
        end = node.hear()
        assert end["ego"] == pytest.approx(ego_at(2.5)[:2], abs=0.02), "it stands where the bag ends"
        assert (end["status"], end["npcs"], end["people"]) == ([1, 1, 1], 0, 0), "who was replayed is gone"


def test_two_rospy_nodes_step_together_and_rosbag_plays_the_bag_of_it(ros, tmp_path):
    bag = tmp_path / "stepped.bag"
    run = ros.run_dorosim(tmp_path, "--bag", str(bag), "--epoch", "1000")
    with run, ros.script(STEPPER, "driver") as driver, ros.script(STEPPER, "watcher") as watcher:
        told = []
        for node in (driver, watcher):
            node.say({})
            told.append(node.hear(90))
        frame = told[0][3]
        assert told == [["driver", True, 20, frame], ["watcher", True, 20, frame]]
        for node in (driver, watcher):
            node.say({})
        seen, same = driver.hear(60), watcher.hear(60)
        assert seen == same, "both see every frame alike"
        assert [(done, off) for done, off, *_ in seen] == [(True, 0)] * 100
        stamps = [round(float(time) * 1000) for *_, time, _ in seen]
        assert {late - early for early, late in pairwise(stamps)} == {20}
        assert seen[-1][3] > 2.0, "it drives"
        for node in (driver, watcher):
            node.say({})
            assert node.hear() is True
    ros.tool("rosbag", "check", str(bag))
    info = ros.tool("rosbag", "info", str(bag))
    assert "/SyncModeInfo" in info
    assert "/Ego_topic" in info
    ros.tool("rosbag", "play", "--quiet", "-r", "20", str(bag))
