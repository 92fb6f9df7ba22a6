"""Files that a scenario is made of have their effect in its run: catalogs, and parameters of their entries."""

from __future__ import annotations

from pathlib import Path

import pytest

from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.distribution import variations
from dorosim.scenario.openscenario.document import open_document
from tests.scenario.openscenario.staged import (
    SEEN,
    WAYS,
    Body,
    at_lane,
    at_time,
    by_entity,
    by_value,
    event,
    group,
    place_action,
    run,
    speed_action,
    started,
    story,
    text,
    variables,
)
from tests.scenario.openscenario.written_file import EGO, HEADER, LOGIC, declared, last_state, written

WAITS = by_value('<VariableCondition variableRef="seen" rule="equalTo" value="1"/>')


def catalog(folder: Path, kind: str, entry: str) -> str:
    """A file of a catalog in a folder of its own, and its location."""
    place = folder / kind
    place.mkdir()
    name = f"{kind}s"
    (place / "any.xosc").write_text(f'<OpenSCENARIO>{HEADER}<Catalog name="{name}">{entry}</Catalog></OpenSCENARIO>')
    return f'<{kind}Catalog><Directory path="{kind}"/></{kind}Catalog>'


def reference(kind: str, entry: str = "one", **values: str) -> str:
    given = "".join(f'<ParameterAssignment parameterRef="{name}" value="{value}"/>' for name, value in values.items())
    inside = f"<ParameterAssignments>{given}</ParameterAssignments>" if values else ""
    return f'<CatalogReference catalogName="{kind}s" entryName="{entry}">{inside}</CatalogReference>'


def hit_at(folder: Path, kind: str, length: str) -> float:
    """When the ego, whose front is 3 m ahead of it, hits an entity of a catalog 40 m ahead."""
    own = {"Vehicle": "car", "Pedestrian": "walker", "MiscObject": "thing"}[kind]
    body = Body("other", at_lane(60.0), kind=kind, middle=0.0, length=1234.0)
    entry = body.entity().removeprefix('<ScenarioObject name="other">').removesuffix("</ScenarioObject>")
    parameter = declared(("length", "double", "4"))
    entry = entry.replace(f'name="{own}"', 'name="one"').replace('length="1234.0"', 'length="$length"')
    entry = entry.replace("<BoundingBox>", f"{parameter}<BoundingBox>", 1)
    location = catalog(folder, kind, entry)
    condition = by_entity('<CollisionCondition><EntityRef entityRef="other"/></CollisionCondition>', "ego")
    content = text(
        [EGO._replace(speed=10.0), body],
        story(group(["ego"], event("watch", SEEN, condition))),
        signals=LOGIC,
        catalogs=location,
    )
    values = {"length": length} if length else {}
    whole = content.replace(
        body.entity().encode(), f'<ScenarioObject name="other">{reference(kind, **values)}</ScenarioObject>'.encode()
    )
    made = ready_scenario(str(written(folder, whole)), folder).program
    return started(made, run(made), "watch")[0]


@pytest.mark.parametrize("kind", ["Vehicle", "Pedestrian", "MiscObject"])
@pytest.mark.parametrize(("length", "expected"), [("", 3.5), ("10", 3.2)])
def test_entities_of_catalogs_have_their_boxes(tmp_path: Path, kind: str, length: str, expected: float) -> None:
    assert hit_at(tmp_path, kind, length) == pytest.approx(expected, abs=0.021)


def test_maneuvers_of_catalogs_are_done(tmp_path: Path) -> None:
    action = speed_action(1.0).replace('<AbsoluteTargetSpeed value="1.0"/>', '<AbsoluteTargetSpeed value="$speed"/>')
    events = event("go", action, at_time(0.5))
    location = catalog(
        tmp_path, "Maneuver", f'<Maneuver name="one">{declared(("speed", "double", "3"))}{events}</Maneuver>'
    )
    for values, expected in (({}, 3.0), ({"speed": "8"}, 8.0)):
        stories = story(
            '<ManeuverGroup name="group" maximumExecutionCount="1"><Actors selectTriggeringEntities="false">'
            f'<EntityRef entityRef="ego"/></Actors>{reference("Maneuver", **values)}</ManeuverGroup>'
        )
        file = written(tmp_path, text([EGO], stories, end=1.0, signals=LOGIC, catalogs=location))
        assert last_state(file).entity.speed[0] == expected


