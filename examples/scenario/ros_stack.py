#!/usr/bin/env python3
"""A small ROS 1 node that drives straight on, keeps its speed, and brakes for what is ahead: rospy and morai_msgs.

    dorosim scenario run examples/scenario/pedestrian.xosc --no-collision --ego ros --lockstep \
        --ros-master http://127.0.0.1:11311 --stack "python3 examples/scenario/ros_stack.py"

It answers each /Ego_topic with one /ctrl_cmd, as `--lockstep` asks for. Topics come over connections of their own, in
any order: so it waits for the /Object_topic of the same moment, and its answers are the same in every run.
"""

import argparse
import math
from typing import Any

import rospy
from morai_msgs.msg import CtrlCmd, EgoVehicleStatus, ObjectStatusList

PEDALS = 1
HALF_LANE = 2.5
"""Others nearer than this to the line ahead are in its way [m]."""
LOOK_AHEAD = 40.0
"""How far ahead it looks, from the rear axle on [m]."""


class Node:
    """Answers the status and the objects of one moment.

    Args:
        speed: to keep [m/s].
        blind: whether it brakes for nothing.
    """

    def __init__(self, speed: float, *, blind: bool) -> None:
        self.speed, self.blind = speed, blind
        self.ego: Any = None
        self.things: Any = None
        self.command = rospy.Publisher("/ctrl_cmd", CtrlCmd, queue_size=1, tcp_nodelay=True)
        rospy.Subscriber("/Ego_topic", EgoVehicleStatus, self.on_ego, queue_size=1, tcp_nodelay=True)
        rospy.Subscriber("/Object_topic", ObjectStatusList, self.on_things, queue_size=1, tcp_nodelay=True)

    def on_ego(self, message: Any) -> None:
        """Take a status."""
        self.ego = message
        self.answer()

    def on_things(self, message: Any) -> None:
        """Take what is around."""
        self.things = message
        self.answer()

    def answer(self) -> None:
        """Send a command if both are of one moment."""
        ego, things = self.ego, self.things
        if ego is None or things is None or ego.header.stamp != things.header.stamp:
            return
        around = [*things.npc_list, *things.pedestrian_list, *things.obstacle_list]
        brake = not self.blind and any(self.is_in_the_way(ego, one.position) for one in around)
        missing = self.speed - ego.velocity.x
        accelerator = 0.0 if brake else min(max(0.15 + 0.2 * missing, 0.0), 1.0)
        self.command.publish(CtrlCmd(longlCmdType=PEDALS, accel=accelerator, brake=float(brake), steering=0.0))

    @staticmethod
    def is_in_the_way(ego: Any, place: Any) -> bool:
        """Whether something stands on the way straight ahead."""
        heading = math.radians(ego.heading)
        dx, dy = place.x - ego.position.x, place.y - ego.position.y
        ahead = dx * math.cos(heading) + dy * math.sin(heading)
        aside = dy * math.cos(heading) - dx * math.sin(heading)
        return bool(0.0 < ahead < LOOK_AHEAD and abs(aside) < HALF_LANE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--speed", type=float, default=13.9, help="to keep [m/s]")
    parser.add_argument("--blind", action="store_true", help="brake for nothing")
    given = parser.parse_args(rospy.myargv()[1:])
    rospy.init_node("scenario_stack")
    Node(given.speed, blind=given.blind)
    rospy.spin()
