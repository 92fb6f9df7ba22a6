"""Checks settings of sensors before they are sent, and makes of them what the simulator takes."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin

from dorosim.client.error import RefusedError
from dorosim.client.sensor_setting import (
    Exposure,
    Image,
    LidarIntensity,
    LidarModel,
    LidarReturns,
    TruthKind,
    TruthShape,
)
from dorosim.client.setting import Setting, settings_of

_CODES: dict[str, dict[str, int]] = {
    "image": {name: code for code, name in enumerate(get_args(Image))},
    "exposure_mode": {name: code for code, name in enumerate(get_args(Exposure))},
    "model": {name: code for code, name in enumerate(get_args(LidarModel))},
    "returns": {name: code for code, name in enumerate(get_args(LidarReturns))},
    "intensity": {name: code for code, name in enumerate(get_args(LidarIntensity))},
    "shape": {name: code for code, name in enumerate(get_args(TruthShape), 1)},
    "filter": {name: code for code, name in enumerate(get_args(TruthKind), 1)},
}
"""Numbers of words, as the simulator has them (world/mount/setting.py)."""


def checked_settings(sensor: str, kind: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as the simulator takes them.

    Args:
        sensor: kind of sensor, for messages.
        kind: class of its settings.
        given: by the user.

    Raises:
        RefusedError: a setting is not known, has a value of another type, or is out of bounds.
    """
    known = settings_of(kind)
    found = {}
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, known, 1)
            cure = f"do you mean {near[0]!r}?" if near else f"use {', '.join(known)}"
            raise RefusedError(f"a {sensor} has no setting {name!r}", cure)
        bare, setting = known[name]
        found[name] = _plain(f"{sensor}: {name}", name, value, bare, setting)
    return found


def _plain(place: str, name: str, value: Any, bare: Any, setting: Setting) -> Any:
    """One setting as JSON takes it."""
    if name in _CODES:
        words = _CODES[name]
        several = [value] if isinstance(value, str) else value
        wrong = [one for one in several if one not in words]
        if wrong:
            raise RefusedError(f"{place}: {wrong[0]!r} is not valid", f"use {', '.join(map(repr, words))}")
        codes = [words[one] for one in several]
        return codes if name == "filter" else codes[0]
    if value is None and setting.default is None:
        return None
    if get_origin(bare) is Literal:
        if value not in get_args(bare):
            raise RefusedError(f"{place}: {value!r} is not valid", f"use {', '.join(map(str, get_args(bare)))}")
        return value
    if bare is bool:
        if not isinstance(value, bool):
            raise RefusedError(f"{place}: {value!r} is not valid", "use True or False")
        return value
    return _numbers(place, value, bare, setting)


def _numbers(place: str, value: Any, bare: Any, setting: Setting) -> Any:
    """A number, or several, within bounds."""
    count = next((len(get_args(one)) for one in (bare, *get_args(bare)) if get_origin(one) is tuple), 0)
    try:
        numbers = [
            int(one) if bare is int and one == int(one) else float(one) for one in (value if count else (value,))
        ]
    except (TypeError, ValueError, OverflowError):
        numbers = []
    if len(numbers) != (count or 1) or (bare is int and not all(isinstance(one, int) for one in numbers)):
        wanted = f"{count} numbers" if count else "a whole number" if bare is int else "a number"
        raise RefusedError(f"{place}: {value!r} is not valid", f"give {wanted}")
    for one in numbers:
        if not setting.least <= one <= setting.most or (setting.above and one == setting.least):
            bound = f"{'more than ' if setting.above else ''}{setting.least:g} to {setting.most:g}"
            raise RefusedError(f"{place}: {one:g} is out of bounds", f"use {bound}")
    return numbers if count else numbers[0]