def test_trajectories_of_catalogs_are_followed(tmp_path: Path) -> None:
    vertices = "".join(
        f'<Vertex time="{time}"><Position><WorldPosition x="$x" y="{y}"/></Position></Vertex>'
        for time, y in ((0, 100.0), (1, 110.0))
    )
    shape = f"<Shape><Polyline>{vertices}</Polyline></Shape>"
    entry = f'<Trajectory name="one" closed="false">{declared(("x", "double", "5"))}{shape}</Trajectory>'
    location = catalog(tmp_path, "Trajectory", entry)
    for values, expected in (({}, 5.0), ({"x": "9"}, 9.0)):
        follow = (
            "<PrivateAction><RoutingAction><FollowTrajectoryAction><TrajectoryRef>"
            f"{reference('Trajectory', **values)}</TrajectoryRef><TimeReference><Timing "
            'domainAbsoluteRelative="relative" scale="1" offset="0"/></TimeReference><TrajectoryFollowingMode '
            'followingMode="position"/></FollowTrajectoryAction></RoutingAction></PrivateAction>'
        )
        stories = story(group(["ego"], event("follow", follow, at_time(0.0))))
        file = written(tmp_path, text([EGO], stories, end=0.5, signals=LOGIC, catalogs=location))
        state = last_state(file)
        assert (state.entity.x[0], state.entity.y[0]) == pytest.approx((expected, 105.0), abs=0.11)


def test_routes_of_catalogs_give_places(tmp_path: Path) -> None:
    places = "".join(
        f'<Waypoint routeStrategy="shortest"><Position>{at_lane(0, name="1").replace(chr(34) + "0" + chr(34), one, 1)}'
        "</Position></Waypoint>"
        for one in ('"$s"', '"140"')
    )
    assert 's="$s"' in places
    entry = f'<Route name="one" closed="false">{declared(("s", "double", "10"))}{places}</Route>'
    location = catalog(tmp_path, "Route", entry)
    for values, expected in (({}, 15.0), ({"s": "30"}, 35.0)):
        position = (
            f"<RoutePosition><RouteRef>{reference('Route', **values)}</RouteRef><InRoutePosition>"
            '<FromLaneCoordinates pathS="5" laneId="-1"/></InRoutePosition></RoutePosition>'
        )
        stories = story(group(["ego"], event("put", place_action(position), at_time(0.0))))
        file = written(tmp_path, text([EGO], stories, end=0.2, signals=LOGIC, catalogs=location))
        assert last_state(file).entity.s[0] == pytest.approx(expected)


def test_controllers_of_catalogs_are_assigned(tmp_path: Path) -> None:
    location = catalog(tmp_path, "Controller", '<Controller name="one"><Properties/></Controller>')
    action = (
        '<PrivateAction><ControllerAction><AssignControllerAction activateLateral="true">'
        f"{reference('Controller')}</AssignControllerAction></ControllerAction></PrivateAction>"
    )
    stories = story(group(["ego"], event("assign", action, at_time(0.5))))
    file = written(tmp_path, text([EGO], stories, end=1.0, signals=LOGIC, catalogs=location))
    made = ready_scenario(str(file), tmp_path).program
    assert [one.name for one in made.object_controllers] == ["one"]
    ticks = run(made)
    assert [int(one.state.control.lateral[0]) for one in (ticks[0], ticks[-1])] == [-1, 0]


def test_environments_of_catalogs_are_set(tmp_path: Path) -> None:
    condition = '<RoadCondition frictionScaleFactor="$friction"/>'
    entry = f'<Environment name="one">{declared(("friction", "double", "0.5"))}{condition}</Environment>'
    location = catalog(tmp_path, "Environment", entry)
    for values, expected in (({}, 0.5), ({"friction": "0.25"}, 0.25)):
        action = (
            f"<GlobalAction><EnvironmentAction>{reference('Environment', **values)}</EnvironmentAction></GlobalAction>"
        )
        stories = story(group(["ego"], event("set", action, at_time(0.5))))
        file = written(tmp_path, text([EGO], stories, end=1.0, signals=LOGIC, catalogs=location))
        assert last_state(file).environment.friction[0] == expected


