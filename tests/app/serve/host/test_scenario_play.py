"""Files of OpenSCENARIO that clients begin runs with: by UDP, by gRPC, and what each run then is."""

from __future__ import annotations

import json
import socket

import pytest

from dorosim.app.run.replay import replay_file
from dorosim.app.serve.grpc_service import GrpcService
from dorosim.app.setting.settings import GrpcSettings, Settings, UdpSettings
from dorosim.app.setting.storyboard import StoryboardSettings
from dorosim.bridge.host import SAME_MAP, StartOrder
from dorosim.ground.error import InputError
from dorosim.recording.format import decode_recording
from dorosim.scenario.load import LoadOptions
from dorosim.world.storyboard.command import StopStoryboard
from dorosim.world.storyboard.state import NEVER
from tests.app.network import network_file
from tests.app.program import Program, until
from tests.packet import envelope, scenario_load
from tests.port import free_port
from tests.scenario.openscenario.morai_text import CAR, entity, file_text, map_name, start, write_small_map

PLACE = '<LanePosition roadId="0" laneId="-2" s="10"/>'


class Host(Program):
    """A program on the village, with a scenario of another map in its data folder."""

    def __init__(self, folder) -> None:
        self.port = free_port()
        network = str(network_file(folder, self.port, free_port()))
        settings = Settings(
            map="village",
            udp=UdpSettings(network=network),
            grpc=GrpcSettings(address="127.0.0.1:0"),
            record=str(folder / "run.rec"),
            storyboard=StoryboardSettings(allow=(str(folder),)),
        )
        super().__init__(folder, settings)
        write_small_map(self.data / "Map" / "Two_Lanes")
        text = file_text(entity("Ego", CAR), start("Ego", PLACE, 5.0), more=map_name("Two Lanes"), end=600.0)
        (self.data / "Scenario" / "drive.xosc").write_text(text)
        (self.data / "Scenario" / "Two_Lanes").mkdir()
        (self.data / "Scenario" / "Two_Lanes" / "deep.xosc").write_text(text)
        (self.data / "Scenario" / "broken.xosc").write_text(text.replace('entityRef="Ego"', 'entityRef="Nobody"'))
        far = text.replace("<RoadNetwork>", '<RoadNetwork><LogicFile filepath="../../roads.zip"/>')
        (self.data / "Scenario" / "far.xosc").write_text(far)
        write_small_map(folder / "roads.zip")
        whole = {"map": {"name": "Two Lanes"}, "scenarioList": [{"name": "drive", "path": "drive.xosc"}]}
        (self.data / "Scenario" / "all.mproj").write_text(json.dumps(whole))
        self.service = self.add(GrpcService)
        self.start()
        self.runs, self.files = self.service_host.runs, self.service_host.files
        until(lambda: self.service._server is not None)

    @property
    def plays(self) -> str:
        """The scenario that the present run plays, "" for none."""
        kept = self.current.session.start.ready.storyboard
        return "" if kept is None else kept.source


@pytest.fixture
def host(tmp_path):
    made = Host(tmp_path)
    yield made
    made.close()


def test_a_datagram_begins_a_run_with_a_scenario_on_its_map(host):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.sendto(scenario_load("drive.xosc", 1), ("127.0.0.1", host.port))
    until(lambda: host.plays.endswith("drive.xosc"))
    assert host.runs.map_name == "Two_Lanes"
    until(lambda: host.now.tick > 20)
    assert not host.now.storyboard.is_empty()
    now = host.now
    assert now.vehicle.x[0] == pytest.approx(10.0 + 5.0 * now.time * 1e-9, abs=2.0)


def test_a_run_that_begins_paused_waits(host):
    host.files.scenario("drive", LoadOptions(pause=True), host.now)
    until(lambda: host.plays.endswith("drive.xosc"))
    until(lambda: host.now.paused)
    assert host.now.time <= 10_000_000


def test_the_same_scenario_begins_again_and_a_map_ends_it(host):
    host.runs.start(StartOrder(scenario="drive"))
    number = host.current.number
    until(lambda: host.now.tick > 20)
    assert host.runs.start(StartOrder(scenario="drive")) == SAME_MAP
    assert host.current.number == number
    host.runs.start(StartOrder(map_name="town"))
    assert (host.plays, host.runs.map_name) == ("", "town")


def test_a_storyboard_is_stopped_and_started_again(host):
    host.runs.start(StartOrder(scenario="all.mproj::drive"))
    until(lambda: host.now.tick > 20)
    host.current.gateway.do((StopStoryboard(),), 60.0)
    ended = host.now.storyboard.ended
    assert ended > 0
    x = host.now.vehicle.x[0]
    tick = host.now.tick
    until(lambda: host.now.tick > tick + 20)
    assert host.now.vehicle.x[0] == x
    host.runs.restart()
    assert host.now.storyboard.ended == NEVER


def test_a_datagram_gives_the_scenario_a_value(host):
    host.runs.start(StartOrder(scenario="drive"))
    data = envelope("UserDefinedValue", b"brake".ljust(60) + b"0.5".ljust(60))
    assert len(data) == 156
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.sendto(data, ("127.0.0.1", host.port))
    until(lambda: host.now.storyboard.outside_values() == {"brake": "0.5"})


def test_each_run_has_a_recording_with_its_files(host):
    host.runs.start(StartOrder(map_name="Two_Lanes", scenario="deep"))
    host.runs.start(StartOrder(scenario="drive"))
    until(lambda: host.now.tick > 20)
    host.current.gateway.do((StopStoryboard(),), 60.0)
    host.close()
    path = host.data.parent / "run-3.rec"
    header, ticks = decode_recording(str(path), path.read_bytes())
    assert header.storyboard.source.endswith("drive.xosc")
    assert header.storyboard.files[0].content.startswith(b"<OpenSCENARIO>")
    assert any(command == StopStoryboard() for tick in ticks for command in tick.commands)
    (host.data / "Scenario" / "drive.xosc").unlink()
    again = replay_file(path, None, host.data)
    assert again.equal


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("gone.xosc", "scenario"),
        ("../drive.xosc", "leads out"),
        ("/etc/passwd.xosc", "leads out"),
        ("broken", "there is no entity 'Nobody'"),
        ("all.mproj::none", "there is no scenario 'none'"),
        ("../all.mproj", "leads out"),
    ],
)
def test_what_is_no_scenario_leaves_the_run_as_it_is(host, name, problem):
    number = host.current.number
    for load in (
        lambda: host.runs.start(StartOrder(scenario=name)),
        lambda: host.files.scenario(name, LoadOptions(), host.now),
    ):
        with pytest.raises(InputError, match=problem):
            load()
    assert (host.current.number, host.plays) == (number, "")


def test_a_client_opens_files_of_the_data_folder_only(host):
    """The user allows the folder above for the scenarios that he names himself."""
    with pytest.raises(InputError, match="leads out of the folders"):
        host.runs.start(StartOrder(scenario="far"))
