"""Event commands: which fields count, what their codes mean, and what is refused."""

from __future__ import annotations

import pytest

from dorosim.bridge.answer import Refusal
from dorosim.bridge.event import Event, answers_of_event
from dorosim.world.actor.command import PauseRun
from dorosim.world.vehicle.command import SelectMode, SetLamps
from dorosim.world.vehicle.mode import ControlMode, Gear, TurnLamp


def answers(**fields) -> list:
    return list(answers_of_event(Event(**fields), actor=3))


def test_only_the_fields_that_the_option_picks_count():
    everything = {"ctrl_mode": 4, "gear": 4, "turn_signal": 1, "emergency_signal": 1, "set_pause": True}
    assert answers(option=1, **everything) == [SelectMode(actor=3, mode=ControlMode.CRUISE)]
    assert answers(option=2, **everything) == [SelectMode(actor=3, gear=Gear.D)]
    assert answers(option=4, **everything) == [SetLamps(actor=3, turn=TurnLamp.LEFT, emergency=True)]
    assert answers(option=8, **everything) == [PauseRun(paused=True)]
    assert answers(option=15, **everything) == [
        SelectMode(actor=3, mode=ControlMode.CRUISE, gear=Gear.D),
        SetLamps(actor=3, turn=TurnLamp.LEFT, emergency=True),
        PauseRun(paused=True),
    ]


def test_what_public_clients_send():
    """option 3, ctrl_mode 3, gear 4 (facts/ros-grpc-mgeo.md, 5): auto mode in gear D."""
    assert answers(option=3, ctrl_mode=3, gear=4) == [SelectMode(actor=3, mode=ControlMode.AUTO, gear=Gear.D)]
    assert answers(option=7, ctrl_mode=3, gear=-1, turn_signal=3) == [
        SelectMode(actor=3, mode=ControlMode.AUTO),
        SetLamps(actor=3, turn=None, emergency=False),
    ]


@pytest.mark.parametrize(
    ("code", "mode"), [(1, "KEYBOARD"), (2, "KEYBOARD"), (3, "AUTO"), (4, "CRUISE"), (6, "CRUISE")]
)
def test_control_modes(code, mode):
    assert answers(option=1, ctrl_mode=code) == [SelectMode(actor=3, mode=ControlMode[mode])]


@pytest.mark.parametrize(("code", "gear"), [(0, "M"), (1, "P"), (2, "R"), (3, "N"), (4, "D"), (5, "L")])
def test_gears(code, gear):
    assert answers(option=2, gear=code) == [SelectMode(actor=3, gear=Gear[gear])]


def test_a_gear_that_is_kept_asks_for_nothing():
    assert answers(option=2, gear=-1) == []


@pytest.mark.parametrize(("code", "lamp"), [(0, TurnLamp.OFF), (1, TurnLamp.LEFT), (2, TurnLamp.RIGHT), (3, None)])
def test_turn_signals_with_the_meaning_keep(code, lamp):
    assert answers(option=4, turn_signal=code, emergency_signal=1) == [SetLamps(actor=3, turn=lamp, emergency=True)]


def test_the_pause_is_the_simulators():
    assert answers(option=8, set_pause=False) == [PauseRun(paused=False)]


def test_an_unknown_code_is_refused_and_stops_nothing_else():
    refusal, command = answers(option=3, ctrl_mode=5, gear=2)
    assert refusal == Refusal("event: ctrl_mode 5 is not valid: it must be one of 1, 2, 3, 4, 6")
    assert command == SelectMode(actor=3, gear=Gear.R)
    assert answers(option=2, gear=9) == [Refusal("event: gear 9 is not valid: it must be one of -1, 0, 1, 2, 3, 4, 5")]
    refusal, command = answers(option=4, turn_signal=4, emergency_signal=1)
    assert refusal == Refusal("event: turnSignal 4 is not valid: it must be one of 0, 1, 2, 3")
    assert command == SetLamps(actor=3, emergency=True)
    refusal, command = answers(option=4, turn_signal=2, emergency_signal=7)
    assert refusal.reason == "event: emergencySignal 7 is not valid: it must be one of 0, 1"
    assert command == SetLamps(actor=3, turn=TurnLamp.RIGHT)


@pytest.mark.parametrize("option", [0, 16, -128])
def test_an_option_that_picks_nothing_is_refused(option):
    (refusal,) = answers(option=option)
    assert refusal.reason == f"event: option {option} is not a sum of 1 ctrl_mode, 2 gear, 4 lamps, 8 pause"


def test_unknown_bits_are_refused_and_the_known_ones_done():
    refusal, command = answers(option=16 + 8, set_pause=True)
    assert isinstance(refusal, Refusal)
    assert command == PauseRun(paused=True)
