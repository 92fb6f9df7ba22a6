"""`dorosim packet`: the UDP messages, and what is in a datagram."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dorosim.app.cli import completion
from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import JsonOption, completed_option
from dorosim.app.run.report.json_output import print_json
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from dorosim.wire.message import Wire
    from dorosim.wire.udp.revision import Revision

packet_app = typer.Typer(help="List and show the UDP messages; decode datagrams.", no_args_is_help=True)
RevisionOption = Annotated[str, completed_option(completion.revisions, "R", "Product revision.", "--revision")]


@packet_app.command("list")
def list_packets(json: JsonOption = False) -> None:
    """All UDP messages: direction, sizes of their layouts, header and default port.

    As JSON: a list of {message, to, bytes, header, default_port}.
    """
    from rich.console import Console
    from rich.table import Table

    from dorosim.wire.codec import compile_codec
    from dorosim.wire.reference import header_text
    from dorosim.wire.udp.catalogue import CATALOGUE

    found = [
        (
            message.__name__,
            message.table.to,
            [layout.size for layout in message.table.layouts],
            header_text(compile_codec(message, message.table.layouts[0])),
            message.table.default_port,
        )
        for message in CATALOGUE
    ]
    if json:
        print_json([dict(zip(("message", "to", "bytes", "header", "default_port"), row, strict=True)) for row in found])
        return
    table = Table("message", "direction", "bytes", "header", "default port", box=None, header_style="bold")
    for name, to, sizes, header, port in found:
        table.add_row(name, f"to the {to}", ", ".join(map(str, sizes)), header, str(port))
    Console(highlight=False).print(table)


@packet_app.command("show")
def show_packet(
    name: Annotated[
        str,
        typer.Argument(
            help="Name of a message, as 'dorosim packet list' prints it.", autocompletion=completion.messages
        ),
    ],
    revision: RevisionOption = "24.R2",
    json: JsonOption = False,
) -> None:
    """The layout of one message: offset, name, type, unit and meaning of every field, and the axes of its frames.

    As JSON: {message, to, bytes, header, source, frames: {name: axes}, fields: [{offset, name, type, unit, meaning}]}.
    """
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Column, Table

    from dorosim.wire.reference import field_rows, frames_of, header_text
    from dorosim.wire.udp.catalogue import BY_NAME
    from dorosim.wire.udp.datagram import codec_of
    from dorosim.wire.udp.revision import revision_named

    message = _message_named(name, BY_NAME)
    codec = codec_of(message, revision_named(revision))
    fields = list(field_rows(codec))
    if json:
        facts = {"message": message.__name__, "to": message.table.to, "bytes": codec.size, "header": header_text(codec)}
        facts |= {"source": message.table.source, "frames": frames_of(codec)}
        print_json({**facts, "fields": [row._asdict() for row in fields]})
        return
    console = Console(highlight=False)
    console.print(f"[bold]{message.__name__}[/], {codec.size} bytes, to the {message.table.to}: {getdoc(message)}")
    console.print(f"header {header_text(codec)}, payload {codec.payload_size} bytes; source: {message.table.source}")
    others = [str(layout.size) for layout in message.table.layouts if layout.size != codec.size]
    if others:
        console.print(f"other layouts: {', '.join(others)} bytes")
    offset, field = Column("offset", justify="right"), Column("field", no_wrap=True)
    table = Table(offset, field, "type", "unit", "meaning", box=None, header_style="bold")
    for row in fields:
        table.add_row(str(row.offset), escape(row.name), escape(row.type), row.unit, escape(row.meaning))
    console.print(table)
    for name, axes in frames_of(codec).items():
        console.print(f"frame {name}: {axes}", soft_wrap=True)


@packet_app.command("decode")
def decode_packets(
    data: Annotated[str | None, typer.Argument(help="A datagram in hex; spaces and colons are allowed.")] = None,
    pcap: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Decode the UDP payloads of a capture file.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(metavar="PORT", min=1, max=65535, help="Listen on this port and decode what comes.")
    ] = None,
    host: Annotated[str, typer.Option(metavar="HOST", help="Address to listen on, with --port.")] = "127.0.0.1",
    count: Annotated[int | None, typer.Option(metavar="N", min=1, help="Stop after so many datagrams.")] = None,
    revision: RevisionOption = "24.R2",
) -> None:
    """Print the fields of datagrams, also of sensors' packets, with their units, and the faults of bad ones.

    Exit status 1 if a datagram given as hex or in a file is no message.
    """
    from rich.console import Console

    from dorosim.wire.udp.revision import revision_named

    if (data is not None) + (pcap is not None) + (port is not None) != 1:
        raise InputError("packet decode", "", "needs one of: hex, --pcap, --port", "see --help")
    chosen = revision_named(revision)
    console = Console(highlight=False)
    if data is not None:
        packets: Iterator[tuple[str, bytes]] = iter([("", _bytes_from_hex(data))])
    elif pcap is not None:
        from dorosim.app.analyse.capture import Capture

        capture = Capture(pcap)
        packets = capture.payloads()
    else:
        packets = _received(host, port or 0)
    bad = number = 0
    ending: InputError | None = None
    try:
        for number, (label, packet) in enumerate(packets, start=1):
            bad += not _print_packet(console, label, packet, chosen)
            if number == count:
                break
    except KeyboardInterrupt:
        pass
    except InputError as error:
        if not number:
            raise
        ending = error  # of a file that is cut off, what was read counts
    if pcap is not None:
        lost = capture.incomplete
        more = f"; {lost} more are not whole, since fragments of them are missing" if lost else ""
        console.print(f"{number} datagrams, {bad} of them no message{more}", soft_wrap=True)
    if ending is not None:
        raise ending
    raise typer.Exit(ExitCode.FOUND if bad and port is None else ExitCode.OK)


def _message_named(name: str, known: dict[str, type[Wire]]) -> type[Wire]:
    import difflib

    by_lower = {one.lower(): message for one, message in known.items()}
    found = by_lower.get(name.lower())
    if found is None:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.3)
        cure = f"did you mean {' or '.join(near)}?" if near else "see 'dorosim packet list'"
        raise InputError("message", "", f"there is no {name!r}", cure)
    return found


def _bytes_from_hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text.replace(":", " ").replace("0x", " "))
    except ValueError as error:
        raise InputError("hex", "", str(error), "give pairs of hexadecimal digits") from None


def _received(host: str, port: int) -> Iterator[tuple[str, bytes]]:
    """Datagrams that come to a port, until Ctrl-C."""
    from dorosim.endpoint.udp.socket import Address, open_listener

    sock = open_listener(Address(host, port))
    sock.setblocking(True)
    typer.echo(f"listening on {host}:{port}; Ctrl-C ends", err=True)
    with sock:
        while True:
            payload, (source, source_port) = sock.recvfrom(65536)
            yield f"from {source}:{source_port}", payload


def _print_packet(console: Console, label: str, data: bytes, revision: Revision) -> bool:
    """Print one datagram; returns whether it is a message."""
    from rich.markup import escape
    from rich.table import Column, Table

    from dorosim.wire.reference import value_rows
    from dorosim.wire.udp.diagnosis import diagnose

    found = diagnose(data, revision)
    head = f"{escape(label)}: " if label else ""
    rows: list[tuple[str, ...]]
    if found.packet is not None:
        whose, rows = "of a sensor", [("", *text) for text in found.packet.fields]
    elif found.codec is not None and found.message is not None:
        whose = f"to the {found.codec.message.table.to}"
        rows = [(str(offset), *text) for offset, *text in value_rows(found.codec, found.message)]
    else:
        console.print(f"{head}no message: {escape(str(found.error))}", style="red", soft_wrap=True)
        return False
    console.print(f"{head}[bold]{found.name}[/], {len(data)} bytes, {whose}")
    table = Table(*(Column(overflow="fold") for _ in range(4)), box=None, show_header=False)
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    console.print(table)
    if found.error is not None:
        console.print(f"would be refused: {found.error}", style="red", markup=False)
    if found.clamped:
        console.print(f"out of range, would be clamped: {', '.join(found.clamped)}", style="yellow", markup=False)
    return found.error is None
