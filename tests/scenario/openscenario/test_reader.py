"""Files become records: values, parameters, catalogs, deprecated forms, and what real files break."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.finding import FindingLevel
from dorosim.scenario.openscenario.record.condition import ConditionEdge
from dorosim.scenario.openscenario.record.entity import Vehicle
from dorosim.scenario.openscenario.record.place import CoordinateSystem, RelativeDistanceType
from dorosim.scenario.openscenario.record.position import Route
from dorosim.scenario.openscenario.record.storyboard import Priority, maneuvers_of
from dorosim.scenario.openscenario.record.value_condition import SimulationTimeCondition
from dorosim.scenario.openscenario.record.weather import FractionalCloudCover
from tests.scenario.openscenario.sample import (
    MemoryFiles,
    catalog,
    condition,
    event,
    first_action,
    first_event,
    header,
    lines,
    parameter,
    private,
    read,
    scenario,
)

TIME = '<ByValueCondition><SimulationTimeCondition value="{}" rule="greaterThan"/></ByValueCondition>'
ACTION = private(
    '<VisibilityAction graphics="{}" sensors="true" traffic="true"/>',
)
BOX = '<BoundingBox><Center x="1" y="0" z="1"/><Dimensions width="2" length="4" height="1.5"/></BoundingBox>'
BODY = (
    f'{BOX}<Performance maxSpeed="50" maxAcceleration="5" maxDeceleration="9"/><Axles>'
    '<RearAxle maxSteering="0" wheelDiameter="0.6" trackWidth="1.6" positionX="0" positionZ="0.3"/></Axles>'
)
BY_ENTITY = (
    '<ByEntityCondition><TriggeringEntities triggeringEntitiesRule="any"><EntityRef entityRef="{}"/>'
    "</TriggeringEntities>"
)
VEHICLES = '<VehicleCatalog><Directory path="cars"/></VehicleCatalog>'
ROUTES = '<RouteCatalog><Directory path="routes"/></RouteCatalog>'


def vehicle(name, inside="", attributes=""):
    return f'<Vehicle name="{name}" vehicleCategory="car" {attributes}>{inside}{BODY}</Vehicle>'


def reference(catalog_name, entry, **values):
    given = "".join(f'<ParameterAssignment parameterRef="{name}" value="{value}"/>' for name, value in values.items())
    inside = f"<ParameterAssignments>{given}</ParameterAssignments>" if given else ""
    return f'<CatalogReference catalogName="{catalog_name}" entryName="{entry}">{inside}</CatalogReference>'


def with_condition(text, version="1.3", **options):
    return read(scenario(event(ACTION.format("true"), condition(text, **options)), version=version))


def test_a_value_has_its_type_and_its_place():
    reading = with_condition(TIME.format("2.5"))
    found = first_event(reading).start_trigger.condition_groups[0].conditions[0]
    assert found.chosen.chosen == SimulationTimeCondition(value=2.5, rule="greaterThan")
    assert found.chosen.chosen.origin[:2] == ("test.xosc", 1)
    assert first_event(reading).priority is Priority.OVERRIDE
    assert reading.findings == ()


def test_parameters_are_put_in_and_can_be_given():
    content = scenario(
        event(ACTION.format("$seen"), condition(TIME.format("${2 * $start}"))),
        declarations=parameter("seen", "boolean", "false") + parameter("start", "double", "1.5"),
    )
    opened = open_document("test.xosc", content)
    for given, expected in (({}, 3.0), ({"start": "4"}, 8.0), ({"start": "${1 + 1}"}, 4.0)):
        reading = opened.read(given)
        found = first_event(reading).start_trigger.condition_groups[0].conditions[0].chosen.chosen
        assert found.value == expected
        assert first_action(reading).chosen is None
        assert first_action(reading).graphics is False
    assert opened.read().parameters == {"seen": False, "start": 1.5}


def test_a_parameter_that_is_not_declared_cannot_be_given():
    reading = read(scenario(declarations=parameter("a", "int", "1")), b="2")
    assert lines(reading) == ["test.xosc: parameter 'b' is not declared in it; it declares a"]
    with pytest.raises(InputError, match="parameter 'b' is not declared"):
        reading.whole()


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [
        ("integer", "-3", -3),
        ("int", "${7 - 2}", 5),
        ("unsignedInt", "4294967295", 4294967295),
        ("unsignedShort", "65535", 65535),
        ("double", "1e3", 1000.0),
        ("boolean", "1", True),
        ("string", "left", "left"),
        ("String", "left", "left"),
        ("dateTime", "2024-05-31T12:00:00", datetime(2024, 5, 31, 12, tzinfo=UTC)),
    ],
)
def test_types_of_parameters(kind, value, found):
    reading = read(scenario(declarations=parameter("a", kind, value)))
    assert reading.parameters == {"a": found}
    assert reading.errors == ()


@pytest.mark.parametrize(
    ("kind", "given", "problem"),
    [
        ("int", "2147483648", "2147483648 is not from -2147483648 to 2147483647"),
        ("int", "1.5", "expected a whole number, found '1.5'"),
        ("unsignedInt", "-1", "-1 is not from 0 to 4294967295"),
        ("unsignedShort", "65536", "65536 is not from 0 to 65535"),
        ("double", "nan", "expected a number, found 'nan'"),
        ("double", "1e999", "is beyond 1e+15"),
        ("boolean", "2", "expected true or false, found '2'"),
        ("dateTime", "today", "expected a date and time such as 2024-05-31T12:00:00, found 'today'"),
    ],
)
def test_a_value_of_another_type_cannot_be_given(kind, given, problem):
    declared = {"boolean": "true", "dateTime": "2024-05-31T12:00:00"}.get(kind, "1")
    reading = read(scenario(declarations=parameter("a", kind, declared)), a=given)
    assert len(reading.errors) == 1
    assert problem in str(reading.errors[0])
    assert "<ParameterDeclaration>, attribute 'value'" in str(reading.errors[0])


def test_constraint_groups():
    """One group must hold, with all that is in it."""
    one = '<ConstraintGroup><ValueConstraint rule="greaterOrEqual" value="1"/>'
    low = f'{one}<ValueConstraint rule="lessThan" value="3"/>'
    high = '</ConstraintGroup><ConstraintGroup><ValueConstraint rule="equalTo" value="9"/></ConstraintGroup>'
    content = scenario(declarations=parameter("a", "double", "2", low + high))
    assert [bool(read(content, a=value).errors) for value in ("1", "2.9", "3", "0", "9", "9.5")] == [
        *(False, False, True, True, False, True)
    ]
    assert "3 of parameter 'a' meets none of its constraint groups" in lines(read(content, a="3"))[0]


def test_inner_parameters_hide_outer_ones_and_end_with_their_element():
    inner = f"<ParameterDeclarations>{parameter('t', 'double', '${$t + 1}')}</ParameterDeclarations>"
    trigger = condition(TIME.format("$t"))
    two = event(ACTION.format("true"), trigger).replace('<Event name="e"', inner + '<Event name="e"', 1)
    content = scenario(
        two + event(ACTION.format("true"), trigger).replace('"s"', '"s2"'), declarations=parameter("t", "double", "5")
    )
    stories = read(content).scenario().storyboard.stories
    values = [
        one.acts[0]
        .maneuver_groups[0]
        .maneuvers[0]
        .events[0]
        .start_trigger.condition_groups[0]
        .conditions[0]
        .chosen.chosen.value
        for one in stories
    ]
    assert values == [6.0, 5.0]


def cars(**files):
    return MemoryFiles(**{f"cars__{name}": content for name, content in files.items()})


def entity(inside, name="Ego"):
    return f'<ScenarioObject name="{name}">{inside}</ScenarioObject>'


def test_a_reference_has_the_entry_with_its_own_values():
    inside = f"<ParameterDeclarations>{parameter('m', 'double', '900')}</ParameterDeclarations>"
    files = cars(a=catalog("Cars", vehicle("small", inside, 'mass="$m"')))
    objects = entity(reference("Cars", "small")) + entity(reference("Cars", "small", m="$heavy"), "Other")
    content = scenario(entities=objects, catalogs=VEHICLES, declarations=parameter("heavy", "double", "1500"))
    reading = read(content, files)
    found = [one.entity_object.chosen for one in reading.scenario().entities.scenario_objects]
    assert [type(one) for one in found] == [Vehicle, Vehicle]
    assert [one.mass for one in found] == [900.0, 1500.0]
    assert found[0].origin.source == "cars/a.xosc"
    assert reading.findings == ()


def test_each_of_many_references_has_its_own_entry():
    """lxml makes a new object for a node each time, at an address that may have been another node's."""
    names = [f"car{number}" for number in range(200)]
    files = cars(a=catalog("Cars", "".join(map(vehicle, names))))
    objects = "".join(entity(reference("Cars", name), f"of {name}") for name in names)
    found = read(scenario(entities=objects, catalogs=VEHICLES), files).scenario().entities.scenario_objects
    assert [one.entity_object.chosen.name for one in found] == names


