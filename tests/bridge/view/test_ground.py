"""The ground that the page draws near lanes is that of wheels and sensors."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.app.store.scene import load_static_world
from dorosim.bridge.view.scenery import page_origin, page_scenery_of
from dorosim.bridge.view.tint import LEVELS
from dorosim.bridge.view.townscape import Layer
from dorosim.ground.mesh import Mesh
from dorosim.road.terrain.ground_part import GroundPart
from dorosim.road.terrain.terrain import terrain_of
from tests.bridge.view.glb import read
from tests.sensor.scene.ground_place import GROUND, made, places
from tests.world.vehicle.slope import NO_LAND

AGREEMENT = 0.02
"""[m]"""


@pytest.mark.parametrize("name", ["town", "V_RHT_Suburb_03", "Sangam_Track"])
def test_the_page_draws_the_ground_within_2_cm_near_lanes(name):
    """At 10,000 places within 30 m of a lane, the highest of all that is drawn near a visitor."""
    run = made(name)
    network = run.scene.network
    origin = np.asarray(page_origin(network))
    page = page_scenery_of(load_static_world(run.map_files, network), network, tuple(origin.tolist()))
    drawn = []
    for tile in page.town.tiles:
        if tile.layer in (Layer.STREET, Layer.LAND):
            mesh = read(tile.glb)
            ground = np.isin(tile.colour[mesh.faces[:, 0]] // LEVELS, GROUND)
            drawn.append(Mesh.of(mesh.vertices + origin, mesh.faces[ground], GroundPart.ROAD))
    spots = places(run)
    assert run.scene.terrain is not None
    wheels = run.scene.terrain.height(spots)
    seen, _, there = terrain_of(Mesh.joined(drawn), NO_LAND).query(np.column_stack((spots[:, :2], wheels)))
    assert (there >= 0).all()
    assert np.abs(seen - wheels).max() < AGREEMENT
