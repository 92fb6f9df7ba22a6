"""Headers of recordings of a run that a test drives tick by tick."""

from __future__ import annotations

import msgspec

from dorosim.recording.format import Header, RunHeader
from dorosim.world.physics import PHYSICS_VERSION
from tests.system.rig import Rig


def run_header(run: Rig) -> RunHeader:
    built = run.built
    return RunHeader(
        version="test",
        map_name="town",
        map_digest=built.map_files.digest,
        seed=0,
        tick=built.scene.tick,
        epoch=0,
        egos=built.egos,
        revision="24.R2",
        physics=PHYSICS_VERSION,
    )


def header_of(run: Rig, start: bytes = b"") -> Header:
    return Header(**msgspec.structs.asdict(run_header(run)), start=start)
