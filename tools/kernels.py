"""Writes the list of all kernels: `python -m tools.kernels src/dorosim/app/run/kernels.json`.

It uses everything once, as the first start and the rehearsals do, and lists what is loaded. Where a kernel is compiled
it does so once more in another process, now that all kernels are there.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher

import dorosim.app.store.cache_file as cache_file
import dorosim.road.mapped_store as mapped_store
from dorosim.app.run.build import build
from dorosim.app.run.compile import compile_sensors, rehearsal, use_seldom_kernels
from dorosim.app.run.kernel_warmup import start_uses
from dorosim.app.run.storyboard_rehearsal import use_storyboard_kernels
from dorosim.app.setting.settings import Settings
from dorosim.bridge.udp.object_slot import FURTHER_EGOS
from dorosim.bridge.udp.publish import Publisher
from dorosim.ground import kernel_pack
from dorosim.ground.kernel_cache import SharedCache
from dorosim.ground.kernel_signature import write_type
from dorosim.ground.noise import Noise
from dorosim.gym.env import DrivingEnv
from dorosim.gym.episodes import EpisodeSet
from dorosim.gym.kinematic import KinematicSet
from dorosim.gym.setting import KINEMATIC_PARTS
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.actor.neighbour import neighbours_of
from dorosim.world.snapshot import EGO
from dorosim.world.step import step


def used() -> dict[str, tuple[int, list[Any]]]:
    """Kernels that have been loaded, by their text: length of their code [bytes], and their entry."""
    found = {}
    for one in kernels():
        function = one.py_func
        for signature in one.signatures:
            if any(isinstance(kind, types.Literal) for kind in signature):
                continue  # compiled inside another kernel, for a number that stands there; no start asks for it
            entry = [function.__module__, function.__name__, [write_type(kind) for kind in signature]]
            found[json.dumps(entry)] = (_length(one, signature), entry)
    return found


def kernels() -> Iterator[Any]:
    """Those that are there by now."""
    for one in gc.get_objects():
        if not (isinstance(one, Dispatcher) and isinstance(getattr(one, "_cache", None), SharedCache)):
            continue
        module = one.py_func.__module__
        if module.startswith("dorosim.") and not module.endswith("bare_kernel"):
            yield one


def _length(kernel: Any, signature: Any) -> int:
    function = kernel.py_func
    if (packed := kernel_pack.find(function, signature)) is not None:
        return len(packed)
    cache = kernel._cache
    name = cache._cache_file._load_index()[cache._index_key(signature, kernel.targetctx.codegen())]
    return int((Path(cache.cache_path) / name).stat().st_size)


def groups() -> dict[str, list[Any]]:
    """The list: groups of kernels, in each those of the longest code first."""

    def forget(path: Path, *_: object) -> Any:
        raise FileNotFoundError(path)

    for module, name in ((cache_file, "read_kept"), (mapped_store, "read_mapped")):
        setattr(module, name, forget)  # maps are compiled, as at the first start
    made = build(Settings(), Path())
    publisher = Publisher(made.scene, DEFAULT_REVISION, 0, FURTHER_EGOS["vehicle"])
    for _, use in start_uses(made, publisher):
        use()
    start = used()
    now = step(made.scene, made.first, rehearsal(made), Noise(0))
    neighbours_of(made.scene, now, EGO, 1)
    use_seldom_kernels(made, now)
    world = {key: one for key, one in used().items() if key not in start}
    compile_sensors(made, now)
    sensor = {key: one for key, one in used().items() if key not in start and key not in world}
    use_storyboard_kernels(made)
    scenario = {key: one for key, one in used().items() if not any(key in other for other in (start, world, sensor))}
    use_agents()
    others = (start, world, sensor, scenario)
    gym = {key: one for key, one in used().items() if not any(key in other for other in others)}
    return {
        name: [entry for _, entry in sorted(group.values(), key=lambda one: (-one[0], one[1][:2]))]
        for name, group in (
            ("start", start),
            ("world", world),
            ("sensor", sensor),
            ("scenario", scenario),
            ("gym", gym),
        )
    }


def use_agents() -> None:
    """Use what programs that learn need: a world alone, many, rays to the edge of the lanes, and kinematic agents."""
    for vehicles, observations in ((2, ("ego", "neighbours", "road", "lights")), (0, ("ego", "lidar"))):
        settings: dict[str, Any] = {"vehicles": vehicles, "pedestrians": vehicles, "observations": observations}
        many = EpisodeSet("Town", 2, {**settings, "rays": 4, "rings": 2})
        for number in range(2):
            many.reset(number, number)
        with TemporaryDirectory() as folder:
            assert many.episodes[0].world is not None
            many.episodes[0].world.record(Path(folder) / "one.rec")
            for _ in range(3):
                many.step(np.zeros((2, 2)), range(2))
            many.infos()
            many.close()
    alone = DrivingEnv("Town", vehicles=2)
    alone.reset(seed=0)
    for _ in range(4):
        alone.step(alone.action_space.sample())
    alone.close()
    kinematic = KinematicSet("Town", 1, {"agents": 2, "dynamics": "kinematic", "observations": KINEMATIC_PARTS})
    kinematic.reset(0, 0)
    kinematic.step(np.zeros((2, 2)))
    kinematic.close()


def text_of(found: dict[str, list[Any]]) -> str:
    """The list as it is written: a line for each kernel."""
    parts = []
    for name, group in found.items():
        lines = ",\n".join(f"  {json.dumps(entry)}" for entry in group)
        parts.append(f' "{name}": [\n{lines}\n ]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    made = groups()
    again = "--again"
    if again not in sys.argv and any(one.stats.cache_misses for one in kernels()):
        # a kernel that was compiled for another kernel alone is not in the list of a process that only loads
        os.execv(sys.executable, [sys.executable, "-m", "tools.kernels", sys.argv[1], again])
    Path(sys.argv[1]).write_text(text_of(made), "utf-8")
