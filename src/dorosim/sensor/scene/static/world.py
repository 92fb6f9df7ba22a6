"""The static world of a map: built once, kept as bytes, and put into Embree."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.noise import Noise
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.network import RoadNetwork
from dorosim.sensor.scene.archive import opened_archive
from dorosim.sensor.scene.lit_window import with_lit_windows
from dorosim.sensor.scene.mesh import Mesh
from dorosim.sensor.scene.static.drop import Dropper
from dorosim.sensor.scene.static.field import RoadField
from dorosim.sensor.scene.static.ground import ground_mesh
from dorosim.sensor.scene.static.marking import marking_mesh
from dorosim.sensor.scene.static.road import road_mesh
from dorosim.sensor.scene.static.roadside import building_mesh, draw_buildings, draw_trees, tree_meshes
from dorosim.sensor.scene.static.signal import SignalLamps, sign_meshes, signal_meshes
from dorosim.sensor.scene.static.street_lamp import draw_street_lamps, street_lamp_meshes


@dataclass(frozen=True, slots=True, eq=False)
class StaticWorld:
    """What stands still.

    Attributes:
        mesh: all of it, in map [m].
        signal: the lamps of traffic lights, each with a material of its own.
        street_lamp: `(N, 3)` places in map from which street lamps shine [m].
    """

    mesh: Mesh
    signal: SignalLamps
    street_lamp: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))

    def to_bytes(self) -> bytes:
        """The world as bytes (numpy's npz), for a cache."""
        buffer = io.BytesIO()
        low, high = self.mesh.bounds
        middle = 0.5 * (low + high)
        np.savez(
            buffer,
            middle=middle,
            vertices=(self.mesh.vertices - middle).astype(np.float32),
            faces=self.mesh.faces,
            material=self.mesh.material,
            light=self.signal.light,
            lamp=self.signal.lamp,
            albedo=self.signal.albedo,
            emission=self.signal.emission,
            street_lamp=self.street_lamp,
        )
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """The world from bytes.

        Raises:
            InputError: they are broken.
        """
        with opened_archive(content, "static world") as file:
            mesh = Mesh.of(file["vertices"] + file["middle"], file["faces"], file["material"])
            signal = SignalLamps(file["light"], file["lamp"], file["albedo"], file["emission"])
            return cls(mesh, signal, file["street_lamp"])


def static_world_from_map(town: MGeoMap, network: RoadNetwork, seed: int = 0) -> StaticWorld:
    """Build the static world of a map.

    Args:
        town: the map's records: lines, marks, signs.
        network: the same map, compiled.
        seed: of buildings and trees.
    """
    noise = Noise(seed)
    fields = RoadField(network, town)
    road = road_mesh(fields)
    urban = bool(network.signals.lights or len(network.crosswalks) or town.traffic_signs)
    ground = ground_mesh(fields, pavements=urban)
    on_road, on_ground = Dropper(road), Dropper(Mesh.joined([road, ground]))
    heads, lamps = signal_meshes(network.signals.lights, fields, on_ground)
    buildings = draw_buildings(fields, noise) if urban else []
    trees = draw_trees(fields, buildings, noise)
    signals = np.array([light.point[:2] for light in network.signals.lights], np.float64).reshape(-1, 2)
    feet = draw_street_lamps(fields, signals) if urban else np.zeros((0, 3))
    poles, street_lamps = street_lamp_meshes(feet, on_ground, fields)
    spots = np.array([(one.x, one.y) for one in buildings]).reshape(-1, 2)
    houses = [
        building_mesh(one, float(height))
        for one, height in zip(buildings, fields.height(spots) - 0.1 if len(spots) else [], strict=True)
    ]
    roots = on_ground.height(np.column_stack((trees, fields.height(trees)))) if len(trees) else np.zeros(0)
    parts = [
        road,
        marking_mesh(town, network, on_road),
        ground,
        *heads,
        *sign_meshes(town, on_ground),
        *houses,
        *tree_meshes(trees, roots, noise),
        *poles,
    ]
    return StaticWorld(with_lit_windows(Mesh.joined(parts)), lamps, street_lamps)
