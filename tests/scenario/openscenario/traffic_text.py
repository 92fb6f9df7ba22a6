"""What actions on traffic are made of, as texts."""

from __future__ import annotations

from tests.scenario.openscenario.action_case import vehicle

LIMITS = 'maxSpeed="60" maxAcceleration="5" maxDeceleration="9"'


def template(inside: str, controllers: str = "") -> str:
    return f"<ScenarioObjectTemplate>{inside}{controllers}</ScenarioObjectTemplate>"


def car_record(category="car", length=4.5) -> str:
    return (
        vehicle("x", category=category, performance=LIMITS)
        .split(">", 1)[1]
        .split("</Vehicle>")[0]
        .replace('length="5"', f'length="{length}"')
        + "</Vehicle>"
    )


PERSON = (
    '<Pedestrian name="p" mass="70" pedestrianCategory="pedestrian"><BoundingBox><Center x="0" y="0" z="0.9"/>'
    '<Dimensions width="0.5" length="0.4" height="1.8"/></BoundingBox></Pedestrian>'
)


def distribution(*entries: str) -> str:
    return f"<TrafficDistribution>{''.join(entries)}</TrafficDistribution>"


def entry(weight: float, *objects: tuple[float, str], properties: str = "", controllers: str = "") -> str:
    inside = "".join(
        f'<EntityDistributionEntry weight="{often}">{template(one, controllers)}</EntityDistributionEntry>'
        for often, one in objects
    )
    properties = f"<Properties>{properties}</Properties>" if properties else ""
    return (
        f'<TrafficDistributionEntry weight="{weight}"><EntityDistribution>{inside}</EntityDistribution>{properties}'
        "</TrafficDistributionEntry>"
    )


CARS = distribution(entry(1.0, (1.0, car_record())))


def definition(categories: str, roles: str = "", controllers: str = "") -> str:
    roles = f"<VehicleRoleDistribution>{roles}</VehicleRoleDistribution>" if roles else ""
    controllers = (
        controllers or '<ControllerDistributionEntry weight="1"><Controller name="c"/></ControllerDistributionEntry>'
    )
    return (
        f'<TrafficDefinition name="d"><VehicleCategoryDistribution>{categories}</VehicleCategoryDistribution>{roles}'
        f"<ControllerDistribution>{controllers}</ControllerDistribution></TrafficDefinition>"
    )


def traffic(inside: str, name: str = "") -> str:
    name = f' trafficName="{name}"' if name else ""
    return f"<GlobalAction><TrafficAction{name}>{inside}</TrafficAction></GlobalAction>"


def position(s: float, lane=-2) -> str:
    return f'<Position><LanePosition roadId="0" laneId="{lane}" s="{s}"/></Position>'


def source(content=CARS, *, radius=40.0, rate=2.0, more="", s=1000.0, name="") -> str:
    return traffic(
        f'<TrafficSourceAction radius="{radius}" rate="{rate}" {more}>{position(s)}{content}</TrafficSourceAction>',
        name,
    )
