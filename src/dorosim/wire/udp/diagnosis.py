"""Any datagram of the interface, whichever direction: what it is, or what is wrong with it."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from dorosim.wire.codec import Codec
from dorosim.wire.device.sensor_packet_text import SensorPacket, read_packet
from dorosim.wire.error import WireError
from dorosim.wire.limit import limit
from dorosim.wire.message import Wire
from dorosim.wire.reference import value_rows
from dorosim.wire.udp.datagram import DatagramReader
from dorosim.wire.udp.revision import Revision
from dorosim.wire.value_text import ValueText


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a datagram is.

    Attributes:
        codec, message: of a UDP message, also of one with a number that is refused.
        packet: of a sensor, in the form of its maker.
        clamped: fields outside their documented range.
        error: what is wrong, or None.
    """

    codec: Codec | None = None
    message: Wire | None = None
    packet: SensorPacket | None = None
    clamped: tuple[str, ...] = ()
    error: WireError | None = None

    @property
    def name(self) -> str:
        """Of the message or of the packet's form, "" for what is neither."""
        if self.packet is not None:
            return self.packet.name
        return "" if self.codec is None else self.codec.message.__name__


@functools.cache
def _readers(revision: Revision) -> tuple[DatagramReader, ...]:
    return DatagramReader(revision, "simulator"), DatagramReader(revision, "user")


def diagnose(data: bytes, revision: Revision) -> Diagnosis:
    """What a datagram is, or what is wrong with it as the message that it most resembles."""
    try:
        packet = read_packet(data)
    except WireError as error:
        return Diagnosis(error=error)
    if packet is not None:
        return Diagnosis(packet=packet)
    errors = []
    for reader in _readers(revision):
        try:
            codec, message = reader.read(data, len(data))
        except WireError as error:
            errors.append(error)
            continue
        try:
            return Diagnosis(codec, message, clamped=limit(codec, message)[1])
        except WireError as error:
            return Diagnosis(codec, message, error=error)
    # the direction whose message it resembles knows its name, the other one only that it is none of its own
    return Diagnosis(error=max(errors, key=lambda error: bool(error.message)))


def texts_of(found: Diagnosis) -> list[ValueText]:
    """A datagram field by field; empty for one that is nothing."""
    if found.packet is not None:
        return list(found.packet.fields)
    if found.codec is None or found.message is None:
        return []
    return [ValueText(row.name, row.wire, row.si) for row in value_rows(found.codec, found.message)]
