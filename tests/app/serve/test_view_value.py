"""The last value of each message, by whatever interface it came: kept as it is, and told when somebody asks."""

from __future__ import annotations

import pickle

import grpc
import pytest
from google.protobuf.json_format import ParseDict

from dorosim.app.serve.grpc_service import GrpcService
from dorosim.app.serve.ros.service import RosService
from dorosim.app.serve.view_service import ViewService
from dorosim.app.setting.settings import GrpcSettings, RosSettings, SensorRow, Settings, UdpSettings, ViewSettings
from dorosim.bridge.view.network import WITH_VALUE, counts_of
from dorosim.endpoint.ros.hub import ServiceError
from dorosim.ground.error import InputError
from tests.app.network import network_file
from tests.app.program import Program, until
from tests.bridge.grpc.stage import method_named
from tests.port import free_port


def sensor_row(kind: str) -> SensorRow:
    return SensorRow(kind=kind, to=f"127.0.0.1:{free_port()}")


class ServingProgram(Program):
    """A program with all interfaces."""

    def __init__(self, folder) -> None:
        settings = Settings(
            udp=UdpSettings(network=str(network_file(folder, free_port(), free_port()))),
            grpc=GrpcSettings(address="127.0.0.1:0"),
            ros=RosSettings(server="127.0.0.1:0"),
            view=ViewSettings(address="127.0.0.1:0"),
            sensor=(sensor_row("gps"), sensor_row("imu")),
        )
        super().__init__(folder, settings)
        self.grpc, self.ros, self.view = self.add(GrpcService), self.add(RosService), self.add(ViewService)
        self.start()
        until(lambda: self.grpc.addresses and self.ros.addresses)
        self.channel = grpc.insecure_channel(self.grpc.addresses["grpc"])

    @property
    def hub(self):
        return self.ros._hub

    def ask(self, name: str, **fields):
        method = method_named(name)
        call = self.channel.unary_unary(method.path, method.request.SerializeToString, method.response.FromString)
        return call(ParseDict(fields, method.request()), timeout=60.0)

    def stream(self, name: str, **fields):
        method = method_named(name)
        call = self.channel.unary_stream(method.path, method.request.SerializeToString, method.response.FromString)
        return call(ParseDict(fields, method.request()), timeout=60.0)

    def value(self, way: str, name: str) -> dict[str, str]:
        found = pickle.loads(pickle.dumps(self.view.last_value(way, name)))  # as it goes to the page's process
        return {row.name: row.wire for row in found}

    def close(self) -> None:
        self.channel.close()
        super().close()


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = ServingProgram(tmp_path_factory.mktemp("values"))
    yield made
    made.close()


def test_a_call_by_grpc_is_told_with_its_answer(program):
    program.ask("Environment/SetWeather", type=2)
    rows = program.value("gRPC called", "Environment/SetWeather")
    assert rows["request.type"] == "2 WEATHER_TYPE_FOGGY"
    assert rows["answer.status"].startswith("1 ")


def test_a_call_that_fails_is_told_with_the_reason(program):
    with pytest.raises(grpc.RpcError):
        program.ask("Environment/SetWeather", type=99)
    rows = program.value("gRPC called", "Environment/SetWeather")
    assert rows["answer"].startswith("INVALID_ARGUMENT: type is 99")


def test_of_a_stream_the_last_event_is_told(program):
    events = program.stream("Bulk/StreamStates", columns=["id"])
    last = max(next(events).tick for _ in range(5))
    rows = program.value("gRPC called", "Bulk/StreamStates")
    assert rows["request.columns"] == "'id'"
    assert int(rows["answer.tick"]) >= last
    events.cancel()


def test_messages_of_ros_are_told_both_ways(program):
    program.hub.publish("/Ego_topic", program.hub.registry.make("morai_msgs/EgoVehicleStatus", heading=90.0))
    assert program.value("ROS sent", "/Ego_topic")["heading"] == "90"
    command = program.hub.registry.make("morai_msgs/CtrlCmd", longlCmdType=1, accel=0.25)
    program.hub.receive("/ctrl_cmd", command, "/test")
    assert program.value("ROS received", "/ctrl_cmd")["accel"] == "0.25"


def test_a_service_is_told_with_its_answer_or_why_there_is_none(program):
    request = program.hub.registry.make("morai_msgs/MoraiMapSpecSrvRequest")
    answer = program.hub.call("/Service_MoraiMapSpec", request, "/test")
    rows = program.value("ROS called", "/Service_MoraiMapSpec")
    assert any(name.startswith("answer.") for name in rows)
    program.hub.serve(None)
    try:
        with pytest.raises(ServiceError):
            program.hub.call("/Service_MoraiMapSpec", request, "/test")
    finally:
        program.ros.serve(program.current)
    assert program.value("ROS called", "/Service_MoraiMapSpec")["answer"].startswith("refused: no run is there")
    assert answer is not None


def test_datagrams_are_told_as_before(program):
    until(lambda: program.view.status().sent["EgoVehicleStatus"])
    assert "map_data_id" in program.value("UDP sent", "EgoVehicleStatus")


def test_packets_of_sensors_are_told_the_newest_of_each_form(program):
    until(lambda: min(program.view.status().packets.get(kind, 0) for kind in ("gps", "imu")) > 1)
    sentences = program.value("sensor packets sent", "gps")
    assert float(sentences["NMEA RMC: latitude"].split()[0]) == pytest.approx(37.3, abs=0.1)
    assert sentences["NMEA GGA: altitude"].endswith(" m")
    *_, upward = program.value("sensor packets sent", "imu")["linear_acceleration"].split(", ")
    assert float(upward.rstrip(" m/s²)")) > 9.0
    with pytest.raises(InputError, match="there has been none"):
        program.view.last_value("sensor packets sent", "camera")


def test_what_never_came_is_refused_and_every_row_of_the_table_has_its_value(program):
    with pytest.raises(InputError, match="there has been none"):
        program.view.last_value("gRPC called", "Actor/NoSuch")
    with pytest.raises(InputError, match="there has been none"):
        program.view.last_value("UDP received", "EgoCtrlCmd")
    program.ask("Map/GetMGeo")
    until(lambda: program.view.status().packets.get("imu"))
    status = program.view.status()
    rows = [row for row in counts_of(status.sent, status.packets, status.counts) if row[0] in WITH_VALUE]
    assert {way for way, _ in rows} >= {"UDP sent", "sensor packets sent", "gRPC called"}
    for way, name in rows:
        if status.sent.get(name, 1):
            assert program.value(way, name)
