"""What the engine does with each named type of the standard: an effect that is added to the engine gets its row here.

*Yes*: every attribute and element of the type has its effect in a run, and the named test fails without it. *Partly*:
some have. *No*: the type is read, and has no effect yet. Every type is read, so no type is missing.
"""

from __future__ import annotations

from dorosim.scenario.openscenario import plan  # noqa: F401 (imports the modules of records, which fill the tables)
from dorosim.scenario.openscenario.coverage_actions import ROWS as _ACTIONS
from dorosim.scenario.openscenario.coverage_conditions import ROWS as _CONDITIONS
from dorosim.scenario.openscenario.coverage_row import Coverage, Support, rows_of
from dorosim.scenario.openscenario.lexical import WANTED
from dorosim.scenario.openscenario.record.table import TYPE_TABLES, TYPES, VERSIONS, WORD_TABLES, WORDS

_POSITIONS = "tests/scenario/openscenario/test_reference_runs.py::test_entities_are_where_those_of_the_reference_are"
_CHANGES = (
    "tests/scenario/openscenario/test_reference_runs.py::test_the_storyboard_changes_when_that_of_the_reference_does"
)
_BODIES = "tests/scenario/openscenario/test_bodies.py::"
_ENGINE = "tests/scenario/openscenario/test_engine.py::"

_ENTITIES = rows_of(
    {
        "test_bodies.py": {
            "test_a_heavy_car_has_the_engine_of_its_model_and_brakes_for_its_mass": "Vehicle",
            "test_the_name_of_a_type_or_its_3d_model_names_the_vehicle": "ScenarioObject",
            "test_every_category_of_vehicles_has_a_body_that_stands_for_it": "VehicleCategory",
            "test_every_category_of_pedestrians_has_a_figure": "PedestrianCategory",
            "test_every_category_of_objects_is_a_thing_or_flat": "MiscObjectCategory",
        },
    }
)
_PARTLY_BY_POSITIONS = """
    AbsoluteTargetLane AbsoluteTargetSpeed AcquirePositionAction AddEntityAction AssignRouteAction Clothoid
    ControlPoint DeleteEntityAction DynamicConstraints DynamicsDimension DynamicsShape EntityAction
    FollowTrajectoryAction InRoutePosition Knot LaneChangeAction LaneChangeTarget LaneOffsetAction
    LaneOffsetActionDynamics LaneOffsetTarget LanePosition LateralAction LongitudinalAction
    LongitudinalDistanceAction Nurbs Orientation Polyline Position PositionInLaneCoordinates PrivateAction
    RelativeLanePosition RelativeObjectPosition RelativeRoadPosition RelativeTargetLane RelativeTargetSpeed
    RelativeWorldPosition Route RoutePosition RouteRef RoutingAction Shape SpeedAction SpeedActionTarget
    SpeedProfileAction SpeedProfileEntry SynchronizeAction TeleportAction TimeReference Timing Trajectory
    TrajectoryRef TransitionDynamics Vertex Waypoint WorldPosition
"""
_PARTLY_BY_CHANGES = """
    Act Actors AngleCondition ByEntityCondition ByValueCondition CollisionCondition Condition ConditionGroup
    EntityCondition EntityRef Event Init InitActions InfrastructureAction Maneuver ManeuverGroup Private
    ReachPositionCondition RelativeDistanceCondition SpeedCondition StandStillCondition Story Storyboard
    StoryboardElementStateCondition TimeHeadwayCondition TimeToCollisionCondition TrafficSignalAction
    TrafficSignalCondition TrafficSignalStateAction TraveledDistanceCondition Trigger TriggeringEntities
"""
"""Types of which most has its effect, and is held against the reference; what has none is noted in a run."""

COVERAGE: dict[str, Coverage] = {
    **{name: Coverage(Support.PARTLY, _POSITIONS) for name in _PARTLY_BY_POSITIONS.split()},
    **{name: Coverage(Support.PARTLY, _CHANGES) for name in _PARTLY_BY_CHANGES.split()},
    "ConditionEdge": Coverage(Support.YES, f"{_ENGINE}test_edges_and_delays"),
    "SimulationTimeCondition": Coverage(Support.YES, f"{_ENGINE}test_edges_and_delays"),
    "Priority": Coverage(Support.YES, f"{_ENGINE}test_priorities"),
    "VariableModifyAction": Coverage(Support.YES, f"{_ENGINE}test_an_event_runs_as_often_as_it_may"),
    "VariableAddValueRule": Coverage(Support.YES, f"{_ENGINE}test_an_event_runs_as_often_as_it_may"),
    "Role": Coverage(Support.PARTLY, f"{_BODIES}test_a_van_of_public_transport_is_a_bus"),
    "Axle": Coverage(Support.PARTLY, f"{_BODIES}test_axles_have_wheels_tracks_and_angles"),
    "Axles": Coverage(Support.PARTLY, f"{_BODIES}test_axles_have_wheels_tracks_and_angles"),
    "Pedestrian": Coverage(Support.PARTLY, f"{_BODIES}test_every_category_of_pedestrians_has_a_figure"),
    "MiscObject": Coverage(Support.PARTLY, f"{_BODIES}test_every_category_of_objects_is_a_thing_or_flat"),
    "RoadNetwork": Coverage(Support.PARTLY, _POSITIONS),
    **dict.fromkeys(
        ("OpenScenario", "FileHeader", "License", "Properties", "Property", "CustomContent"),
        Coverage(Support.YES, "tests/app/cli/test_scenario_about.py::test_results_have_what_a_file_says_of_itself"),
    ),
    **_ACTIONS,
    **_CONDITIONS,
    **_ENTITIES,
}
"""By the type's name in the standard; a type that is not in it has no effect yet."""

SIMPLE_TYPES = ("String", *WANTED, "expression", "parameter")
"""Types of texts and numbers, and of the references that stand for them."""

_NONE = Coverage(Support.NO, "")


def named_types() -> tuple[str, ...]:
    """All named types of the newest version, in alphabetical order whatever their case."""
    complex_types = (name for name, kind in TYPES.items() if TYPE_TABLES[kind].since in VERSIONS)
    enumerations = (name for name, kind in WORDS.items() if WORD_TABLES[kind].since in VERSIONS)
    return tuple(sorted((*complex_types, *enumerations, *SIMPLE_TYPES), key=lambda name: (name.lower(), name)))


def coverage_rows() -> list[dict[str, str]]:
    """Rows {type, support, test} of all named types."""
    found = ((name, COVERAGE.get(name, _NONE)) for name in named_types())
    return [{"type": name, "support": str(row.support), "test": row.test} for name, row in found]