@pytest.mark.parametrize(
    ("made", "problem"),
    [
        (reference("Vans", "small"), "there is no catalog 'Vans'; known are Cars"),
        (reference("Cars", "big"), "catalog 'Cars' has no Vehicle or Pedestrian or MiscObject 'big'; it has small"),
        (
            reference("Cars", "small", z="1"),
            "gives parameter 'z' a value, and the entry declares none of this name; remove it",
        ),
    ],
)
def test_a_reference_that_means_nothing(made, problem):
    files = cars(a=catalog("Cars", vehicle("small")))
    reading = read(scenario(entities=entity(made), catalogs=VEHICLES), files)
    assert [one.split(": ", 2)[2] for one in lines(reading)] == [problem]


def test_a_folder_that_cannot_be_opened_is_said_beside_what_it_breaks():
    reading = read(scenario(entities=entity(reference("Cars", "small")), catalogs=VEHICLES))
    assert [one.level for one in reading.findings] == [FindingLevel.BREAK, FindingLevel.ERROR]
    assert "names folder 'cars', and files cannot be opened here" in lines(reading)[0]


def route(name, position='<WorldPosition x="0" y="0"/>'):
    waypoint = f'<Waypoint routeStrategy="shortest"><Position>{position}</Position></Waypoint>'
    return f'<Route name="{name}" closed="false">{waypoint * 2}</Route>'


