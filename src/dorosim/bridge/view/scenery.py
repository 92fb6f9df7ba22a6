"""What stands still on the page: tiles of the map, lenses of lights, light of lamps; as bytes for a cache, too."""

from __future__ import annotations

import io
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.view.crowd import NO_LIGHTS, Lights
from dorosim.bridge.view.lens import Lenses, lenses_of
from dorosim.bridge.view.street_light import pools_of
from dorosim.bridge.view.townscape import Layer, Tile, Townscape, townscape
from dorosim.road.network import RoadNetwork
from dorosim.sensor.scene.archive import opened_archive
from dorosim.sensor.scene.material import MaterialTable
from dorosim.sensor.scene.static.world import StaticWorld

_GRID = 100.0
"""The page's frame begins at a place with round figures [m]."""


class PageScenery(NamedTuple):
    """What stands still on the page.

    Attributes:
        town: the map. lenses: of its lights. pools: of light below its street lamps.
        albedo: `(M, 3)` linear reflectance of the materials that the colours of the tiles count in.
    """

    town: Townscape
    lenses: Lenses
    albedo: NDArray[np.float32]
    pools: Lights

    @classmethod
    def empty(cls, notice: str = "") -> Self:
        """Of a map without anything; the notice says why."""
        row, point = np.zeros(0, np.float32), np.zeros((0, 3), np.float32)
        none = Lenses(point, np.zeros((0, 4), np.float32), row, *(np.zeros(0, np.int64) for _ in range(3)))
        return cls(Townscape((), notice), none, MaterialTable.standard().albedo, NO_LIGHTS)

    def to_bytes(self) -> bytes:
        """The scenery as bytes (numpy's npz)."""
        tiles, buffer = self.town.tiles, io.BytesIO()
        layers = list(Layer)
        np.savez(
            buffer,
            notice=np.array(self.town.notice),
            layer=np.array([layers.index(tile.layer) for tile in tiles], np.int64),
            name=np.array([tile.name for tile in tiles], np.str_),
            triangles=np.array([tile.triangles for tile in tiles], np.int64),
            middle=np.array([tile.middle for tile in tiles], np.float64).reshape(-1, 2),
            size=np.array([(len(tile.glb), len(tile.colour)) for tile in tiles], np.int64).reshape(-1, 2),
            glb=np.frombuffer(b"".join(tile.glb for tile in tiles), np.uint8),
            colour=np.concatenate([np.zeros(0, np.int64), *(tile.colour for tile in tiles)]).astype(np.uint16),
            albedo=self.albedo,
            **{f"lens_{name}": values for name, values in self.lenses._asdict().items()},
            **{f"pool_{name}": values for name, values in self.pools._asdict().items()},
        )
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """The scenery from bytes.

        Raises:
            InputError: they are broken.
        """
        with opened_archive(content, "scenery of the page") as file:
            glb, colour = file["glb"].tobytes(), file["colour"].astype(np.int64)
            ends = np.cumsum(np.vstack((np.zeros((1, 2), np.int64), file["size"])), axis=0).tolist()
            layers = list(Layer)
            rows = zip(
                file["layer"].tolist(),
                file["name"].tolist(),
                file["triangles"].tolist(),
                file["middle"].tolist(),
                ends,
                ends[1:],
                strict=False,  # a row of ends more than tiles
            )
            tiles = tuple(
                Tile(layers[layer], name, triangles, glb[first[0] : last[0]], colour[first[1] : last[1]], (x, y))
                for layer, name, triangles, (x, y), first, last in rows
            )
            lenses = Lenses(**{name: file[f"lens_{name}"] for name in Lenses._fields})
            pools = Lights(**{name: file[f"pool_{name}"] for name in Lights._fields})
            return cls(Townscape(tiles, str(file["notice"])), lenses, file["albedo"], pools)


def page_origin(network: RoadNetwork) -> tuple[float, float, float]:
    """Origin of the page's frame in the map, near the map's middle, since triangles are sent as float32 [m]."""
    points = network.lines.points
    if not len(points):
        return (0.0, 0.0, 0.0)
    x, y = (_GRID * np.round(0.5 * (points.min(axis=0) + points.max(axis=0))[:2] / _GRID)).tolist()
    return (x, y, 0.0)


def page_scenery_of(static: StaticWorld, network: RoadNetwork, origin: tuple[float, float, float]) -> PageScenery:
    """What the page shows of a map.

    Args:
        static: its triangles.
        network: its lanes.
        origin: of the page's frame in the map [m].
    """
    albedo = MaterialTable.standard(static.signal.materials()).albedo
    town = townscape(static.mesh, network, origin)
    return PageScenery(town, lenses_of(static, origin), albedo, pools_of(static, origin))
