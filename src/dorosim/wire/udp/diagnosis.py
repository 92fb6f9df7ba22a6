"""Any datagram of the interface, whichever direction: what it is, or what is wrong with it."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from dorosim.wire.codec import Codec
from dorosim.wire.device.nmea import Sentence, decode_sentence
from dorosim.wire.error import WireError
from dorosim.wire.limit import limit
from dorosim.wire.message import Wire
from dorosim.wire.udp.datagram import DatagramReader
from dorosim.wire.udp.revision import Revision


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a datagram is.

    Attributes:
        codec, message: of a UDP message, also of one with a number that is refused.
        sentence: of NMEA text.
        clamped: fields outside their documented range.
        error: what is wrong, or None.
    """

    codec: Codec | None = None
    message: Wire | None = None
    sentence: Sentence | None = None
    clamped: tuple[str, ...] = ()
    error: WireError | None = None


@functools.cache
def _readers(revision: Revision) -> tuple[DatagramReader, ...]:
    return DatagramReader(revision, "simulator"), DatagramReader(revision, "user")


def diagnose(data: bytes, revision: Revision) -> Diagnosis:
    """What a datagram is, or what is wrong with it as the message that it most resembles."""
    if data.startswith(b"$"):
        try:
            return Diagnosis(sentence=decode_sentence(data))
        except WireError as error:
            return Diagnosis(error=error)
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
