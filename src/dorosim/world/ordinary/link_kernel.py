"""The kernels of an ordinary tick, with the types of their arguments: those by which `any_tick` calls them."""

from __future__ import annotations

from numba import types

from dorosim.ground.linked_kernel import KernelLink, array_kind
from dorosim.road.scenery.grid_kernel import PartGrid
from dorosim.road.surface import SurfaceArrays
from dorosim.road.terrain.query_kernel import TerrainArrays
from dorosim.world.collision.impact_kernel import Law
from dorosim.world.pedestrian.activity_kernel import WalkScene
from dorosim.world.pedestrian.gap_kernel import CrosswalkArrays
from dorosim.world.traffic.lane_grid import LaneGrid
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.route import Routes

FLOATS, INTS, FLAGS = array_kind("float64", 1), array_kind("int64", 1), array_kind("boolean", 1)
FLOAT_ROWS, INT_ROWS, SQUARES = array_kind("float64", 2), array_kind("int64", 2), array_kind("uint8", 2)
FLOAT_PAGES = array_kind("float64", 3)
NEW_FLOATS, NEW_INTS = array_kind("float64", 1, writable=True), array_kind("int64", 1, writable=True)
NEW_FLOAT_ROWS, NEW_INT_ROWS = array_kind("float64", 2, writable=True), array_kind("int64", 2, writable=True)
NUMBER, COUNT = types.float64, types.int64

SURFACE = types.BaseTuple.from_types(
    (FLOAT_ROWS, INTS, INTS, FLAGS, INTS, INTS, INTS, INTS, FLOATS, INTS, INTS, INTS), SurfaceArrays
)
TERRAIN = types.BaseTuple.from_types((FLOATS, array_kind("float32", 1), array_kind("int32", 1), SQUARES), TerrainArrays)
GRID = types.BaseTuple.from_types((FLOATS, INTS, INTS, INTS, FLOAT_ROWS, SQUARES, SQUARES), PartGrid)
ROADS = types.BaseTuple.from_types(
    (
        *(FLOAT_ROWS, INT_ROWS, FLOATS, FLOATS, INTS, INTS, INTS, FLOAT_ROWS, FLOAT_ROWS, FLOAT_ROWS, FLOATS),
        *(FLOAT_ROWS, INTS, FLOAT_ROWS),
    ),
    RoadArrays,
)
ROUTES = types.BaseTuple.from_types((INTS, INTS, INTS), Routes)
LANES = types.BaseTuple.from_types((FLOATS, INTS, INTS, INTS, FLOAT_ROWS, INTS), LaneGrid)
CROSSWALKS = types.BaseTuple.from_types((INTS, FLOAT_ROWS, FLOAT_ROWS), CrosswalkArrays)
WALK = types.BaseTuple.from_types(
    (INTS, FLOAT_ROWS, CROSSWALKS, INTS, FLOATS, FLOATS, FLOATS, FLOATS, NEW_FLOATS, NEW_FLOATS), WalkScene
)

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
DRIVE_TRAJECTORIES = KernelLink(
    "dorosim.world.vehicle.driver_kernel",
    "drive_trajectories",
    (FLOAT_PAGES, INTS, FLOAT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS),
)
DRIVE_AFTER_PLANS = KernelLink(
    "dorosim.world.vehicle.cruise_kernel",
    "drive_after_plans",
    (NEW_FLOAT_ROWS, NEW_INT_ROWS, FLOATS, FLOAT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS),
)
ADVANCE_TRAFFIC = KernelLink(
    "dorosim.world.traffic.traffic_kernel",
    "advance_traffic",
    (
        *(ROADS, ROUTES, NEW_FLOAT_ROWS, NEW_INT_ROWS, FLOAT_ROWS, INT_ROWS, FLOAT_ROWS, INT_ROWS, FLOAT_ROWS, INTS),
        *(COUNT, COUNT, NUMBER, NUMBER, COUNT, types.boolean),
    ),
)
WALK_PEDESTRIANS = KernelLink(
    "dorosim.world.pedestrian.walk_kernel",
    "walk_pedestrians",
    (NEW_FLOAT_ROWS, NEW_INT_ROWS, WALK, COUNT, NUMBER),
)
WRITE_VEHICLE_BODIES = KernelLink(
    "dorosim.world.collision.vehicle_kernel",
    "write_vehicle_bodies",
    (FLOAT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS, COUNT),
)
WRITE_NPC_BODIES = KernelLink(
    "dorosim.world.actor.body_kernel",
    "write_npc_bodies",
    (
        *(NEW_FLOAT_ROWS, NEW_INT_ROWS, FLOAT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS, COUNT, types.boolean),
        NEW_INTS,
    ),
    types.UniTuple(COUNT, 2),
)
WRITE_PERSON_BODIES = KernelLink(
    "dorosim.world.actor.body_kernel",
    "write_person_bodies",
    (NEW_FLOAT_ROWS, NEW_INT_ROWS, FLOAT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS, COUNT),
    COUNT,
)
FIND_PARTS = KernelLink(
    "dorosim.world.collision.scenery_kernel",
    "find_parts",
    (NEW_FLOAT_ROWS, NEW_INT_ROWS, COUNT, COUNT, NUMBER, NUMBER, FLOAT_ROWS, INT_ROWS, *GRID.types, INTS, NEW_INTS),
    COUNT,
)
FIND_CONTACTS = KernelLink(
    "dorosim.world.collision.contact_kernel",
    "find_contacts",
    (NEW_FLOAT_ROWS, NEW_INT_ROWS, NUMBER, NEW_FLOAT_ROWS, NEW_INT_ROWS),
    types.UniTuple(COUNT, 2),
)
FIND_OBSTRUCTIONS = KernelLink(
    "dorosim.world.traffic.obstruction_kernel",
    "find_obstructions",
    (LANES, FLOAT_ROWS, NEW_INTS, NEW_FLOAT_ROWS, NEW_INT_ROWS),
    COUNT,
)
FIND_CROSSINGS = KernelLink(
    "dorosim.world.pedestrian.crossing_kernel",
    "find_crossings",
    (FLOAT_ROWS, INT_ROWS, INTS, NEW_FLOAT_ROWS, NEW_INT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS),
    COUNT,
)
FIND_GAPS = KernelLink(
    "dorosim.world.pedestrian.gap_kernel", "find_gaps", (CROSSWALKS, NEW_FLOAT_ROWS, COUNT, NEW_FLOATS)
)
LOOK_AROUND = KernelLink(
    "dorosim.world.pedestrian.avoidance_kernel",
    "look_around",
    (NEW_FLOAT_ROWS, NEW_INT_ROWS, WALK, NEW_FLOAT_ROWS, NEW_INTS),
)
WRITE_PARTS = KernelLink(
    "dorosim.world.collision.scenery_kernel",
    "write_parts",
    (FLOAT_ROWS, INT_ROWS, FLOAT_ROWS, NEW_INTS, COUNT, NEW_FLOAT_ROWS, NEW_INT_ROWS),
)

