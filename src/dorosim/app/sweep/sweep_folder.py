"""The folder of a sweep: its plan, its journals, and what is made of them.

plan.toml or plan.json   the plan as it was given
sweep.json               where it was, and its digest
journal/                 lines of finished cells
log/                     what workers and stacks print
report/                  made by `dorosim sweep report`
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from dorosim import __version__
from dorosim.app.sweep.cell import CellLine, decode_line
from dorosim.app.sweep.journal import journals_of, read_journal
from dorosim.app.sweep.plan import MAX_CELLS, SweepPlan
from dorosim.app.sweep.plan_file import plan_from_text
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import read_file, write_file

_CURE = "give another folder with --out"


class SweepFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a sweep's folder says of it.

    Attributes:
        source: the plan's file. base: folder of the files that it names. digest: of the plan and these files.
        version: of dorosim. total: cells, 0 where it is not known before the end.
    """

    source: str
    base: str
    digest: str
    version: str = __version__
    total: int = 0


class SweepFolder:
    """A folder that has a sweep.

    Args:
        path: of the folder.

    Raises:
        InputError: it has none.

    Attributes:
        path: of the folder. facts: what it says. base: folder of the files that the plan names.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            content = read_file(path / "sweep.json")
            self.facts = msgspec.json.decode(content, type=SweepFacts)
        except (InputError, msgspec.DecodeError):
            cure = "name the folder that 'dorosim sweep PLAN' wrote"
            raise InputError(str(path), "", "has no sweep", cure) from None
        self.base = Path(self.facts.base)

    def plan(self) -> SweepPlan:
        """The plan.

        Raises:
            InputError: it, or a file that it names, cannot be used any more.
        """
        file = next((one for one in self.path.glob("plan.*")), self.path / "plan.toml")
        plan, problems = plan_from_text(read_file(file).decode(), self.facts.source, self.base)
        if plan is None:
            raise problems[0]
        return plan

    def lines(self) -> Iterator[CellLine]:
        """What became of the cells that are finished, each once, in no order; lines of something else do not count."""
        seen = bytearray()
        for journal in journals_of(self.path):
            for content in read_journal(journal):
                try:
                    line = decode_line(content)
                except msgspec.DecodeError:
                    continue
                number = line.row.cell.number
                if not 0 <= number < (self.facts.total or MAX_CELLS):
                    continue
                if number >= len(seen):
                    seen.extend(bytes(number + 1 - len(seen) + (len(seen) >> 1)))
                if not seen[number]:
                    seen[number] = 1
                    yield line

    def fullness(self, free_mib: int) -> str:
        """A sentence if there is less room on the disk than there has to be, "" else."""
        found = os.statvfs(self.path)
        free = found.f_bavail * found.f_frsize >> 20
        if free >= free_mib:
            return ""
        return f"the disk has {free} MiB left, and limits.free_mib asks for {free_mib}"


def make_folder(path: Path, plan: SweepPlan, base: Path, total: int, *, resume: bool) -> SweepFolder:
    """The folder of a sweep, made or gone on with. Its lock is held.

    Args:
        path: of the folder.
        plan: of the sweep.
        base: folder of the files that it names.
        total: cells.
        resume: whether it is gone on with.

    Raises:
        InputError: there is another sweep in it, or one that is not to be gone on with.
    """
    digest = digest_of_plan(plan)
    if (path / "sweep.json").exists():
        found = SweepFolder(path)
        if not resume:
            problem = "has a sweep already"
            raise InputError(str(path), "", problem, "add --resume to go on with it, or give another folder with --out")
        if found.facts.digest != digest:
            problem = f"has a sweep of another plan or of other scenario files than {plan.source} has now"
            raise InputError(str(path), "", problem, _CURE)
        if found.facts.version != __version__:
            problem = f"has a sweep of dorosim {found.facts.version}, whose runs may be others"
            raise InputError(str(path), "", problem, f"use that version, or {_CURE}")
        return found
    (path / "journal").mkdir(parents=True, exist_ok=True)
    (path / "log").mkdir(exist_ok=True)
    ending = "json" if plan.text.lstrip().startswith("{") else "toml"
    write_file(path / f"plan.{ending}", plan.text.encode(), _CURE)
    facts = SweepFacts(source=plan.source, base=str(base.absolute()), digest=digest, total=total)
    write_file(path / "sweep.json", msgspec.json.encode(facts), _CURE)
    return SweepFolder(path)


def digest_of_plan(plan: SweepPlan) -> str:
    """A digest of a plan and of the scenario files that it names."""
    digest = hashlib.sha256(plan.text.encode())
    for entry in plan.scenarios:
        path = Path(entry.file)
        digest.update(path.read_bytes() if path.is_file() else entry.file.encode())
    return digest.hexdigest()[:32]
