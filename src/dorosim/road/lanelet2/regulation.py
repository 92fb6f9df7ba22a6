"""Regulatory elements: what lanelets name, beside their bounds, as rules that hold on them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from dorosim.road.lanelet2.element import OsmFile, OsmRelation
from dorosim.road.lanelet2.rule import speed_from

_USED = frozenset({"traffic_light", "traffic_sign", "speed_limit", "right_of_way", "all_way_stop", "crosswalk"})
_SIGN_SPEED = re.compile(r"^[a-z]{2}274(?:\.\d)?-(\d{1,3})$")
"""German signs for speed limits, such as "de274-60", which Lanelet2's own examples have."""


class Regulation:
    """The regulatory elements of a file, and the lanelets that name them.

    Args:
        file: the file.
        lanelets: of it.
        notices: takes a line for references that lead nowhere.
    """

    def __init__(self, file: OsmFile, lanelets: Sequence[OsmRelation], notices: list[str]) -> None:
        self._file = file
        self.lanelets_of: dict[int, list[int]] = defaultdict(list)
        self._speeds: dict[int, float] = {}
        lost = 0
        for lanelet in lanelets:
            for number in lanelet.ids("regulatory_element", "relation"):
                if number in file.relations:
                    self.lanelets_of[number].append(lanelet.id)
                    self._note_speed(lanelet, file.relations[number])
                else:
                    lost += 1
        if lost:
            notices.append(f"{file.source}: {lost} references to regulatory elements that are not there are left out")

    def of_kind(self, *subtypes: str) -> list[OsmRelation]:
        """The elements of some kinds, in the order of the file."""
        return [
            one
            for one in self._file.relations.values()
            if one.tags.get("type") == "regulatory_element" and one.tags.get("subtype") in subtypes
        ]

    def is_used(self, relation: OsmRelation) -> bool:
        """Whether a relation is an element of a kind that has a part in the map."""
        return relation.tags.get("type") == "regulatory_element" and relation.tags.get("subtype") in _USED

    def speed_of(self, lanelet: OsmRelation) -> float | None:
        """The speed limit [m/s] that an element sets for a lanelet, the least of several; None where none does."""
        return self._speeds.get(lanelet.id)

    def _note_speed(self, lanelet: OsmRelation, element: OsmRelation) -> None:
        if element.tags.get("subtype") != "speed_limit":
            return
        signs = [element.tags.get("sign_type", "")]
        signs += [
            self._file.ways[one].tags.get("subtype", "") for one in element.ids("refers") if one in self._file.ways
        ]
        for sign in signs:
            found = _SIGN_SPEED.match(sign)
            speed = speed_from(found[1] if found else sign)
            if speed is not None:
                self._speeds[lanelet.id] = min(speed, self._speeds.get(lanelet.id, speed))
