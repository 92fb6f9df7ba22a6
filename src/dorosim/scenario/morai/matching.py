"""What a scenario file names, found on a map and in a catalogue; and a list of what is not there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import TypeVar

import numpy as np

from dorosim.ground.physics import MAX_COORDINATE
from dorosim.ground.unit import DEGREE, KMH
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.scenario.catalogue import Catalogue, Family, find_model
from dorosim.scenario.morai.record import LinkInfo, Rotation, ScenarioItem, Vector
from dorosim.scenario.plan import MAX_PLAN_LANE_DISTANCE, LanePosition
from dorosim.scenario.plan import Vector as Triple

PERCENT = 0.01
MAX_SPEED_KMH, MAX_SPEED_PERCENT = 1000.0, 1000.0
"""Limits of speeds [km/h] as at the wire (docs/decisions/0004), and of shares of a speed limit [%]."""
_POINT_TOLERANCE = 3.0
"""A position this near to a point of a link, along it [m], gives the place on the link more exactly than the point."""

Code = TypeVar("Code", bound=IntEnum)


class Matcher:
    """Finds links, models and codes, and takes notes.

    Args:
        network: the map.
        catalogue: the models.

    Attributes:
        missing: what was not found, one line each, beginning with the key path.
    """

    def __init__(self, network: RoadNetwork, catalogue: Catalogue) -> None:
        self.network = network
        self.catalogue = catalogue
        self.missing: list[str] = []
        self._rows = {name: row for row, name in enumerate(network.link_ids)}
        self._stand_ins: dict[str, int] = {}

    def note(self, path: str, problem: str) -> None:
        """Add a line."""
        self.missing.append(f"{path}: {problem}")

    def model(self, family: Family, item: ScenarioItem, group: str) -> int:
        """Row of the model of an item in its catalogue; `group` is the list that the item is in."""
        return self.model_of(family, item.data_id, item.model_name, group)

    def model_of(self, family: Family, data_id: int, name: str | None, group: str) -> int:
        """Row of a model by number and name."""
        row, exact = find_model(self.catalogue, family, data_id, name)
        if not exact:
            there = self.catalogue.models_of(family)[row].name
            if name is None and not data_id:
                line = f"{group}: no model is named; {there} stands in; give modelName, or the product's DataID"
            else:
                wanted = f"DataID {data_id}" if name is None else f"model {name!r}"
                line = f"{group}: {wanted} is not in the catalogue; {there} stands in"
            self._stand_ins[line] = self._stand_ins.get(line, 0) + 1
        return row

    def stand_ins(self) -> list[str]:
        """Which models stand for which, one line for all items of a list that are alike."""
        return [line + (f" ({count} times)" if count > 1 else "") for line, count in self._stand_ins.items()]

    def code(self, codes: type[Code], value: int, otherwise: Code, path: str) -> Code:
        """A code, or another one with a note if the file's is unknown."""
        if value in codes.__members__.values():
            return codes(value)
        self.note(path, f"code {value} is not known; {otherwise.value} ({otherwise.name}) instead")
        return otherwise

    def limited(self, value: float, low: float, high: float, path: str) -> float:
        """A number within limits; one outside counts as the limit, with a note."""
        if low <= value <= high:
            return value
        limit = low if value < low else high
        self.note(path, f"{value:g} is out of range; {limit:g} instead")
        return limit

    def ratio(self, percent: float, path: str) -> float:
        """A share of a speed limit, of percent."""
        return self.limited(percent, 0.0, MAX_SPEED_PERCENT, path) * PERCENT

    def speed(self, speed_kmh: float, path: str, lowest_kmh: float = 0.0, highest_kmh: float = MAX_SPEED_KMH) -> float:
        """A speed [m/s], of km/h."""
        return self.limited(speed_kmh, lowest_kmh, highest_kmh, path) * KMH.factor

    def bias(self, percent: float, path: str) -> float:
        """A lateral bias over half the lane width, of percent; beyond it lies the next lane."""
        return self.limited(percent, -100.0, 100.0, path) * PERCENT

    def length(self, value: float, path: str) -> float:
        """A distance [m]."""
        return self.limited(value, 0.0, MAX_COORDINATE, path)

    def link(self, name: str, path: str) -> int | None:
        """Row of a link; None if the name is empty or, with a note, unknown."""
        row = self._rows.get(name)
        if row is None and name:
            self.note(path, f"the map has no link {name!r}")
        return row

    def place(self, info: LinkInfo, path: str, position: Triple | None = None) -> LanePosition | None:
        """A place on a link; None if the file names none or, with a note, an unknown one.

        Args:
            info: as the file has it.
            path: its key path.
            position: of the thing at the place, in map [m], which is more exact than the number of a point.
        """
        row = self.link(info.link, path)
        if row is None:
            return None
        lines = self.network.lines
        first, last = int(lines.first[row]), int(lines.first[row + 1]) - 1
        if not 0 <= info.point <= last - first:
            self.note(path, f"link {info.link!r} has {last - first + 1} points, so no point {info.point}; the nearest")
        point = min(max(first + info.point, first), last)
        offset = info.offset or 0.0
        if info.offset is None and position is not None:
            along = float(np.dot(np.array(position[:2]) - lines.points[point, :2], lines.tangent[point]))
            offset = along if abs(along) <= _POINT_TOLERANCE else 0.0
        return LanePosition(row, min(max(float(lines.arc[point]) + offset, 0.0), float(lines.arc[last])))

    def nearest(
        self, position: Triple, yaw: float | None = None, radius: float = MAX_PLAN_LANE_DISTANCE
    ) -> LanePosition | None:
        """The place on a driving lane near a position in map [m], and along a heading [rad] if given; None for none."""
        found = locate(self.network, position, yaw, drivable_only=True, reach=radius)
        return None if found.link[0] < 0 else LanePosition(int(found.link[0]), float(found.s[0]))

    def note_far(self, positions: Sequence[Triple], group: str, distance: float = MAX_PLAN_LANE_DISTANCE) -> None:
        """Note how many positions lie farther than a distance [m] from every lane."""
        if not positions:
            return
        far = int((locate(self.network, np.array(positions), reach=distance).link < 0).sum())
        if far:
            count = f"{far} of {len(positions)}"
            self.note(group, f"{count} lie more than {distance:,.0f} m from every lane; kept")

    def note_apart(self, position: Triple, place: LanePosition, path: str) -> None:
        """Note a position in map [m] that lies far from the place on a link that the file names beside it."""
        x, y, _ = self.network.pose_at(place.link, np.array([place.s])).point[0].tolist()
        apart = math.dist(position[:2], (x, y))
        if apart > MAX_PLAN_LANE_DISTANCE:
            link = self.network.link_ids[place.link]
            self.note(path, f"lies {apart:,.0f} m from the place on link {link!r} that the file names; that counts")


def triple_from(vector: Vector) -> Triple:
    """The three numbers of a vector in the map's axes [m]."""
    return (vector.x, vector.y, vector.z)


def rotation_from(rotation: Rotation) -> Triple:
    """Roll, pitch and yaw, -pi to pi [rad]."""
    roll, pitch, yaw = (
        math.remainder(angle * DEGREE.factor, math.tau) for angle in (rotation.roll, rotation.pitch, rotation.yaw)
    )
    return (roll, pitch, yaw)


def map_from_unity(vector: Vector) -> Triple:
    """A place given in Unity's axes, in map [m]: Unity's x, y, z are -east, up, -north (facts, section 3.3)."""
    return (-vector.x, -vector.z, vector.y)


def unity_from_map(position: Triple) -> Vector:
    """A place in map [m], in Unity's axes."""
    return Vector(x=-position[0], y=position[2], z=-position[1])
