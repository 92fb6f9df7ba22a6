"""The two datagrams of a GPS fix: RMC first, then GGA (documents/sensor-protocols-en.txt, GPS; facts/udp-wire.md, 5.4).

The product writes the local clock of its computer where the standard wants UTC, and goes on to send zeros as a valid
position where there is no reception.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from dorosim.ground.unit import DEGREE
from dorosim.wire.device.nmea import Gga, Rmc, encode_sentence

KNOT = 1852 / 3600
"""A knot [m/s] (BIPM SI brochure, 8th ed., table 8)."""
_TENTH = 100_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class NmeaForm:
    """How a receiver writes.

    Attributes:
        extra_comma: before the checksum of RMC.
        local_clock: time and date are local instead of UTC.
        reports_loss: without reception RMC says V and GGA quality 0; the product sends zeros that look valid.
        minute_digits: decimals of the minutes of an angle.
    """

    extra_comma: bool
    local_clock: bool
    reports_loss: bool
    minute_digits: int


PRODUCT = NmeaForm(extra_comma=True, local_clock=True, reports_loss=False, minute_digits=4)
"""As captured from the product; a position in steps of 0.19 m."""
STANDARD = NmeaForm(extra_comma=False, local_clock=False, reports_loss=True, minute_digits=7)
"""NMEA 0183 v2.3, with decimals for 0.2 mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpsFix:
    """The values that a receiver measures.

    Attributes:
        time: since the Unix epoch [ns].
        denied: there is no reception; the other numbers do not matter.
        latitude, longitude: north and east positive [rad].
        altitude: [m].
        speed: over ground [m/s]. course: clockwise from north [rad].
        satellites: how many are in use. hdop: horizontal dilution of precision.
    """

    time: int
    denied: bool = False
    latitude: float = 0.0
    longitude: float = 0.0
    altitude: float = 0.0
    speed: float = 0.0
    course: float = 0.0
    satellites: int = 9
    hdop: float = 1.0


def sentences_from_fix(fix: GpsFix, form: NmeaForm = PRODUCT, utc_offset: int = 0) -> tuple[Rmc, Gga]:
    """The sentences of a fix.

    Args:
        fix: the values of the receiver.
        form: how the receiver writes them.
        utc_offset: of the local clock [s], east positive; 32400 in Korea.
    """
    tenths = (fix.time + _TENTH // 2) // _TENTH + (utc_offset * 10 if form.local_clock else 0)
    date = (_EPOCH + timedelta(days=tenths // 864000)).strftime("%d%m%y")
    silent = fix.denied and form.reports_loss
    place = (0.0, 0.0, 0.0) if fix.denied else (fix.latitude, fix.longitude, fix.altitude)
    latitude, longitude = place[0] / DEGREE.factor, place[1] / DEGREE.factor
    course = 0 if fix.denied else round(math.degrees(fix.course) * 10) % 3600  # tenths, below 360 deg once rounded
    rmc = Rmc(
        time_of_day=tenths % 864000 / 10,
        valid=not silent,
        latitude=latitude,
        longitude=longitude,
        speed_knots=0.0 if fix.denied else fix.speed / KNOT,
        course_deg=course / 10,
        date=date,
        mode="N" if silent else "A",
        extra_comma=form.extra_comma,
        minute_digits=form.minute_digits,
    )
    gga = Gga(
        time_of_day=rmc.time_of_day,
        latitude=latitude,
        longitude=longitude,
        quality=0 if silent else 1,
        satellites=0 if silent else fix.satellites,
        hdop=fix.hdop,
        altitude=place[2],
        minute_digits=form.minute_digits,
    )
    return rmc, gga


def datagrams_from_fix(fix: GpsFix, form: NmeaForm = PRODUCT, utc_offset: int = 0) -> tuple[bytes, bytes]:
    """The datagrams of a fix, in the order in which they are sent; arguments as of `sentences_from_fix`."""
    rmc, gga = sentences_from_fix(fix, form, utc_offset)
    return encode_sentence(rmc), encode_sentence(gga)
