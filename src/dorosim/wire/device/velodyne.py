"""Packets of Velodyne's spinning lidars: the data packet of 1206 bytes and the position packet of 512.

Source: facts/udp-wire.md, 5.7 (the public driver's `input.h`; VLP-16 manual, "Packet types and definitions"). Angles
and distances stay in the sensor's own steps, 0.01 degree and 2 mm: the calibration gives what a distance means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dorosim.wire.device.nmea import Rmc, Sentence, decode_sentence, encode_sentence
from dorosim.wire.error import WireError

DATA_SIZE = 1206
POSITION_SIZE = 512
POSITION_PORT = 8308
BLOCKS = 12
CHANNELS = 32
AZIMUTHS = 36000
"""Azimuth steps of 0.01 degree in a turn."""
DISTANCE_STEP = 0.002
"""Metres in a step of distance."""
UPPER, LOWER = 0xEEFF, 0xDDFF
"""Flags of a block: lasers 0 to 31, and 32 to 63."""
STRONGEST, LAST, DUAL = 0x37, 0x38, 0x39
"""Return modes."""
HDL_32E, VLP_16 = 0x21, 0x22
"""Product bytes. An HDL-64E has none: it sends a status letter and value in the place of mode and product."""
HOUR_US = 3_600_000_000
POSITION_TEXT = 206
"""Where the sentence of a position packet begins."""
_POSITION_TIME, _POSITION_PPS = 198, 202

_RETURN = np.dtype([("distance", "<u2"), ("reflectivity", "u1")])
_BLOCK = np.dtype([("flag", "<u2"), ("azimuth", "<u2"), ("returns", _RETURN, (CHANNELS,))])
PACKET = np.dtype([("blocks", _BLOCK, (BLOCKS,)), ("microsecond", "<u4"), ("factory", "u1", (2,))])
"""A data packet as a numpy record."""


@dataclass(frozen=True, slots=True, eq=False)
class DataPacket:
    """A data packet, read.

    Attributes:
        flag: (12,) of each block, `UPPER` or `LOWER`.
        azimuth: (12,) of each block's first laser, clockwise from forward [0.01 degree].
        distance: (12, 32) in steps of 2 mm, 0 for no return.
        reflectivity: (12, 32), 0 to 255.
        microsecond: time of the first firing past the hour.
        factory: return mode and product, or status letter and value.
    """

    flag: NDArray[np.uint16]
    azimuth: NDArray[np.uint16]
    distance: NDArray[np.uint16]
    reflectivity: NDArray[np.uint8]
    microsecond: int
    factory: tuple[int, int]


def encode_data(
    azimuth: NDArray[np.uint16],
    distance: NDArray[np.uint16],
    reflectivity: NDArray[np.uint8],
    microsecond: NDArray[np.int64],
    factory: ArrayLike,
    *,
    banks: bool = False,
) -> NDArray[np.uint8]:
    """Many data packets at once.

    Args:
        azimuth: (P, 12) of the blocks [0.01 degree], 0 to 35999.
        distance: (P, 12, 32) in steps of 2 mm.
        reflectivity: (P, 12, 32).
        microsecond: (P,) time of the first firing; it is taken modulo one hour.
        factory: (2,) or (P, 2), return mode and product, or an HDL-64E's status.
        banks: whether upper and lower blocks take turns, as of an HDL-64E.

    Returns:
        (P, 1206), a packet in each row.

    Raises:
        WireError: an azimuth is outside the turn.
    """
    if azimuth.size and int(azimuth.max()) >= AZIMUTHS:
        raise WireError("range", f"azimuth {int(azimuth.max())} is not below {AZIMUTHS}", "Velodyne data")
    packets = np.empty(len(azimuth), PACKET)
    blocks = packets["blocks"]
    blocks["flag"] = UPPER
    if banks:
        blocks["flag"][:, 1::2] = LOWER
    blocks["azimuth"] = azimuth
    blocks["returns"]["distance"] = distance
    blocks["returns"]["reflectivity"] = reflectivity
    packets["microsecond"] = microsecond % HOUR_US
    packets["factory"] = factory
    return packets.view(np.uint8).reshape(-1, DATA_SIZE)


def decode_data(data: bytes) -> DataPacket:
    """A data packet of a datagram.

    Raises:
        WireError: it is no data packet.
    """
    if len(data) != DATA_SIZE:
        raise WireError("size", f"{len(data)} bytes instead of {DATA_SIZE}", "Velodyne data")
    packet = np.frombuffer(data, PACKET)[0]
    blocks = packet["blocks"]
    strange = np.flatnonzero((blocks["flag"] != UPPER) & (blocks["flag"] != LOWER))
    if strange.size:
        block = int(strange[0])
        raise WireError("header", f"block {block} starts with {int(blocks['flag'][block]):#06x}", "Velodyne data")
    if int(blocks["azimuth"].max()) >= AZIMUTHS:
        raise WireError("range", f"azimuth {int(blocks['azimuth'].max())} is not below {AZIMUTHS}", "Velodyne data")
    mode, product = packet["factory"]
    return DataPacket(
        flag=blocks["flag"],
        azimuth=blocks["azimuth"],
        distance=blocks["returns"]["distance"],
        reflectivity=blocks["returns"]["reflectivity"],
        microsecond=int(packet["microsecond"]),
        factory=(int(mode), int(product)),
    )


def hdl_64e_status(
    number: NDArray[np.int64], clock: tuple[int, int, int, int, int, int], temperature: int = 40, firmware: int = 0x07
) -> NDArray[np.uint8]:
    """What an HDL-64E sends in the last two bytes: one letter with its value, another in each packet.

    The letters are those that public parsers read (facts/udp-wire.md, 5.7): hours, minutes, seconds, date, month,
    year, GPS status, temperature, version. The calibration that a real sensor sends between them is left out.

    Args:
        number: (P,) of the packet since the sensor started.
        clock: year since 2000, month, day, hour, minute, second (UTC).
        temperature: degrees Celsius.
        firmware: version byte.

    Returns:
        (P, 2) letter and value.
    """
    year, month, day, hour, minute, second = clock
    cycle = [
        (b"H", hour),
        (b"M", minute),
        (b"S", second),
        (b"D", day),
        (b"N", month),
        (b"Y", year % 100),
        (b"G", ord("A")),
        (b"T", temperature),
        (b"V", firmware),
    ]
    table = np.array([(letter[0], value) for letter, value in cycle], np.uint8)
    return table[np.asarray(number) % len(table)]


def encode_position(microsecond: int, sentence: Sentence, pps_locked: bool = True) -> bytes:
    """A position packet: the time and an NMEA sentence, which real sensors pass on from their GPS receiver.

    Args:
        microsecond: past the hour.
        sentence: RMC in the standard form; the sensor knows no other field order.
        pps_locked: whether a pulse per second sets the sensor's clock.
    """
    text = encode_sentence(sentence)
    data = bytearray(POSITION_SIZE)
    data[_POSITION_TIME : _POSITION_TIME + 4] = (microsecond % HOUR_US).to_bytes(4, "little")
    data[_POSITION_PPS] = 2 if pps_locked else 0
    data[POSITION_TEXT : POSITION_TEXT + len(text)] = text
    return bytes(data)


def decode_position(data: bytes) -> tuple[int, int, Rmc]:
    """Microseconds past the hour, state of the pulse per second (2 locked) and sentence of a position packet.

    Raises:
        WireError: it is no position packet with an RMC sentence.
    """
    if len(data) != POSITION_SIZE:
        raise WireError("size", f"{len(data)} bytes instead of {POSITION_SIZE}", "Velodyne position")
    text = bytes(data[POSITION_TEXT:]).rstrip(b"\0")
    sentence = decode_sentence(text)
    if not isinstance(sentence, Rmc):
        raise WireError("header", f"sentence {sentence.talker} instead of {Rmc.talker}", "Velodyne position")
    microsecond = int.from_bytes(data[_POSITION_TIME : _POSITION_TIME + 4], "little")
    return microsecond, data[_POSITION_PPS], sentence
