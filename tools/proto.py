"""Compiles the .proto files into the descriptor sets: `make proto`, or `python -m tools.proto`.

Needs the extra `test` (grpcio-tools). A test holds the committed sets against what this module makes.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

from dorosim.app.store.file_copy import WIRE
from dorosim.ground.error import InputError


def compile_descriptors() -> dict[str, bytes]:
    """Compile all .proto files.

    Returns:
        The descriptor sets by file name: `descriptors.binpb` lean, `comments.binpb` with the comments.

    Raises:
        InputError: a .proto file has a mistake; the compiler prints where.
        ImportError: grpcio-tools is not installed.
    """
    return {"descriptors.binpb": _compiled(), "comments.binpb": _compiled("--include_source_info")}


def _compiled(*options: str) -> bytes:
    from grpc_tools import protoc

    proto = WIRE / "proto"
    files = sorted(path.relative_to(proto).as_posix() for path in proto.rglob("*.proto"))
    common = resources.files("grpc_tools") / "_proto"
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out.binpb"
        status = protoc.main(["protoc", f"-I{proto}", f"-I{common}", f"--descriptor_set_out={out}", *options, *files])
        if status != 0:
            raise InputError(str(proto), "", f"protoc ended with status {status}", "see its message above")
        return out.read_bytes()


if __name__ == "__main__":
    for name, data in compile_descriptors().items():
        (WIRE / "generated" / name).write_bytes(data)
