"""`dorosim grpc`: the .proto files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli.option import ForceOption

grpc_app = typer.Typer(help="Get the .proto files of the gRPC APIs.", no_args_is_help=True)


@grpc_app.command("proto")
def proto(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write them into.")],
    force: ForceOption = False,
) -> None:
    """Write the .proto files of all APIs into a folder, to make stubs of them."""
    from dorosim.app.store.file_copy import copy_files, proto_files

    copied = copy_files(folder, proto_files(), force)
    typer.echo(f"{folder}: {copied.written} .proto files written, {copied.kept} there already")
