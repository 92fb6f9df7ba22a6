"""What dorosim writes into a file for itself: `<userData>` with codes that others pass over (ASAM OpenDRIVE 1.8, 7.2).

It has what OpenDRIVE has no word for: ids, lamps, programmes, and how far a link reaches beyond its lane. Lines, lanes
and their links are those of the file, so changes to the file are read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from dorosim.road.adjacency import FloatArray

PREFIX = "dorosim."
LINK, LINK_TYPE, MOVEMENT = "dorosim.link", "dorosim.type", "dorosim.movement"
FROM_NODE, TO_NODE = "dorosim.from", "dorosim.to"
INNER, OUTER = "dorosim.inner", "dorosim.outer"
"""Of a lane: how much more room the link has on that side than half of the lane's width, see `profile_text`."""

MARGIN = "dorosim.margin"
"""Of a lane: it is what the link beside it has beyond its lane; the link's painted line is on its outer border."""

LEFT, RIGHT = "dorosim.left", "dorosim.right"
"""Of a lane: the link beside it and whether one may change into it, where the road says something else."""

CHANGES = "dorosim.changes"
"""Of a lane: the changes from it that the map lists, each with its id and the links that it crosses."""

PAINT = "dorosim.paint"
"""Of a mark: the code of the line that it is."""

LIGHT, SIGN, AREA, PAINTING, BAY = "dorosim.light", "dorosim.sign", "dorosim.area", "dorosim.painting", "dorosim.bay"
"""Of a signal or an object: the id of the light, sign, crosswalk, painting or parking space that it is."""

RECORD = "dorosim.record"
"""What else is known of it, see `record_text`."""

LIGHT_FIELDS, SIGN_FIELDS = (
    ("idx", "point", "heading", "link_id_list", "road_id"),
    ("idx", "point", "heading", "road_id"),
)
"""Of lights and signs, what the file says in its own words."""

AREA_FIELDS = ("idx", "points", "center_point")
"""The same of paintings and parking spaces."""

CONTROLLER, GROUP, PROGRAMME = "dorosim.controller", "dorosim.group", "dorosim.programme"
STOP = "dorosim.stop"
"""Of a signal: it is a stop line of dorosim, at this share of the length of its link."""

LIGHTS = "dorosim.lights"
"""Of a crosswalk: ids of its lights. Where it is but guessed of these, the crosswalk has no id."""

SYSTEM, GEO = "dorosim.projection", "dorosim.geo"
"""Of the header: the projection in the words of the map, and the geo reference that was made of it."""

ROW = "dorosim.row"
"""The place of a light, a controller or a link in its list."""

_ROUND = 4


def profile_text(share: FloatArray, value: FloatArray, tolerance: float) -> str:
    """A profile along a road as text: pairs of the share of its length and the value [m], by as few as may be.

    Args:
        share: `(N,)` ascending from 0 to 1.
        value: `(N,)` there [m].
        tolerance: how far straight lines between the pairs may be from the values [m].

    Returns:
        The numbers with spaces between; "" where all values are 0 within the tolerance.
    """
    if np.abs(value).max() <= tolerance:
        return ""
    kept = {0, len(share) - 1}
    open_spans = [(0, len(share) - 1)]
    while open_spans:
        first, last = open_spans.pop()
        if last - first < 2:
            continue
        line = np.interp(share[first : last + 1], share[[first, last]], value[[first, last]])
        away = np.abs(value[first : last + 1] - line)
        worst = first + int(np.argmax(away))
        if away.max() > tolerance:
            kept.add(worst)
            open_spans += [(first, worst), (worst, last)]
    rows = sorted(kept)
    return " ".join(f"{number:.9g}" for row in rows for number in (share[row], round(float(value[row]), _ROUND)))


def profile_of(text: str, length: float) -> tuple[FloatArray, FloatArray]:
    """Places `(N,)` along a road of some length [m] and values `(N,)` [m] of a profile; none where it is none."""
    nothing = (np.zeros(0), np.zeros(0))
    try:
        numbers = np.array([float(part) for part in text.split()], np.float64)
    except ValueError:
        return nothing
    if len(numbers) < 2 or len(numbers) % 2 or not (np.abs(numbers) < 1e6).all():
        return nothing
    share, value = numbers[::2], numbers[1::2]
    if (np.diff(share) <= 0.0).any() or share[0] < 0.0 or share[-1] > 1.0:
        return nothing
    return share * length, value


def profile_at(data: Mapping[str, str], code: str, length: float, s: FloatArray) -> FloatArray:
    """The values `(N,)` of a profile in a lane's data at places along the road `(N,)` [m]; 0 where it has none."""
    places, values = profile_of(data.get(code, ""), length)
    found: FloatArray = np.interp(s, places, values) if len(places) else np.zeros(len(s))
    return found


def record_text(record: Any, without: Collection[str]) -> str:
    """The fields of a record as JSON, but for some that the file has anyway."""
    kept = {one.name: getattr(record, one.name) for one in fields(record) if one.name not in without}
    return json.dumps(kept, separators=(",", ":"), ensure_ascii=False, default=list)


def fill(record: Any, text: str, without: Collection[str]) -> None:
    """Fill fields of a record from such a text, those whose values are of the kind that the record has.

    Args:
        record: with some value in each field; it is changed.
        text: perhaps edited by hand.
        without: fields that stay as they are.
    """
    known = json_of(text)
    for one in fields(record) if isinstance(known, dict) else ():
        value, now = known.get(one.name), getattr(record, one.name)
        if one.name in without or value is None:
            continue
        if isinstance(now, bool | str) and type(value) is type(now):
            setattr(record, one.name, value)
        elif isinstance(now, float) and isinstance(value, int | float):
            setattr(record, one.name, number_of(value, now))
        elif isinstance(now, list) and isinstance(value, list) and all(isinstance(part, str) for part in value):
            setattr(record, one.name, list(value))


def names_text(names: Sequence[str]) -> str:
    """Names as text."""
    return json.dumps(list(names), separators=(",", ":"), ensure_ascii=False)


def names_of(text: str) -> list[str]:
    """The names in a text; none where it has none."""
    found = json_of(text)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def json_of(text: str) -> Any:
    """What a text of JSON says, None where it is none, or not finite, or nested too deep."""
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def number_of(value: Any, default: float = 0.0) -> float:
    """A finite number of a value of JSON, which may be anything."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    return float(value) if abs(value) < 1e9 and math.isfinite(value) else default


def row_of(data: Mapping[str, str], default: int) -> int:
    """The place in a list that data name."""
    text = data.get(ROW, "")
    return int(text) if text.isdecimal() and len(text) < 10 else default
