"""What messages are refused, and why; what commands do stands in tests/system."""

from __future__ import annotations

import pytest

from dorosim.bridge.answer import Refusal
from dorosim.bridge.udp.receive import MEANINGS, MODES, TURN_LAMPS, Receiver
from dorosim.wire.udp.catalogue import CATALOGUE
from dorosim.wire.udp.code import CtrlMode, TurnSignal
from dorosim.wire.udp.revision import DEFAULT_REVISION
from tests import packet


def answers(run, datagram: bytes) -> list:
    receiver = Receiver(DEFAULT_REVISION, run.built.scene)
    _, message, _ = receiver.read(datagram, len(datagram))
    return list(receiver.commands(message, run.now))


def refusal(run, datagram: bytes) -> Refusal:
    (answer,) = answers(run, datagram)
    assert isinstance(answer, Refusal)
    return answer


def test_every_message_to_the_simulator_and_every_code_has_a_meaning():
    assert set(MEANINGS) == {message for message in CATALOGUE if message.table.to == "simulator"}
    assert set(MODES) == set(CtrlMode)
    assert set(TURN_LAMPS) == set(TurnSignal)


def test_unknown_lights_and_intersections_are_refused_by_name(town):
    assert refusal(town, packet.light("C119BS010007", 16)) == Refusal(
        "refused", "SetTrafficLightCtrl: the map has no traffic light 'C119BS010007'"
    )
    assert refusal(town, packet.intersection(77, 0, 0.0)).reason == (
        "SetIntersectionStatus: the map has no intersection 77; it has 0, 1, 2, 3, 4, 5, 6, 7, 8, 9"
    )


@pytest.mark.parametrize(
    "folder", ["../Scenario", "a/../../b", "/etc", "C:\\Windows", "..\\x", "\\\\host\\share", "a\tb"]
)
def test_a_folder_that_leads_elsewhere_is_refused(town, folder):
    answer = refusal(town, packet.save_sensors("scene", folder))
    assert answer.kind == "refused"
    assert "leads out of the folder of sensor data" in answer.reason


@pytest.mark.parametrize("name", ["", "..", ".", "a/b", "a\\b", "C:x", "a\x07b"])
def test_a_name_that_is_none_is_refused(town, name):
    answer = refusal(town, packet.save_sensors(name, "run 1"))
    assert answer.kind == "refused"
    assert "is no name of a file" in answer.reason


def test_saving_sensor_data_waits_for_the_sensors(town):
    later = Refusal("not in this version", "SaveSensorData: there is nothing to save, sensors come in a later version")
    assert refusal(town, packet.save_sensors("scene 1", "2024/run.1")) == later
    assert refusal(town, packet.save_sensors("scene 1")) == later
    assert refusal(town, packet.save_sensors("..", "..", custom=False)) == later, "the names do not count"


def test_moving_a_sensor_waits_for_the_sensors(town):
    assert refusal(town, packet.move_sensor(-1)) == Refusal(
        "refused", "SensorControl: there is no sensor -1, indexes count from 0"
    )
    assert refusal(town, packet.move_sensor(2)) == Refusal(
        "not in this version", "SensorControl: no sensor 2 is mounted, sensors come in a later version"
    )


def test_empty_ghost_slots_ask_for_nothing(town):
    data = packet.npc_ghosts((0, "", 1.0, 2.0, 3.0, 4.0), (5, "2015_Kia_K5", 1.0, 2.0, 3.0, 4.0))
    assert [command.alias for command in answers(town, data)] == [5]
