"""Runs of this machine, which programs find by the files that they write (`dorosim.ground.run_folder`)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dorosim.client.error import NoServerError
from dorosim.ground.run_folder import FILE_SUFFIX, LOCK_SUFFIX, is_locked, run_folder

START_PATIENCE_S, _POLL_PERIOD_S = 10.0, 0.05
"""So long a program waits for the addresses of a run that has begun, and from one look to the next [s]."""
RUN_VARIABLE = "DOROSIM_RUN"
"""Environment variable with the id of the run that programs connect to, or its file."""


class Run(NamedTuple):
    """A run of this machine.

    Attributes:
        id: as its banner names it. facts: its `ready` event (docs/reference/commands.md, `dorosim run`).
    """

    id: str
    facts: Mapping[str, Any]

    @property
    def interfaces(self) -> Mapping[str, str]:
        """Addresses by the name of the interface: "grpc", "rosbridge", "page"."""
        found: Mapping[str, str] = self.facts.get("interfaces", {})
        return found

    @property
    def grpc(self) -> str:
        """Address of its gRPC server, as "127.0.0.1:7789".

        Raises:
            NoServerError: it has none.
        """
        if "grpc" not in self.interfaces:
            raise NoServerError(f"run {self.id} serves no gRPC", "its banner says why")
        return self.interfaces["grpc"]

    @property
    def port_offset(self) -> int:
        """By how much its ports are greater than the usual ones."""
        return int(self.facts.get("port_offset", 0))

    def port(self, usual: int) -> int:
        """The port that it has in the place of a usual one, as 9093 or 909."""
        return usual + self.port_offset


def find_run(name: str | os.PathLike[str] | None = None) -> Run | None:
    """A run that goes on.

    Args:
        name: its id or file; what the environment variable DOROSIM_RUN says if it is not given.

    Returns:
        The run, None where neither `name` nor the variable says which.

    Raises:
        NoServerError: there is no such run any more, or its file cannot be read. A run that has begun and cannot be
            reached yet is waited for.
    """
    chosen = os.environ.get(RUN_VARIABLE, "") if name is None else os.fspath(name)
    if not chosen:
        return None
    path = Path(chosen)
    if path.suffix != FILE_SUFFIX:
        path = run_folder() / f"{path.name}{FILE_SUFFIX}"
    _wait_for(path)
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        return Run(str(facts["run_id"]), facts)
    except FileNotFoundError:
        known = ", ".join(one.id for one in running()) or "none"
        cure = f"runs of this machine: {known}; see the banner of `dorosim run`"
        raise NoServerError(f"there is no run {chosen!r}", cure) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoServerError(f"{path}: is not the file of a run: {error}", "see the banner of `dorosim run`") from None


def _wait_for(path: Path) -> None:
    """Wait for the file of a run that has begun: it is there once all interfaces can be reached."""
    end = time.monotonic() + START_PATIENCE_S
    while not path.exists() and is_locked(path.with_suffix(LOCK_SUFFIX)) and time.monotonic() < end:
        time.sleep(_POLL_PERIOD_S)


def running() -> list[Run]:
    """The runs of this user on this machine that can be reached, by id; those that have ended are left out."""
    found = []
    folder = run_folder()
    for path in sorted(folder.glob(f"*{FILE_SUFFIX}")) if folder.is_dir() else ():
        if not is_locked(path.with_suffix(LOCK_SUFFIX)):
            continue
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
            found.append(Run(str(facts["run_id"]), facts))
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found
