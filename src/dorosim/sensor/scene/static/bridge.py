"""Bridges: the undersides of their decks, and their parapets."""

from __future__ import annotations

from dorosim.ground.mesh import Mesh, quad_mesh, strip_mesh
from dorosim.road.terrain.deck import DECK_THICKNESS, deck_pieces, parapets
from dorosim.road.terrain.field import RoadField
from dorosim.sensor.scene.material import Material


def bridge_mesh(field: RoadField) -> Mesh:
    """All of the bridges of a map but the road on them."""
    under = [strip_mesh(piece - (0.0, 0.0, DECK_THICKNESS), Material.CONCRETE) for piece in deck_pieces(field)]
    walls = parapets(field)[:, [0, 1, 1, 0], [0, 0, 1, 1]]
    return Mesh.joined([*under, quad_mesh(walls, Material.CONCRETE)])
