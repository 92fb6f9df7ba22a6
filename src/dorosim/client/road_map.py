"""A map as a program sees it: its lanes as lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.client.drawing import lines_svg
from dorosim.client.error import ClientError
from dorosim.client.states import States


@dataclass(frozen=True, slots=True, eq=False)
class RoadMap:
    """A map. In a notebook it shows its lanes, and the actors where they were when it was asked for.

    Attributes:
        name: "" for that of the run.
        lanes: points `(N, 3)` of the middle of each lane, by id of its link [m].
        actors: at that moment; None of a map that is not that of the run.
    """

    name: str
    lanes: Mapping[str, NDArray[np.float64]]
    actors: States | None = None

    def __repr__(self) -> str:
        """How many lanes it has."""
        return f"<RoadMap {self.name or 'of the run'}: {len(self.lanes)} lanes>"

    def nearest_lane(self, x: float, y: float) -> str:
        """Id of the lane whose middle has the point that is nearest to a place in the map [m].

        Raises:
            ClientError: the map has no lanes.
        """
        if not self.lanes:
            raise ClientError("the map has no lanes")
        return min(self.lanes, key=lambda one: float(np.hypot(*(self.lanes[one][:, :2] - (x, y)).T).min()))

    def _repr_svg_(self) -> str:
        marks = []
        if self.actors is not None:
            names = zip(self.actors["kind"], self.actors["id"], strict=True)
            places = zip(self.actors["position"], names, strict=True)
            marks = [(float(place[0]), float(place[1]), f"{kind} {number}") for place, (kind, number) in places]
        return lines_svg([one[:, :2] for one in self.lanes.values()], marks, repr(self))


def road_map_of(name: str, files: Mapping[str, Any], actors: States | None) -> RoadMap:
    """The map of the files of an MGeo map (`map_files`).

    Raises:
        ClientError: it has no links that can be read.
    """
    try:
        links = files["link_set.json"]
        lanes = {str(one["idx"]): np.array(one["points"], np.float64).reshape(-1, 3) for one in links}
    except (KeyError, TypeError, ValueError) as error:
        raise ClientError(f"the map has no lanes that can be read: {type(error).__name__}: {error}") from None
    return RoadMap(name, {link: points for link, points in lanes.items() if len(points)}, actors)
