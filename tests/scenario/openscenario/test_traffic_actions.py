"""Sources, sinks, swarms and areas of traffic, in the world."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from dorosim.app.run.scenario_run import RunTick
from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.record.vehicle import Role, VehicleCategory
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tests.scenario.openscenario.action_case import MAP, at, case, case_text, going, happened, in_world, run, vehicle
from tests.scenario.openscenario.traffic_text import (
    CARS,
    PERSON,
    car_record,
    definition,
    distribution,
    entry,
    position,
    source,
    traffic,
)


def play(
    folder: Path, *actions: tuple[float, str], end=5.0, seed=1, init="", global_init="", entities="", catalogs=""
) -> list[RunTick]:
    text = case_text(
        vehicle("car") + entities,
        {"car": at(-1, 300.0) + going(0.0) + init},
        *actions,
        end=end,
        logic=MAP,
        global_init=global_init,
        catalogs=catalogs,
    )
    return in_world(folder, text, seed=seed)


def world_of(ticks: list[RunTick], time: float | None = None) -> Snapshot:
    found = ticks[-1] if time is None else next(tick for tick in ticks if tick.state_time >= round(time * 1e9))
    assert found.world is not None
    return found.world


def owned(world: Snapshot) -> dict[int, str]:
    return {actor: owner for actor, (_, owner) in world.label.all().items() if owner.startswith("scenario traffic")}


def places(world: Snapshot) -> list[tuple[float, float]]:
    table = world.traffic
    return list(zip(table.x.tolist(), table.y.tolist(), strict=True))


# ---------------------------------------------------------------- sources


def test_a_source_makes_vehicles_at_its_rate(tmp_path):
    ticks = play(tmp_path, (1.0, source(rate=1.0)), end=6.5)
    counts = [world_of(ticks, time).traffic.rows for time in (0.9, 2.5, 4.5, 6.5)]
    assert counts == [0, 1, 3, 5]
    assert len(owned(world_of(ticks))) == 5


def test_a_source_makes_vehicles_within_its_radius_on_their_lanes(tmp_path):
    ticks = play(tmp_path, (0.5, source(rate=3.0, radius=60.0)), end=4.5)
    first: dict[int, tuple[float, float, float]] = {}
    for tick in ticks:
        table = world_of([tick]).traffic
        for actor, x, y, yaw in zip(
            table.id.tolist(), table.x.tolist(), table.y.tolist(), table.yaw.tolist(), strict=True
        ):
            first.setdefault(actor, (x, y, yaw))
    assert len(first) >= 8
    for x, y, yaw in first.values():
        assert math.hypot(x - 1000.0, y + 5.25) <= 62.0
        assert min(abs(y - middle) for middle in (-8.75, -5.25, -1.75, 1.75, 5.25)) < 0.3
        assert math.cos(yaw) == pytest.approx(1.0 if y < 0.0 else -1.0, abs=0.05)
    assert len({round(x, 3) for x, _, _ in first.values()}) > 5


@pytest.mark.parametrize("word", ["speed", "velocity"])
def test_a_source_gives_its_vehicles_a_speed(tmp_path, word):
    ticks = play(tmp_path, (0.5, source(more=f'{word}="7"', rate=1.0)), end=1.7)
    assert world_of(ticks).traffic.speed.tolist() == pytest.approx([7.0], abs=0.6)


def test_traffic_is_drawn_by_the_seed(tmp_path):
    folders = [tmp_path / name for name in "abc"]
    found = []
    for folder, seed in zip(folders, (1, 1, 2), strict=True):
        folder.mkdir()
        found.append(places(world_of(play(folder, (0.5, source()), end=2.5, seed=seed))))
    assert found[0] == found[1] != found[2]


# ---------------------------------------------------------------- what it is made of


def models(world: Snapshot) -> list[str]:
    return [VEHICLE_MODELS[row].category for row in world.traffic.model.tolist()]


def test_weights_of_a_distribution(tmp_path):
    mixed = distribution(
        entry(3.0, (1.0, car_record()), (1.0, car_record("van", 5.5))), entry(1.0, (1.0, car_record("bus", 12.0)))
    )
    ticks = play(tmp_path, (0.5, source(mixed, rate=10.0, radius=400.0)), end=5.0)
    found = models(world_of(ticks))
    share = found.count("bus") / len(found)
    assert len(found) > 30
    assert 0.1 < share < 0.45
    assert found.count("van") > 0
    assert len(found) - found.count("van") - found.count("bus") > 0


def test_persons_walk(tmp_path):
    ticks = play(tmp_path, (0.5, source(distribution(entry(1.0, (1.0, PERSON))), rate=2.0)), end=4.0)
    world = world_of(ticks)
    people = world.people.state
    assert people.rows >= 5
    assert len(owned(world)) == people.rows
    assert max(people.speed.tolist()) > 0.3
    assert {PEDESTRIAN_MODELS[row].name for row in people.model.tolist()} == {PEDESTRIAN_MODELS[0].name}


WISH = '<Property name="desiredSpeed" value="{}"/>'


def test_properties_and_controllers_of_traffic_say_what_its_drivers_wish(tmp_path):
    slow = distribution(entry(1.0, (1.0, car_record()), properties=WISH.format(6)))
    assert world_of(play(tmp_path, (0.5, source(slow)), end=2.0)).traffic.desired_speed.tolist()[0] == 6.0
    wish = f"<Properties>{WISH.format(4)}</Properties>"
    driver = f'<ObjectController><Controller name="c">{wish}</Controller></ObjectController>'
    slower = distribution(entry(1.0, (1.0, car_record()), controllers=driver))
    assert world_of(play(tmp_path, (0.5, source(slower)), end=2.0)).traffic.desired_speed.tolist()[0] == 4.0


def weighted(kind: str, attribute: str, weights: dict[str, float]) -> str:
    return "".join(f'<{kind} {attribute}="{word}" weight="{weight}"/>' for word, weight in weights.items())


def categories(**weights: float) -> str:
    return weighted("VehicleCategoryDistributionEntry", "category", weights)


@pytest.mark.parametrize(
    ("category", "classes"),
    [
        (VehicleCategory.CAR, {"hatchback", "sedan", "suv"}),
        (VehicleCategory.VAN, {"van"}),
        (VehicleCategory.TRUCK, {"truck"}),
        (VehicleCategory.BUS, {"bus"}),
    ],
)
def test_categories_of_the_old_definition(tmp_path, category, classes):
    content = definition(categories(**{category.value: 1.0, "tram": 0.0}))
    found = set(models(world_of(play(tmp_path, (0.5, source(content, rate=4.0, radius=200.0)), end=3.0))))
    assert found
    assert found <= classes


def test_riders_of_the_old_definition(tmp_path):
    world = world_of(play(tmp_path, (0.5, source(definition(categories(bicycle=1.0)))), end=3.0))
    assert world.traffic.rows == 0
    assert {PEDESTRIAN_MODELS[row].name for row in world.people.state.model.tolist()} == {"bicycle"}


def test_traffic_of_an_entry_that_its_catalog_does_not_have(tmp_path):
    (tmp_path / "cars.xosc").write_text(
        '<OpenSCENARIO><FileHeader revMajor="1" revMinor="3" date="2026-01-01T00:00:00" description="x" author="x"/>'
        '<Catalog name="cars"/></OpenSCENARIO>'
    )
    content = distribution(entry(1.0, (1.0, '<CatalogReference catalogName="cars" entryName="any"/>')))
    action = source(content, radius=200.0)
    location = '<VehicleCatalog><Directory path="."/></VehicleCatalog>'
    world = world_of(play(tmp_path, (0.5, action), end=3.0, catalogs=location))
    assert set(models(world)) <= {"sedan", "hatchback", "suv"}


def test_roles_and_controllers_of_the_old_definition(tmp_path):
    roles = weighted("VehicleRoleDistributionEntry", "role", {Role.PUBLIC_TRANSPORT.value: 1.0})
    wish = f'<Controller name="c"><Properties>{WISH.format(5)}</Properties></Controller>'
    drivers = f'<ControllerDistributionEntry weight="1">{wish}</ControllerDistributionEntry>'
    content = definition(categories(bus=1.0), roles, drivers)
    world = world_of(play(tmp_path, (0.5, source(content, radius=200.0)), end=3.0))
    assert set(models(world)) == {"bus"}
    assert set(world.traffic.desired_speed.tolist()) == {5.0}


def test_traffic_of_nothing_is_refused():
    with pytest.raises(InputError, match="made of nothing"):
        case(vehicle("car"), {"car": at(-1, 10.0)}, (0.5, source(definition(categories(car=0.0)))))


# ---------------------------------------------------------------- sinks


def sink(more: str = "", *, s=1100.0, radius=30.0, content="") -> str:
    return traffic(f'<TrafficSinkAction radius="{radius}" {more}>{position(s)}{content}</TrafficSinkAction>', "sink")


def filled(content=CARS, number=30) -> str:
    cursors = '<RoadCursor roadId="0" s="900"/><RoadCursor roadId="0" s="1200"/>'
    return traffic(
        f'<TrafficAreaAction continuous="false" numberOfEntities="{number}">{content}'
        f"<TrafficArea><RoadRange>{cursors}</RoadRange></TrafficArea></TrafficAreaAction>"
    )


def test_a_sink_takes_out_what_comes_to_it(tmp_path):
    ticks = play(tmp_path, (0.1, filled()), (0.5, sink()), end=1.5)
    before, after = places(world_of(ticks, 0.4)), places(world_of(ticks))
    assert sum(abs(x - 1100.0) < 25.0 for x, _ in before) > 2
    assert not [x for x, _ in after if abs(x - 1100.0) < 25.0]
    assert len(after) < len(before)


def test_a_sink_takes_out_no_more_than_its_rate(tmp_path):
    ticks = play(tmp_path, (0.1, filled()), (0.5, sink('rate="2"', radius=400.0)), end=3.0)
    counts = [world_of(ticks, time).traffic.rows for time in (0.5, 1.55, 2.55)]
    assert [counts[0] - one for one in counts[1:]] == pytest.approx([2, 4], abs=1)


def test_a_sink_is_for_what_it_says(tmp_path):
    mixed = distribution(entry(1.0, (1.0, car_record()), (1.0, car_record("bus", 12.0))))
    only = definition(categories(bus=1.0))
    ticks = play(tmp_path, (0.1, filled(mixed)), (0.5, sink(radius=400.0, content=only)), end=1.5)
    assert "bus" in models(world_of(ticks, 0.4))
    assert "bus" not in models(world_of(ticks))
    assert world_of(ticks).traffic.rows > 0


def test_a_sink_takes_no_entity_of_the_scenario(tmp_path):
    ticks = play(tmp_path, (0.1, sink(s=300.0, radius=50.0)), end=1.0)
    assert world_of(ticks).row_of(int(ticks[-1].state.entity.actor[0])) >= 0


# ---------------------------------------------------------------- swarms


def swarm(more="", *, count=12, inner=30.0, inside="", offset=0.0, major=150.0, minor=40.0, content=CARS) -> str:
    return traffic(
        f'<TrafficSwarmAction innerRadius="{inner}" numberOfVehicles="{count}" offset="{offset}" '
        f'semiMajorAxis="{major}" semiMinorAxis="{minor}" {more}><CentralObject entityRef="car"/>{content}{inside}'
        "</TrafficSwarmAction>"
    )


def test_a_swarm_is_around_its_entity(tmp_path):
    ticks = play(tmp_path, (0.5, swarm(offset=20.0)), end=0.7)
    found = places(world_of(ticks))
    assert len(found) == 12
    for x, y in found:
        assert math.hypot(x - 300.0, y + 1.75) > 26.0
        assert ((x - 320.0) / 150.0) ** 2 + ((y + 1.75) / 40.0) ** 2 < 1.1
    assert max(x for x, _ in found) > 400.0
    assert min(x for x, _ in found) < 250.0


def test_a_swarm_that_does_not_say_of_what(tmp_path):
    """The draft's name of its middle, no offset, and any cars."""
    odd = swarm(content="", more='velocity="6"').replace("CentralObject", "CentralSwarmObject")
    world = world_of(play(tmp_path, (0.5, odd.replace('offset="0.0"', "")), end=0.7))
    assert len(places(world)) == 12
    assert set(models(world)) <= {"sedan", "hatchback", "suv"}


