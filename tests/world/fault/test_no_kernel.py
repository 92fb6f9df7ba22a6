"""Faults of controls and sensors use no kernel that an ego vehicle alone has not used, so they wait for none."""

import re
import subprocess
import sys

PROGRAM = """
import gc
from pathlib import Path
from numba.core.dispatcher import Dispatcher
from dorosim.app.run.build import build
from dorosim.app.setting.settings import Settings
from dorosim.ground.noise import Noise
from dorosim.world.fault.command import SetControlFault, SetSensorFault
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import ImuSettings
from dorosim.world.snapshot import EGO
from dorosim.world.step import step

def used():
    kernels = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {f"{one.py_func.__name__}{signature}" for one in kernels for signature in one.signatures}

built = build(Settings(), Path())
noise = Noise(0)
now = step(built.scene, built.first, (AddSensor(EGO, settings=ImuSettings()),), noise)
for _ in range(3):
    now = step(built.scene, now, (), noise)
before = used()
(mount,) = now.mounts.all()
faults = (
    SetControlFault(EGO, fault_class=1, fault_subclass=101, location=2),
    SetSensorFault(EGO, fault_class=1, fault_subclass=101, sensor=mount.id),
)
for _ in range(30):
    now = step(built.scene, now, faults, noise)
    assert not any(outcome.refusal for outcome in now.outcomes), now.outcomes
    faults = ()
print(len(before), used() - before or "none")
"""


def test_faults_use_no_further_kernel():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"[1-9]\d* none\n", done.stdout)
