"""What an ordinary tick takes as given, as one array of numbers: its words."""

from __future__ import annotations

from enum import IntEnum, IntFlag, auto


class TickWord(IntEnum):
    """Numbers of the words; that of number 0 is not used.

    After them come the descriptions of arrays, whose addresses some of the words are.

    A real number is held by its bits. The address of a kernel or of an array is 0 where it is not needed or not there.
    """

    TICK = auto()
    """Length of a tick [ns]."""
    SUBSTEPS = auto()
    """How many sub-steps of the dynamics it has."""
    DT = auto()
    """The tick [s], real."""
    SUBSTEP = auto()
    """A sub-step [s], real."""
    VEHICLES = auto()
    """Rows of the vehicles with full dynamics."""
    VEHICLE_FLOATS = auto()
    """Where their float block is in a state's block."""
    VEHICLE_INTS = auto()
    """Where their int block is there."""
    CONTROLLERS = auto()
    """Rows of the intersection controllers."""
    CONTROLLER_FLOATS = auto()
    CONTROLLER_INTS = auto()
    """Where their int block is in a state's block."""
    TRAFFIC = auto()
    """Rows of the traffic."""
    TRAFFIC_FLOATS = auto()
    TRAFFIC_INTS = auto()
    PEOPLE = auto()
    """Rows of the pedestrians."""
    PEOPLE_FLOATS = auto()
    PEOPLE_INTS = auto()
    CROSSWALKS_SEEN = auto()
    """Rows of what pedestrians see of the crosswalks."""
    CROSSWALKS_SEEN_FLOATS = auto()
    CROSSWALKS_SEEN_INTS = auto()
    MEETS = auto()
    """1 if bodies may meet each other: there are several."""
    SEED = auto()
    """Of the run."""
    DECISION_TICKS = auto()
    """How many ticks pass from one decision of drivers to the next."""
    DECISION = auto()
    """Time between two decisions [s], real."""
    GOOD_WEATHER = auto()
    """1 if drivers drive as in good weather."""
    NEXT_SPAWN = auto()
    """When the next spawn point is due [ns]."""
    LEAVES = auto()
    """1 if pedestrians leave the world where their way ends."""
    SLIPPERY = auto()
    """1 if the grip of wheels has to be found, however they stand."""
    ROAD = auto()
    """Friction of all roads over that of dry asphalt, real."""
    WATER = auto()
    """Depth of water on the roads [m], real."""
    SNOW = auto()
    """Depth of snow on them [m], real."""
    GOALS = auto()
    """How many goals are not passed yet."""
    GOAL = auto()
    """Address of them, real: row of the vehicle, x, y, squared reach; each in turn for all goals."""
    PARAMETER_FLOATS = auto()
    PARAMETER_INTS = auto()
    SURFACE = auto()
    TERRAIN = auto()
    AREAS = auto()
    PARTS = auto()
    CLEAR = auto()
    CORNER = auto()
    GRID = auto()
    PART_OWNERS = auto()
    PART_COUNT = auto()
    """How many parts there are; a number."""
    POINTS = auto()
    """Of the trajectories."""
    POINT_COUNTS = auto()
    LIMITS = auto()
    """Speed limits of the links."""
    ROADS = auto()
    ROUTES = auto()
    OBSTRUCTION_FLOATS = auto()
    """Of no obstruction; likewise the next four."""
    OBSTRUCTION_INTS = auto()
    CROSSING_FLOATS = auto()
    CROSSING_INTS = auto()
    ROADSIDE = auto()
    PERMISSION = auto()
    WAY_FIRST = auto()
    """Of the ways of pedestrians."""
    WAY_POINTS = auto()
    CROSSWALKS = auto()
    KERBS = auto()
    PERSON_RADIUS = auto()
    PERSON_HEIGHT = auto()
    PERSON_SIZE = auto()
    MODEL_SIZE = auto()
    """Of the models of vehicles."""
    GONE = auto()
    """Objects of the scenery that have given way: none."""
    LANES = auto()
    """The grid of the lanes."""
    LANES_OVER = auto()
    """How many lanes lead over crosswalks; a number."""
    LANES_OVER_FLOATS = auto()
    LANES_OVER_INTS = auto()
    SHOWN = auto()
    """Address of what the heads of each crosswalk show."""
    OBJECTS = auto()
    """The objects of the scenery."""
    ROUTE_FIRST = auto()
    """Of the routes of traffic, once more, one by one."""
    ROUTE_LINK = auto()
    ENDS = auto()
    """Arc length on each link at which vehicles from spawn points leave at the soonest, real."""
    FIND_WHEEL_GROUND = auto()
    FOLLOW_SURFACE = auto()
    WRITE_WHEEL_FRICTION = auto()
    STEP_VEHICLES = auto()
    MAY_BE_NEAR_PART = auto()
    IS_NEAR_PART = auto()
    DRIVE_TRAJECTORIES = auto()
    DRIVE_AFTER_PLANS = auto()
    ADVANCE_TRAFFIC = auto()
    WALK_PEDESTRIANS = auto()
    WRITE_VEHICLE_BODIES = auto()
    WRITE_NPC_BODIES = auto()
    WRITE_PERSON_BODIES = auto()
    FIND_PARTS = auto()
    FIND_CONTACTS = auto()
    FIND_OBSTRUCTIONS = auto()
    FIND_CROSSINGS = auto()
    FIND_GAPS = auto()
    LOOK_AROUND = auto()
    WRITE_PARTS = auto()
    STORY = auto()
    """Address of what quiet ticks of the storyboard take as given (`BlockEntry`); 0 where there is no storyboard."""
    STORY_LINE = auto()
    """Where the line of the storyboard is in a state's block."""
    STORY_LINE_WORDS = auto()
    """How many words it has."""
    STORY_STARTED = auto()
    """When the storyboard started [ns]."""
    STORY_UNTIL = auto()
    """Until when its ticks may be quiet, since its start [ns]."""
    STORY_ENTITIES = auto()
    """How many entities it has."""
    STORY_ENTITY_INTS = auto()
    """Where their ints begin in the line, in bytes."""
    STORY_SHAPES = auto()
    """What bodies entities have; 0 where all are vehicles."""
    STORY_OFFSETS = auto()
    QUIET_TICK = auto()
    PLACE_VEHICLES_OF_LINE = auto()
    PLACE_OTHER_ENTITIES = auto()
    CONTACTS = auto()
    """Where the contacts are in a state's block."""
    CONTACT_ROOM = auto()
    """How many there is room for."""
    PUSH_BODIES = auto()
    """0 also where contacts are left to Python; likewise the next."""
    RESOLVE_CONTACTS = auto()
    CREW = auto()
    """Address of the crew that helps where there are many vehicles; 0 for none."""
    STORY_DRIVEN = auto()
    """1 where the world moves some of its entities."""
    STORY_ORDERS = auto()
    """1 where some of these have orders of the storyboard."""
    WRITE_WISHES = auto()
    FOLLOW_VEHICLES = auto()


class Rare(IntFlag):
    """Why a tick is not ordinary: what `dorosim.world.step` does in Python."""

    NOTHING = 0
    LIGHTS = auto()
    """The lamps of a controller change."""
    MODE = auto()
    """A vehicle is paused, or has no plan for its cruise yet."""
    FAULT = auto()
    """A fault or a disturbance acts on a vehicle."""
    ROLLED = auto()
    """A vehicle has left its wheels."""
    NEAR = auto()
    """Something touches something, and gives way, falls, is thrown off its lane, or is not known to compiled code."""
    ARRIVAL = auto()
    """A vehicle may be at its goal."""
    SPAWN = auto()
    """A spawn point is due, or an actor from one may be at the end of its way."""
    DECISION = auto()
    """Drivers decide about what Python looks at: emergency lamps, ways that they have left."""
    OFF_LANE = auto()
    """A vehicle slides off its lane, returns to one or looks for a way out; or a pedestrian was hit."""
    STORY = auto()
    """An element of the storyboard changes its state, or does what compiled code does not know."""
    KERNEL = auto()
    """A kernel is needed that has not been compiled yet."""
