"""Small scenarios on small maps: bodies that stand or drive, and when what one asks of them is met."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dorosim.app.run.scenario_run import RunTick
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.state import ElementState
from tests.road.opendrive.sample import document, road
from tests.scenario.openscenario.worldless import ticks_of

STEP = 10_000_000
GEO = (
    '<header revMajor="1" revMinor="8"><geoReference>+proj=tmerc +lat_0=37 +lon_0=127 +k=1 +x_0=0 +y_0=0 '
    "+ellps=WGS84 +units=m</geoReference></header>"
)


def lanes(count: int, width: str = 'a="3" b="0" c="0" d="0"', link: str = "") -> str:
    """A section with as many lanes on each side, of a width [m]."""

    def side(sign: int) -> str:
        return "".join(
            f'<lane id="{sign * one}" type="driving">{link}<width sOffset="0" {width}/></lane>'
            for one in range(1, count + 1)
        )

    left, right = side(1), side(-1)
    return (
        f'<laneSection s="0"><left>{left}</left><center><lane id="0" type="none"/></center><right>{right}</right>'
        "</laneSection>"
    )


def _line(x: float, y: float, heading: float, length: float) -> str:
    return f'<geometry s="0" x="{x}" y="{y}" hdg="{heading}" length="{length}"><line/></geometry>'


_BENT = """<geometry s="0" x="0" y="0" hdg="0" length="100"><line/></geometry>
<geometry s="100" x="100" y="0" hdg="0" length="50"><arc curvature="0.02"/></geometry>"""
_RISE = """<elevationProfile><elevation s="0" a="0" b="0" c="0" d="0"/><elevation s="80" a="0" b="0.1" c="0" d="0"/>
</elevationProfile>"""
_BANK = """<lateralProfile><superelevation s="0" a="0" b="0" c="0" d="0"/>
<superelevation s="120" a="0.05" b="0" c="0" d="0"/></lateralProfile>"""
_BRIDGE = '<elevationProfile><elevation s="0" a="8" b="0" c="0" d="0"/></elevationProfile>'


def _linked(to: str, kind: str = "road") -> str:
    point = ' contactPoint="start"' if kind == "road" else ""
    return f'<link><successor elementType="{kind}" elementId="{to}"{point}/></link>'


BENT = document(
    road(_BENT, lanes(2), 150.0, 'id="1" junction="-1"', profiles=_RISE + _BANK),
    road(_line(50, -50, math.pi / 2, 100), lanes(1), 100.0, 'id="9" junction="-1"', profiles=_BRIDGE),
    road(_line(0, 200, 0, 100), lanes(1, 'a="4" b="0.02" c="0" d="0"'), 100.0, 'id="5" junction="-1"'),
    header=GEO,
)
"""Road 1 goes 100 m east, then 50 m to the left (curvature 0.02), up from 80 m on, banked from 120 m on; it has 2 lanes
of 3 m on each side. Road 9 is a bridge 8 m over it at x = 50. The lanes of road 5, at y = 200, grow wider."""


def _joint(number: str, into: Sequence[str], *pairs: tuple[str, str]) -> str:
    del into
    connections = "".join(
        f'<connection id="{at}" incomingRoad="{before}" connectingRoad="{inside}" contactPoint="start">'
        '<laneLink from="-1" to="-1"/></connection>'
        for at, (before, inside) in enumerate(pairs)
    )
    return f'<junction id="{number}">{connections}</junction>'


def _limit(speed: float) -> str:
    return f'<type s="0" type="town"><speed max="{speed}"/></type>'


WAYS = document(
    road(_line(0, 0, 0, 100), lanes(1), 100.0, 'id="1" junction="-1"', more=_linked("100", "junction")),
    *(
        road(_line(100, y, 0, 20), lanes(1), 20.0, f'id="{name}" junction="100"', more=_linked(to))
        for name, to, y in (("12", "2", 40), ("13", "3", 0), ("15", "5", -40))
    ),
    road(
        _line(120, 40, 0, 150), lanes(1), 150.0, 'id="2" junction="-1"', more=_linked("200", "junction") + _limit(30.0)
    ),
    road(
        _line(120, 0, 0, 100), lanes(1), 100.0, 'id="3" junction="-1"', more=_linked("200", "junction") + _limit(10.0)
    ),
    road(_line(120, -40, 0, 200), lanes(1), 200.0, 'id="5" junction="-1"', more=_linked("4") + _limit(10.0)),
    *(
        road(_line(270, y, 0, 20), lanes(1), 20.0, f'id="{name}" junction="200"', more=_linked("4"))
        for name, y in (("24", 40), ("34", 0))
    ),
    road(_line(330, 0, 0, 100), lanes(1), 100.0, 'id="4" junction="-1"', more=_linked("1")),
    _joint("100", (), ("1", "12"), ("1", "13"), ("1", "15")),
    _joint("200", (), ("2", "24"), ("3", "34")),
)
"""Three ways lead from road 1 (100 m) to road 4: by road 3 it is shortest (140 m between them), by road 2 fastest
(190 m), by road 5 there is one intersection only (220 m). Road 4 leads to road 1 again."""

_NETWORKS: dict[bytes, CourseNetwork] = {}


def network(content: bytes) -> CourseNetwork:
    """The roads of a map."""
    if content not in _NETWORKS:
        _NETWORKS[content] = CourseNetwork(read_opendrive("map.xodr", content))
    return _NETWORKS[content]


def at_lane(s: float, lane: int = -1, name: str = "1", offset: float = 0.0, more: str = "") -> str:
    """A position on a lane."""
    return f'<LanePosition roadId="{name}" laneId="{lane}" s="{s}" offset="{offset}">{more}</LanePosition>'


def in_world(x: float, y: float, h: float = 0.0, more: str = "") -> str:
    """A position in the map."""
    return f'<WorldPosition x="{x}" y="{y}" h="{h}" {more}/>'


class Body(NamedTuple):
    """An entity: its name, position, speed [m/s], kind, and box: length, width, height and middle [m].

    `above` is the height of its middle, None for half of its height.
    """

    name: str
    position: str
    speed: float = 0.0
    kind: str = "Vehicle"
    length: float = 4.0
    width: float = 2.0
    height: float = 1.5
    middle: float = 1.0
    aside: float = 0.0
    above: float | None = None

    def entity(self) -> str:
        """It as a ScenarioObject."""
        above = self.height / 2.0 if self.above is None else self.above
        box = (
            f'<BoundingBox><Center x="{self.middle}" y="{self.aside}" z="{above}"/><Dimensions width="{self.width}" '
            f'length="{self.length}" height="{self.height}"/></BoundingBox>'
        )
        inside = {
            "Vehicle": f"""<Vehicle name="car" vehicleCategory="car">{box}
                <Performance maxSpeed="70" maxAcceleration="100" maxDeceleration="100"/><Axles><RearAxle maxSteering="0"
                wheelDiameter="0.6" trackWidth="1.6" positionX="0" positionZ="0.3"/></Axles></Vehicle>""",
            "Pedestrian": f'<Pedestrian name="walker" mass="70" pedestrianCategory="pedestrian">{box}</Pedestrian>',
            "MiscObject": f'<MiscObject name="thing" mass="70" miscObjectCategory="obstacle">{box}</MiscObject>',
            "ExternalObjectReference": '<ExternalObjectReference name="thing"/>',
        }[self.kind]
        return f'<ScenarioObject name="{self.name}">{inside}</ScenarioObject>'

    def init(self, more: str = "") -> str:
        """It as init actions: its place, its speed, and more actions."""
        return (
            f'<Private entityRef="{self.name}">{place_action(self.position)}{speed_action(self.speed)}{more}</Private>'
        )


def place_action(position: str) -> str:
    """A TeleportAction."""
    return f"<PrivateAction><TeleportAction><Position>{position}</Position></TeleportAction></PrivateAction>"


def speed_action(value: float, shape: str = "step", dimension: str = "time", over: float = 0.0) -> str:
    """A SpeedAction."""
    return (
        f'<PrivateAction><LongitudinalAction><SpeedAction><SpeedActionDynamics dynamicsShape="{shape}" '
        f'dynamicsDimension="{dimension}" value="{over}"/><SpeedActionTarget><AbsoluteTargetSpeed value="{value}"/>'
        "</SpeedActionTarget></SpeedAction></LongitudinalAction></PrivateAction>"
    )


def by_value(condition: str, name: str = "c", edge: str = "none", delay: float = 0.0) -> str:
    """A condition by value."""
    return (
        f'<Condition name="{name}" delay="{delay}" conditionEdge="{edge}"><ByValueCondition>{condition}'
        "</ByValueCondition></Condition>"
    )


def by_entity(condition: str, *names: str, rule: str = "any", edge: str = "none") -> str:
    """A condition by entities."""
    references = "".join(f'<EntityRef entityRef="{one}"/>' for one in names)
    return (
        f'<Condition name="c" delay="0" conditionEdge="{edge}"><ByEntityCondition><TriggeringEntities '
        f'triggeringEntitiesRule="{rule}">{references}</TriggeringEntities><EntityCondition>{condition}'
        "</EntityCondition></ByEntityCondition></Condition>"
    )


def at_time(time: float) -> str:
    """A condition on the simulated time [s]."""
    return by_value(f'<SimulationTimeCondition rule="greaterOrEqual" value="{time}"/>')


def trigger(*groups: str, kind: str = "Start") -> str:
    """A trigger: of each group its conditions."""
    inside = "".join(f"<ConditionGroup>{one}</ConditionGroup>" for one in groups)
    return f"<{kind}Trigger>{inside}</{kind}Trigger>"


SEEN = '<GlobalAction><VariableAction variableRef="seen"><SetAction value="1"/></VariableAction></GlobalAction>'


def event(name: str, action: str, start: str, count: int = 1, priority: str = "parallel") -> str:
    """An event; `start` is its trigger, or a condition."""
    found = start if start.startswith("<StartTrigger") or not start else trigger(start)
    return (
        f'<Event name="{name}" priority="{priority}" maximumExecutionCount="{count}">'
        f'<Action name="{name} action">{action}</Action>{found}</Event>'
    )


def group(actors: Sequence[str], events: str, name: str = "group", count: int = 1, select: bool = False) -> str:
    """A maneuver group with one maneuver."""
    references = "".join(f'<EntityRef entityRef="{one}"/>' for one in actors)
    return (
        f'<ManeuverGroup name="{name}" maximumExecutionCount="{count}"><Actors selectTriggeringEntities='
        f'"{str(select).lower()}">{references}</Actors><Maneuver name="{name} maneuver">{events}</Maneuver>'
        "</ManeuverGroup>"
    )


def story(groups: str, start: str = "", stop: str = "", name: str = "story") -> str:
    """A story with one act."""
    return f'<Story name="{name}"><Act name="{name} act">{groups}{start}{stop}</Act></Story>'


def text(
    bodies: Sequence[Body],
    stories: str,
    *,
    end: float = 10.0,
    more_init: Mapping[str, str] | None = None,
    declared: str = "",
    entities: str = "",
    catalogs: str = "",
    signals: str = "",
) -> bytes:
    """A scenario."""
    init = "".join(one.init((more_init or {}).get(one.name, "")) for one in bodies)
    return f"""<OpenSCENARIO><FileHeader revMajor="1" revMinor="3" date="2026-01-01T00:00:00" author="" description=""/>
{declared or PARAMETERS + variables()}<CatalogLocations>{catalogs}</CatalogLocations>
<RoadNetwork>{signals}</RoadNetwork>
<Entities>{"".join(one.entity() for one in bodies)}{entities}</Entities>
<Storyboard><Init><Actions>{(more_init or {}).get("", "")}{init}</Actions></Init>{stories}
{trigger(at_time(end), kind="Stop")}</Storyboard></OpenSCENARIO>""".encode()


PARAMETERS = "<ParameterDeclarations/>"


def variables(more: str = "") -> str:
    """Declarations of variables: `seen`, and more."""
    return (
        '<VariableDeclarations><VariableDeclaration name="seen" variableType="int" value="0"/>'
        f"{more}</VariableDeclarations>"
    )


def program(
    content: bytes, roads: bytes | None = BENT, given: Mapping[str, str] | None = None, seed: int = 0
) -> Program:
    """A scenario made ready; nothing in it is wrong."""
    reading = open_document("a.xosc", content).read(given or {})
    assert [(one.line, one.problem) for one in reading.errors] == []
    return compile_scenario(
        "a.xosc", reading.scenario(), None if roads is None else network(roads), reading.parameters, seed
    )


def run(made: Program, until: float = 20.0) -> list[RunTick]:
    """All ticks of a run."""
    return list(ticks_of(made, STEP, until))


def started(
    made: Program, ticks: Sequence[RunTick], name: str, state: ElementState = ElementState.RUNNING
) -> list[float]:
    """When an element came into a state [s]."""
    return [
        round(tick.time * 1e-9, 6)
        for tick in ticks
        for one in tick.happened
        if made.elements[one.element].name == name and one.state == state
    ]


def met_at(
    condition: str,
    *bodies: Body,
    roads: bytes | None = BENT,
    more_init: Mapping[str, str] | None = None,
    others: str = "",
    end: float = 10.0,
    entities: str = "",
) -> float | None:
    """When a condition is met first [s]; None if it is not met before the end.

    Args:
        condition: a `<Condition>`.
        bodies: the entities; the first one is the actor.
        roads: the map.
        more_init: further init actions, by entity.
        others: further events.
        end: of the run [s].
        entities: further ones.
    """
    stories = story(group([bodies[0].name], event("watch", SEEN, condition) + others))
    made = program(text(bodies, stories, end=end, more_init=more_init, entities=entities), roads)
    assert made.notes == ()
    times = started(made, run(made), "watch")
    return times[0] if times else None
