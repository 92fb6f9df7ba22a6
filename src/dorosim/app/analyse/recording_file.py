"""What is in a recording, for people and machines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from dorosim.app.run.report.console import print_line
from dorosim.recording.format import decode_recording, tick_numbers, unread_bytes
from dorosim.recording.whole_file import read_file
from dorosim.world.physics import PHYSICS_VERSION


@dataclass(frozen=True, slots=True)
class RecordingFacts:
    """What is in a recording.

    Attributes:
        file: as it was named. ticks: how many there are. first_tick, last_tick: their numbers, 0 for none.
        duration_s: of that many ticks; less simulated time where the run was paused, or waited for steps.
        lost_bytes: at its end, which are no whole record. resets: how often the run began again in it.
        map, seed, tick_ms, egos: what the run was given. version, revision, epoch_s: of dorosim, of the product, and
            the wall time of tick 0.
        physics: number of the rules by which the run went on, 0 for none. replayable: whether they are this version's.
        from_snapshot: whether the run went on from a snapshot, which is in the file.
    """

    file: str
    ticks: int
    first_tick: int
    last_tick: int
    duration_s: float
    lost_bytes: int
    resets: int
    map: str
    seed: int
    tick_ms: float
    egos: list[str]
    version: str
    physics: int
    replayable: bool
    revision: str
    epoch_s: float
    from_snapshot: bool


def recording_facts(file: Path) -> RecordingFacts:
    """What is in a recording, also in one that this version cannot run again: its commands are not read.

    Raises:
        InputError: it is none.
    """
    content = read_file(file)
    header, _ = decode_recording(str(file), content, any_physics=True)
    numbers = tick_numbers(str(file), content)
    return RecordingFacts(
        file=str(file),
        ticks=len(numbers),
        first_tick=numbers[0] if numbers else 0,
        last_tick=numbers[-1] if numbers else 0,
        duration_s=len(numbers) * header.tick * 1e-9,
        lost_bytes=unread_bytes(content),
        resets=sum(number == numbers[0] for number in numbers[1:]),
        map=header.map_name,
        seed=header.seed,
        tick_ms=header.tick / 1e6,
        egos=[ego.model for ego in header.egos],
        version=header.version,
        physics=header.physics,
        replayable=header.physics == PHYSICS_VERSION,
        revision=header.revision,
        epoch_s=header.epoch * 1e-9,
        from_snapshot=bool(header.start),
    )


def print_recording(facts: RecordingFacts) -> None:
    """Print what is in a recording."""
    console = Console(highlight=False)
    span = f"ticks {facts.first_tick:,} to {facts.last_tick:,}" if facts.ticks else "no tick"
    resets = f", begun again {facts.resets} times" if facts.resets else ""
    lost = f", and {facts.lost_bytes:,} bytes that are not a whole record" if facts.lost_bytes else ""
    egos = ", ".join(facts.egos[:3]) + (", ..." if len(facts.egos) > 3 else "")
    start = "from a snapshot, " if facts.from_snapshot else ""
    physics = f"physics {facts.physics}" if facts.physics else "no physics number"
    again = (
        "can be run again here"
        if facts.replayable
        else f"here {PHYSICS_VERSION}: use dorosim {facts.version} to run it again"
    )
    for line in (
        f"{facts.file}: {span}, {facts.duration_s:.2f} s of ticks{resets}{lost}",
        f"of a run on map {facts.map}, {start}seed {facts.seed}, tick {facts.tick_ms:g} ms, begun with {egos}",
        f"recorded by dorosim {facts.version}, UDP revision {facts.revision}, epoch {facts.epoch_s:.3f} s",
        f"{physics}: {again}" if facts.replayable else f"{physics} ({again})",
    ):
        print_line(console, line)