def test_a_swarm_goes_with_its_entity(tmp_path):
    ticks = play(tmp_path, (0.5, swarm()), (3.0, at(-1, 1500.0)), end=4.5)
    assert max(x for x, _ in places(world_of(ticks, 2.9))) < 700.0
    after = places(world_of(ticks))
    assert len(after) == 12
    assert min(x for x, _ in after) > 1200.0


@pytest.mark.parametrize(("same", "opposite", "east"), [(1.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.5)])
def test_directions_of_a_swarm(tmp_path, same, opposite, east):
    ways = f'<DirectionOfTravelDistribution same="{same}" opposite="{opposite}"/>'
    yaws = world_of(play(tmp_path, (0.5, swarm(inside=ways, count=20, major=250.0)), end=0.7)).traffic.yaw.tolist()
    assert len(yaws) > 12
    assert sum(math.cos(yaw) > 0.0 for yaw in yaws) / len(yaws) == pytest.approx(east, abs=0.3 if east == 0.5 else 0.0)


@pytest.mark.parametrize(
    ("more", "inside", "bounds"),
    [
        ("", '<InitialSpeedRange lowerLimit="4" upperLimit="8"/>', (4.0, 8.0)),
        ('velocity="6"', "", (6.0, 6.0)),
    ],
)
def test_speeds_of_a_swarm(tmp_path, more, inside, bounds):
    speeds = world_of(play(tmp_path, (0.5, swarm(more, inside=inside)), end=0.53)).traffic.speed.tolist()
    assert len(speeds) == 12
    assert min(speeds) > bounds[0] - 0.3
    assert max(speeds) < bounds[1] + 0.3
    assert (max(speeds) - min(speeds) > 1.0) == (bounds[0] != bounds[1])


