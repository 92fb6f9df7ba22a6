"""What tags of lanelets and of lines mean for vehicles, as the traffic rules of Lanelet2 have it.

Source: Lanelet2's description of its tags ("LaneletAndAreaTagging", "LinestringTagging"), where it speaks of defaults.
"""

from __future__ import annotations

from collections.abc import Mapping

from dorosim.ground.unit import KMH

Tags = Mapping[str, str]

_VEHICLE_SUBTYPES = frozenset({"road", "highway", "play_street", "exit"})
"""Lanelets on which cars drive where no tag says otherwise."""

_LINK_TYPES = {
    "crosswalk": "walking",
    "walkway": "walking",
    "shared_walkway": "walking",
    "stairs": "walking",
    "pedestrian_lane": "walking",
    "bicycle_lane": "biking",
    "road_shoulder": "shoulder",
    "emergency_lane": "shoulder",
    "bus_lane": "none",
}
"""Types of links that no car uses, by the subtype of the lanelet (`dorosim.road.network`)."""

_PARTICIPANTS = ("participant", "participant:vehicle", "participant:vehicle:car")
"""Tags that speak of cars, in the order in which Lanelet2's own rules look at them."""

_UNITS = {"km/h": KMH.factor, "kmh": KMH.factor, "kph": KMH.factor, "m/s": 1.0, "mps": 1.0, "mph": 0.44704}
_MAX_SPEED = 200.0
_THIN = ("line_thin", "line_thick")
_BOTH, _LEFT, _RIGHT, _NEITHER = (True, True), (True, False), (False, True), (False, False)


def flag_from(text: str) -> bool | None:
    """What "yes", "no", "true", ... say; None where a text is none of these."""
    word = text.lower()
    if word in ("yes", "true", "1"):
        return True
    return False if word in ("no", "false", "0") else None


def is_drivable(tags: Tags) -> bool:
    """Whether cars use a lanelet: as its participants say, else its subtype.

    A lanelet that names other participants only is for these.
    """
    if not any(key == "participant" or key.startswith("participant:") for key in tags):
        return tags.get("subtype", "road") in _VEHICLE_SUBTYPES
    return next((bool(flag_from(tags[key])) for key in _PARTICIPANTS if key in tags), False)


def link_type(tags: Tags) -> str:
    """The type of the link of a lanelet that cars do not use."""
    return _LINK_TYPES.get(tags.get("subtype", ""), "none")


def is_one_way(tags: Tags) -> bool:
    """Whether cars use a lanelet in the direction of its bounds only, which is so where no tag says otherwise."""
    for key in ("one_way:vehicle:car", "one_way:vehicle", "one_way"):
        found = flag_from(tags.get(key, ""))
        if found is not None:
            return found
    return True


def may_change(tags: Tags) -> tuple[bool, bool]:
    """Whether vehicles may change over a line to its left, and to its right, looking along it.

    Of two lines beside each other the one that is nearer counts: over "dashed_solid" one changes from left to right.
    """
    if "lane_change" in tags:
        return _BOTH if flag_from(tags["lane_change"]) else _NEITHER
    if "lane_change:left" in tags or "lane_change:right" in tags:
        left, right = (flag_from(tags.get(f"lane_change:{side}", "")) or False for side in ("left", "right"))
        return left, right
    if tags.get("type") not in _THIN:
        return _NEITHER
    return {"dashed": _BOTH, "dashed_solid": _RIGHT, "solid_dashed": _LEFT}.get(tags.get("subtype", ""), _NEITHER)


_SPEEDS = {"highway": 130.0 * KMH.factor, "play_street": 7.0 * KMH.factor}
_OUTSIDE_TOWN, _IN_TOWN = 100.0 * KMH.factor, 50.0 * KMH.factor


def usual_speed(tags: Tags) -> float:
    """The speed limit [m/s] of a lanelet about which nothing says more: that of the German rules of Lanelet2."""
    found = _SPEEDS.get(tags.get("subtype", ""))
    return found or (_OUTSIDE_TOWN if tags.get("location") == "nonurban" else _IN_TOWN)


def speed_from(text: str) -> float | None:
    """A speed [m/s] of a text such as "50", "50 km/h", "30 mph" or "15 m/s"; without unit it is in km/h.

    None where the text is no speed above 0 that a road has.
    """
    words = text.strip().lower()
    unit = next((one for one in sorted(_UNITS, key=len, reverse=True) if words.endswith(one)), "")
    try:
        speed = float(words.removesuffix(unit)) * _UNITS.get(unit, KMH.factor)
    except ValueError:
        return None
    return speed if 0.0 < speed <= _MAX_SPEED else None
