"""Files for users, written into a folder of theirs, in which nothing of theirs is lost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from dorosim.ground.error import InputError
from dorosim.recording.whole_file import write_file
from dorosim.wire import grpc

WIRE = Path(grpc.__file__).parent
"""Where the .proto files and what is generated of them stand."""


class Copied(NamedTuple):
    """How many files were written, and how many were there already with the same text."""

    written: int
    kept: int


def copy_files(folder: Path, files: Mapping[Path, bytes], force: bool = False) -> Copied:
    """Write files into a folder.

    Nothing is written unless everything can be: a file that differs is found before the first one is written.

    Args:
        folder: made if it is not there.
        files: by their path in it.
        force: write over files that differ.

    Returns:
        What was written.

    Raises:
        InputError: a file of that name is there and differs, or the folder cannot be written.
    """
    try:
        present = {name: (folder / name).read_bytes() for name in files if (folder / name).exists()}
        changed = [name for name, text in present.items() if text != files[name]]
        if changed and not force:
            others = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
            problem = f"{changed[0].as_posix()}{others} is there and differs"
            raise InputError(str(folder), "", problem, "give another folder, or --force")
        wanted = [name for name, text in files.items() if present.get(name) != text]
        for name in wanted:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_file(folder / name, files[name], "give another folder")
    except OSError as error:
        place = "" if error.filename is None else str(error.filename)
        raise InputError(str(folder), place, f"cannot be written: {error.strerror}", "give another folder") from error
    return Copied(len(wanted), len(files) - len(wanted))


def proto_files() -> dict[Path, bytes]:
    """All .proto files, under the paths by which they import one another."""
    source = WIRE / "proto"
    return {path.relative_to(source): path.read_bytes() for path in sorted(source.rglob("*.proto"))}
