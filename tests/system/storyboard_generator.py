"""A generator for every command of and to a storyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dorosim.world.command import Command
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.storyboard.command import SetUserDefinedValue, ShowSignal, SpawnTraffic, StopStoryboard
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tests.system.chooser import Chooser

STATES = ("off;off;on", "on;off;off", "red", "green", "off", "purple")


def _show_signal(c: Chooser) -> Command:
    return ShowSignal(c.one_of((*c.scene.signal_plan.ids[:20], "nothing")), c.one_of(STATES))


def _spawn_traffic(c: Chooser) -> Command:
    walks = c.happens(0.3)
    return SpawnTraffic(
        model="" if walks else c.one_of(VEHICLE_MODELS).name,
        person=c.whole(0, len(PEDESTRIAN_MODELS) - 1) if walks else -1,
        position=c.place(),
        yaw=c.angle(),
        speed=c.number(0.0, 40.0),
        desired_speed=c.number(0.0, 40.0),
        lane_change=c.happens(),
        owner=c.one_of(("scenario traffic 1", "me")),
    )


STORYBOARD: dict[type[Any], Callable[[Chooser], Command]] = {
    SetUserDefinedValue: lambda c: SetUserDefinedValue(c.one_of(("speed", "")), c.one_of(("1", "fast"))),
    StopStoryboard: lambda _: StopStoryboard(),
    ShowSignal: _show_signal,
    SpawnTraffic: _spawn_traffic,
}
"""How each command is made."""