def on_route(entry):
    place = '<InRoutePosition><FromRoadCoordinates pathS="1" t="0"/></InRoutePosition>'
    return f"<RoutePosition><RouteRef>{reference('Routes', entry)}</RouteRef>{place}</RoutePosition>"


def follow(entry):
    return private(
        f"<RoutingAction><AssignRouteAction>{reference('Routes', entry)}</AssignRouteAction></RoutingAction>"
    )


def test_catalogs_can_refer_to_catalogs():
    files = MemoryFiles(routes__a=catalog("Routes", route("far", on_route("near")) + route("near")))
    found = first_action(read(scenario(event(follow("far")), catalogs=ROUTES), files)).chosen.chosen
    assert isinstance(found, Route)
    assert found.waypoints[0].position.route_position.route_ref.chosen.name == "near"


def test_an_entry_that_needs_itself_is_refused():
    files = MemoryFiles(routes__a=catalog("Routes", route("a", on_route("b")) + route("b", on_route("a"))))
    reading = read(scenario(event(follow("a")), catalogs=ROUTES), files)
    assert "entry 'a' of catalog 'Routes' needs itself" in lines(reading)[0]


def test_entries_that_double_at_each_level_end():
    """30 entries with 2 of the next one each would be 2**30 records; an entry is read once for the same values."""
    entries = "".join(route(f"r{level}", on_route(f"r{level + 1}")) for level in range(8)) + route("r8")
    reading = read(scenario(event(follow("r0")), catalogs=ROUTES), MemoryFiles(routes__a=catalog("Routes", entries)))
    assert reading.errors == ()


def test_maneuvers_of_catalogs():
    maneuver = f'<Maneuver name="m2"><Event name="e2" priority="skip">{ACTION.format("true")}</Event></Maneuver>'
    files = MemoryFiles(m__a=catalog("Ms", maneuver))
    folder = '<ManeuverCatalog><Directory path="m"/></ManeuverCatalog>'
    content = scenario(event(ACTION.format("true"), before=reference("Ms", "m2")), catalogs=folder)
    group = read(content, files).scenario().storyboard.stories[0].acts[0].maneuver_groups[0]
    assert [one.name for one in maneuvers_of(group)] == ["m2", "m"]


