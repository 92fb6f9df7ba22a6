"""What a world of a batch begins with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import asdict

from dorosim import __version__
from dorosim.app.store.map import BUILT_IN, EMPTY, MapFiles
from dorosim.recording.format import MAGIC, EgoStart, Header, RunHeader, Tick, encode_record
from dorosim.recording.storyboard import KeptStoryboard
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.command import Command
from dorosim.world.physics import PHYSICS_VERSION
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldStart:
    """Where a world begins; nothing changes it, so that many worlds may begin there.

    Attributes:
        map_files: its map. scene: what it takes as given.
        first: its snapshot before anything happened. opening: commands that are done before its first tick.
        seed: of its randomness. egos: its ego vehicles.
        scenery_seed: of what stands beside the roads. solid: whether that stops what runs into it.
        storyboard: the scenario that it plays, None for none.
    """

    map_files: MapFiles
    scene: Scene
    first: Snapshot
    opening: tuple[Command, ...]
    seed: int
    egos: tuple[EgoStart, ...]
    scenery_seed: int = 0
    solid: bool = True
    storyboard: KeptStoryboard | None = None
    _recorded: list[tuple[bytes, bytes]] = field(default_factory=list, init=False, repr=False)

    @property
    def header(self) -> RunHeader:
        """What recordings and snapshot files of the world say of it."""
        built_in = self.map_files.name in (*BUILT_IN, EMPTY)
        return RunHeader(
            version=__version__,
            map_name=self.map_files.name if built_in else str(Path(self.map_files.source).resolve()),
            map_digest=self.map_files.digest,
            seed=self.seed,
            tick=self.scene.tick,
            epoch=0,
            egos=self.egos,
            revision=DEFAULT_REVISION.name,
            physics=PHYSICS_VERSION,
            scenery=self.scene.scenery.digest,
            scenery_seed=self.scenery_seed,
            solid=self.solid,
            storyboard=self.storyboard,
        )

    def recorded(self, now: Snapshot) -> tuple[bytes, bytes]:
        """What recordings of worlds begin with that begin here; it is kept, since many may.

        Args:
            now: such a world after its opening commands.

        Returns:
            the header, and the record of the tick of those commands.
        """
        if not self._recorded:
            held = now.time == self.first.time and not now.paused
            opening = encode_record(Tick(now.tick, b"", self.opening, held))
            self._recorded.append((MAGIC + encode_record(Header(**asdict(self.header))), opening))
        return self._recorded[0]
