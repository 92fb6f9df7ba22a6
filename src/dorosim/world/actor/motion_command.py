"""Commands about where actors of any kind are and how they move."""

from __future__ import annotations

from dorosim.world.command.actor import ActorCommand, Vector
from dorosim.world.spawn.mode import BiasRule


class PlaceActor(ActorCommand, frozen=True, tag=True):
    """Puts an actor elsewhere; it keeps its speed, and what it was about to do as far as that goes on from there.

    An NPC vehicle that is put onto a lane and along it goes on there. One that is put beside the lanes, or across one,
    stands as it is put until a command lets it drive: a speed, a way, a goal, or `EnableDriver`, by which it decides
    for itself again. Then it drives onto the lane next to it. A vehicle whose physics is off is put at exactly the
    given pose.

    Attributes:
        position: origin in map [m]. rotation: roll, pitch, yaw [rad]; of an actor that stands on the ground the yaw.
    """

    position: Vector
    rotation: Vector


class SetSpeed(ActorCommand, frozen=True, tag=True):
    """Gives an actor a speed along its own heading at once [m/s].

    A vehicle goes on from there as it is driven; an NPC vehicle that stands beside the lanes drives onto one, at no
    more than `lane_return.SLOW`, and with 0 it stands again. A pedestrian walks at this speed from now on, and so does
    an obstacle that goes along points.
    """

    speed: float


class EnableDriver(ActorCommand, frozen=True, tag=True):
    """Lets an NPC vehicle or a pedestrian decide for itself, or makes it stand until it may (Standard API, SetAI).

    An NPC vehicle that stands beside the lanes drives onto one.
    """

    enabled: bool


class SetLaneOffset(ActorCommand, frozen=True, tag=True):
    """Lets the driver of an NPC vehicle, or that of an ego in cruise mode, keep off the centre of its lane.

    Attributes:
        rule: FIX: `bias` is its offset; GAUSSIAN: the standard deviation from which one is drawn, now.
        bias: over half the lane width, left positive.
    """

    rule: BiasRule
    bias: float


class SetGoal(ActorCommand, frozen=True, tag=True):
    """Gives a vehicle the links to drive along, and the goal to arrive at.

    An ego vehicle drives there in cruise mode. Behind its goal it goes on at random.

    Attributes:
        links: rows of links in driving order; neighbours are a link and one that follows it, or one beside it.
        position: goal in map [m]; None for the end of the last link.
        reach: how near to it counts as there [m]; 0 for `DEFAULT_REACH`.
    """

    links: tuple[int, ...]
    position: Vector | None = None
    reach: float = 0.0
