"""ROS beside a run of the program, without transports of its own: a listener of the test's joins the hub."""

from __future__ import annotations

from collections import defaultdict

import pytest

from dorosim.app.run.session import RunContext
from dorosim.app.serve.ros.service import RosService
from dorosim.app.serve.run_services import ServiceHost
from dorosim.app.setting.settings import RosSettings, RosTopicSettings, Settings, UdpSettings
from dorosim.bridge.ros.catalogue import PROVIDED, PUBLISHED, SUBSCRIBED
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.ros.hub import ServiceError
from dorosim.ground.error import InputError
from tests.app.network import network_file
from tests.app.program import Program, until
from tools.bench.peer import free_port

QUIET = RosSettings(
    generation="26.r1",
    server="127.0.0.1:0",
    topic={"ego": RosTopicSettings(name="/car/ego", rate_hz=100.0, frame="odom")},
)


class Listener:
    """Wants everything, and keeps the last message of each topic and the stamps of all that have a header [ns]."""

    def __init__(self) -> None:
        self.last, self.stamps = {}, defaultdict(list)

    def wants(self, topic: str) -> bool:
        return True

    def send(self, post) -> None:
        assert len(post.ros1) > 0
        self.last[post.topic] = post.message
        if hasattr(post.message, "header"):
            stamp = post.message.header.stamp
            self.stamps[post.topic].append(stamp.sec * 10**9 + stamp.nanosec)

    def change(self) -> None:
        pass

    def close(self) -> None:
        pass


class HeardProgram(Program):
    """A program with gRPC and ROS, and somebody who listens to all topics."""

    def __init__(self, folder) -> None:
        network = str(network_file(folder, free_port(), free_port()))
        super().__init__(folder, Settings(udp=UdpSettings(network=network), ros=QUIET))
        self.service = self.add(RosService)
        self.start()
        until(lambda: self.service._hub is not None)
        self.hub, self.listener = self.service._hub, Listener()
        self.hub.join(self.listener)

    def make(self, name: str, **fields):
        return self.hub.registry.make(f"morai_msgs/{name}", **fields)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = HeardProgram(tmp_path_factory.mktemp("ros"))
    until(lambda: "/car/ego" in made.listener.last)
    yield made
    made.close()


def test_everything_in_the_catalogue_is_offered_under_the_names_of_the_settings(program):
    hub = program.hub
    assert set(hub.published) == {row.topic for row in PUBLISHED if row.on} - {"/Ego_topic"} | {"/car/ego"}
    assert set(hub.subscribed) == {row.topic for row in SUBSCRIBED}
    assert set(hub.provided) == {row.service for row in PROVIDED}


def test_every_topic_is_published_at_its_rate(program):
    listener = program.listener
    until(lambda: set(listener.last) == set(program.hub.published) - {"/dorosim/ghost_ids"})  # there are no ghosts
    for topic, rate in (("/car/ego", 100.0), ("/Object_topic", 50.0)):
        before = len(listener.stamps[topic])
        until(lambda topic=topic, least=before + 100: len(listener.stamps[topic]) > least)
        stamps = listener.stamps[topic][before:]
        seconds = (stamps[-1] - stamps[0]) * 1e-9
        assert (len(stamps) - 1) / seconds == pytest.approx(rate, rel=0.05), topic
    assert listener.last["/car/ego"].header.frame_id == "odom"
    assert listener.last["/CollisionData"].header.frame_id == "map"


def test_a_command_drives_the_ego_vehicle(program):
    program.hub.receive("/ctrl_cmd", program.make("CtrlCmd", longlCmdType=2, velocity=18.0), "test")
    until(lambda: program.listener.last["/car/ego"].velocity.x > 3.0)
    program.hub.receive("/ctrl_cmd", program.make("CtrlCmd", longlCmdType=1, brake=1.0), "test")
    until(lambda: program.listener.last["/car/ego"].velocity.x == 0.0)


def test_a_refused_message_is_counted_and_told_with_its_topic(program):
    before = program.service.counts["ROS refused"]
    program.hub.receive("/ctrl_cmd", program.make("CtrlCmd", accel=float("nan")), "test")
    assert program.service.counts["ROS refused"] == before + 1
    until(lambda: any("/ctrl_cmd: CtrlCmd.accel: is nan" in line for line in program.told))


def test_a_service_answers_after_the_tick_also_while_the_run_is_paused(program):
    def event(**fields):
        request = program.hub.registry.make(
            "morai_msgs/MoraiEventCmdSrvRequest", request=program.make("EventInfo", **fields)
        )
        return program.hub.call("/Service_MoraiEventCmd", request, "test").response

    assert event(option=8, set_pause=True).set_pause is True
    stopped = program.now.time
    assert event(option=2, gear=2).gear == 2
    assert program.now.time == stopped
    assert (event(option=10, gear=4, set_pause=False).gear, program.now.paused) == (4, False)
    with pytest.raises(ServiceError, match="ctrl_mode 77"):
        event(option=1, ctrl_mode=77)


def test_what_settings_say_wrongly_of_topics_is_told_before_the_run(tmp_path):
    context = RunContext(given=(), data=tmp_path, journal=Journal(print), clock=PacedClock(1.0))
    settings = Settings(ros=RosSettings(topic={"ogjects": RosTopicSettings()}))
    with pytest.raises(InputError, match="did you mean 'objects'"):
        RosService(settings, context, ServiceHost(settings, context))
