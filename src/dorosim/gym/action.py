"""What agents can do: spaces of actions, and the commands that an action becomes."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from dorosim.gym.setting import EnvSettings
from dorosim.road.lane_network import RoadNetwork
from dorosim.sensor.agent.action_kernel import SHIFTING_SPEED
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.command import DriveVehicle, SelectMode, SetCruise, WishLane
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

ACCELERATIONS = (-6.0, -3.0, -1.5, 0.0, 1.0, 2.0, 3.0)
"""What the first part of a "discrete" action asks for [m/s²]."""
STEERS = tuple(round(-1.0 + number / 6.0, 12) for number in range(13))
"""What the second part asks for: the root of wheel angle over the largest one, left positive: small ones are fine."""
LANE_ACTIONS = ("keep", "left", "right", "faster", "slower")
SPEED_CHANGE = 2.5
"""By so much "faster" and "slower" change the speed that the driver wishes [m/s]."""
_STANDING = SHIFTING_SPEED
_WHEELBASE, _MAX_STEER = VehicleParameter.at.wheelbase, VehicleParameter.at.max_steer
_SPEED = VehicleState.at.velocity_x
# before Python 3.12 a member of an enum takes long to find, and a step needs some
_PEDALS, _BY_ABILITY, _BY_ACCELERATION = ControlKind.PEDALS, ControlKind.VELOCITY_BY_ABILITY, ControlKind.ACCELERATION
_AUTO, _DRIVE, _REVERSE = ControlMode.AUTO, Gear.D, Gear.R

Action = NDArray[np.float32] | NDArray[np.int64] | int
Mask = NDArray[np.int8]


def hold(actor: int) -> Command:
    """A vehicle whose agent is done stands with full brake."""
    return DriveVehicle(actor, ControlKind.HOLD, ControlMode.AUTO)


class ActionMeaning(Protocol):
    """A space of actions with its meaning."""

    space: spaces.Space[Any]

    def opening(self, actor: int) -> tuple[Command, ...]:
        """Commands before the first step of an episode."""

    def commands(self, now: Snapshot, row: int, action: Action) -> tuple[Command, ...]:
        """What an action becomes.

        Args:
            now: the world before the step.
            row: of the vehicle there.
            action: of the space; what is beyond its bounds counts as the bound.

        Raises:
            ValueError: it has another shape, or is not finite.
        """

    def mask(self, now: Snapshot, row: int, link: int) -> Mask:
        """`(n,)` 1 for what can be done, of discrete actions in their order; empty for continuous ones."""


class _Continuous:
    """Two numbers in -1 to 1."""

    def __init__(self, settings: EnvSettings) -> None:
        self.settings = settings
        self.space: spaces.Space[Any] = spaces.Box(-1.0, 1.0, (2,), np.float32)

    def opening(self, actor: int) -> tuple[Command, ...]:  # noqa: ARG002
        return ()

    def mask(self, now: Snapshot, row: int, link: int) -> Mask:  # noqa: ARG002
        return np.zeros(0, np.int8)

    def numbers(self, action: Action) -> tuple[float, float]:
        """The two numbers of an action, within the bounds.

        Raises:
            ValueError: it has another shape, or is not finite.
        """
        if type(action) is np.ndarray and action.shape == (2,) and action.dtype.char in "fd":
            # what the space draws, and what policies give; all else is looked at below
            first, second = action.tolist()
            if -1.0 <= first <= 1.0 and -1.0 <= second <= 1.0:
                return first, second
        try:
            first, second = np.asarray(action, np.float64).reshape(-1).tolist()
        except (TypeError, ValueError):
            raise ValueError(f"an action is two numbers in -1 to 1, not {action!r}") from None
        if not (math.isfinite(first) and math.isfinite(second)):
            raise ValueError(f"an action is two finite numbers, not {action!r}")
        return min(max(first, -1.0), 1.0), min(max(second, -1.0), 1.0)


class PedalActions(_Continuous):
    """Pedal, accelerator positive and brake negative, and wheel angle over the largest one, left positive."""

    def commands(self, now: Snapshot, row: int, action: Action) -> tuple[Command, ...]:
        """See `ActionMeaning`."""
        pedal, wheel = self.numbers(action)
        steer = wheel * now.parameter.floats.item(_MAX_STEER, row)
        actor = now.egos[row]
        return (DriveVehicle(actor, _PEDALS, _AUTO, _DRIVE, max(pedal, 0.0), max(-pedal, 0.0), steer=steer),)


class VelocityActions(_Continuous):
    """Velocity and curvature; negative velocities are backwards, as far as the settings have it.

    Args:
        settings: of the environment.
        backwards: largest velocity backwards [m/s]; 0: -1 is standing.
    """

    def __init__(self, settings: EnvSettings, backwards: float = 0.0) -> None:
        super().__init__(settings)
        self._backwards = backwards

    def commands(self, now: Snapshot, row: int, action: Action) -> tuple[Command, ...]:
        """See `ActionMeaning`."""
        speed, bend = self.numbers(action)
        most = self.settings.max_speed
        velocity = speed * (most if speed > 0 else self._backwards) if self._backwards else 0.5 * (speed + 1.0) * most
        curvature = bend * self.settings.max_curvature
        parameter = now.parameter.floats
        angle = math.atan(parameter.item(_WHEELBASE, row) * curvature)
        limit = parameter.item(_MAX_STEER, row)
        return (
            DriveVehicle(
                now.egos[row],
                _BY_ABILITY,
                _AUTO,
                _gear(velocity, now.vehicle.floats.item(_SPEED, row)),
                velocity=abs(velocity) if velocity < 0.0 else velocity,
                steer=min(max(angle, -limit), limit),
            ),
        )


def _gear(velocity: float, speed: float) -> Gear | None:
    """The gear for a velocity; None while the vehicle still rolls the other way."""
    if velocity < 0.0:
        return _REVERSE if speed <= _STANDING else None
    return _DRIVE if speed >= -_STANDING else None


class DiscreteActions:
    """One of 7 accelerations and one of 13 wheel angles."""

    def __init__(self, settings: EnvSettings) -> None:
        self.settings = settings
        self.space: spaces.Space[Any] = spaces.MultiDiscrete([len(ACCELERATIONS), len(STEERS)])

    def opening(self, actor: int) -> tuple[Command, ...]:  # noqa: ARG002
        """See `ActionMeaning`."""
        return ()

    def commands(self, now: Snapshot, row: int, action: Action) -> tuple[Command, ...]:
        """See `ActionMeaning`."""
        first, second = self.numbers(action)
        acceleration, share = ACCELERATIONS[first], STEERS[second]
        steer = math.copysign(share * share, share) * now.parameter.floats.item(_MAX_STEER, row)
        actor = now.egos[row]
        return (DriveVehicle(actor, _BY_ACCELERATION, _AUTO, _DRIVE, acceleration=acceleration, steer=steer),)

    def numbers(self, action: Action) -> tuple[int, int]:
        """The two numbers of an action.

        Raises:
            ValueError: it is none.
        """
        try:
            first, second = (int(one) for one in np.asarray(action).reshape(-1))
        except (TypeError, ValueError, OverflowError):
            first = second = -1
        if not (0 <= first < len(ACCELERATIONS) and 0 <= second < len(STEERS)):
            raise ValueError(f"an action is 0 to 6 and 0 to 12, not {action!r}")
        return first, second

    def mask(self, now: Snapshot, row: int, link: int) -> Mask:  # noqa: ARG002
        """See `ActionMeaning`: who stands cannot brake."""
        mask: Mask = self.masks(now.vehicle.velocity_x[row : row + 1])[0]
        return mask

    def masks(self, speeds: NDArray[np.float64]) -> NDArray[np.int8]:
        """`(N, n)` the masks of vehicles with such speeds [m/s]."""
        masks = np.ones((len(speeds), len(ACCELERATIONS) + len(STEERS)), np.int8)
        masks[speeds <= _STANDING, : ACCELERATIONS.index(0.0)] = 0
        return masks


class LaneActions:
    """Keep the lane, change to the left or to the right, wish to be faster or slower; the built-in driver does it."""

    def __init__(self, settings: EnvSettings, network: RoadNetwork) -> None:
        self.settings, self._network = settings, network
        self.space: spaces.Space[Any] = spaces.Discrete(len(LANE_ACTIONS))

    def opening(self, actor: int) -> tuple[Command, ...]:
        """See `ActionMeaning`."""
        speed = min(self.settings.max_speed, max(self.settings.start_speed, 4.0 * SPEED_CHANGE))
        return SelectMode(actor, ControlMode.CRUISE, Gear.D), SetCruise(actor, speed=speed)

    def commands(self, now: Snapshot, row: int, action: Action) -> tuple[Command, ...]:
        """See `ActionMeaning`."""
        number = int(np.asarray(action).reshape(-1)[0]) if np.size(action) == 1 else -1
        if not 0 <= number < len(LANE_ACTIONS):
            raise ValueError(f"an action is 0 to {len(LANE_ACTIONS) - 1}, not {action!r}")
        actor, vehicle = int(now.vehicle.id[row]), now.vehicle
        name = LANE_ACTIONS[number]
        if name in ("faster", "slower"):
            change = SPEED_CHANGE if name == "faster" else -SPEED_CHANGE
            speed = min(max(float(vehicle.cruise_speed[row]) + change, 0.0), self.settings.max_speed)
            return (SetCruise(actor, speed=speed),)
        if name == "keep":
            return ()
        yaw, side = float(vehicle.yaw[row]), _LANE_WIDTH if name == "left" else -_LANE_WIDTH
        x, y = float(vehicle.x[row]) - side * math.sin(yaw), float(vehicle.y[row]) + side * math.cos(yaw)
        return (WishLane(actor, (x, y, float(vehicle.z[row])), yaw, begins=True),)

    def mask(self, now: Snapshot, row: int, link: int) -> Mask:
        """See `ActionMeaning`."""
        mask = np.ones(len(LANE_ACTIONS), np.int8)
        for number, (beside, allowed) in enumerate(self._network.neighbours.sides, LANE_ACTIONS.index("left")):
            mask[number] = link >= 0 and beside[link] >= 0 and bool(allowed[link])
        speed = float(now.vehicle.cruise_speed[row])
        mask[LANE_ACTIONS.index("faster")] = speed < self.settings.max_speed
        mask[LANE_ACTIONS.index("slower")] = speed > 0.0
        return mask


_LANE_WIDTH = 3.5
"""The middle of the lane beside is about so far aside [m]."""


def actions_of(settings: EnvSettings, network: RoadNetwork, backwards: float = 0.0) -> ActionMeaning:
    """The actions that the settings name.

    Args:
        settings: of the environment.
        network: the roads.
        backwards: largest velocity backwards of "velocity" [m/s].
    """
    if settings.actions == "pedals":
        return PedalActions(settings)
    if settings.actions == "velocity":
        return VelocityActions(settings, backwards)
    if settings.actions == "discrete":
        return DiscreteActions(settings)
    return LaneActions(settings, network)
