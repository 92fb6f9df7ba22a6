"""Prints how many kernels each command needs beyond those of a run of an ego vehicle alone, as JSON by name.

A process of its own: in that of the tests others have used kernels before.
"""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path

from numba.core.dispatcher import Dispatcher

from dorosim.app.run.build import build
from dorosim.app.setting.settings import Settings
from dorosim.ground.noise import Noise
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Command
from dorosim.world.fault.command import SetControlFault, SetSensorFault
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import ImuSettings
from dorosim.world.snapshot import EGO
from dorosim.world.step import step
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import DriveByKeyboard, LeaveKeyboard, TakeKeyboard
from dorosim.world.vehicle.mode import Gear

COMMANDS: tuple[Command, ...] = (
    AddSensor(EGO, settings=ImuSettings()),
    PauseRun(paused=True),
    PauseRun(paused=False),
    TakeKeyboard(EGO),
    DriveByKeyboard(EGO, accelerator=1.0, steer=0.1, gear=Gear.D),
    LeaveKeyboard(EGO),
    *(SetControlFault(EGO, location=place, fault_class=2, fault_subclass=201) for place in (2, 3, 4)),
    SetSensorFault(EGO, sensor=1, fault_class=2, fault_subclass=201),
    CreateNpc(model="2015_Kia_K5", link=1, s=10.0),
)
TICKS = 20
"""After each command."""


def used() -> int:
    """Kernels that have been loaded or compiled, each for each kind of its arguments."""
    return sum(len(one.signatures) for one in gc.get_objects() if isinstance(one, Dispatcher))


def main(folder: Path) -> None:
    made, noise = build(Settings(), folder), Noise(0)
    now, found = made.first, {}
    for _ in range(TICKS):
        now = step(made.scene, now, (), noise)
    for command in COMMANDS:
        before, name = used(), type(command).__name__
        now = step(made.scene, now, (command,), noise)
        assert not now.outcomes[0].refusal, (name, now.outcomes[0].refusal)
        for _ in range(TICKS):
            now = step(made.scene, now, (), noise)
        found[name] = found.get(name, 0) + used() - before
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
