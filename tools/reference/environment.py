"""The reference page of the environments for learning, from their classes."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from enum import IntEnum

from dorosim.gym.action import ACCELERATIONS, LANE_ACTIONS
from dorosim.gym.kind import KINDS
from dorosim.gym.setting import ENDS, WEIGHTS, EnvSettings
from dorosim.sensor.agent.kinematic.segment_kernel import SEGMENT_REACH
from dorosim.sensor.agent.kinematic.state import PartnerFeature, SegmentFeature, SelfFeature
from dorosim.sensor.agent.observation_kernel import (
    ACCELERATION_SCALE,
    CURVATURE_SCALE,
    GOAL_SCALE,
    KIND_SCALE,
    LENGTH_SCALE,
    OFFSET_SCALE,
    SIDE_SPEED_SCALE,
    SPEED_SCALE,
    WAY_SCALE,
    WIDTH_SCALE,
    YAW_RATE_SCALE,
)
from dorosim.sensor.agent.state import EgoFeature, LightFeature, NeighbourFeature, RewardTerm, RoadFeature
from dorosim.world.signal.permission import Permission
from tools.reference.markdown import table

_EGO = {
    "SPEED": f"forward, over {SPEED_SCALE:g} m/s",
    "SIDE_SPEED": f"to the left, over {SIDE_SPEED_SCALE:g} m/s",
    "YAW_RATE": f"to the left, over {YAW_RATE_SCALE:g} rad/s",
    "ACCELERATION": f"forward, over {ACCELERATION_SCALE:g} m/s²",
    "SIDE_ACCELERATION": f"to the left, over {ACCELERATION_SCALE:g} m/s²",
    "STEER": "wheel angle over the largest one, left positive",
    "ACCELERATOR": "as applied",
    "BRAKE": "as applied",
    "OFFSET": f"from the middle of the way, left positive, over {OFFSET_SCALE:g} m",
    "HEADING_SINE": "of the angle from the way, left positive",
    "HEADING_COSINE": "of the same",
    "LEFT_EDGE": f"distance of the lane's left boundary, over {OFFSET_SCALE:g} m",
    "RIGHT_EDGE": f"of its right one, over {OFFSET_SCALE:g} m",
    "LIMIT": f"speed limit, over {SPEED_SCALE:g} m/s",
    "WAY_LEFT": f"what is left of the way, over {WAY_SCALE:g} m",
    "GOAL_X": f"of the goal, forward, over {GOAL_SCALE:g} m",
    "GOAL_Y": f"of the goal, to the left, over {GOAL_SCALE:g} m",
    "GOAL_SINE": "of the angle to the heading at the goal, left positive",
    "GOAL_COSINE": "of the same",
    "REVERSE": "1 in reverse gear",
}
_NEIGHBOUR = {
    "PRESENT": "1; rows without a body are zeros",
    "X": "of its middle, forward, over `neighbour_reach`",
    "Y": "to the left, likewise",
    "SINE": "of its heading from the agent's",
    "COSINE": "of the same",
    "VELOCITY_X": f"from the agent's, forward, over {SPEED_SCALE:g} m/s",
    "VELOCITY_Y": f"to the left, over {SPEED_SCALE:g} m/s",
    "LENGTH": f"over {LENGTH_SCALE:g} m",
    "WIDTH": f"over {WIDTH_SCALE:g} m",
    "KIND": f"`BodyKind` over {KIND_SCALE:g}: vehicle of an agent 0, NPC 1, ghost 2, person 3, obstacle 4",
}
_ROAD = {
    "X": "of the point, forward, over all that is perceived of the way",
    "Y": "to the left, likewise",
    "SINE": "of the lane's heading from the agent's",
    "COSINE": "of the same",
    "CURVATURE": f"left positive, over {CURVATURE_SCALE:g} 1/m",
}
_LIGHT = {"PRESENT": "1; rows without a stop line are zeros", "DISTANCE": "from the front, over `light_reach`"}
_SELF = {
    "GOAL_X": f"of the goal, forward, over {GOAL_SCALE:g} m",
    "GOAL_Y": f"to the left, over {GOAL_SCALE:g} m",
    "SPEED": f"forward, over {SPEED_SCALE:g} m/s",
    "STEER": "wheel angle over the largest one, left positive",
    "LENGTH": f"of the body, over {LENGTH_SCALE:g} m",
    "WIDTH": f"of the body, over {WIDTH_SCALE:g} m",
    "COLLIDED": "1 in a collision in the last step",
}
_PARTNER = {
    "X": "of its middle, forward, over `partner_reach`",
    "Y": "to the left, likewise",
    "LENGTH": f"over {LENGTH_SCALE:g} m; rows without a vehicle are zeros",
    "WIDTH": f"over {WIDTH_SCALE:g} m",
    "COSINE": "of its heading from the agent's",
    "SINE": "of the same, left positive",
    "SPEED": f"forward, over {SPEED_SCALE:g} m/s",
}
_SEGMENT = {
    "X": f"of its middle, forward, over {SEGMENT_REACH:g} m",
    "Y": "to the left, likewise",
    "COSINE": "of its direction from the agent's heading",
    "SINE": "of the same, left positive",
    "LENGTH": f"over {LENGTH_SCALE:g} m",
    "WIDTH": f"of the lane, over {WIDTH_SCALE:g} m; 0 of boundaries",
    "KIND": "lane 1/3, line between lanes 2/3, edge of the road 1; rows without a segment are zeros",
}
MEANINGS: dict[type[IntEnum], dict[str, str]] = {
    EgoFeature: _EGO,
    NeighbourFeature: _NEIGHBOUR,
    RoadFeature: _ROAD,
    LightFeature: _LIGHT,
    SelfFeature: _SELF,
    PartnerFeature: _PARTNER,
    SegmentFeature: _SEGMENT,
}
_SETTING = re.compile(r"^(\w+): (.*)$")


def environment_page() -> str:
    """The page of all environments."""
    names = ", ".join(f"`dorosim/{name}-v0`" for name in KINDS)
    text = (
        f'# Environments for learning\n\n{names}: `gymnasium.make("dorosim.gym:dorosim/Town-v0", vehicles=40)`.\n'
        "[How to learn](../how-to/learn.md) has examples.\n\n## Settings\n\n"
        "By name to `make`, `make_vec`, `parallel_env`, `AgentPool`, `StableVecEnv`; in the `env_config` of RLlib.\n\n"
    )
    text += table(("setting", "default", "meaning"), _setting_rows())
    text += "\n## Environments\n\n" + table(("name", "other defaults"), _kind_rows())
    text += f"\n## Actions\n\n{_actions_text()}"
    for kind, title in (
        (EgoFeature, "`ego`: of the agent"),
        (NeighbourFeature, "`neighbours`: of each body"),
        (RoadFeature, "`road`: of each point of the way"),
        (LightFeature, "`lights`: of each stop line"),
        (SelfFeature, "`self`: of a kinematic agent"),
        (PartnerFeature, "`partners`: of each other vehicle, the nearest first, for kinematic agents"),
        (SegmentFeature, "`segments`: of each segment of lanes near the agent's cell of 8 m, for kinematic agents"),
    ):
        text += f"\n## {title}\n\n" + table(("number", "name", "meaning"), _feature_rows(kind))
        if kind is LightFeature:
            states = ", ".join(one.name for one in Permission)
            text += f"\nThen 1 for the state of the light, of {states}.\n"
    text += (
        "\n## `lidar` and `picture`\n\n`lidar`: distances over `ray_reach`, from ahead over the left; 1 for nothing.\n"
    )
    text += "`picture`: `(height, width, 3)` of a camera on the driver's seat.\n"
    text += "\n## Rewards\n\n" + table(("term", "weight", "meaning"), _reward_rows())
    return text + f"\n`ends` has {', '.join(f'`{name}`' for name in ENDS)}, unless another list is given.\n"


def _attributes() -> dict[str, str]:
    """The meaning of each setting, from the docstring of their class."""
    found: dict[str, str] = {}
    last = ""
    for line in inspect.getdoc(EnvSettings).splitlines():  # type: ignore[union-attr]
        text = line.strip()
        matched = _SETTING.match(text) if line.startswith("    ") and not line.startswith("        ") else None
        if matched:
            last = matched[1]
            found[last] = matched[2]
        elif last and text:
            found[last] += f" {text}"
    return found


def _setting_rows() -> list[tuple[str, str, str]]:
    meanings, usual = _attributes(), EnvSettings()
    return [(f"`{one.name}`", f"`{getattr(usual, one.name)!r}`", meanings[one.name]) for one in fields(EnvSettings)]


def _kind_rows() -> list[tuple[str, str]]:
    usual, rows = EnvSettings(), []
    for name, kind in KINDS.items():
        own = [
            f"`{one.name}={getattr(kind.usual, one.name)!r}`"
            for one in fields(EnvSettings)
            if getattr(kind.usual, one.name) != getattr(usual, one.name)
        ]
        rows.append((f"`dorosim/{name}-v0`", ", ".join(own)))
    return rows


def _actions_text() -> str:
    return table(
        ("`actions`", "space", "meaning"),
        [
            (
                "`pedals`",
                "`Box(-1, 1, (2,))`",
                "accelerator positive and brake negative; wheel angle over the largest one",
            ),
            (
                "`velocity`",
                "`Box(-1, 1, (2,))`",
                "0 to `max_speed`, when parking from backwards; up to `max_curvature`",
            ),
            (
                "`discrete`",
                "`MultiDiscrete([7, 13])`",
                f"{', '.join(f'{one:g}' for one in ACCELERATIONS)} m/s²; wheel angles, finer in the middle",
            ),
            ("`lanes`", f"`Discrete({len(LANE_ACTIONS)})`", ", ".join(LANE_ACTIONS)),
        ],
    )


def _feature_rows(kind: type[IntEnum]) -> list[tuple[int, str, str]]:
    return [(int(one), one.name.lower(), MEANINGS[kind][one.name]) for one in kind]


def _reward_rows() -> list[tuple[str, str, str]]:
    text = re.sub(r"\s+", " ", inspect.getdoc(RewardTerm) or "")
    parts = dict(re.findall(r"([A-Z_]+(?:, [A-Z_]+)*): (.*?)(?= [A-Z_]{4,}[:,]|$)", text))
    found = {name: meaning for names, meaning in parts.items() for name in names.split(", ")}
    return [(f"`{one.name.lower()}`", f"{WEIGHTS[one.name.lower()]:g}", found[one.name]) for one in RewardTerm]
