"""A ROS program on roslibpy, in a process of its own: what it sees and does at a server, as JSON on stdout."""

from __future__ import annotations

import json
import os
import sys
import threading
import time

import roslibpy
from roslibpy.core import ServiceException

PATIENCE = 30.0


def ask(ros: roslibpy.Ros) -> dict:
    """What rosapi tells, and a parameter that is set and read again."""
    found: dict = {
        "topics": ros.get_topics(),
        "type": ros.get_topic_type("/Ego_topic"),
        "of_type": ros.get_topics_for_type("morai_msgs/CtrlCmd"),
        "services": ros.get_services(),
        "service_type": ros.get_service_type("/rosapi/nodes"),
        "services_for_type": ros.get_services_for_type("rosapi/Nodes"),
        "time": ros.get_time()["secs"],
        "params": ros.get_params(),
        "details": ros.get_message_details("morai_msgs/CtrlCmd"),
        "request": ros.get_service_request_details("rosapi/TopicType"),
        "response": ros.get_service_response_details("rosapi/TopicType"),
        "use_sim_time": roslibpy.Param(ros, "/use_sim_time").get(),
    }
    parameter = roslibpy.Param(ros, "/mine")
    parameter.set({"a": [1, 2]})
    found["mine"] = parameter.get()
    return found


def drive(ros: roslibpy.Ros) -> dict:
    """Listens to 400 statuses while it drives; what they tell."""
    come, seen = threading.Event(), []

    def see(message: dict) -> None:
        seen.append(message)
        if len(seen) == 400:
            come.set()

    ego = roslibpy.Topic(ros, "/Ego_topic", "morai_msgs/EgoVehicleStatus")
    ego.subscribe(see)
    command = roslibpy.Topic(ros, "/ctrl_cmd", "morai_msgs/CtrlCmd")
    command.advertise()
    deadline = time.monotonic() + PATIENCE
    while not come.wait(0.02) and time.monotonic() < deadline:
        command.publish(roslibpy.Message({"longlCmdType": 1, "accel": 0.6, "brake": 0.0, "steering": 0.0}))
    ego.unsubscribe()
    return {
        "seen": len(seen),
        "fields": sorted(seen[0]),
        "speeds": [seen[0]["velocity"]["x"], seen[-1]["velocity"]["x"]],
        "stamps": [one["header"]["stamp"]["secs"] * 10**9 + one["header"]["stamp"]["nsecs"] for one in seen],
        "places": [[one["position"][axis] for axis in "xy"] for one in (seen[0], seen[-1])],
    }


def offer_and_call(ros: roslibpy.Ros, port: int) -> dict:
    """Offers a service, which another connection calls, and those of the simulator too."""
    service = roslibpy.Service(ros, "/double", "my_srvs/Double")
    service.advertise(lambda request, response: response.update({"value": 2 * request["value"]}) or True)
    other = roslibpy.Ros("127.0.0.1", port)
    other.run(timeout=30)
    deadline = time.monotonic() + PATIENCE
    while "/double" not in other.get_services() and time.monotonic() < deadline:
        time.sleep(0.02)  # what one connection offers reaches the server in its own time
    asked = roslibpy.Service(other, "/double", "my_srvs/Double")
    found = {"double": dict(asked.call(roslibpy.ServiceRequest({"value": 21}), timeout=10))}
    for name, arguments in json.loads(sys.argv[2]):
        called = roslibpy.Service(other, name, "")
        try:
            found[name] = dict(called.call(roslibpy.ServiceRequest(arguments), timeout=10))
        except ServiceException as error:
            found[name] = str(error)
    other.close()
    return found


def main(port: int) -> dict:
    """DeferredReply, listen, drive, offer."""
    ros = roslibpy.Ros("127.0.0.1", port)
    ros.run(timeout=30)
    nodes: list = []
    found = ask(ros)
    ros.get_nodes(lambda answer: nodes.extend(answer["nodes"]), lambda _: None)
    found |= drive(ros)
    found["nodes"] = nodes
    found |= offer_and_call(ros, port)
    ros.close()
    return found


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1])), default=dict), flush=True)
    os._exit(0)  # roslibpy keeps a thread
