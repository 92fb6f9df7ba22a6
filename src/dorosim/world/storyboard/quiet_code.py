"""What the tables of a quiet tick hold: numbers that `dorosim.world.storyboard.quiet_kernel` reads.

A tick of a storyboard is quiet if no element changes its state in it. The engine writes what is to be looked at and
what runs into two flat tables, one of floats and one of ints; the classes here say where each number stands.
"""

from __future__ import annotations

from enum import IntEnum


class QuietHead(IntEnum):
    """The first ints: where lists begin, and how long they are."""

    WATCHES = 0
    WATCH_COUNT = 1
    ACTIONS = 2
    ACTION_COUNT = 3
    ENTITIES = 4
    """Place in the floats of the numbers of the entities."""


HEAD_ENTRIES = 5


class EntityNumber(IntEnum):
    """Floats of an entity: its box in plan [m], its middle and height, and what it can do."""

    BOX_X = 0
    BOX_Y = 1
    BOX_Z = 2
    LENGTH = 3
    WIDTH = 4
    HEIGHT = 5
    MAX_SPEED = 6
    MAX_ACCELERATION = 7
    MAX_DECELERATION = 8


ENTITY_NUMBERS = 9


class WatchEntry(IntEnum):
    """Ints of a condition that is to be looked at."""

    NUMBER = 0
    EDGE = 1
    DELAY = 2
    """[ns]."""
    ENDS_GROUP = 3
    ENDS_TRIGGER = 4
    KIND = 5
    NEEDS_ALL = 6
    SUBJECTS = 7
    """Place in the ints of the entities or elements that it asks."""
    SUBJECT_COUNT = 8
    INTS = 9
    """Place of its own ints."""
    FLOATS = 10
    """Place of its own floats."""


WATCH_ENTRIES = 11


class WatchKind(IntEnum):
    """What a condition measures. Its ints and floats follow, in their order."""

    GIVEN = 0
    """Measured by the engine: place in the table that is given with the tick."""
    TIME = 1
    """`ValueRule`; time [s]."""
    STATE = 2
    """State of elements."""
    TRANSITION = 3
    """Column of `ElementTable` in which the last transition of the kind is."""
    SPEED = 4
    """`ValueRule`, `Part`; speed [m/s]."""
    RELATIVE_SPEED = 5
    """`ValueRule`, `Part`, other entity; speed [m/s]."""
    ACCELERATION = 6
    """`ValueRule`, `Part`; acceleration [m/s2]."""
    LASTING = 7
    """Column of `EntityTable` with the time since when, duration [ns]."""
    TRAVELLED = 8
    """Way [m]."""
    REACHED = 9
    """x, y [m], tolerance [m]."""
    DISTANCE = 10
    """`ValueRule`, `Metre`; distance [m]."""
    HEADWAY = 11
    """`ValueRule`, `Metre`; time [s]."""
    TIME_TO_COLLISION = 12
    """`ValueRule`, `Metre`; time [s]."""
    COLLISION = 13
    """How many others, and which."""


class Metre(IntEnum):
    """Ints that say how a distance is measured, after a condition's or action's own ones."""

    OTHER = 0
    """Entity to which it is measured, -1 for a place."""
    SYSTEM = 1
    DIRECTION = 2
    FREESPACE = 3
    ROAD = 4
    """Of the place, -1 none."""


METRE_ENTRIES = 5


class MetreNumber(IntEnum):
    """Floats of the place, after a condition's own ones."""

    X = 0
    Y = 1
    Z = 2
    HEADING = 3
    S = 4
    T = 5


class RunEntry(IntEnum):
    """Ints of an action that runs for an entity."""

    ROW = 0
    ENTITY = 1
    KIND = 2
    INTS = 3
    FLOATS = 4


RUN_ENTRIES = 5


class RunKind(IntEnum):
    """What an action does. Its ints and floats follow, in their order."""

    SPEED = 0
    """Shape, dimension, exact, continuous, other entity, is it a factor; value, speed or difference or factor."""
    LANE_CHANGE = 1
    """Shape, dimension."""
    LANE_OFFSET = 2
    """Shape, whether the offset is that from another entity, that entity; difference [m]."""
    KEEP_DISTANCE = 3
    """Is it a time gap, `Metre`, is it continuous; distance [m] or time [s], the five limits."""
    PROFILE = 4
    """Pieces; time, speed, acceleration, rate of each."""


class Quiet(IntEnum):
    """What became of a tick."""

    DONE = 0
    TRIGGER = 1
    """A trigger fires."""
    DELAY = 2
    """A condition that counts later changes."""
    ACTION = 3
    """An action ends."""
    ROAD = 4
    """An entity comes to the border of its road or section, or leaves its road."""
    DISTANCE = 5
    """A distance leads over several roads."""
    ORDER = 6
    """An entity has come to follow an order, or no longer does."""


DONE, TRIGGER, DELAY, ACTION, ROAD, DISTANCE, ORDER = (int(one) for one in Quiet)
"""The same as numbers, which kernels return."""
