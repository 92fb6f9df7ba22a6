"""Speeds of OpenDRIVE (ASAM OpenDRIVE 1.8, 10 and 11)."""

from __future__ import annotations

from dorosim.road.opendrive.element import OdrElement

_UNITS = {"m/s": 1.0, "km/h": 1.0 / 3.6, "mph": 0.44704, "": 1.0}
_NO_LIMIT = ("no limit", "undefined")


def max_speed_of(element: OdrElement) -> float | None:
    """The greatest speed of a `<speed>` [m/s]; None where there is no limit, or it is not known.

    Raises:
        InputError: the speed is not a number of 0 or more, or its unit is not one of the standard.
    """
    if element.text("max").lower() in _NO_LIMIT:
        return None
    unit = element.word("unit", tuple(_UNITS), "")
    return element.number("max", least=0.0) * _UNITS[unit]
