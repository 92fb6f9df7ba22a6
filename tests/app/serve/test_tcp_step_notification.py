"""What the newest clients of the fixed step are told unasked, and that no other client is."""

from __future__ import annotations

import struct
from itertools import pairwise

import pytest

from tests.app.serve.suite_file import write_suite
from tests.app.serve.tcp_step_program import served, step_mode
from tests.system.step_client import (
    LOAD_SUITE,
    PAUSE,
    PLAY,
    SCENARIO_CONTROL,
    SCENARIO_STATUS,
    SET_TIME,
    STEP,
    STOP,
    StepClient,
    text,
)

GET_STATUS = 0x1001
LOADING, READY = 3, 4


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    with served(tmp_path_factory.mktemp("told")) as program:
        write_suite(program.program.data / "Scenario" / "Suites")
        yield program


@pytest.fixture
def client(run):
    """One of the newest clients: it asks for the state of the program first."""
    with run.client() as one:
        assert one.done(GET_STATUS) == struct.pack("<I", READY)
        yield one


def fields(payload: bytes) -> dict[int, int | str]:
    """A protobuf message of varints and texts below 128."""
    found: dict[int, int | str] = {}
    while payload:
        number, kind, value = payload[0] >> 3, payload[0] & 7, payload[1]
        assert value < 128
        payload = payload[2:]
        if kind == 2:
            found[number], payload = payload[:value].decode(), payload[value:]
        else:
            assert kind == 0
            found[number] = value
    return found


def frames(client: StepClient, asked: int, payload: bytes = b"") -> list[tuple[int, dict[int, int | str]]]:
    """Ask, and return the notifications that come before the answers of this and of one more request."""
    client.notifications.clear()
    client.done(asked, payload)
    client.done(GET_STATUS)
    return [(number, fields(data)) for number, data in client.notifications]


def control(command: int, name: str = "") -> tuple[int, bytes]:
    return SCENARIO_CONTROL, struct.pack("<I", command) + text(name)


def test_a_client_that_steps_is_told_between_its_answers(run, client):
    step_mode(client_of_first_form := run.client())
    try:
        assert not [one for one in frames(client, STEP, struct.pack("<I", 0)) if one[0] == SCENARIO_STATUS]
        told = frames(client, *control(PAUSE))
        assert [one[1][1] for one in told if one[0] == SCENARIO_STATUS] == [STOP], "it stands at its start"
        told = frames(client, *control(PLAY))
        assert [one[1][1] for one in told if one[0] == SCENARIO_STATUS] == [PLAY]
    finally:
        client_of_first_form.done(SET_TIME, struct.pack("<iff", 1, 0.0, 1.0))
        client_of_first_form.close()


def test_older_clients_are_told_nothing(run, client):
    with run.client() as older:
        older.done(SET_TIME, struct.pack("<iff", 1, 0.0, 1.0))
        assert frames(client, *control(PAUSE))
        assert frames(client, *control(PLAY))
        older.done(SCENARIO_STATUS)
        assert older.notifications == []


def test_the_newest_clients_are_told_what_the_scenario_does(client):
    told = frames(client, LOAD_SUITE, text("Suites/My suite.msuite"))
    assert (GET_STATUS, {1: LOADING}) in told
    assert told.index((GET_STATUS, {1: LOADING})) < told.index((GET_STATUS, {1: READY}))
    told += frames(client, *control(PLAY))
    told += frames(client, *control(PAUSE))
    told += frames(client, *control(STOP))
    told += frames(client, *control(PLAY, "Far"))
    scenario = [(one[1], one.get(2)) for number, one in told if number == SCENARIO_STATUS]
    for before, after in (
        ((STOP, "Alone"), (PLAY, "Alone")),
        ((PLAY, "Alone"), (PAUSE, "Alone")),
        ((PAUSE, "Alone"), (STOP, "Alone")),
        ((STOP, "Alone"), (PLAY, "Far")),
    ):
        assert scenario.index(before) < len(scenario) - 1 - scenario[::-1].index(after), (before, after, scenario)
    assert all(a != b for a, b in pairwise(scenario)), "each change once"