def test_what_real_files_break_is_understood_and_said():
    extra = (
        '<VariableDeclarations><VariableDeclaration name="v" variableType="String" value="1"/></VariableDeclarations>'
    )
    trigger = condition(TIME.format("1"), 'name="c" delay="0" conditionEdge="once"')
    inside = trigger.removeprefix("<StartTrigger><ConditionGroup>").removesuffix("</ConditionGroup></StartTrigger>")
    evaluation = f"<Evaluation><SuccessConditionGroup>{inside}</SuccessConditionGroup></Evaluation>"
    content = scenario(event(ACTION.format("true"), trigger), extra=extra).replace(
        b"</OpenSCENARIO>", (evaluation + '<SimulatorInfo><Map name="K"/></SimulatorInfo></OpenSCENARIO>').encode()
    )
    reading = read(content)
    found = reading.scenario()
    assert found.evaluation.success_condition_groups[0].conditions[0].condition_edge is ConditionEdge.NONE
    assert found.simulator_info.map.name == "K"
    assert {one.level for one in reading.findings} == {FindingLevel.BREAK}
    said = "\n".join(lines(reading))
    for part in ("'String' is not a word", "'once' is not a word", "<Evaluation>: is of MORAI, not of the standard"):
        assert part in said


def test_unknown_elements_and_attributes_are_kept_and_said():
    content = scenario(
        event(
            private(
                '<VisibilityAction graphics="true" sensors="true" traffic="true" fog="1">'
                '<Odd a="1"/></VisibilityAction>'
            )
        )
    )
    reading = read(content)
    found = first_action(reading)
    assert found.origin.attributes == (("fog", "1"),)
    assert found.origin.elements == ('<Odd a="1"/>',)
    assert sum("no such" in one for one in lines(reading)) == 2


def test_two_of_which_there_can_be_one_are_an_error():
    content = scenario(
        event(
            f"{ACTION.format('true')}".replace(
                "</PrivateAction>",
                '</PrivateAction><GlobalAction><SetMonitorAction monitorRef="m" value="true"/></GlobalAction>',
            )
        )
    )
    assert "has <PrivateAction> and <GlobalAction>, of which there can be one" in lines(read(content))[0]


def test_what_is_missing_is_assumed_where_the_meaning_is_clear():
    content = scenario(event(ACTION.format("true"), condition(TIME.format("1"), "")))
    reading = read(content)
    found = first_event(reading).start_trigger.condition_groups[0].conditions[0]
    assert (found.delay, found.condition_edge, found.name) == (0.0, ConditionEdge.NONE, "")
    assert sorted(one.attribute for one in reading.findings) == ["conditionEdge", "delay", "name"]
    assert (
        "attribute 'value': is missing; add it"
        in lines(with_condition('<ByValueCondition><SimulationTimeCondition rule="lessThan"/></ByValueCondition>'))[0]
    )


def deprecated(action, version="1.0"):
    return first_action(read(scenario(event(private(action)), version=version)))


def test_deprecated_forms_of_actions():
    found = deprecated('<ActivateControllerAction lateral="true" controllerRef="c"/>', "1.2")
    assert found.activate_controller_action.lateral is True
    assert found.activate_controller_action.object_controller_ref == "c"
    found = deprecated(
        "<ControllerAction>"
        "<AssignControllerAction><Controller name='c'><Properties/></Controller></AssignControllerAction>"
        "<OverrideControllerValueAction><Brake active='true' value='0.5'/><Gear active='true' number='2'/>"
        "</OverrideControllerValueAction></ControllerAction>"
    )
    assert found.assign_controller_action.object_controller.chosen.name == "c"
    override = found.override_controller_value_action
    assert override.brake.brake_input.brake_percent.value == 0.5
    assert override.gear.gear.manual_gear.number == 2
    found = deprecated(
        "<RoutingAction><FollowTrajectoryAction><Trajectory name='t' closed='false'><Shape><Clothoid curvature='0.1' "
        "curvatureDot='0.02' length='5'><Position><WorldPosition x='0' y='0'/></Position></Clothoid></Shape>"
        "</Trajectory><TimeReference><None/></TimeReference><TrajectoryFollowingMode followingMode='follow'/>"
        "</FollowTrajectoryAction></RoutingAction>"
    )
    assert found.chosen.trajectory_ref.chosen.shape.chosen.curvature_prime == 0.02


def test_deprecated_forms_of_conditions_and_words():
    headway = '<TimeHeadwayCondition entityRef="E" alongRoute="{}" freespace="true" rule="lessThan" value="1"/>'
    by = BY_ENTITY.format("E")
    for along, system, kind in (
        ("true", CoordinateSystem.ROAD, RelativeDistanceType.LONGITUDINAL),
        ("false", CoordinateSystem.ENTITY, RelativeDistanceType.EUCLIDIAN_DISTANCE),
    ):
        trigger = condition(f"{by}<EntityCondition>{headway.format(along)}</EntityCondition></ByEntityCondition>")
        content = scenario(event(ACTION.format("true"), trigger), entities=entity(vehicle("v"), "E"), version="1.0")
        one = first_event(read(content.replace(b"override", b"overwrite")))
        found = one.start_trigger.condition_groups[0].conditions[0].chosen.entity_condition.chosen
        assert (found.coordinate_system, found.relative_distance_type, found.along_route) == (system, kind, None)
        assert one.priority is Priority.OVERRIDE


