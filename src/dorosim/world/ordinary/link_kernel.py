"""The kernels of an ordinary tick, with the types of their arguments: those by which `any_tick` calls them."""

from __future__ import annotations

from numba import types

from dorosim.ground.linked_kernel import KernelLink, array_kind
from dorosim.road.scenery.grid_kernel import PartGrid
from dorosim.road.surface import SurfaceArrays
from dorosim.road.terrain.query_kernel import TerrainArrays

FLOATS, INTS, FLAGS = array_kind("float64", 1), array_kind("int64", 1), array_kind("boolean", 1)
FLOAT_ROWS, INT_ROWS, SQUARES = array_kind("float64", 2), array_kind("int64", 2), array_kind("uint8", 2)
NEW_FLOATS, NEW_INTS = array_kind("float64", 1, writable=True), array_kind("int64", 1, writable=True)
NEW_FLOAT_ROWS, NEW_INT_ROWS = array_kind("float64", 2, writable=True), array_kind("int64", 2, writable=True)
NUMBER, COUNT = types.float64, types.int64

SURFACE = types.NamedTuple(
    (FLOAT_ROWS, INTS, INTS, FLAGS, INTS, INTS, INTS, INTS, FLOATS, INTS, INTS, INTS), SurfaceArrays
)
TERRAIN = types.NamedTuple((FLOATS, array_kind("float32", 1), array_kind("int32", 1), SQUARES), TerrainArrays)
GRID = types.NamedTuple((FLOATS, INTS, INTS, INTS, FLOAT_ROWS, SQUARES, SQUARES), PartGrid)

FIND_WHEEL_GROUND = KernelLink(
    "dorosim.world.vehicle.wheel_ground_kernel",
    "find_wheel_ground",
    (SURFACE, TERRAIN, FLOAT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS, NUMBER),
)
FOLLOW_SURFACE = KernelLink(
    "dorosim.road.surface_kernel",
    "follow_surface",
    (SURFACE, NEW_FLOATS, NEW_FLOATS, NEW_FLOATS, NEW_INTS, NEW_FLOATS, NEW_FLOATS, NEW_FLOATS),
)
WRITE_WHEEL_FRICTION = KernelLink(
    "dorosim.world.environment.friction_wheel_kernel",
    "write_wheel_friction",
    (FLOAT_ROWS, NEW_FLOAT_ROWS, FLOAT_ROWS, NUMBER, NUMBER, NUMBER),
)
STEP_VEHICLES = KernelLink(
    "dorosim.world.vehicle.kernel",
    "step_vehicles",
    (FLOAT_ROWS, INT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS, NUMBER, COUNT),
)
MAY_BE_NEAR_PART = KernelLink(
    "dorosim.world.collision.scenery_kernel",
    "may_be_near_part",
    (NEW_FLOAT_ROWS, FLOAT_ROWS, NUMBER, SQUARES, FLOATS),
    types.boolean,
)
IS_NEAR_PART = KernelLink(
    "dorosim.world.collision.scenery_kernel",
    "is_near_part",
    (NEW_FLOAT_ROWS, FLOAT_ROWS, NUMBER, FLOAT_ROWS, GRID),
    types.boolean,
)

LINKS = (FIND_WHEEL_GROUND, FOLLOW_SURFACE, WRITE_WHEEL_FRICTION, STEP_VEHICLES, MAY_BE_NEAR_PART, IS_NEAR_PART)
"""All of them."""
