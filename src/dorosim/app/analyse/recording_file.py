"""What is in a recording, for people and machines."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from dorosim.app.run.report.console import print_line
from dorosim.app.run.report.json_output import Facts
from dorosim.recording.duration import elapsed_ticks
from dorosim.recording.format import RunHeader, decode_recording, raw_ticks, unread_bytes
from dorosim.recording.whole_file import read_file
from dorosim.world.physics import PHYSICS_VERSION


def header_facts(run: RunHeader) -> Facts:
    """What a header says of its run.

    Returns:
        map, seed, tick_ms, egos: what the run was given.
        version, revision, epoch_s: of dorosim, of the product, and the wall time of tick 0.
        physics: number of the rules by which the run went on, 0 for none.
        scenario: file of OpenSCENARIO that it plays, None for none. parameters: values that were given for it.
    """
    kept = run.storyboard
    return {
        "map": run.map_name,
        "seed": run.seed,
        "tick_ms": run.tick / 1e6,
        "egos": [ego.model for ego in run.egos],
        "version": run.version,
        "physics": run.physics,
        "revision": run.revision,
        "epoch_s": run.epoch * 1e-9,
        "scenario": None if kept is None else kept.source,
        "parameters": {} if kept is None else dict(kept.parameters),
    }


def header_lines(facts: Facts, start: str, written: str) -> tuple[str, ...]:
    """The same for people.

    Args:
        facts: of `header_facts`.
        start: what the run began from, "" for its tick 0.
        written: how the file was written, "recorded" or "saved".
    """
    egos = ", ".join(facts["egos"][:3]) + (", ..." if len(facts["egos"]) > 3 else "")
    run = f"map {facts['map']}, {start}seed {facts['seed']}, tick {facts['tick_ms']:g} ms, begun with {egos}"
    by = f"dorosim {facts['version']}, UDP revision {facts['revision']}, epoch {facts['epoch_s']:.3f} s"
    given = "".join(f", {name}={value}" for name, value in facts["parameters"].items())
    played = (f"it plays {facts['scenario']}{given}",) if facts["scenario"] else ()
    return f"of a run on {run}", *played, f"{written} by {by}"


def recording_facts(file: Path) -> Facts:
    """What is in a recording, also in one that this version cannot run again: its commands are not read.

    Returns:
        Those of `header_facts`, and file: as it was named. ticks: how many there are. first_tick, last_tick: their
        numbers, 0 for none. duration_s: simulated time from its beginning to its end, over all resets. held_ticks:
        ticks in which no simulated time passed: the run was paused, or waited for a step. lost_bytes: at its end, which
        are no whole record. resets: how often the run began again in it. replayable: whether the rules by which it went
        on are this version's. from_snapshot: whether the run went on from a snapshot, which is in the file.

    Raises:
        InputError: it is none.
    """
    content = read_file(file)
    header, _ = decode_recording(str(file), content, any_physics=True)
    ticks = raw_ticks(str(file), content)
    numbers = [one.tick for one in ticks]
    elapsed = max(elapsed_ticks(ticks), default=0)
    return {
        "file": str(file),
        "ticks": len(numbers),
        "first_tick": numbers[0] if numbers else 0,
        "last_tick": numbers[-1] if numbers else 0,
        "duration_s": elapsed * header.tick * 1e-9,
        "held_ticks": len(numbers) - elapsed,
        "lost_bytes": unread_bytes(content),
        "resets": sum(number == numbers[0] for number in numbers[1:]),
        **header_facts(header),
        "replayable": header.physics == PHYSICS_VERSION,
        "from_snapshot": bool(header.start),
    }


def print_recording(facts: Facts) -> None:
    """Print what is in a recording."""
    console = Console(highlight=False)
    span = f"ticks {facts['first_tick']:,} to {facts['last_tick']:,}" if facts["ticks"] else "no tick"
    resets = f", begun again {facts['resets']} times" if facts["resets"] else ""
    lost = f", and {facts['lost_bytes']:,} bytes that are not a whole record" if facts["lost_bytes"] else ""
    physics = f"physics {facts['physics']}" if facts["physics"] else "no physics number"
    other = f" (here {PHYSICS_VERSION}: use dorosim {facts['version']} to run it again)"
    held = f", time stood in {facts['held_ticks']:,} of them" if facts["held_ticks"] else ""
    for line in (
        f"{facts['file']}: {span}, {facts['duration_s']:.2f} s simulated{held}{resets}{lost}",
        *header_lines(facts, "from a snapshot, " if facts["from_snapshot"] else "", "recorded"),
        f"{physics}: can be run again here" if facts["replayable"] else physics + other,
    ):
        print_line(console, line)
