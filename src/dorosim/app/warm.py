"""Gets the kernels ready before the clock starts.

A kernel that is compiled for the first time takes seconds, one from the cache takes milliseconds. All of them are used
once before the clock starts, so that no tick waits for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from dorosim.app.build import Build
    from dorosim.bridge.udp.publish import Publisher
    from dorosim.world.command.catalogue import Command

FIRST_START = "first start: compiling kernels, once, up to 20 s"


@contextmanager
def prepare_kernels(console: Console) -> Iterator[Callable[[Build, Publisher, Sequence[Command]], None]]:
    """While kernels are not in the cache yet, say so; yields a function that makes all others ready.

    Args:
        console: where to say it.
    """
    from dorosim.ground.jit import is_cold

    if not is_cold():
        yield _use_every_kernel
        return
    if not console.is_terminal:
        console.print(f"{FIRST_START}, please wait")
    with console.status(f"{FIRST_START} (1/5: the map)") as status:

        def prepared(ready: Build, publisher: Publisher, commands: Sequence[Command]) -> None:
            for number, (label, use) in enumerate(_uses(ready, publisher, commands), start=2):
                status.update(f"{FIRST_START} ({number}/5: {label})")
                use()

        yield prepared


def _use_every_kernel(ready: Build, publisher: Publisher, commands: Sequence[Command]) -> None:
    for _, use in _uses(ready, publisher, commands):
        use()


def _uses(ready: Build, publisher: Publisher, commands: Sequence[Command]) -> list[tuple[str, Callable[[], object]]]:
    """One call of every kernel that a run may need, on a snapshot that is thrown away."""
    from dorosim.ground.noise import Noise
    from dorosim.world.command.vehicle import FollowTrajectory
    from dorosim.world.neighbour import neighbours_of
    from dorosim.world.snapshot import EGO
    from dorosim.world.step import step

    follow = FollowTrajectory(actor=EGO, points=((0.0, 0.0, 0.0, 1.0), (10.0, 0.0, 0.0, 1.0)))
    return [
        ("lanes", lambda: publisher.ego_status(ready.first)),
        ("objects", lambda: neighbours_of(ready.scene, ready.first, EGO, 1)),
        ("vehicles", lambda: step(ready.scene, ready.first, (), Noise(0))),
        ("driver", lambda: step(ready.scene, ready.first, (follow,), Noise(0))),
        ("traffic", lambda: step(ready.scene, ready.first, commands, Noise(0))),
    ]
