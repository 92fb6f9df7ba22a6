"""NMEA 0183 sentences of a GPS receiver: RMC and GGA, in the standard form and in the product's.

The product's RMC has an extra comma before the checksum, and its clients need it (facts/udp-wire.md, 5.4).
Numbers are kept as they stand in the sentence (degrees and minutes become degrees), with as many digits as the
product prints, so that a captured sentence is written again byte for byte. `dorosim.wire.device.gps` makes the two
sentences of a fix.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar

from dorosim.wire.error import WireError

_SENTENCE = re.compile(rb"\$([\x20-\x29\x2b-\x7e]*)\*([0-9A-Fa-f]{2})(?:\r\n)?")


def checksum(body: bytes) -> int:
    """XOR of the bytes between `$` and `*` (NMEA 0183)."""
    value = 0
    for byte in body:
        value ^= byte
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Rmc:
    """Recommended minimum data.

    Attributes:
        time_of_day: s since midnight. date: ddmmyy. valid: status A.
        latitude, longitude: degrees, north and east positive.
        speed_knots, course_deg, variation_deg: over ground, from north, magnetic.
        extra_comma: the product's form.
        minute_digits: decimals of the minutes of an angle; 4 are 0.19 m.
    """

    talker: ClassVar[str] = "GPRMC"
    time_of_day: float
    valid: bool
    latitude: float
    longitude: float
    speed_knots: float = 0.0
    course_deg: float = 0.0
    date: str = "010170"
    variation_deg: float = 0.0
    mode: str = "A"
    extra_comma: bool = True
    minute_digits: int = 4

    def body(self) -> str:
        """The sentence between `$` and `*`."""
        side = "E" if self.variation_deg >= 0 else "W"
        return (
            f"{self.talker},{_clock(self.time_of_day)},{'A' if self.valid else 'V'},"
            f"{_position(self)},{self.speed_knots:05.1f},{self.course_deg:05.1f},{self.date},"
            f"{abs(self.variation_deg):05.1f},{side},{self.mode}{',' if self.extra_comma else ''}"
        )

    @classmethod
    def parse(cls, words: list[str]) -> Rmc:
        """From the comma-separated words behind the talker."""
        extra = len(words) == 13 and words[12] == ""
        if not extra and len(words) not in (11, 12):
            raise WireError("size", f"RMC has {len(words)} fields instead of 11 to 13", cls.talker)
        variation = _number(words[9] or "0", "variation") * (-1.0 if words[10] == "W" else 1.0)
        return cls(
            time_of_day=_seconds(words[0]),
            valid=_one_of(words[1], "AV") == "A",
            latitude=_degrees(words[2], words[3], "NS", 90.0),
            longitude=_degrees(words[4], words[5], "EW", 180.0),
            speed_knots=_number(words[6] or "0", "speed"),
            course_deg=_number(words[7] or "0", "course"),
            date=_digits(words[8], 6),
            variation_deg=variation,
            mode=words[11] if len(words) > 11 else "",
            extra_comma=extra,
            minute_digits=_decimals(words[2]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Gga:
    """Fix data.

    Attributes:
        quality: 0 none, 1 GPS. hdop: dilution of precision.
        altitude, geoid_separation: m.
        minute_digits: decimals of the minutes of an angle.
    """

    talker: ClassVar[str] = "GPGGA"
    time_of_day: float
    latitude: float
    longitude: float
    quality: int = 1
    satellites: int = 9
    hdop: float = 1.0
    altitude: float = 0.0
    geoid_separation: float = 0.0
    age: str = field(default="")
    station: str = field(default="")
    minute_digits: int = 4

    def body(self) -> str:
        """The sentence between `$` and `*`."""
        return (
            f"{self.talker},{_clock(self.time_of_day)},{_position(self)},"
            f"{self.quality},{self.satellites:02d},{self.hdop:.1f},{self.altitude:.1f},M,"
            f"{self.geoid_separation:.1f},M,{self.age},{self.station}"
        )

    @classmethod
    def parse(cls, words: list[str]) -> Gga:
        """From the comma-separated words behind the talker."""
        if len(words) != 14:
            raise WireError("size", f"GGA has {len(words)} fields instead of 14", cls.talker)
        return cls(
            time_of_day=_seconds(words[0]),
            latitude=_degrees(words[1], words[2], "NS", 90.0),
            longitude=_degrees(words[3], words[4], "EW", 180.0),
            quality=int(_digits(words[5], 1)),
            satellites=int(_number(words[6], "satellites")),
            hdop=_number(words[7] or "0", "hdop"),
            altitude=_number(words[8] or "0", "altitude"),
            geoid_separation=_number(words[10] or "0", "geoid separation"),
            age=words[12],
            station=words[13],
            minute_digits=_decimals(words[1]),
        )


Sentence = Rmc | Gga
_KINDS: dict[str, type[Rmc] | type[Gga]] = {kind.talker: kind for kind in (Rmc, Gga)}


def encode_sentence(sentence: Sentence) -> bytes:
    """The sentence as it is sent, with checksum and CR LF."""
    body = sentence.body().encode("ascii")
    return b"$%b*%02X\r\n" % (body, checksum(body))


def decode_sentence(data: bytes) -> Sentence:
    """The sentence in a datagram.

    Raises:
        WireError: it is no RMC or GGA sentence with a right checksum.
    """
    match = _SENTENCE.fullmatch(bytes(data))
    if match is None:
        raise WireError("header", f"{bytes(data[:16])!r} is not a valid NMEA sentence", "NMEA")
    body, stated = match[1], int(match[2], 16)
    if checksum(body) != stated:
        raise WireError("value", f"checksum is {stated:02X}, the bytes make {checksum(body):02X}", "NMEA")
    talker, *words = body.decode("ascii").split(",")
    kind = _KINDS.get(talker)
    if kind is None:
        raise WireError("header", f"sentence {talker!r} is not {' or '.join(_KINDS)}", "NMEA")
    return kind.parse(words)


def _clock(seconds: float) -> str:
    """`hhmmss.s`, within one day."""
    tenths = round(seconds * 10) % 864000
    minutes, tenths = divmod(tenths, 600)
    return f"{minutes // 60:02d}{minutes % 60:02d}{tenths // 10:02d}.{tenths % 10}"


def _position(sentence: Sentence) -> str:
    latitude, longitude, digits = sentence.latitude, sentence.longitude, sentence.minute_digits
    north, east = "N" if latitude >= 0 else "S", "E" if longitude >= 0 else "W"
    return f"{_angle(latitude, 2, digits)},{north},{_angle(longitude, 3, digits)},{east}"


def _angle(degrees: float, width: int, digits: int) -> str:
    """`ddmm.mmmm` or `dddmm.mmmm`, with `digits` decimals."""
    scale = 10**digits
    whole, rest = divmod(round(abs(degrees) * 60 * scale), 60 * scale)
    return f"{whole:0{width}d}{rest // scale:02d}.{rest % scale:0{digits}d}"


def _decimals(word: str) -> int:
    """How many decimals an angle has; 4 where there is none."""
    return len(word.partition(".")[2]) or 4


def _seconds(word: str) -> float:
    clock = re.fullmatch(r"(\d\d)(\d\d)(\d\d(?:\.\d{1,9})?)", word)
    if clock is None:
        raise WireError("value", f"time {word!r} is not hhmmss.s", "NMEA")
    return int(clock[1]) * 3600 + int(clock[2]) * 60 + float(clock[3])


def _degrees(word: str, side: str, sides: str, most: float) -> float:
    """Degrees of an angle and its side; a receiver without a fix leaves both empty, which is read as 0."""
    if not word and not side:
        return 0.0
    parts = re.fullmatch(r"(\d{2,3})(\d\d\.\d{1,9})", word)
    if parts is None or float(parts[2]) >= 60:
        raise WireError("value", f"angle {word!r} is not degrees and minutes", "NMEA")
    value = int(parts[1]) + float(parts[2]) / 60
    if value > most:
        raise WireError("range", f"angle {word!r} is more than {most:g} degrees", "NMEA")
    return -value if _one_of(side, sides) == sides[1] else value


def _number(word: str, name: str) -> float:
    if not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", word):
        raise WireError("value", f"{name} {word!r} is not a valid number", "NMEA")
    return float(word)


def _digits(word: str, count: int) -> str:
    if not re.fullmatch(rf"[0-9]{{{count}}}", word):
        raise WireError("value", f"{word!r} is not {count} digits", "NMEA")
    return word


def _one_of(word: str, letters: str) -> str:
    if len(word) != 1 or word not in letters:
        raise WireError("value", f"{word!r} must be one of {', '.join(letters)}", "NMEA")
    return word
