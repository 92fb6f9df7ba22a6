"""Copies the .proto files into a folder of the user, who makes stubs of them: `dorosim grpc proto`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from dorosim.app.proto import WIRE
from dorosim.ground.error import InputError


class Copied(NamedTuple):
    """How many files were written, and how many were there already with the same text."""

    written: int
    kept: int


def copy_protos(folder: Path, force: bool = False) -> Copied:
    """Write all .proto files into a folder, under the paths by which they import one another.

    Nothing is written unless everything can be: a file that differs is found before the first one is written.

    Args:
        folder: made if it is not there.
        force: write over files that differ.

    Returns:
        What was written.

    Raises:
        InputError: a file of that name is there and differs, or the folder cannot be written.
    """
    source = WIRE / "proto"
    texts = {path.relative_to(source): path.read_bytes() for path in sorted(source.rglob("*.proto"))}
    try:
        present = {name: (folder / name).read_bytes() for name in texts if (folder / name).exists()}
        changed = [name for name, text in present.items() if text != texts[name]]
        if changed and not force:
            others = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
            problem = f"{changed[0].as_posix()}{others} is there and differs"
            raise InputError(str(folder), "", problem, "give another folder, or --force")
        wanted = [name for name, text in texts.items() if present.get(name) != text]
        for name in wanted:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(texts[name])
    except OSError as error:
        place = "" if error.filename is None else str(error.filename)
        raise InputError(str(folder), place, f"cannot be written: {error.strerror}", "give another folder") from error
    return Copied(len(wanted), len(texts) - len(wanted))
