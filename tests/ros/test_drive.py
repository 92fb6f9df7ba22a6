"""The real program, driven by a rospy node along the lanes of the built-in town."""

from __future__ import annotations

import csv
import math
import signal
from itertools import pairwise
from pathlib import Path

LAP = Path(__file__).parents[2] / "examples" / "town_lap.csv"
METRES = 90.0
BEND = 40.0
"""A turn of 90 degrees to the left comes after this distance [m]."""

DRIVER = """
import math
from morai_msgs.msg import CtrlCmd, EgoVehicleStatus, ObjectStatusList
rospy.init_node("driver")
path, metres = hear()
commands = rospy.Publisher("/ctrl_cmd", CtrlCmd, queue_size=1)
state = {"at": 0, "worst": 0.0, "driven": 0.0, "last": None, "over": False, "objects": [], "object_lists": 0}

def offset(x, y):
    (ax, ay), (bx, by) = path[max(state["at"] - 1, 0)], path[state["at"] + 1]
    return abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / math.hypot(bx - ax, by - ay)

def objects(message):
    state["object_lists"] += 1
    state["objects"] = [(one.position.x, one.position.y) for one in message.npc_list + message.obstacle_list]

def drive(message):
    x, y, yaw, speed = message.position.x, message.position.y, math.radians(message.heading), message.velocity.x
    near = range(state["at"], min(state["at"] + 30, len(path) - 30))
    state["at"] = min(near, key=lambda i: math.dist(path[i], (x, y)))
    if state["last"] is not None:
        state["driven"] += math.dist(state["last"], (x, y))
        state["worst"] = max(state["worst"], offset(x, y))
    state["last"], state["heading"] = (x, y), message.heading
    px, py = path[state["at"] + round(4.0 + 0.4 * speed)]
    ahead = (px - x) * math.cos(yaw) + (py - y) * math.sin(yaw)
    left = (py - y) * math.cos(yaw) - (px - x) * math.sin(yaw)
    gap = min([math.dist(one, (x, y)) for one in state["objects"]] + [100.0])
    wanted = min(7.0, max(0.0, gap - 10.0))
    if state["driven"] > metres:
        state["over"], wanted = True, 0.0
    effort = 0.35 * (wanted - speed) + 0.02 * wanted
    commands.publish(CtrlCmd(longlCmdType=1, accel=min(max(effort, 0.0), 1.0), brake=min(max(-effort, 0.0), 1.0),
        steering=math.atan2(2 * 2.7 * left, ahead * ahead + left * left)))

rospy.Subscriber("/Object_topic", ObjectStatusList, objects, queue_size=1)
rospy.Subscriber("/Ego_topic", EgoVehicleStatus, drive, queue_size=1, tcp_nodelay=True)
while not state["over"]:
    time.sleep(0.02)
time.sleep(0.5)
say({key: state[key] for key in ("worst", "driven", "heading", "object_lists")})
hear()
"""


def stretch() -> list[tuple[float, float]]:
    """The lap from before its first sharp bend on, a point each metre."""
    with LAP.open(newline="") as file:
        lap = [(float(row["x"]), float(row["y"])) for row in csv.DictReader(file)]
    even, carry = [], 0.0
    for (ax, ay), (bx, by) in pairwise([*lap, *lap]):
        length = math.dist((ax, ay), (bx, by))
        while carry < length:
            even.append((ax + (bx - ax) * carry / length, ay + (by - ay) * carry / length))
            carry += 1.0
        carry -= length
    bend = next(i for i in range(len(even)) if abs(_turn(even, i)) > math.radians(60.0))
    return even[bend - round(BEND) : bend + 400]


def _turn(points: list[tuple[float, float]], at: int) -> float:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = (points[at + k] for k in (0, 1, 15, 16))
    angle = math.atan2(dy - cy, dx - cx) - math.atan2(by - ay, bx - ax)
    return math.remainder(angle, math.tau)


def test_a_rospy_driver_follows_a_path(ros, tmp_path):
    path = stretch()
    (x, y), (bx, by) = path[:2]
    heading = math.degrees(math.atan2(by - y, bx - x))
    pose = f"--pose={x},{y},{heading}"
    with ros.run_dorosim(tmp_path, pose, "--speed", "1") as program:
        ros.until(lambda: "registered at" in (tmp_path / "log").read_text(), 120.0)
        with ros.script(DRIVER) as driver:
            driver.say([path, METRES])
            found = driver.hear(240.0)
        assert "/dorosim" in ros.tool("rosnode", "list")
        program.send_signal(signal.SIGINT)
        assert program.wait(60) == 0
    assert found["driven"] > METRES
    assert found["object_lists"] > 100, "/Object_topic came along, at 50 Hz"
    assert found["worst"] < 1.0, "metres beside the path"
    assert math.remainder(found["heading"] - heading, 360.0) > 60.0, "it went round the bend, to the left"
    assert "/dorosim" not in ros.tool("rosnode", "list"), "it says goodbye"
    log = (tmp_path / "log").read_text()
    assert "internal error" not in log
