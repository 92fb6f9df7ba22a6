"""Conditions on angles: heading, pitch and roll in each coordinate system, and those of one entity from another's."""

from __future__ import annotations

import math

import pytest

from tests.scenario.openscenario.staged import Body, at_lane, by_entity, in_world, met_at

TURNED = '<Orientation type="relative" h="0.3" p="0.1" r="0.2"/>'
RISE = -math.atan(0.1)
BANK = 0.05
"""Of road 1 from 80 m and from 120 m on. Its heading at 150 m is 1 (50 m by a curvature of 0.02)."""


def angle(value: float, kind: str, system: str = "", tolerance: float = 0.005, of: str = "") -> str:
    name = "RelativeAngleCondition" if of else "AngleCondition"
    parts = f' coordinateSystem="{system}"' if system else ""
    parts += f' entityRef="{of}"' if of else ""
    return by_entity(f'<{name} angle="{value}" angleTolerance="{tolerance}" angleType="{kind}"{parts}/>', "ego")


def is_met(condition: str, *bodies: Body, more_init: dict[str, str] | None = None) -> bool:
    return met_at(condition, *bodies, end=0.005, more_init=more_init) is not None


@pytest.mark.parametrize(
    ("kind", "system", "expected"),
    [
        ("heading", "", 1.3),
        ("heading", "world", 1.3),
        ("heading", "road", 0.3),
        ("heading", "lane", 0.3),
        ("pitch", "world", 0.1 + RISE * math.cos(0.3) - BANK * math.sin(0.3)),
        ("pitch", "road", 0.1),
        ("pitch", "lane", 0.1),
        ("roll", "world", 0.2 + BANK * math.cos(0.3) + RISE * math.sin(0.3)),
        ("roll", "lane", 0.2),
        ("heading", "entity", 0.0),
    ],
)
def test_an_angle_is_within_a_tolerance(kind: str, system: str, expected: float) -> None:
    ego = Body("ego", at_lane(149.0, more=TURNED))
    shift = 0.02 if kind == "heading" and system in ("", "world") else 0.0
    assert is_met(angle(expected - shift, kind, system, 0.01), ego)
    assert not is_met(angle(expected - shift + 0.05, kind, system, 0.01), ego)
    assert is_met(angle(expected - shift + 0.05, kind, system, 0.06), ego)


def test_a_lane_that_grows_wider_points_to_its_side() -> None:
    """The middle of lane 1 of road 5 goes 0.01 m to the left by each metre, and is driven to the west."""
    ego = Body("ego", in_world(50.0, 202.5, math.pi))
    assert is_met(angle(0.0, "heading", "road", 0.001), ego)
    assert is_met(angle(-math.atan(0.01), "heading", "lane", 0.001), ego)
    assert not is_met(angle(0.0, "heading", "lane", 0.001), ego)


TRAJECTORY = """<PrivateAction><RoutingAction><FollowTrajectoryAction><TrajectoryRef>
<Trajectory name="up" closed="false"><Shape><Polyline>
<Vertex time="0"><Position><WorldPosition x="20" y="-1.5" z="0" h="0.4"/></Position></Vertex>
<Vertex time="1"><Position><WorldPosition x="30" y="8.5" z="0" h="0.4"/></Position></Vertex>
</Polyline></Shape></Trajectory></TrajectoryRef>
<TimeReference><None/></TimeReference>
<TrajectoryFollowingMode followingMode="position"/></FollowTrajectoryAction></RoutingAction></PrivateAction>"""


def test_an_angle_from_a_trajectory_counts_while_it_is_followed() -> None:
    ego = Body("ego", at_lane(20.0))
    turn = 0.4 - math.pi / 4
    assert is_met(angle(turn, "heading", "trajectory"), ego, more_init={"ego": TRAJECTORY})
    assert not is_met(angle(turn + 0.1, "heading", "trajectory"), ego, more_init={"ego": TRAJECTORY})
    assert not is_met(angle(0.0, "heading", "trajectory", 4.0), ego)


@pytest.mark.parametrize(
    ("kind", "system", "expected"),
    [
        ("heading", "", 1.3 - 0.02 - math.pi / 2),
        ("heading", "entity", 1.3 - 0.02 - math.pi / 2),
        ("heading", "lane", 0.3),
        ("heading", "road", 0.3),
        ("pitch", "", 0.1 + RISE * math.cos(0.3) - BANK * math.sin(0.3)),
        ("roll", "lane", 0.2),
    ],
)
def test_an_angle_from_that_of_another_entity(kind: str, system: str, expected: float) -> None:
    """The other one is on the bridge, which goes north and is flat."""
    ego, other = Body("ego", at_lane(149.0, more=TURNED)), Body("other", at_lane(10.0, name="9"))
    assert is_met(angle(expected, kind, system, 0.01, "other"), ego, other)
    assert not is_met(angle(expected + 0.05, kind, system, 0.01, "other"), ego, other)
    assert is_met(angle(expected + 0.05, kind, system, 0.06, "other"), ego, other)
