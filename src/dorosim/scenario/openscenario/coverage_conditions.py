"""What the engine does with conditions, positions, elements, catalogs and parameters: rows of `coverage.py`."""

from __future__ import annotations

from dorosim.scenario.openscenario.coverage_row import rows_of

_YES = {
    "test_entity_conditions.py": {
        "test_the_end_of_a_road_counts_after_a_time": "EndOfRoadCondition",
        "test_being_off_the_road_counts_after_a_time": "OffroadCondition",
        "test_standing_still_counts_after_a_time": "StandStillCondition",
        "test_a_collision_is_with_an_entity_a_selection_or_a_type": (
            "CollisionCondition ByObjectType ObjectType EntityRef EntitySelection SelectedEntities ByType Entities"
        ),
        "test_a_bend_gives_a_lateral_and_a_rise_a_vertical_acceleration": "AccelerationCondition",
        "test_a_speed_is_compared_by_each_rule": "Rule",
        "test_a_speed_has_parts_in_the_frame_of_the_body": "SpeedCondition DirectionalDimension",
        "test_a_relative_speed_counts_along_the_axes_of_the_other_one": "RelativeSpeedCondition",
        "test_a_box_has_a_size_and_a_middle": "BoundingBox Center Dimensions",
        "test_a_travelled_distance_is_reached": "TraveledDistanceCondition",
        "test_a_position_is_reached_within_a_tolerance": "ReachPositionCondition",
        "test_one_or_all_of_the_entities_must_meet_a_condition": (
            "TriggeringEntities TriggeringEntitiesRule ByEntityCondition"
        ),
    },
    "test_distance_conditions.py": {
        "test_distances_from_an_entity": (
            "RelativeDistanceCondition CoordinateSystem RelativeDistanceType RoutingAlgorithm"
        ),
        "test_distances_from_a_position": "DistanceCondition",
        "test_a_headway_is_a_distance_over_the_own_speed": "TimeHeadwayCondition",
        "test_a_time_to_collision_is_a_distance_over_the_speed_at_which_it_shrinks": (
            "TimeToCollisionCondition TimeToCollisionConditionTarget"
        ),
        "test_a_clearance_has_lengths_lanes_and_entities": "RelativeClearanceCondition RelativeLaneRange",
    },
    "test_angle_conditions.py": {
        "test_an_angle_is_within_a_tolerance": "AngleCondition AngleType",
        "test_an_angle_from_that_of_another_entity": "RelativeAngleCondition",
    },
    "test_value_conditions.py": {
        "test_the_simulated_time_is_compared": "SimulationTimeCondition",
        "test_a_value_of_any_type_is_compared": (
            "VariableCondition ParameterCondition ParameterType VariableDeclaration VariableDeclarations "
            "Boolean DateTime Double String"
        ),
        "test_a_changed_number_stays_one_of_its_type": "Int UnsignedInt UnsignedShort",
        "test_date_and_time_of_day_are_compared": "TimeOfDayCondition",
        "test_lights_and_their_controllers_have_states": (
            "TrafficSignalCondition TrafficSignalControllerCondition ByValueCondition"
        ),
    },
    "test_state_machine.py": {
        "test_each_kind_of_element_has_states_that_can_be_seen": (
            "StoryboardElementStateCondition StoryboardElementType StoryboardElementState"
        ),
        "test_a_run_ends_by_its_stop_trigger_or_with_its_stories": "Storyboard",
        "test_parameters_of_a_story_and_a_maneuver_are_put_in_there": "Story Maneuver",
        "test_a_stopped_act_stops_all_in_it": "Act",
        "test_a_maneuver_group_runs_so_often": "ManeuverGroup",
        "test_entities_that_met_the_condition_can_be_actors": "Actors",
        "test_an_event_runs_so_often": "Event",
        "test_all_actions_of_an_event_start_and_it_ends_with_the_last": "Action",
        "test_a_starting_event_meets_others_by_its_priority": "Priority",
        "test_all_conditions_of_a_group_and_one_group_must_be_met": "Trigger ConditionGroup",
        "test_a_condition_counts_by_its_edge_and_after_its_delay": "Condition ConditionEdge",
        "test_init_actions_come_before_the_first_look": (
            "Init InitActions Private PrivateAction GlobalAction UserDefinedAction CustomCommandAction"
        ),
        "test_conditions_of_every_kind_are_looked_at": "EntityCondition",
    },
    "test_positions.py": {
        "test_a_world_position_has_six_attributes": "WorldPosition",
        "test_a_lane_position_points_as_one_drives_there": "LanePosition",
        "test_an_orientation_is_absolute_or_relative_to_the_lane": "Orientation ReferenceContext",
        "test_a_road_position_has_s_and_t": "RoadPosition",
        "test_beside_an_entity_along_the_axes_of_the_map": "RelativeWorldPosition",
        "test_beside_an_entity_along_the_axes_of_its_body": "RelativeObjectPosition",
        "test_beside_an_entity_along_its_road": "RelativeRoadPosition",
        "test_a_relative_lane_position_has_lanes_lengths_and_an_orientation": "RelativeLanePosition",
        "test_a_geographic_position_has_all_its_attributes": "GeoPosition",
        "test_a_place_on_a_trajectory_has_s_and_t": "TrajectoryPosition",
        "test_a_place_on_a_route_by_road_and_by_lane": (
            "RoutePosition PositionInRoadCoordinates PositionInLaneCoordinates"
        ),
        "test_a_place_on_a_route_where_an_entity_is": "PositionOfCurrentEntity",
        "test_places_on_a_route_of_each_kind": "InRoutePosition",
        "test_a_waypoint_is_reached_by_each_strategy": "Waypoint RouteStrategy",
        "test_a_closed_route_leads_to_its_start_again": "Route",
        "test_positions_of_every_kind_can_be_taken": "Position",
        "test_who_leaves_the_used_area_is_told": "UsedArea",
    },
    "test_outside.py": {
        "test_a_client_gives_a_value": "UserDefinedValueCondition",
        "test_an_external_entity_is_what_bears_its_name_in_the_world": "ExternalObjectReference",
    },
    "test_runs_of_catalogs.py": {
        "test_entries_of_every_kind_have_their_effect": (
            "Catalog CatalogDefinition CatalogLocations CatalogReference Directory ParameterAssignment "
            "ParameterAssignments VehicleCatalogLocation PedestrianCatalogLocation MiscObjectCatalogLocation "
            "ManeuverCatalogLocation TrajectoryCatalogLocation RouteCatalogLocation ControllerCatalogLocation "
            "EnvironmentCatalogLocation EntityObject"
        ),
        "test_routes_of_catalogs_give_places": "RouteRef",
        "test_all_parts_of_a_scenario_have_their_effect": "ScenarioDefinition",
        "test_a_file_is_a_scenario_a_catalog_or_distributions": "OpenScenarioCategory",
        "test_a_map_is_opened_by_the_name_in_the_file": "File",
    },
    "test_runs_of_parameters.py": {
        "test_parameters_and_expressions_are_put_in": "ParameterDeclarations expression parameter",
        "test_a_value_must_meet_one_group_of_constraints": (
            "ParameterDeclaration ValueConstraint ValueConstraintGroup"
        ),
        "test_values_that_are_listed_make_runs": (
            "Deterministic DeterministicParameterDistribution DeterministicSingleParameterDistribution "
            "DeterministicSingleParameterDistributionType DeterministicMultiParameterDistribution "
            "DeterministicMultiParameterDistributionType DistributionSet DistributionSetElement DistributionRange "
            "ValueSetDistribution ParameterValueSet"
        ),
        "test_values_that_are_drawn_make_runs": (
            "Stochastic StochasticDistribution StochasticDistributionType NormalDistribution LogNormalDistribution "
            "UniformDistribution PoissonDistribution UserDefinedDistribution Range DistributionDefinition "
            "ParameterValueDistribution ParameterValueDistributionDefinition"
        ),
        "test_weights_and_bounds_count": (
            "ProbabilityDistributionSet ProbabilityDistributionSetElement Histogram HistogramBin"
        ),
    },
}
"""Types by the file and the test that holds their effect."""

ROWS = rows_of(_YES)
"""By the type's name in the standard."""
