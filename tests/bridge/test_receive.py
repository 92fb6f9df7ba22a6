"""What messages are refused, and why; what commands do stands in tests/system."""

from __future__ import annotations

from dorosim.bridge.answer import Refusal
from dorosim.bridge.control_mode import CTRL_MODES
from dorosim.bridge.udp.receive import MEANINGS, TURN_LAMPS, Receiver
from dorosim.wire.udp.catalogue import CATALOGUE
from dorosim.wire.udp.code import CtrlMode, TurnSignal
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.mount.command import MoveSensor
from dorosim.world.vehicle.mode import ControlKind
from tests import packet


def answers(run, datagram: bytes) -> list:
    receiver = Receiver(DEFAULT_REVISION, run.built.scene)
    _, message, _ = receiver.reader.read_limited(datagram, len(datagram))
    return list(receiver.commands(message, run.now))


def refusal(run, datagram: bytes) -> Refusal:
    (answer,) = answers(run, datagram)
    assert isinstance(answer, Refusal)
    return answer


def test_every_message_to_the_simulator_and_every_code_has_a_meaning():
    assert set(MEANINGS) == {message for message in CATALOGUE if message.table.to == "simulator"}
    assert set(CTRL_MODES) == set(CtrlMode)
    assert set(TURN_LAMPS) == set(TurnSignal)


def test_unknown_lights_and_intersections_are_refused_by_name(town):
    assert refusal(town, packet.light("C119BS010007", 16)) == Refusal(
        "refused", "SetTrafficLightCtrl: the map has no traffic light 'C119BS010007'"
    )
    assert refusal(town, packet.intersection(77, 0, 0.0)).reason == (
        "SetIntersectionStatus: the map has no intersection 77; it has 0, 1, 2, 3, 4, 5, 6, 7, 8, 9"
    )


def test_moving_a_sensor_is_a_command_with_its_number_in_the_sensor_set(town):
    (command,) = answers(town, packet.move_sensor(2))
    assert command == MoveSensor(2, (1.0, 0.0, 1.5), (0.0, 0.0, 0.0))


def test_saving_sensor_data_needs_a_folder(town):
    assert refusal(town, packet.save_sensors("scene")).reason == "SaveSensorData: this run has no folder of sensor data"


def test_empty_ghost_slots_ask_for_nothing(town):
    data = packet.npc_ghosts((0, "", 1.0, 2.0, 3.0, 4.0), (5, "2015_Kia_K5", 1.0, 2.0, 3.0, 4.0))
    assert [command.alias for command in answers(town, data)] == [5]


def test_users_are_told_of_a_ghost_whose_model_another_one_stands_for(town):
    notice, command = answers(town, packet.npc_ghosts((5, "2020_Hyundai_Ionik", 1.0, 2.0, 3.0, 4.0)))
    assert notice.text == "there is no vehicle '2020_Hyundai_Ionik'; '2016_Hyundai_Ioniq' stands for it"
    assert command.alias == 5


def test_cmd_type_2_keeps_the_limits_of_the_document_unless_the_settings_lift_them(town):
    data = packet.control(velocity_kmh=36.0, kind=2)
    for by_ability, kind in ((False, ControlKind.VELOCITY), (True, ControlKind.VELOCITY_BY_ABILITY)):
        receiver = Receiver(DEFAULT_REVISION, town.built.scene, by_ability=by_ability)
        _, message, _ = receiver.reader.read_limited(data, len(data))
        (command,) = receiver.commands(message, town.now)
        assert (command.kind, command.velocity) == (kind, 10.0)
        pedals = packet.control(accel=0.5)
        _, message, _ = receiver.reader.read_limited(pedals, len(pedals))
        (command,) = receiver.commands(message, town.now)
        assert command.kind is ControlKind.PEDALS