def test_a_map_is_opened_by_the_name_in_the_file(tmp_path: Path) -> None:
    """Road 4 is on one of two maps only."""
    (tmp_path / "ways.xodr").write_bytes(WAYS)
    body = Body("ego", at_lane(10.0, name="4"))
    stories = story(group(["ego"], ""))
    content = text([body], stories, end=0.1, signals='<LogicFile filepath="ways.xodr"/>')
    assert last_state(written(tmp_path, content)).entity.x[0] == pytest.approx(340.0)
    with pytest.raises(InputError, match="the map has no road '4'"):
        last_state(written(tmp_path, content.replace(b"ways.xodr", b"map.xodr")))


def test_entries_of_every_kind_have_their_effect(tmp_path: Path) -> None:
    for number, kind in enumerate(("Vehicle", "Pedestrian", "MiscObject")):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert hit_at(folder, kind, "10") == pytest.approx(3.2, abs=0.021)
    for has_effect in (
        test_maneuvers_of_catalogs_are_done,
        test_trajectories_of_catalogs_are_followed,
        test_routes_of_catalogs_give_places,
        test_controllers_of_catalogs_are_assigned,
        test_environments_of_catalogs_are_set,
    ):
        folder = tmp_path / has_effect.__name__
        folder.mkdir()
        has_effect(folder)


def test_all_parts_of_a_scenario_have_their_effect(tmp_path: Path) -> None:
    """Parameter, variable, monitor, catalog, map, entity and storyboard: the run needs each of them."""
    events = event(
        "go",
        speed_action(1.0).replace('<AbsoluteTargetSpeed value="1.0"/>', '<AbsoluteTargetSpeed value="$v"/>'),
        WAITS,
    )
    location = catalog(
        tmp_path, "Maneuver", f'<Maneuver name="one">{declared(("v", "double", "3"))}{events}</Maneuver>'
    )
    monitors = '<MonitorDeclarations><MonitorDeclaration name="m" value="true"/></MonitorDeclarations>'
    parts = f"{declared(('speed', 'double', '5'))}{variables()}{monitors}"
    actors = '<Actors selectTriggeringEntities="false"><EntityRef entityRef="ego"/></Actors>'
    of_catalog = f'<ManeuverGroup name="g" maximumExecutionCount="1">{actors}{reference("Maneuver", v="$speed")}'
    stories = story(group(["ego"], event("set", SEEN, at_time(0.5)), "first") + of_catalog + "</ManeuverGroup>")
    content = text([EGO], stories, end=1.0, signals=LOGIC, catalogs=location, declared=parts)
    made = ready_scenario(str(written(tmp_path, content)), tmp_path, parameters={"speed": "8"}).program
    ticks = run(made)
    assert started(made, ticks, "go") == pytest.approx([0.5], abs=0.011)
    assert (ticks[-1].state.entity.speed[0], int(ticks[-1].state.entity.road[0])) == (8.0, 0)
    assert ticks[-1].state.variable.value.tolist() == [1.0, 8.0, 1.0]


def test_a_file_is_a_scenario_a_catalog_or_distributions(tmp_path: Path) -> None:
    test_maneuvers_of_catalogs_are_done(tmp_path)
    inside = "<DistributionSet><Element value='3'/><Element value='9'/></DistributionSet>"
    single = f"<DeterministicSingleParameterDistribution parameterName='speed'>{inside}"
    definition = f"<Deterministic>{single}</DeterministicSingleParameterDistribution></Deterministic>"
    distribution = f"<ParameterValueDistribution><ScenarioFile filepath='a.xosc'/>{definition}"
    content = f"<OpenSCENARIO>{HEADER}{distribution}</ParameterValueDistribution></OpenSCENARIO>".encode()
    found = open_document("d.xosc", content).read().distribution()
    assert found is not None
    action = speed_action(1.0).replace('<AbsoluteTargetSpeed value="1.0"/>', '<AbsoluteTargetSpeed value="$speed"/>')
    stories = story(group(["ego"], event("go", action, at_time(0.5))))
    parts = declared(("speed", "double", "5")) + variables()
    file = written(tmp_path, text([EGO], stories, end=1.0, signals=LOGIC, declared=parts))
    speeds = [last_state(file, dict(one.values)).entity.speed[0] for one in variations(found)]
    assert speeds == [3.0, 9.0]
