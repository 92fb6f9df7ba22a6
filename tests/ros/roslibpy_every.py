"""A program on roslibpy that hears every topic, publishes on every topic and calls every service; JSON on stdout."""

from __future__ import annotations

import json
import os
import sys
import threading

import roslibpy
from roslibpy.core import ServiceException

SECONDS = 30.0


def main(port: int, published: dict[str, str], subscribed: dict[str, str], services: dict[str, str]) -> dict:
    """Topics and services by name, with their types."""
    ros = roslibpy.Ros("127.0.0.1", port)
    ros.run(timeout=30)
    heard: dict[str, list[str]] = {}
    all_heard = threading.Event()

    def hear(topic: str, message: dict) -> None:
        heard[topic] = sorted(message)
        if len(heard) == len(published):
            all_heard.set()

    topics = [roslibpy.Topic(ros, name, kind) for name, kind in published.items()]
    for topic in topics:
        topic.subscribe(lambda message, name=topic.name: hear(name, message))
    all_heard.wait(SECONDS)
    for name, kind in subscribed.items():
        topic = roslibpy.Topic(ros, name, kind)
        topic.advertise()
        topic.publish(roslibpy.Message({}))
    answers: dict[str, str] = {}
    for name, kind in services.items():
        try:
            answer = roslibpy.Service(ros, name, kind).call(roslibpy.ServiceRequest({}), timeout=SECONDS)
            answers[name] = json.dumps(dict(answer), default=dict)
        except ServiceException as error:
            answers[name] = f"refused: {error}"
    ros.close()
    return {"heard": heard, "answers": answers}


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), *json.loads(sys.argv[2]))), flush=True)
    os._exit(0)  # roslibpy keeps a thread
