"""The list of all kernels, by which several processes compile them at once.

`kernels.json` names each kernel with the types of its arguments, the longest first: those that every run needs from its
start, those of the world that come with traffic and people, those of sensors, those of storyboards, and those of
programs that learn, which no run loads or compiles.
`python -m tools.kernels` writes it.
A kernel that the list lacks, or names with other arguments than it has, is compiled where it is needed; one that is in
it in vain is compiled in vain.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.resources import files
from inspect import signature
from typing import Any, Literal

Group = Literal["start", "world", "sensor", "scenario", "gym"]
GROUPS: tuple[Group, ...] = ("start", "world", "sensor", "scenario", "gym")
"""In the order in which they are compiled."""


def listed(group: Group) -> Iterator[tuple[str, str, list[Any]]]:
    """Module, name and types of arguments of the kernels of a group, as they are listed."""
    content = files(__package__).joinpath("kernels.json").read_text("utf-8")
    yield from ((module, name, kinds) for module, name, kinds in json.loads(content)[group])


def compile_listed(group: Group, tell: Callable[[int, int], object] = lambda _, __: None) -> None:
    """Compile the kernels of a group, but for those that are there or that another process is compiling.

    Args:
        group: of the list.
        tell: called before each with its number, from 1, and how many there are.
    """
    from dorosim.ground.kernel_cache import compile_ahead
    from dorosim.ground.kernel_signature import read_type

    kernels = list(listed(group))
    for number, (module, name, kinds) in enumerate(kernels, start=1):
        tell(number, len(kernels))
        try:
            kernel, types = getattr(import_module(module), name), tuple(map(read_type, kinds))
        except (AttributeError, ImportError, TypeError):
            continue
        if len(types) == len(signature(kernel.py_func).parameters):
            compile_ahead(kernel, types)
