"""The two datagrams of a GPS fix, against the capture and against an independent reader of NMEA."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pynmeagps
import pytest

from dorosim.wire.device.gps import KNOT, PRODUCT, STANDARD, GpsFix, datagrams_from_fix

KST = 9 * 3600
CAPTURED_RMC = b"$GPRMC,220601.6,A,3714.4037,N,12646.4384,E,000.0,116.5,120924,000.0,E,A,*2A\r\n"
CAPTURED_GGA = b"$GPGGA,220601.6,3714.4037,N,12646.4384,E,1,09,1.0,29.1,M,0.0,M,,*52\r\n"


def nanoseconds(*moment: int) -> int:
    return int(datetime(*moment, tzinfo=UTC).timestamp()) * 10**9


CAPTURE = GpsFix(
    time=nanoseconds(2024, 9, 12, 13, 6, 1) + 600_000_000,
    latitude=math.radians(37 + 14.4037 / 60),
    longitude=math.radians(126 + 46.4384 / 60),
    altitude=29.1,
    course=math.radians(116.5),
)


def test_the_captured_fix_byte_for_byte():
    assert datagrams_from_fix(CAPTURE, PRODUCT, KST) == (CAPTURED_RMC, CAPTURED_GGA)


def test_without_reception_the_product_sends_zeros_that_look_valid():
    rmc, gga = datagrams_from_fix(GpsFix(time=CAPTURE.time, denied=True), PRODUCT, KST)
    assert rmc.startswith(b"$GPRMC,220601.6,A,0000.0000,N,00000.0000,E,")
    assert gga.startswith(b"$GPGGA,220601.6,0000.0000,N,00000.0000,E,")


def test_pynmeagps_reads_the_standard_form():
    fix = GpsFix(
        time=CAPTURE.time,
        latitude=math.radians(-37.123456789),
        longitude=math.radians(-126.987654321),
        altitude=-12.5,
        speed=36.0 * KNOT,
        course=math.radians(359.97),
    )
    rmc, gga = (pynmeagps.NMEAReader.parse(line) for line in datagrams_from_fix(fix, STANDARD, KST))
    assert (rmc.msgID, gga.msgID, rmc.status, gga.quality) == ("RMC", "GGA", "A", 1)
    assert (rmc.lat, rmc.lon) == pytest.approx((-37.123456789, -126.987654321), abs=2e-9)
    assert (gga.lat, gga.lon, gga.alt) == pytest.approx((-37.123456789, -126.987654321, -12.5), abs=2e-9)
    assert (rmc.spd, rmc.cog) == (36.0, 0.0), "360 degrees are 0"
    assert (rmc.time.isoformat(), rmc.date.isoformat()) == ("13:06:01.600000", "2024-09-12"), "UTC"


def test_without_reception_the_standard_form_says_so():
    rmc, gga = (pynmeagps.NMEAReader.parse(line) for line in datagrams_from_fix(GpsFix(time=0, denied=True), STANDARD))
    assert (rmc.status, gga.quality, gga.numSV) == ("V", 0, 0)


def test_the_date_turns_with_the_rounded_clock_and_with_the_local_day():
    late = nanoseconds(2024, 12, 31, 23, 59, 59) + 960_000_000
    assert b"RMC,000000.0,A" in datagrams_from_fix(GpsFix(time=late), STANDARD)[0]
    assert b",010125," in datagrams_from_fix(GpsFix(time=late), STANDARD)[0]
    noon = nanoseconds(2024, 2, 28, 15, 0, 0)
    assert b",290224," in datagrams_from_fix(GpsFix(time=noon), PRODUCT, KST)[0]
    assert b",280224," in datagrams_from_fix(GpsFix(time=noon), PRODUCT, 0)[0]
