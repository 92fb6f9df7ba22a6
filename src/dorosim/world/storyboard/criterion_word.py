"""What compiled criteria know of a run, as numbers."""

from __future__ import annotations

from enum import IntEnum

BOX_NUMBERS = 7
"""Of an entity's box: its middle (3), length, width, height, and how far its farthest corner is from the origin [m]."""
LIMIT_NUMBERS = 4
"""Of a criterion: its limit, and x, y, radius of a place [m]."""
STATE_FLOATS = 3
"""Of the state of a criterion: value, x, y."""
MEMORY_COLUMNS = 2
TRAIL_COLUMNS = 5
CANNOT_SAY = -1
"""The answer where Python has to look itself."""


class CriterionKind(IntEnum):
    """What a criterion looks at."""

    COLLISION = 0
    RED_LIGHT = 1
    ARRIVAL = 2
    DECELERATION = 3
    JERK = 4
    TTC = 5
    DISTANCE = 6
    ETTC = 7
    THW = 8
    DRAC = 9
    REQUIRED = 10
    LANE_LEFT = 11
    ENCROACHMENT = 12


class CriterionWord(IntEnum):
    """What is known of the criteria of a run: numbers, and addresses of arrays."""

    CRITERIA = 0
    """How many there are."""
    ENTITIES = 1
    EGO = 2
    """Number of the entity that is judged."""
    KINDS = 3
    """`(C,)` a `CriterionKind` each."""
    NUMBERS = 4
    """`(C, 4)` limit, and x, y, radius of a place."""
    BOXES = 5
    """`(N, 7)` of each entity, see `BOX_NUMBERS`."""
    RANKS = 6
    """`(N,)` place of its name in the order of names."""
    LINES = 7
    """`(L, 3)` stop lines: x, y, half the width of the lane [m]."""
    LINE_COUNT = 8
    FLOATS = 9
    """`(C, 3)` the states: value, x, y."""
    INTS = 10
    """`(C, 5)` likewise, see `StateInt`."""
    MEMORY = 11
    """`(C, M, 2)` what criteria keep: times and accelerations in a ring, or the place of the front."""
    MEMORY_ROWS = 12
    """M."""
    TRAIL = 13
    """`(T, 5)` what is kept of the places of the entities: a ring of time, number, x, y, heading each."""
    TRAIL_ROWS = 14
    """T."""
    ROAD_NUMBERS = 15
    """Floats of the tables of the roads, and how many; then ints, and how many: 1 without roads."""
    ROAD_NUMBER_COUNT = 16
    ROAD_ENTRIES = 17
    ROAD_ENTRY_COUNT = 18


class StateInt(IntEnum):
    """The ints of a criterion's state."""

    FAILED = 0
    TIME = 1
    OTHER = 2
    FIRST = 3
    """First row of its memory that counts."""
    COUNT = 4
    """How many rows of its memory count."""
