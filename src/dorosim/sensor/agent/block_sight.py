"""Reads what agents perceive from the block of a snapshot, as the worlds of a batch are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.linked_kernel import describe
from dorosim.sensor.agent.pool_kernel import LANES, READ_AGENTS, AgentPlace, read_worlds
from dorosim.world.block import InBlock, getter_of
from dorosim.world.ordinary.batch_kernel import WorldPlace
from dorosim.world.ordinary.frame import TickFrame
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

_block_of, _frame_of = getter_of(InBlock, "block"), getter_of(InBlock, "frame")
_MISSING, _NOW, _DONE = int(AgentPlace.MISSING), int(WorldPlace.NOW), int(WorldPlace.DONE)


def described(shared: Sequence[NDArray[Any]]) -> tuple[IntArray, IntArray]:
    """Addresses of the descriptions of what agents have in common (`Agents.shared`), as `read_worlds` takes them.

    Returns:
        the addresses, and the descriptions, which are to be kept as long as the addresses are used.
    """
    kinds, lanes = READ_AGENTS.kinds, len(LANES)
    taken = (*kinds[:lanes], kinds[lanes + 12], kinds[lanes + 13], kinds[lanes + 18])
    words = [describe(kind, one) for kind, one in zip(taken, shared, strict=True)]
    ends, kept = np.cumsum([0, *map(len, words)]), np.concatenate(words)
    return kept.ctypes.data + 8 * ends[:-1], kept


class BlockSight:
    """What is known of the block of a world, and of its agents, from one reading to the next.

    Attributes:
        agents: `(L, 1)` `AgentPlace` of the agents; None before `take`.
    """

    def __init__(self) -> None:
        self._places = np.zeros((len(WorldPlace), 1), np.int64)
        self._frame: TickFrame | None = None
        self.agents: IntArray | None = None

    def take(self, places: Sequence[int], shared: Sequence[NDArray[Any]]) -> None:
        """Note where agents are, and what they have in common: `Agents.places`, `Agents.shared`."""
        self.agents = np.zeros((len(AgentPlace), 1), np.int64)
        self.agents[:_MISSING, 0] = places
        self._arrays = tuple(shared)
        self._shared, self._kept = described(self._arrays)

    def places_of(self, scene: Scene, now: Snapshot, since: int) -> IntArray | None:
        """`(K, 1)` `WorldPlace` of a snapshot; None where it is in no block, or of another scene.

        Args:
            scene: of the agents.
            now: the snapshot.
            since: simulated time of a step ago [ns].
        """
        try:
            block, frame = _block_of(now), _frame_of(now)
        except AttributeError:
            return None
        ticks, rest = divmod(now.time - since, scene.tick)
        if not isinstance(frame, TickFrame) or frame.scene is not scene or rest:
            return None
        places = self._places
        if frame is not self._frame:
            links, words = frame.links.ints, frame.words
            places[WorldPlace.LENGTH], places[WorldPlace.GOES] = len(block), 1
            places[WorldPlace.GIVEN], places[WorldPlace.GIVEN_LENGTH] = words.ctypes.data, len(words)
            places[WorldPlace.LINKS], places[WorldPlace.LINK_COUNT] = links.ctypes.data, links.shape[1]
            self._frame = frame
        places[_NOW, 0], places[_DONE, 0] = block.ctypes.data, ticks
        return places

    def read(self, places: IntArray, into: tuple[NDArray[np.float32], FloatArray, FloatArray, IntArray]) -> bool:
        """Write what the agents perceive; False where a vehicle is not there, or a kernel.

        Args:
            places: of the world.
            into: `AgentBuffers`, each with an axis of length 1 before it.
        """
        assert self.agents is not None
        read_worlds(READ_AGENTS.address(), places, self.agents, self._shared, *into, 0, 1)
        return bool(self.agents[_MISSING, 0] == -1)
