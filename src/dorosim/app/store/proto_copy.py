"""Copies the .proto files into a folder of the user, to make stubs of them: `dorosim grpc proto`."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.store.file_copy import Copied, copy_files
from dorosim.wire import grpc

WIRE = Path(grpc.__file__).parent
"""Where the .proto files and what is generated of them stand."""


def copy_protos(folder: Path, force: bool = False) -> Copied:
    """Write all .proto files into a folder, under the paths by which they import one another; see `copy_files`."""
    source = WIRE / "proto"
    texts = {path.relative_to(source): path.read_bytes() for path in sorted(source.rglob("*.proto"))}
    return copy_files(folder, texts, force)
