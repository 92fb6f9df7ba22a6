"""Every topic and every service, by rospy over the native node and by roslibpy over the embedded server, in one run."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.bridge.ros.catalogue import PROVIDED, PUBLISHED, SUBSCRIBED
from tests.port import free_port

SILENT = {"/ReplayInfo_topic": "nothing is replayed", "/dorosim/ghost_ids": "no ghost's number is somebody else's"}
"""Topics that have nothing to tell in this run, and why."""
TOLD = {one.topic: one.type for one in PUBLISHED if (one.on or one.key == "clock") and one.topic not in SILENT}
HEARD = {one.topic: one.type for one in SUBSCRIBED}
SERVICES = {one.service: one.type for one in PROVIDED}
LIBRARY = Path(__file__).with_name("roslibpy_every.py")
ROSPY = """
import importlib
def class_of(kind, folder):
    package, name = kind.split("/")
    return getattr(importlib.import_module(package + "." + folder), name)
rospy.init_node("everything")
told, heard, services = hear()
seen, all_seen = {}, threading.Event()
def see(message, topic):
    seen[topic] = message._type
    if len(seen) == len(told):
        all_seen.set()
for topic, kind in told.items():
    rospy.Subscriber(topic, class_of(kind, "msg"), see, callback_args=topic)
publishers = {topic: rospy.Publisher(topic, class_of(kind, "msg"), queue_size=1) for topic, kind in heard.items()}
all_seen.wait(60)
for publisher in publishers.values():
    for _ in range(500):
        if publisher.get_num_connections():
            break
        time.sleep(0.02)
    publisher.publish(publisher.data_class())
answers = {}
for name, kind in services.items():
    rospy.wait_for_service(name, 20)
    try:
        answers[name] = rospy.ServiceProxy(name, class_of(kind, "srv"))()._type
    except rospy.ServiceException as error:
        answers[name] = "refused: %s" % error
time.sleep(0.5)
say({"seen": seen, "answers": answers})
hear()
"""


@pytest.fixture(scope="module")
def found(ros, tmp_path_factory) -> dict:
    """What both peers saw, and what the program says at its end."""
    folder, port = tmp_path_factory.mktemp("every"), free_port()
    config = folder / "dorosim.toml"
    config.write_text("[ros]\nclock = true\n")
    options = ("--config", str(config), "--ros-server", f"127.0.0.1:{port}", "--vehicles", "3")
    with ros.run_dorosim(folder, *options) as program:
        ros.until(lambda: "registered at" in (folder / "log").read_text(), 120.0)
        with ros.script(ROSPY) as peer:
            peer.say([TOLD, HEARD, SERVICES])
            by_rospy = peer.hear(240.0)
        asked = json.dumps([TOLD, HEARD, SERVICES])
        command = [sys.executable, str(LIBRARY), str(port), asked]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240.0, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        program.send_signal(signal.SIGINT)
        assert program.wait(60) == 0
    return {"rospy": by_rospy, "roslibpy": json.loads(done.stdout), "log": (folder / "log").read_text()}


def test_rospy_hears_every_topic_with_its_type(found):
    assert found["rospy"]["seen"] == TOLD


def test_roslibpy_hears_every_topic(found):
    assert set(found["roslibpy"]["heard"]) == set(TOLD)


def test_every_topic_to_the_simulator_comes_in_from_both(found):
    told = re.search(r"ROS messages received: [\d,]+ \((.*?)\)\n", found["log"].replace("\n", "\n"))
    assert told is not None
    counts = {name: int(count) for name, count in (one.rsplit(" ", 1) for one in told[1].split(", "))}
    assert counts == dict.fromkeys(HEARD, 2)


@pytest.mark.parametrize("peer", ["rospy", "roslibpy"])
def test_every_service_answers_or_says_why_not(found, peer):
    answers = found[peer]["answers"]
    assert set(answers) == set(SERVICES)
    for name, answer in answers.items():
        assert not answer.startswith("refused") or len(answer) > 30, f"{name}: {answer}"
    done = {name for name, answer in answers.items() if not answer.startswith("refused")}
    assert {"/Morai_SimProc", "/Service_MoraiMapSpec", "/Service_MoraiEventCmd", "/SyncModeCmd"} <= done


def test_nothing_of_it_is_a_fault_of_ours(found):
    assert "internal error" not in found["log"]
    assert "Traceback" not in found["log"]
