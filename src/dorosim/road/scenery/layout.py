"""The scenery of a map: what it says, and what is drawn by rule beside its roads.

A map that puts buildings, trees or other vegetation beside its roads gets none by rule, and one with street lamps no
other street lamps. What is drawn by rule keeps clear of all that the map has.
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.noise import Noise
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.network import RoadNetwork
from dorosim.road.scenery.building import building_parts, draw_buildings
from dorosim.road.scenery.clearance import parts_in_path
from dorosim.road.scenery.grid_kernel import grid_of_parts
from dorosim.road.scenery.own import clear_of, own_parts, place_own_objects
from dorosim.road.scenery.parapet import parapet_parts, place_parapets
from dorosim.road.scenery.roadside_object import RoadsideKind, RoadsideSurface
from dorosim.road.scenery.sign import place_signs, sign_parts
from dorosim.road.scenery.signal import place_signals, signal_parts
from dorosim.road.scenery.street_lamp import place_street_lamps, street_lamp_parts
from dorosim.road.scenery.table import ObjectKind, ObjectTable, PartTable, Scenery, joined_parts
from dorosim.road.scenery.tree import draw_trees, tree_parts
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.terrain import Terrain, is_urban, is_village

_BY_RULE = (RoadsideKind.BUILDING, RoadsideKind.TREE)

_IN_GROUND = 0.1
"""Buildings stand so deep in the ground [m]."""


def scenery_from_map(town: MGeoMap, network: RoadNetwork, field: RoadField, terrain: Terrain, seed: int = 0) -> Scenery:
    """The scenery of a map.

    An object that reaches into the path of a vehicle on a lane, since the map puts it there, is seen but not solid.

    Args:
        town: the map's records.
        network: the same map, compiled.
        field: of the same.
        terrain: the ground.
        seed: of buildings and trees.
    """
    noise = Noise(seed)
    urban = is_urban(town, network)
    village = is_village(network)
    own = place_own_objects(town.roadside_objects, terrain)
    furnished = any(one.kind in _BY_RULE or one.surface is RoadsideSurface.HEDGE for one in town.roadside_objects)
    buildings = draw_buildings(field, noise, village=village) if urban and not furnished else ObjectTable.zeros(0)
    buildings = buildings.take(np.flatnonzero(clear_of(buildings, own)))
    trees = ObjectTable.zeros(0) if furnished else draw_trees(field, buildings, noise)
    trees = trees.take(np.flatnonzero(clear_of(trees, own)))
    for table, depth in ((buildings, _IN_GROUND), (trees, 0.0)):
        table.z[:] = terrain.height(_guessed(field, table)) - depth if len(table) else 0.0
        table.head_x[:], table.head_y[:], table.head_z[:] = table.x, table.y, table.z
    signs = place_signs(town.traffic_signs, field, terrain)
    signals = place_signals(network.signals.lights, field, terrain)
    poles = np.concatenate([np.column_stack((one.x, one.y)) for one in (signs, signals)])
    lit = bool((own.kind == ObjectKind.STREET_LAMP).any())
    lamps = place_street_lamps(field, terrain, poles, village=village) if urban and not lit else ObjectTable.zeros(0)
    tables = [buildings, trees, signs, signals, place_parapets(field), lamps, own]
    objects = ObjectTable(
        np.concatenate([one.floats for one in tables], axis=1), np.concatenate([one.ints for one in tables], axis=1)
    )
    parts = _parts(objects)
    blocked = parts_in_path(network, parts.floats, grid_of_parts(parts.floats))
    solid = ~np.isin(parts.object, parts.object[blocked])
    return Scenery(objects.freeze(), parts.take(solid).freeze())


def _guessed(field: RoadField, table: ObjectTable) -> FloatArray:
    """Places `(N, 3)` of objects with the height of the road about them."""
    place = np.column_stack((table.x, table.y))
    return np.column_stack((place, field.height(place)))


def _parts(objects: ObjectTable) -> PartTable:
    """The solid parts of objects, in the order of these."""
    rows = {kind: np.flatnonzero(objects.kind == kind) for kind in ObjectKind}
    parts = joined_parts(
        [
            building_parts(objects, rows[ObjectKind.BUILDING]),
            tree_parts(objects, rows[ObjectKind.TREE]),
            sign_parts(objects, rows[ObjectKind.SIGN]),
            signal_parts(objects, rows[ObjectKind.SIGNAL]),
            parapet_parts(objects, rows[ObjectKind.PARAPET]),
            street_lamp_parts(objects, rows[ObjectKind.STREET_LAMP]),
            own_parts(objects),
        ]
    )
    order = np.argsort(parts.object, kind="stable")
    return parts.take(order).freeze()
