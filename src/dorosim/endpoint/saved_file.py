"""Puts files of sensor data where others watch for them."""

from __future__ import annotations

from pathlib import Path


def put_file(path: Path, content: bytes) -> None:
    """Put a file into a folder at once, so that whoever waits for it never reads half of it.

    A file or a link of that name is replaced; a link is not followed, since it may lead out of the folder. The file is
    not forced to the disk, as one may be asked for in every tick.

    Raises:
        OSError: it cannot be written; nothing is left of it then.
    """
    partial = path.with_name(f".{path.name}.part")
    partial.unlink(missing_ok=True)
    try:
        with partial.open("xb") as file:
            file.write(content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