PUSH_BODIES = KernelLink(
    "dorosim.world.ordinary.push_kernel",
    "push_bodies",
    (INTS, COUNT, NEW_FLOAT_ROWS, NEW_INT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS, COUNT, NEW_INTS, COUNT),
    COUNT,
)
LAW = types.BaseTuple.from_types((NUMBER,) * len(Law._fields), Law)
RESOLVE_CONTACTS = KernelLink(
    "dorosim.world.collision.impact_kernel",
    "resolve_contacts",
    (
        *(NEW_FLOAT_ROWS, NEW_INT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS, NEW_INTS, LAW, NUMBER),
        *(NEW_FLOAT_ROWS, NEW_INT_ROWS),
    ),
)
CONTACT_LINKS = {one.name.upper(): one for one in (PUSH_BODIES, RESOLVE_CONTACTS)}
"""Those of ticks with contacts, which a world in which nothing has touched anything does not load."""

MAKE_TICK = KernelLink("dorosim.world.ordinary.tick_kernel", "make_ordinary_tick", (INTS, NEW_INTS, INTS), COUNT)
"""The entry point itself."""
MAKE_TICKS = KernelLink(
    "dorosim.world.ordinary.batch_kernel",
    "make_ordinary_ticks",
    (
        *(COUNT, NEW_INT_ROWS, array_kind("float64", 3, writable=True), array_kind("int64", 3, writable=True)),
        *(COUNT, COUNT, COUNT),
    ),
)
"""That of many worlds."""

WORK_ON_TRAFFIC = KernelLink("dorosim.world.ordinary.traffic_worker_kernel", "work_on_traffic", (COUNT, COUNT))
"""What threads do that help where there are many vehicles."""

LINKS = {
    one.name.upper(): one
    for one in list(globals().values())
    if isinstance(one, KernelLink) and one not in (MAKE_TICK, MAKE_TICKS, WORK_ON_TRAFFIC)
}
"""All kernels of a tick, by their names, but for those of storyboards."""

QUIET_TICK = KernelLink(
    "dorosim.world.storyboard.quiet_kernel", "quiet_tick", (NEW_INTS, NEW_INTS, COUNT, COUNT), COUNT
)
PLACE_VEHICLES_OF_LINE = KernelLink(
    "dorosim.world.storyboard.placement_kernel",
    "place_vehicles_of_line",
    (NEW_INTS, COUNT, COUNT, FLOAT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS),
)
PLACE_OTHER_ENTITIES = KernelLink(
    "dorosim.world.storyboard.placement_kernel",
    "place_other_entities",
    (FLOAT_ROWS, INT_ROWS, INTS, FLOAT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS, NUMBER),
)
WRITE_WISHES = KernelLink(
    "dorosim.world.storyboard.wish_kernel",
    "write_wishes",
    (NEW_INTS, NEW_INTS, NEW_FLOAT_ROWS, NEW_INT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS),
    types.boolean,
)
FOLLOW_VEHICLES = KernelLink(
    "dorosim.world.storyboard.follow_kernel",
    "follow_vehicles",
    (NEW_INTS, NEW_INTS, NEW_FLOAT_ROWS, NEW_INT_ROWS, COUNT),
    types.boolean,
)

STORY_LINKS = {
    one.name.upper(): one
    for one in (QUIET_TICK, PLACE_VEHICLES_OF_LINE, PLACE_OTHER_ENTITIES, WRITE_WISHES, FOLLOW_VEHICLES)
}
"""Those of storyboards, which a world without one neither compiles nor loads."""
