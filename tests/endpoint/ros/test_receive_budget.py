"""How fast frames from outside are taken."""

from __future__ import annotations

import asyncio
import time

from dorosim.endpoint.ros.rosbridge.receive_budget import BYTES, FRAMES, PULSE, ReceiveBudget


def test_a_long_frame_is_paid_for_by_the_slices_after_it() -> None:
    async def take() -> list[float]:
        budget, moments = ReceiveBudget(), []
        for size in (10, 20 * BYTES, 10, 10):
            await budget.turn(size)
            moments.append(time.monotonic())
        return moments

    first, long, after, last = asyncio.run(take())
    assert long - first < 5 * PULSE
    assert 18 * PULSE < after - long < 60 * PULSE
    assert last - after < 5 * PULSE


def test_short_frames_are_bounded_by_their_number() -> None:
    async def take() -> float:
        budget, begin = ReceiveBudget(), time.monotonic()
        for _ in range(10 * FRAMES):
            await budget.turn(1)
        return time.monotonic() - begin

    assert 8 * PULSE < asyncio.run(take()) < 60 * PULSE
