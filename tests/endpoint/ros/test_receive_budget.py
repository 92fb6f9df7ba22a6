"""How fast frames from outside are taken."""

from __future__ import annotations

import asyncio

import pytest

from dorosim.endpoint.ros import receive_budget
from dorosim.endpoint.ros.receive_budget import PULSE_S as PULSE
from dorosim.endpoint.ros.receive_budget import ROSBRIDGE_BUDGET, ReceiveBudget
from tests.timing import ManualClock

FRAMES, BYTES = ROSBRIDGE_BUDGET


def moments(monkeypatch: pytest.MonkeyPatch, *sizes: int) -> list[float]:
    """When frames of these sizes are taken, from the first one on, in pulses."""
    clock = ManualClock()

    async def sleep(seconds: float) -> None:
        clock.advance(seconds + 1e-9)

    async def take() -> list[float]:
        budget, taken = ReceiveBudget(*ROSBRIDGE_BUDGET, clock), []
        for size in sizes:
            await budget.turn(size)
            taken.append(clock.now)
        return taken

    monkeypatch.setattr(receive_budget.asyncio, "sleep", sleep)
    taken = asyncio.run(take())
    return [(moment - taken[0]) / PULSE for moment in taken]


def test_a_long_frame_is_paid_for_by_the_slices_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert moments(monkeypatch, 10, 20 * BYTES, 10, 10) == pytest.approx([0.0, 0.0, 19.0, 19.0], abs=0.1)


def test_short_frames_are_bounded_by_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    assert moments(monkeypatch, *[1] * 10 * FRAMES)[-1] == pytest.approx(9.0, abs=0.1)
