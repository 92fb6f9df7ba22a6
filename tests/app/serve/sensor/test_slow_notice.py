"""The start of a run says how fast its sensors let it be."""

from __future__ import annotations

import msgspec
import pytest
from rich.console import Console

from dorosim.app.run.report.run_facts import run_facts_of
from dorosim.app.run.session import RunContext, open_session
from dorosim.app.setting.settings import SensorRow, Settings, UdpSettings
from dorosim.endpoint.journal import Journal, silent
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.sensor import rehearsal
from tests.app.network import network_file
from tests.port import free_port

CAMERA = SensorRow(kind="camera", settings={"width": 64, "height": 48})
"""Small enough for any machine."""


def notices_of(folder, rows: tuple[SensorRow, ...], speed: float | None = 1.0) -> list[str]:
    """What the banner tells of besides addresses, once the run has opened its sensors."""
    network = network_file(folder, free_port(), free_port())
    settings = msgspec.structs.replace(Settings(), sensor=rows, udp=UdpSettings(network=str(network)))
    context = RunContext(given=(), data=folder, journal=Journal(silent), clock=PacedClock(speed))
    session = open_session(settings, context)
    resources = session.open_resources(Console(quiet=True))
    try:
        return [line for line in run_facts_of(session).notices if "x real time" in line]
    finally:
        resources.station.close()
        resources.output.close()
        session.endpoint.close()


def test_a_run_that_cannot_keep_its_pace_says_which_it_will_have(tmp_path, monkeypatch):
    monkeypatch.setattr(rehearsal, "pace_within_reach", lambda *_, **__: 0.314)
    (notice,) = notices_of(tmp_path, (CAMERA,))
    assert "about 0.31 x real time" in notice


def test_the_pace_that_was_asked_for_is_what_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(rehearsal, "pace_within_reach", lambda *_, **__: 0.9)
    assert notices_of(tmp_path, (CAMERA,), speed=0.5) == []


def test_a_run_as_fast_as_possible_rehearses_nothing(tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> float:
        raise AssertionError

    monkeypatch.setattr(rehearsal, "pace_within_reach", fail)
    assert notices_of(tmp_path, (CAMERA,), speed=None) == []


def test_a_run_without_sensors_says_nothing(tmp_path):
    assert notices_of(tmp_path, ()) == []


@pytest.mark.parametrize("count", [1, 3])
def test_the_pace_is_measured(tmp_path, count):
    """Readings are made, and cost something: three cameras reach less than ten thousand times real time."""
    found = []
    real = rehearsal.pace_within_reach

    def measured(*arguments, **more) -> float:
        found.append(real(*arguments, **more))
        return found[0]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rehearsal, "pace_within_reach", measured)
        notices_of(tmp_path, (CAMERA,) * count)
    assert 0.0 < found[0] < 1e4
