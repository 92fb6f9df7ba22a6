"""Small scenarios in MORAI's words, as texts, and the map that they are on."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.analyse.map_file import write_map
from dorosim.road.mgeo.record import GlobalInfo
from tests.road.small_map import map_of, straight

BOX = '<BoundingBox><Center x="0" y="0" z="1"/><Dimensions width="{width}" length="{length}" height="2"/></BoundingBox>'
CAR = f"""<Vehicle name="car" model3d="2016_Hyundai_Ioniq" vehicleCategory="car" mass="0">
{BOX.format(width=2, length=4)}<Performance maxSpeed="0" maxAcceleration="0" maxDeceleration="0"/>
<Axles><FrontAxle maxSteering="0" wheelDiameter="0" trackWidth="0" positionX="2.7" positionZ="0"/>
<RearAxle maxSteering="0" wheelDiameter="0" trackWidth="0" positionX="0" positionZ="0"/></Axles>
<Properties>{{}}</Properties></Vehicle>"""
WALKER = f"""<Pedestrian name="p" pedestrianCategory="pedestrian" mass="80">{BOX.format(width=0.5, length=0.5)}
<Properties>{{}}</Properties></Pedestrian>"""
THING = f"""<MiscObject name="box" miscObjectCategory="obstacle" mass="9">{BOX.format(width=1, length=1)}
<Properties>{{}}</Properties></MiscObject>"""
END = """<StopTrigger><ConditionGroup><Condition name="end" delay="0" conditionEdge="none"><ByValueCondition>
<SimulationTimeCondition rule="greaterOrEqual" value="{}"/></ByValueCondition></Condition></ConditionGroup>
</StopTrigger>"""


def entity(name: str, kind: str, **properties: str) -> str:
    """An entity with free properties."""
    given = "".join(f'<Property name="{key}" value="{value}"/>' for key, value in properties.items())
    return f'<ScenarioObject name="{name}">{kind.format(given)}</ScenarioObject>'


def start(name: str, position: str, speed: float = 0.0) -> str:
    """What Init does with an entity."""
    return f"""<Private entityRef="{name}"><PrivateAction><TeleportAction><Position>{position}</Position>
</TeleportAction></PrivateAction><PrivateAction><LongitudinalAction><SpeedAction>
<SpeedActionTarget><AbsoluteTargetSpeed value="{speed}"/></SpeedActionTarget>
<SpeedActionDynamics dynamicsShape="step" dynamicsDimension="time" value="0"/>
</SpeedAction></LongitudinalAction></PrivateAction></Private>"""


def file_text(entities: str, init: str, *, road_network: str = "", end: float = 3.0, more: str = "") -> str:
    """A scenario of these parts, as MORAI SIM saves one."""
    return f"""<OpenSCENARIO><FileHeader author="Scenario Runner" date="2026-03-31T16:44:04Z" description=""
revMajor="1" revMinor="2"/><ParameterDeclarations/>{more}<CatalogLocations/><RoadNetwork>{road_network}</RoadNetwork>
<Entities>{entities}</Entities><Storyboard><Init><Actions>{init}</Actions></Init>{END.format(end)}
</Storyboard></OpenSCENARIO>"""


def map_name(name: str) -> str:
    """The variable in which MORAI SIM keeps the name of the map."""
    return f"""<VariableDeclarations><VariableDeclaration name="moraiMap" value="{name}" variableType="String"/>
</VariableDeclarations>"""


def write_small_map(place: Path, length: float = 100.0) -> None:
    """Write a map of two lanes of a length [m] to the east, `left` to the left of `right`, as MGeo."""
    links = (
        straight("left", "a", "b", (0, 3, 0), (length, 3, 0), right_lane_change_dst_link_idx="right"),
        straight("right", "c", "d", (0, 0, 0), (length, 0, 0), left_lane_change_dst_link_idx="left"),
    )
    write_map(place, map_of(*links, name=place.stem, info=GlobalInfo(coordinate_system="UTM52N", origin=(3e5, 4e6, 0))))