# ---------------------------------------------------------------- areas


def area(shape: str, *, continuous="false", count=10) -> str:
    return traffic(
        f'<TrafficAreaAction continuous="{continuous}" numberOfEntities="{count}">{CARS}'
        f"<TrafficArea>{shape}</TrafficArea></TrafficAreaAction>"
    )


def corner(x: float, y: float) -> str:
    return f'<Position><WorldPosition x="{x}" y="{y}"/></Position>'


TRIANGLE = f"<Polygon>{corner(600, -11)}{corner(1000, -11)}{corner(600, 8)}</Polygon>"


def test_a_polygon_is_filled(tmp_path):
    ticks = play(tmp_path, (0.5, area(TRIANGLE)), end=0.7)
    found = places(world_of(ticks))
    assert len(found) == 10
    assert all(596.0 < x < 1005.0 and (x - 600.0) / 400.0 + (y + 11.0) / 19.0 < 1.05 for x, y in found)


def cursor(s: float, *lanes: int) -> str:
    return (
        f'<RoadCursor roadId="0" s="{s}">{"".join(f"<Lane id={chr(34)}{one}{chr(34)}/>" for one in lanes)}</RoadCursor>'
    )


@pytest.mark.parametrize(
    ("more", "first", "end", "ys"),
    [
        ("", cursor(500.0), 900.0, {-8.75, -5.25, -1.75, 1.75, 5.25}),
        ('length="150"', cursor(500.0), 650.0, {-8.75, -5.25, -1.75, 1.75, 5.25}),
        ("", cursor(500.0, -3, 1), 900.0, {-8.75, 1.75}),
    ],
)
def test_a_range_of_a_road_is_filled(tmp_path, more, first, end, ys):
    shape = f"<RoadRange {more}>{first}{cursor(900.0)}</RoadRange>"
    found = places(world_of(play(tmp_path, (0.5, area(shape, count=14)), end=0.7)))
    assert len(found) >= 8
    assert all(496.0 < x < end + 4.0 for x, _ in found)
    assert max(x for x, _ in found) > 0.5 * (500.0 + end)
    assert {min(ys, key=lambda middle: abs(middle - y)) for _, y in found} <= ys
    assert all(min(abs(y - middle) for middle in ys) < 0.3 for _, y in found)


