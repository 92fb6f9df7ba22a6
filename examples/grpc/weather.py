#!/usr/bin/env python3
"""Goes through weathers and times of day, and makes the road slippery for a while. For asyncio.

Start the simulator (dorosim run), then: python examples/grpc/weather.py [HOST:PORT]
"""

import asyncio
import sys

from dorosim.client import AsyncClient
from dorosim.client.environment import Weather

DAY: tuple[tuple[Weather, float], ...] = (("sunny", 12), ("foggy", 6.5), ("rainy", 18), ("snowy", 22))


async def play(address: str, pause: float) -> list[tuple[str, float, float]]:
    seen = []
    async with AsyncClient(address) as client:
        for weather, hour in DAY:
            await client.set_weather(weather)
            await client.set_hour(hour)
            await client.set_friction(0.6 if weather in ("rainy", "snowy") else 1.0)
            found, clock, friction = await asyncio.gather(client.weather(), client.hour(), client.friction())
            print(f"{clock:04.1f} h, {found}, friction {friction:.1f}")
            seen.append((found, round(clock, 3), round(friction, 3)))
            await asyncio.sleep(pause)
        await client.set_weather("sunny")
        await client.set_friction(1.0)
    return seen


def main(address: str = "127.0.0.1:7789", *, pause: float = 0.5) -> list[tuple[str, float, float]]:
    return asyncio.run(play(address, pause))


if __name__ == "__main__":
    main(*sys.argv[1:2])
