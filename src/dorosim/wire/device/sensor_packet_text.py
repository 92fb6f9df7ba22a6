"""Packets of sensors as text for people, in each of their forms: camera, lidars, GPS.

The message of an IMU has a table (`dorosim.wire.device.imu`), and is shown as all messages that have one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Final, NamedTuple

import numpy as np

from dorosim.ground.unit import DEGREE, METRE, NONE, Unit
from dorosim.wire.device.camera import BOX_SIZE, decode_boxes, decode_image_chunk
from dorosim.wire.device.gps import KNOT
from dorosim.wire.device.lidar_2d import NAMES, decode_lidar_2d
from dorosim.wire.device.nmea import Sentence, decode_sentence
from dorosim.wire.device.velodyne import (
    AZIMUTHS,
    DATA_SIZE,
    DISTANCE_STEP,
    DUAL,
    HDL_32E,
    LAST,
    LOWER,
    POSITION_SIZE,
    POSITION_TEXT,
    STRONGEST,
    UPPER,
    VLP_16,
    decode_data,
    decode_position,
)
from dorosim.wire.value_text import SHOWN_MESSAGES, ValueText

_MODES = {STRONGEST: "strongest", LAST: "last", DUAL: "dual"}
_PRODUCTS = {HDL_32E: "HDL-32E", VLP_16: "VLP-16"}
_PULSES = {0: "no pulse", 1: "synchronizing", 2: "locked"}
_FLAGS = tuple(flag.to_bytes(2, "little") for flag in (UPPER, LOWER))
_HEADERS = tuple(f"#{name}$".encode("ascii") for name in NAMES)


class SensorPacket(NamedTuple):
    """A packet that was read.

    Attributes:
        name: what it is, as "camera picture". fields: what is in it.
    """

    name: str
    fields: tuple[ValueText, ...]


def read_packet(data: bytes) -> SensorPacket | None:
    """The values in a sensor's packet; None where the bytes begin as no packet of a sensor does.

    Raises:
        WireError: the bytes begin as a packet of a sensor, and are none.
    """
    for form in _FORMS:
        if form.begins(data):
            return SensorPacket(form.name, tuple(form.texts(data)))
    return None


def _image(data: bytes) -> Iterator[ValueText]:
    chunk = decode_image_chunk(data)
    yield _stamp(chunk.time)
    yield ValueText("index", str(chunk.index))
    yield ValueText("size", f"{len(chunk.data):,} bytes of JPEG")
    yield ValueText("tail", "EI, the picture ends" if chunk.last else "AI, more of it follows")


def _boxes(data: bytes) -> Iterator[ValueText]:
    datagram = decode_boxes(data)
    boxes = datagram.boxes
    yield _stamp(datagram.time)
    yield ValueText("index", str(datagram.index))
    more = f", the first {SHOWN_MESSAGES} of them here" if len(boxes) > SHOWN_MESSAGES else ""
    yield ValueText("size", f"{len(boxes) * BOX_SIZE:,} bytes, {_count(len(boxes), 'box', 'boxes')}{more}")
    for number, box in enumerate(boxes[:SHOWN_MESSAGES]):
        yield ValueText(f"box[{number}].bounds", ", ".join(f"{edge:g}" for edge in box["bounds"].tolist()) + " pixels")
        yield ValueText(f"box[{number}].colour", ", ".join(str(part) for part in box["colour"].tolist()))
        centre = box["corners"].mean(axis=0).tolist()
        yield ValueText(f"box[{number}].centre", ", ".join(f"{side:.2f}" for side in centre) + " m")


def _lidar_2d(data: bytes) -> Iterator[ValueText]:
    packet = decode_lidar_2d(data)
    yield ValueText("header", packet.name)
    yield from _extent("distance", packet.distance_mm, "mm", 1e-3)
    yield from _extent("intensity", packet.intensity)
    x, y, heading = packet.position
    yield ValueText("position", f"{x:g}, {y:g} m")
    yield ValueText("heading", f"{heading:g} deg", f"{math.radians(heading):g} rad")


def _velodyne(data: bytes) -> Iterator[ValueText]:
    packet = decode_data(data)
    hit = packet.distance > 0
    yield _past_hour(packet.microsecond)
    first, last = int(packet.azimuth[0]), int(packet.azimuth[-1])
    yield ValueText("azimuth", f"{first} to {last}", f"{_turn(first):.4f} to {_turn(last):.4f} rad")
    yield ValueText("returns", f"{int(hit.sum())} of {hit.size}")
    yield from _extent("distance", packet.distance[hit], "steps", DISTANCE_STEP)
    yield from _extent("reflectivity", packet.reflectivity[hit])
    if LOWER in packet.flag:  # an HDL-64E has a letter and its value here
        letter, value = packet.factory
        yield ValueText("status", f"{chr(letter)} {value}")
        return
    mode, product = packet.factory
    yield ValueText("return mode", f"{_MODES.get(mode, 'unknown')} ({mode:#x})")
    yield ValueText("product", f"{_PRODUCTS.get(product, 'unknown')} ({product:#x})")


def _position(data: bytes) -> Iterator[ValueText]:
    microsecond, pulse, sentence = decode_position(data)
    yield _past_hour(microsecond)
    yield ValueText("pulse per second", f"{_PULSES.get(pulse, 'unknown')} ({pulse})")
    yield from _sentence_texts(sentence)


def _sentence(data: bytes) -> Iterator[ValueText]:
    yield from _sentence_texts(decode_sentence(data))


def _sentence_texts(sentence: Sentence) -> Iterator[ValueText]:
    """The numbers of a sentence as they stand in it; how it is written is left out."""
    yield ValueText("sentence", sentence.talker)
    for one in fields(sentence):
        value = getattr(sentence, one.name)
        unit = _UNITS.get(one.name, NONE)
        name = one.name.removesuffix("_deg").removesuffix("_knots")
        if isinstance(value, float):
            si = "" if unit.factor == 1.0 else f"{value * unit.factor:.10g} {unit.si_symbol}"
            yield ValueText(name, f"{value:.10g} {unit.symbol}".rstrip(), si)
        elif one.name not in _FORM:
            yield ValueText(name, str(value))


_UNITS = {
    "time_of_day": Unit("s past midnight", "s past midnight"),
    "latitude": DEGREE,
    "longitude": DEGREE,
    "course_deg": DEGREE,
    "variation_deg": DEGREE,
    "speed_knots": Unit("knots", "m/s", KNOT),
    "altitude": METRE,
    "geoid_separation": METRE,
}
"""By field of a sentence."""
_FORM = frozenset({"extra_comma", "minute_digits"})
"""Fields that describe how a sentence is written, not where the receiver is."""


class _Form(NamedTuple):
    """A form of packets: its name, whether bytes are such a packet, and the texts of the values in one."""

    name: str
    begins: Callable[[bytes], bool]
    texts: Callable[[bytes], Iterator[ValueText]]


_FORMS: Final = (
    _Form("camera picture", lambda data: data.startswith(b"MOR"), _image),
    _Form("camera boxes", lambda data: data.startswith(b"BOX"), _boxes),
    _Form("NMEA RMC", lambda data: data.startswith(b"$GPRMC"), _sentence),
    _Form("NMEA GGA", lambda data: data.startswith(b"$GPGGA"), _sentence),
    _Form("NMEA sentence", lambda data: data.startswith(b"$"), _sentence),
    _Form("2D lidar", lambda data: data.startswith(_HEADERS), _lidar_2d),
    _Form("Velodyne data", lambda data: len(data) == DATA_SIZE and data.startswith(_FLAGS), _velodyne),
    _Form(
        "Velodyne position", lambda data: len(data) == POSITION_SIZE and data.startswith(b"$", POSITION_TEXT), _position
    ),
)


def _stamp(time: int) -> ValueText:
    second, rest = divmod(time, 1_000_000_000)
    return ValueText("time", f"{second} s, {rest} ns", f"{second}.{rest:09d} s")


def _past_hour(microsecond: int) -> ValueText:
    return ValueText("time", f"{microsecond} µs past the hour", f"{1e-6 * microsecond:.6f} s")


def _turn(azimuth: int) -> float:
    """An angle in steps of 0.01 degree [rad]."""
    return math.tau * azimuth / AZIMUTHS


def _extent(
    name: str, values: np.ndarray[tuple[int, ...], np.dtype[np.integer]], unit: str = "", metres: float = 0.0
) -> Iterator[ValueText]:
    """From the least to the greatest value; `metres` are those of a step."""
    if not values.size:
        yield ValueText(name, "none")
        return
    least, most = int(values.min()), int(values.max())
    si = f"{least * metres:g} to {most * metres:g} m" if metres else ""
    yield ValueText(name, f"{least} to {most} {unit}".rstrip(), si)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