@pytest.mark.parametrize("continuous", ["false", "true"])
def test_an_area_is_kept_full_if_it_is_continuous(tmp_path, continuous):
    shape = f"<RoadRange>{cursor(600.0)}{cursor(800.0)}</RoadRange>"
    ticks = play(tmp_path, (0.5, area(shape, continuous=continuous, count=6)), end=9.0)
    found = places(world_of(ticks))
    inside = [x for x, _ in found if 590.0 < x < 810.0]
    if continuous == "true":
        assert 5 <= len(inside) == len(found) <= 6
    else:
        assert len(found) == 6
        assert len(inside) < 6


# ---------------------------------------------------------------- stops


def test_traffic_is_stopped_by_its_name(tmp_path):
    stop = traffic("<TrafficStopAction/>", "one")
    both = (0.5, source(name="one")), (0.5, source(name="two", s=600.0))
    ticks = play(tmp_path, *both, (2.0, stop), end=5.0)
    counts = {}
    for time in (2.2, 5.0):
        owners = list(owned(world_of(ticks, min(time, ticks[-1].state_time * 1e-9))).values())
        counts[time] = (sum("one" in one for one in owners), sum("two" in one for one in owners))
    assert counts[2.2][0] == counts[5.0][0] > 0
    assert counts[5.0][1] > counts[2.2][1] > 0


def test_all_traffic_is_stopped_without_a_name(tmp_path):
    ticks = play(tmp_path, (0.5, source(name="one")), (0.5, source(s=600.0)), (2.0, traffic("<TrafficStopAction/>")))
    assert len(owned(world_of(ticks, 2.2))) == len(owned(world_of(ticks))) > 0


def test_traffic_of_init_is_there(tmp_path):
    ticks = play(tmp_path, end=1.0, global_init=filled(number=8))
    assert world_of(ticks).traffic.rows == 8


def test_without_a_world_there_is_no_traffic():
    made = case(vehicle("car"), {"car": at(-1, 10.0)}, (0.5, source()), end=1.0)
    ticks = run(made)
    assert "there is no world, and no traffic in it" in [line for tick in ticks for line in tick.journal]
    assert happened(made, ticks, "event 0 action")[-1][0] == "end"
