"""The NMEA codec: the product's form, the standard form, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.wire.device.nmea import Gga, Rmc, checksum, decode_sentence, encode_sentence
from dorosim.wire.error import WireError

WIKIPEDIA_GGA = b"$GPGGA,123519.0,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,*"


def with_checksum(body: bytes) -> bytes:
    return body + b"%02X\r\n" % checksum(body[1:-1])


def test_a_published_sentence():
    sentence = decode_sentence(with_checksum(WIKIPEDIA_GGA))
    assert isinstance(sentence, Gga)
    assert sentence.latitude == pytest.approx(48.1173, abs=1e-4)
    assert (sentence.altitude, sentence.geoid_separation, sentence.satellites) == (545.4, 46.9, 8)


def test_the_standard_form_has_no_extra_comma():
    rmc = Rmc(time_of_day=1.5, valid=True, latitude=-37.5, longitude=-126.25, extra_comma=False)
    line = encode_sentence(rmc)
    assert line.startswith(b"$GPRMC,000001.5,A,3730.0000,S,12615.0000,W,")
    assert b",*" not in line
    assert decode_sentence(line) == rmc


@given(
    st.integers(0, 863999),
    st.integers(-90 * 600000, 90 * 600000),
    st.integers(-180 * 600000, 180 * 600000),
    st.integers(-9999, 99999),
    st.booleans(),
)
def test_sentences_are_read_as_they_were_written(tenths, latitude, longitude, altitude, extra):
    place = {"latitude": latitude / 600000, "longitude": longitude / 600000}
    for sentence in (
        Rmc(time_of_day=tenths / 10, valid=True, extra_comma=extra, **place),
        Gga(time_of_day=tenths / 10, altitude=altitude / 10, **place),
    ):
        line = encode_sentence(sentence)
        again = decode_sentence(line)
        assert encode_sentence(again) == line
        assert again.latitude == pytest.approx(sentence.latitude, abs=1e-9)
        assert again.longitude == pytest.approx(sentence.longitude, abs=1e-9)


@given(st.binary(max_size=100) | st.binary(max_size=60).map(lambda body: with_checksum(b"$GPRMC," + body + b"*")))
def test_other_bytes_are_refused(data):
    with pytest.raises(WireError):
        decode_sentence(data)


def test_a_wrong_checksum_is_told():
    line = bytearray(with_checksum(WIKIPEDIA_GGA))
    line[20] ^= 1
    with pytest.raises(WireError, match="checksum"):
        decode_sentence(bytes(line))
