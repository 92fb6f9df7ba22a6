"""What the engine does with the types of actions: rows of `coverage.py`."""

from __future__ import annotations

from dorosim.scenario.openscenario.coverage_row import Coverage, rows_of

_YES = {
    "test_motion_actions.py": {
        "test_a_speed_changes_by_its_shape": ("SpeedAction SpeedActionTarget AbsoluteTargetSpeed DynamicsShape Action"),
        "test_a_change_of_speed_takes_a_time_a_distance_or_a_rate": "DynamicsDimension",
        "test_a_relative_speed_is_reached_once_unless_it_is_continuous": (
            "RelativeTargetSpeed SpeedTargetValueType LongitudinalAction"
        ),
        "test_following_mode_of_a_speed": "TransitionDynamics FollowingMode",
        "test_following_mode_lets_off_before_the_speed_is_reached": "Performance",
        "test_a_speed_profile_goes_from_speed_to_speed": "SpeedProfileEntry",
        "test_following_mode_of_a_speed_profile": "SpeedProfileAction",
        "test_a_distance_is_kept_at_once_without_limits": "LongitudinalDistanceAction LongitudinalDisplacement",
        "test_a_distance_is_approached_within_rates": "DynamicConstraints",
        "test_a_lane_changes_by_its_shape": "LaneChangeTarget AbsoluteTargetLane LateralAction",
        "test_a_lane_change_ends_beside_the_middle_of_its_lane": "LaneChangeAction",
        "test_a_lane_relative_to_an_entity": "RelativeTargetLane",
        "test_a_lane_offset_is_reached_within_its_acceleration": (
            "LaneOffsetActionDynamics LaneOffsetTarget AbsoluteTargetLaneOffset"
        ),
        "test_a_lane_offset_relative_to_an_entity": "LaneOffsetAction RelativeTargetLaneOffset",
        "test_a_lateral_distance_is_taken_at_once_without_limits": "LateralDistanceAction LateralDisplacement",
        "test_two_entities_arrive_at_the_same_time": "FinalSpeed",
        "test_tolerances_count_as_there": "SynchronizeAction",
        "test_the_final_speed_is_kept_before_the_end": (
            "AbsoluteSpeed SteadyState TargetDistanceSteadyState TargetTimeSteadyState"
        ),
        "test_the_final_speed_relative_to_the_master_is_kept_before_the_end": "RelativeSpeedToMaster",
    },
    "test_control_actions.py": {
        "test_overridden_controls_move_the_vehicle": (
            "OverrideControllerValueAction OverrideGearAction Gear ManualGear AutomaticGear AutomaticGearType "
            "BrakeInput OverrideBrakeAction OverrideParkingBrakeAction"
        ),
        "test_an_overridden_control_changes_no_faster_than_it_may": "OverrideThrottleAction OverrideClutchAction Brake",
        "test_the_wheels_turn_no_farther_than_the_axle_and_the_torque_let_them": "OverrideSteeringWheelAction",
        "test_a_controller_is_active_in_the_domains_that_it_controls": "Controller ControllerType",
        "test_a_controller_may_come_from_a_catalog": "ControllerCatalogLocation",
        "test_each_domain_of_an_assigned_controller_is_switched_by_itself": "AssignControllerAction ControllerAction",
        "test_each_domain_is_activated_by_itself": "ActivateControllerAction ObjectController",
        "test_a_trailer_follows_the_vehicle_that_has_it": "Trailer",
        "test_the_coupler_is_as_high_as_the_hitch": "TrailerHitch TrailerCoupler",
        "test_a_trailer_is_taken_and_left": (
            "TrailerAction ConnectTrailerAction DisconnectTrailerAction PrivateAction"
        ),
    },
    "test_route_actions.py": {
        "test_the_times_of_a_trajectory_count_as_its_timing_has_it": (
            "Timing TimeReference None Polyline ReferenceContext"
        ),
        "test_a_trajectory_may_begin_in_its_middle": "FollowTrajectoryAction",
        "test_following_mode_of_a_trajectory": "TrajectoryFollowingMode",
        "test_a_body_has_the_headings_of_its_vertices": "Vertex",
        "test_a_clothoid_turns_evenly": "Clothoid",
        "test_a_clothoid_spline_goes_from_segment_to_segment": "ClothoidSplineSegment",
        "test_a_clothoid_spline_has_times": "ClothoidSpline",
        "test_order_and_knots_of_a_spline": "Nurbs Knot",
        "test_control_points_have_times": "ControlPoint",
        "test_a_closed_trajectory_goes_round_and_does_not_end": "Trajectory Shape",
        "test_a_trajectory_may_come_from_a_catalog": "TrajectoryRef TrajectoryCatalogLocation",
        "test_a_route_may_come_from_a_catalog": "AssignRouteAction RouteCatalogLocation",
        "test_a_position_is_acquired": "AcquirePositionAction",
        "test_a_random_route_turns_by_the_seed": "RandomRouteAction RoutingAction",
        "test_a_teleport_is_done_at_once": "TeleportAction",
        "test_an_entity_is_added_and_deleted": "EntityAction AddEntityAction DeleteEntityAction",
    },
    "test_signal_actions.py": {
        "test_a_light_is_set": "TrafficSignalStateAction",
        "test_a_controller_goes_from_phase_to_phase": "TrafficSignals Phase TrafficSignalState",
        "test_a_controller_is_put_into_a_phase": (
            "TrafficSignalControllerAction TrafficSignalAction InfrastructureAction"
        ),
        "test_a_controller_follows_another_one": "TrafficSignalController",
        "test_a_state_of_a_group_is_that_of_all_its_lights": "TrafficSignalGroupState",
        "test_variables_are_set_and_modified": (
            "VariableAction VariableSetAction VariableModifyAction VariableModifyRule VariableAddValueRule "
            "VariableMultiplyByValueRule"
        ),
        "test_parameters_are_set_and_modified": (
            "ParameterAction ParameterSetAction ParameterModifyAction ModifyRule ParameterAddValueRule "
            "ParameterMultiplyByValueRule"
        ),
        "test_a_monitor_is_set": ("SetMonitorAction MonitorDeclaration MonitorDeclarations GlobalAction"),
    },
    "test_appearance_actions.py": {
        "test_every_light_is_switched": "VehicleLight VehicleLightType LightType",
        "test_a_light_of_ones_own": "UserDefinedLight",
        "test_a_light_takes_its_time": "LightStateAction AppearanceAction",
        "test_a_light_flashes": "LightMode",
        "test_every_colour_is_named": "ColorType",
        "test_colours_by_numbers": "Color ColorRgb ColorCmyk LightState",
        "test_every_part_of_a_vehicle_moves": "VehicleComponent VehicleComponentType",
        "test_a_part_that_moves_at_once": "ComponentAnimation UserDefinedComponent",
        "test_a_door_opens_and_closes": "AnimationState",
        "test_a_loop_goes_on_until_it_is_stopped": "AnimationAction",
        "test_every_motion_of_a_pedestrian": "PedestrianMotionType",
        "test_every_gesture_of_a_pedestrian": "PedestrianAnimation PedestrianGesture PedestrianGestureType",
        "test_an_animation_of_a_file_has_a_clock": "AnimationFile AnimationType",
        "test_an_animation_of_ones_own": "UserDefinedAnimation",
    },
    "test_environment_actions.py": {
        "test_the_time_of_day_is_that_of_the_world": "TimeOfDay",
        "test_rain_and_snow_fall": "Precipitation PrecipitationType",
        "test_every_cloud_cover": "FractionalCloudCover",
        "test_every_old_cloud_state": "CloudState",
        "test_fog_in_a_box_is_where_the_first_entity_drives_in_it": "Fog",
        "test_wind_blows": "Wind",
        "test_temperature_and_pressure_are_kept": "Weather",
        "test_the_sun_is_as_bright_as_it_is_set": "Sun",
        "test_the_friction_of_roads_is_scaled": "RoadCondition",
        "test_every_wetness_of_the_road": "Wetness",
        "test_an_environment_may_come_from_a_catalog": "EnvironmentAction Environment EnvironmentCatalogLocation",
    },
    "test_traffic_actions.py": {
        "test_a_source_gives_its_vehicles_a_speed": "TrafficSourceAction",
        "test_weights_of_a_distribution": (
            "TrafficDistribution TrafficDistributionEntry EntityDistribution EntityDistributionEntry"
        ),
        "test_properties_and_controllers_of_traffic_say_what_its_drivers_wish": "ScenarioObjectTemplate",
        "test_categories_of_the_old_definition": "VehicleCategoryDistribution VehicleCategoryDistributionEntry",
        "test_roles_and_controllers_of_the_old_definition": (
            "TrafficDefinition VehicleRoleDistribution VehicleRoleDistributionEntry ControllerDistribution "
            "ControllerDistributionEntry"
        ),
        "test_a_sink_takes_out_no_more_than_its_rate": "TrafficSinkAction",
        "test_a_swarm_is_around_its_entity": "TrafficSwarmAction",
        "test_a_swarm_goes_with_its_entity": "CentralSwarmObject",
        "test_directions_of_a_swarm": "DirectionOfTravelDistribution",
        "test_speeds_of_a_swarm": "Range",
        "test_a_polygon_is_filled": "Polygon",
        "test_a_range_of_a_road_is_filled": "RoadRange RoadCursor Lane TrafficArea",
        "test_an_area_is_kept_full_if_it_is_continuous": "TrafficAreaAction",
        "test_traffic_is_stopped_by_its_name": "TrafficStopAction TrafficAction",
    },
    "test_visibility_and_commands.py": {
        "test_only_the_named_sensors_do_not_see_it": "SensorReferenceSet SensorReference",
        "test_traffic_brakes_only_for_what_it_sees": "VisibilityAction",
        "test_a_command_causes_a_fault_of_ours": "CustomCommandAction UserDefinedAction",
    },
}
"""Types by the file and the test that holds their effect."""

ROWS: dict[str, Coverage] = rows_of(_YES)
"""By the type's name in the standard."""