def test_deprecated_forms_of_weather_and_places():
    weather = (
        '<Environment name="e"><TimeOfDay animation="false" dateTime="2024-05-31T12:00:00"/>'
        '<Weather cloudState="overcast"><Sun azimuth="0" elevation="1" intensity="9e4"/><Fog visualRange="100"/>'
        '<Precipitation precipitationType="dry" intensity="0"/>'
        '</Weather><RoadCondition frictionScaleFactor="1"/></Environment>'
    )
    content = scenario(
        event(
            f'<Action name="x"><GlobalAction><EnvironmentAction>{weather}</EnvironmentAction></GlobalAction></Action>'
        ),
        version="1.0",
    )
    found = first_action(read(content)).chosen.weather
    assert found.fractional_cloud_cover is FractionalCloudCover.EIGHT_OKTAS
    assert found.sun.illuminance == 9e4
    geo = (
        '<TeleportAction><Position><GeoPosition latitude="0.6" longitude="2.2" height="3"/></Position></TeleportAction>'
    )
    place = deprecated(geo, "1.1").position.chosen
    assert (round(place.latitude_deg, 3), round(place.longitude_deg, 3), place.altitude) == (34.377, 126.051, 3.0)


def test_names_that_nothing_has():
    by = BY_ENTITY.format("Eg")
    trigger = condition(
        f'{by}<EntityCondition><StandStillCondition duration="1"/></EntityCondition></ByEntityCondition>'
    )
    change = '<VariableAction variableRef="v"><SetAction value="1"/></VariableAction>'
    action = f'<Action name="y"><GlobalAction>{change}</GlobalAction></Action>'
    reading = read(scenario(event(action, trigger), entities=entity(vehicle("v")) * 2))
    assert sorted(one.split(": ", 2)[2] for one in lines(reading)) == [
        "has 2 entities 'Ego'; give each its own name",
        "there is no entity 'Eg'; there are Ego",
        "there is no variable 'v'; declare it",
    ]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is not well-formed XML"),
        (b"<OpenDRIVE/>", "the root is <OpenDRIVE>, not <OpenSCENARIO>"),
        (
            b"<!DOCTYPE x [<!ENTITY a 'b'>]><OpenSCENARIO/>",
            "has a document type (<!DOCTYPE>), which OpenSCENARIO has not",
        ),
        (b"<OpenSCENARIO>" + b"<a/>" * 600_000, "has more than 200,000 elements"),
        (
            b"<OpenSCENARIO " + b" ".join(b'a%d="1"' % one for one in range(20_000)) + b"/>",
            "more than 10,000 attributes",
        ),
        (b"<OpenSCENARIO>" + b" " * (33 << 20) + b"</OpenSCENARIO>", "is larger than 32 MiB"),
    ],
)
def test_what_is_no_file_of_the_standard(content, problem):
    with pytest.raises(InputError) as raised:
        open_document("test.xosc", content)
    assert problem in str(raised.value)


def test_a_file_that_holds_nothing_lists_what_it_needs():
    reading = read(f"<OpenSCENARIO>{header()}</OpenSCENARIO>".encode())
    assert "<ParameterValueDistribution> is missing; add it" in lines(reading)[0]
    with pytest.raises(InputError, match="holds no scenario"):
        reading.scenario()


def test_too_deep():
    inside = "<Vehicle name='v' vehicleCategory='car'><Trailer><Trailer name='t'>"
    outside = "</Trailer></Trailer></Vehicle>"
    content = scenario(entities=entity(inside * 60 + outside * 60))
    assert "elements more than 80 deep" in "\n".join(lines(read(content)))


def test_all_problems_are_found_at_once_and_there_are_not_too_many():
    content = scenario(event(ACTION.format("perhaps") * 1_500))
    reading = read(content)
    assert len(reading.findings) > 900
    assert "more findings" in "\n".join(lines(reading))
    with pytest.raises(InputError, match="problems: `dorosim scenario check`"):
        reading.whole()
