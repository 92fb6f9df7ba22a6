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
    CONTROLLER_INTS = auto()
    """Where their int block is in a state's block."""
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
    FIND_WHEEL_GROUND = auto()
    FOLLOW_SURFACE = auto()
    WRITE_WHEEL_FRICTION = auto()
    STEP_VEHICLES = auto()
    MAY_BE_NEAR_PART = auto()
    IS_NEAR_PART = auto()


class Rare(IntFlag):
    """Why a tick is not ordinary: what `dorosim.world.step` does in Python."""

    NOTHING = 0
    LIGHTS = auto()
    """The lamps of a controller change."""
    MODE = auto()
    """A vehicle cruises, follows a trajectory or is paused."""
    FAULT = auto()
    """A fault or a disturbance acts on a vehicle."""
    ROLLED = auto()
    """A vehicle has left its wheels."""
    NEAR = auto()
    """A vehicle may touch something."""
    ARRIVAL = auto()
    """A vehicle may be at its goal."""
    KERNEL = auto()
    """A kernel is needed that has not been compiled yet."""
