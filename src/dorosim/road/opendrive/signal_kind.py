"""What a signal of OpenDRIVE is, by the catalogue of its country (ASAM OpenDRIVE 1.8, 14 and annex on signals).

The standard's own catalogue (country "OpenDRIVE") has lights and painted crosswalks; all signs have the numbers of a
country, and many files give those of Germany's Straßenverkehrs-Ordnung (annexes 1 to 3) under the name of the standard.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from dorosim.ground.unit import KMH
from dorosim.road.opendrive.signal_record import OdrSignal


class SignalKind(Enum):
    """What a signal does."""

    VEHICLE_LIGHT = auto()
    WALK_LIGHT = auto()
    STOP_LINE = auto()
    CROSSWALK = auto()
    STOP = auto()
    GIVE_WAY = auto()
    SPEED_LIMIT = auto()
    OTHER_SIGN = auto()
    OTHER_LIGHT = auto()
    PAINT = auto()


class _Sign(NamedTuple):
    """A sign of a country: the start of its type, of its subtype ("" for any), and what it is."""

    type: str
    subtype: str
    kind: SignalKind


_LIGHTS = {
    **dict.fromkeys(("1000001", "1000009", "1000010", "1000011", "1000012"), SignalKind.VEHICLE_LIGHT),
    "1000002": SignalKind.WALK_LIGHT,
}
"""Lights of the standard's own catalogue; those for bicycles, trams and the like mean nothing to drivers here."""

_GERMAN = (
    _Sign("206", "", SignalKind.STOP),
    _Sign("205", "", SignalKind.GIVE_WAY),
    _Sign("274", "", SignalKind.SPEED_LIMIT),
    _Sign("294", "", SignalKind.STOP_LINE),
    _Sign("1000003", "", SignalKind.CROSSWALK),
)
_SIGNS = {
    "": _GERMAN,
    "opendrive": _GERMAN,
    "de": _GERMAN,
    "deu": _GERMAN,
    "ger": _GERMAN,
    "us": (
        _Sign("r1-1", "", SignalKind.STOP),
        _Sign("r1-2", "", SignalKind.GIVE_WAY),
        _Sign("r2-1", "", SignalKind.SPEED_LIMIT),
    ),
    "se": (
        _Sign("b", "2", SignalKind.STOP),
        _Sign("b", "1", SignalKind.GIVE_WAY),
        _Sign("c", "31", SignalKind.SPEED_LIMIT),
    ),
    "kr": (
        _Sign("227", "", SignalKind.STOP),
        _Sign("228", "", SignalKind.GIVE_WAY),
        _Sign("224", "", SignalKind.SPEED_LIMIT),
    ),
}
"""Country in lower case to its signs: Germany's, of the USA (MUTCD), of Sweden (Vägmärkesförordningen), of Korea."""

_SAME_COUNTRY = {"usa": "us", "swe": "se", "kor": "kr"}
_UNITS = {"km/h": KMH.factor, "mph": 0.44704, "m/s": 1.0}
_OLD_GERMAN_BASE = 50
"""Until 2017 the subtype of Germany's sign 274 was this plus a tenth of the speed: 274-55 is 50 km/h."""

_MAX_TENS = 13.0
"""Sweden's sign C31 has a number for its speed: 5 is 50 km/h."""

_FLAT = 0.1
"""What lies on the road and is lower than this is paint [m]."""

_SPEED_CODE = "224"
_CODES = {SignalKind.STOP: "227", SignalKind.GIVE_WAY: "228", SignalKind.SPEED_LIMIT: _SPEED_CODE}
"""Numbers of signs in the network's records, which are Korea's."""


def kind_of(signal: OdrSignal) -> SignalKind:
    """What a signal is."""
    if signal.type in _LIGHTS and signal.dynamic:
        return _LIGHTS[signal.type]
    country, kind = _country(signal), signal.type.lower()
    subtype = "" if signal.subtype in ("-1", "none") else signal.subtype.lower()
    for sign in _SIGNS.get(country, ()):
        if sign.type == kind and (not sign.subtype or sign.subtype == subtype):
            return sign.kind
    if signal.dynamic:
        return SignalKind.OTHER_LIGHT
    lies = signal.height is not None and signal.height < _FLAT and abs(signal.z_offset) < _FLAT
    return SignalKind.PAINT if lies else SignalKind.OTHER_SIGN


def speed_of(signal: OdrSignal) -> float | None:
    """The speed that a sign of a speed limit shows [m/s]; None where it shows none.

    A value without a unit is in km/h, in the USA in mph; one that the file lacks is taken from the subtype.
    """
    country = _country(signal)
    unit = _UNITS.get(signal.unit, _UNITS["mph" if country == "us" else "km/h"])
    if signal.value is not None and signal.value > 0.0:
        tens = country == "se" and signal.value <= _MAX_TENS and not signal.unit
        return signal.value * unit * (10.0 if tens else 1.0)
    if not signal.subtype.isdecimal():
        return None
    number = int(signal.subtype)
    if _OLD_GERMAN_BASE < number < _OLD_GERMAN_BASE + _MAX_TENS + 1 and number % 10:
        number = 10 * (number - _OLD_GERMAN_BASE)
    return number * unit if 0 < number <= 200 else None


def code_of(signal: OdrSignal, kind: SignalKind) -> tuple[str, str]:
    """The number of a sign in the network's records, and the value that it shows: a speed in km/h, else ""."""
    speed = speed_of(signal) if kind is SignalKind.SPEED_LIMIT else None
    shown = "" if speed is None else f"{speed / KMH.factor:.0f}"
    if kind in _CODES:
        return _CODES[kind], shown
    return (signal.type if _country(signal) == "kr" else ""), shown


def _country(signal: OdrSignal) -> str:
    """The country of the catalogue, in lower case, as its short code."""
    found = signal.country.lower()
    return _SAME_COUNTRY.get(found, found)
