"""Classes and procedures from the committed descriptor set."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from dorosim.wire.grpc.descriptor import message_class, method_of, methods, pool


def test_there_are_as_many_procedures_as_documented():
    assert Counter(method.api for method in methods()) == {"documented": 48, "standard": 93, "dorosim": 8}
    assert len({method.service for method in methods() if method.api == "standard"}) == 9


def test_paths_are_unique_and_lead_back():
    assert len({method.path for method in methods()}) == len(methods())
    assert all(method_of(method.path) is method for method in methods())


def test_only_the_status_streams():
    streaming = {
        (method.name, method.client_streaming, method.server_streaming)
        for method in methods()
        if method.client_streaming or method.server_streaming
    }
    assert streaming == {("Connect", True, True), ("StreamStates", False, True), ("StreamReadings", False, True)}


@pytest.mark.parametrize(
    ("path", "api"),
    [
        ("/morai_sim_api.simulation.Simulation/Start", "standard"),
        ("/morai_sim_api.simualtor.Simulator/GetTimestamp", "standard"),  # the product's own spelling
        ("/morai_sim_api.sensor.Sensor/AddSensor", "standard"),
        ("/morai_msgs.MoraiService/AddSensor", "documented"),
        ("/somebody.Else/Start", "documented"),
        ("/SendMultiEgoCtrlCmd", "documented"),
        ("/dorosim.Bulk/GetStates", "dorosim"),
    ],
)
def test_the_exact_path_decides_and_else_the_last_name(path, api):
    method = method_of(path)
    assert method is not None
    assert method.api == api
    assert method.name == path.rpartition("/")[2]


@pytest.mark.parametrize(
    "path", ["", "/", "/morai_msgs.MoraiService/", "/a.B/SpawnVehicle", "/x.Y/GetStates", "/a/setego"]
)
def test_unknown_paths_lead_nowhere(path):
    assert method_of(path) is None


def test_an_unknown_message_is_a_key_error():
    with pytest.raises(KeyError):
        message_class("morai_msgs.Nothing")


def test_a_message_goes_over_the_wire():
    command = message_class("morai_msgs.EgoCtrlCmd")(longCmdType=2, steering=0.1, velocity=36.0)
    assert message_class("morai_msgs.EgoCtrlCmd").FromString(command.SerializeToString()) == command


def test_other_stubs_with_our_names_do_not_clash():
    from google.protobuf import descriptor_pb2, descriptor_pool

    file = descriptor_pb2.FileDescriptorProto(name="morai_msgs.proto", package="morai_msgs", syntax="proto3")
    file.message_type.add(name="EgoState")
    theirs = descriptor_pool.Default()
    theirs.AddSerializedFile(file.SerializeToString())
    assert pool() is not theirs
    assert len(pool().FindMessageTypeByName("morai_msgs.EgoState").fields) == 13
    assert len(theirs.FindMessageTypeByName("morai_msgs.EgoState").fields) == 0


def test_a_run_without_grpc_loads_nothing_of_it():
    code = (
        "import sys, dorosim.app.run.run, dorosim.app.cli.main\n"
        "print([name for name in sys.modules if name.startswith(('grpc', 'google', 'dorosim.wire.grpc'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
