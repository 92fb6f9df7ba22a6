"""The codec against bare `struct` and bare numpy."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from dorosim.wire.batch import BatchCodec
from dorosim.wire.codec import Codec, struct_format
from dorosim.wire.udp.code import CtrlMode, Gear
from dorosim.wire.udp.datagram import codec_of
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.wire.udp.status import EgoVehicleStatus
from tools.bench.figure import Figure, paired_ratio

ROWS = 1000


def figures() -> Iterator[Figure]:
    """Ego status one at a time and a thousand at a time."""
    codec = codec_of(EgoVehicleStatus, DEFAULT_REVISION)
    datagram = codec.encode(_status())
    yield _one("ego status decoded, one at a time, to bare struct", codec, datagram)
    yield _one_encoded(codec)
    yield _many(codec, datagram * ROWS)


def _status() -> EgoVehicleStatus:
    return EgoVehicleStatus(
        time=10**18,
        ctrl_mode=CtrlMode.AUTO,
        gear=Gear.D,
        signed_velocity=12.5,
        map_data_id=10001,
        accel=0.25,
        brake=0.0,
        size=(4.5, 1.8, 1.4),
        overhang=0.9,
        wheelbase=2.7,
        rear_overhang=0.9,
        position=(10.0, 20.0, 0.5),
        rotation=(0.01, 0.02, 1.5),
        velocity=(12.5, 0.1, 0.0),
        angular_velocity=(0.0, 0.0, 0.2),
        acceleration=(0.5, 1.5, 0.0),
        steer_angle=0.05,
        link_id="A219BS010391",
        tire_lateral_force=(1.0, 2.0, 3.0, 4.0),
    )


def _bare_class(codec: Codec) -> type[Any]:
    """A slotted class with the fields of the message, and nothing else."""
    names = [field.name for field in codec.fields]
    parameters = ", ".join(names)
    body = "\n        ".join(f"self.{name} = {name}" for name in names)
    source = f"class Bare:\n    __slots__ = {tuple(names)!r}\n    def __init__(self, {parameters}):\n        {body}\n"
    scope: dict[str, Any] = {}
    exec(compile(source, "<bare>", "exec"), scope)
    bare: type[Any] = scope["Bare"]
    return bare


def _bare_decoder(codec: Codec) -> Any:
    """`struct` into the slotted class: vectors as tuples, no units, no codes, no text, no checks."""
    form = struct.Struct(f"<{len(codec.head)}x{''.join(struct_format(f) for f in codec.fields)}{len(codec.tail)}x")
    arguments, at = [], 0
    for field in codec.fields:
        width = 1 if field.kind == "text" else field.count
        arguments.append(f"v[{at}:{at + width}]" if width > 1 else f"v[{at}]")
        at += width
    scope: dict[str, Any] = {"unpack": form.unpack, "Bare": _bare_class(codec)}
    exec(
        compile(f"def read(data):\n    v = unpack(data)\n    return Bare({', '.join(arguments)})", "<bare>", "exec"),
        scope,
    )
    return scope["read"]


def _one(name: str, codec: Codec, datagram: bytes) -> Figure:
    decode, bare = codec.decode, _bare_decoder(codec)
    ratio, ours, floor = paired_ratio(lambda: decode(datagram), lambda: bare(datagram))
    return Figure(name, ratio, "x", 0.4, detail=f"{ours * 1e6:.2f} us, struct {floor * 1e6:.2f} us")


def _one_encoded(codec: Codec) -> Figure:
    form = struct.Struct(f"<{len(codec.head)}s{''.join(struct_format(f) for f in codec.fields)}{len(codec.tail)}s")
    values = form.unpack(codec.encode(_status()))
    status, encode, pack = _status(), codec.encode, form.pack
    ratio, ours, floor = paired_ratio(lambda: encode(status), lambda: pack(*values))
    detail = f"{ours * 1e6:.2f} us, struct from a ready tuple {floor * 1e6:.2f} us"
    return Figure("ego status encoded, one at a time, to bare struct", ratio, "x", detail=detail)


def _many(codec: Codec, data: bytes) -> Figure:
    batch = BatchCodec(codec)
    names, formats = ["head"], [f"V{len(codec.head)}"]
    for field in codec.fields:
        for part in range(1 if field.kind == "text" else field.count):
            names.append(f"{field.name}{part}")
            formats.append(
                f"S{field.count}" if field.kind == "text" else {"f": "<f4", "i": "<i4", "b": "i1"}[field.code]
            )
    bare = np.dtype({"names": [*names, "tail"], "formats": [*formats, f"V{len(codec.tail)}"]})
    numbers = [name for name, form in zip(names, formats, strict=True) if form[0] not in "VS"]

    def copy_columns() -> list[Any]:
        rows = np.frombuffer(data, bare)
        return [rows[name].astype(np.float64) for name in numbers]

    ratio, ours, floor = paired_ratio(lambda: batch.decode(data), copy_columns)
    detail = f"{ours * 1e6:.0f} us, numpy copy {floor * 1e6:.0f} us"
    return Figure(f"ego status decoded, {ROWS:,} at a time, to a bare numpy copy", ratio, "x", 0.5, detail=detail)
