"""The static world of a map: built once, kept as bytes, and put into Embree."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.mesh import Mesh
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.network import RoadNetwork
from dorosim.road.scenery.table import ObjectKind, Scenery
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.ground_part import GroundPart
from dorosim.road.terrain.terrain import Terrain
from dorosim.sensor.scene.archive import opened_archive
from dorosim.sensor.scene.lit_window import with_lit_windows
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.static.bridge import bridge_mesh
from dorosim.sensor.scene.static.marking import marking_mesh
from dorosim.sensor.scene.static.own import own_object_meshes
from dorosim.sensor.scene.static.roadside import building_mesh, tree_meshes
from dorosim.sensor.scene.static.signal import SignalLamps, sign_meshes, signal_meshes
from dorosim.sensor.scene.static.street_lamp import street_lamp_meshes, street_lamp_places


@dataclass(frozen=True, slots=True, eq=False)
class StaticWorld:
    """What stands still.

    Attributes:
        mesh: all of it, in map [m].
        signal: the lamps of traffic lights, each with a material of its own.
        loose: `(3, B)` of each object of the scenery that may give way: its row there, its first face in the mesh, and
            the face after its last.
        street_lamp: `(N, 3)` places in map from which street lamps shine [m].
    """

    mesh: Mesh
    signal: SignalLamps
    loose: IntArray = field(default_factory=lambda: np.zeros((3, 0), np.int64))
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
            loose=self.loose,
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
            return cls(mesh, signal, file["loose"], file["street_lamp"])


_GROUND = {
    GroundPart.ROAD: Material.ASPHALT,
    GroundPart.PAVEMENT: Material.PAVEMENT,
    GroundPart.KERB: Material.KERB,
    GroundPart.VERGE: Material.GRASS,
    GroundPart.SHOULDER: Material.SOIL,
    GroundPart.ABUTMENT: Material.CONCRETE,
    GroundPart.LAND: Material.GRASS,
}


def ground_mesh(terrain: Terrain) -> Mesh:
    """The ground of a map as sensors see it."""
    mesh = terrain.mesh()
    stuff = np.array([_GROUND[part] for part in GroundPart], np.uint16)
    return Mesh(mesh.vertices, mesh.faces, stuff[mesh.material])


def static_world_from_map(town: MGeoMap, network: RoadNetwork, scenery: Scenery, terrain: Terrain) -> StaticWorld:
    """Build the static world of a map.

    Args:
        town: the map's records: lines, marks, signs.
        network: the same map, compiled.
        scenery: what stands beside its roads.
        terrain: its ground.
    """
    objects = scenery.objects
    lights, signs = scenery.rows_of(ObjectKind.SIGNAL), scenery.rows_of(ObjectKind.SIGN)
    heads, lamps = signal_meshes(network.signals.lights, objects, lights)
    alone = [*heads, *sign_meshes(town.traffic_signs, objects, signs)]
    end = np.cumsum([len(mesh.faces) for mesh in alone], dtype=np.int64)
    loose = np.stack((np.concatenate((lights, signs)), np.concatenate((np.zeros(1, np.int64), end))[:-1], end))
    houses = [building_mesh(objects, row) for row in scenery.rows_of(ObjectKind.BUILDING).tolist()]
    street_lamps = scenery.rows_of(ObjectKind.STREET_LAMP)
    parts = [
        *alone,
        ground_mesh(terrain),
        bridge_mesh(RoadField(network, town)),
        marking_mesh(town, network, terrain),
        *houses,
        *tree_meshes(objects, scenery.rows_of(ObjectKind.TREE)),
        *street_lamp_meshes(objects, street_lamps),
        *own_object_meshes(objects),
    ]
    gives_way = objects.breakaway_speed[loose[0]] > 0.0
    mesh = with_lit_windows(Mesh.joined(parts))
    return StaticWorld(mesh, lamps, loose[:, gives_way], street_lamp_places(objects, street_lamps))
