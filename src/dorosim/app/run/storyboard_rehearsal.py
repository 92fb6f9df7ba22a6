"""A small scenario that uses every kernel of storyboards once, so that they can be listed and compiled ahead."""

from __future__ import annotations

from dataclasses import replace

from dorosim.app.run.build import Build
from dorosim.ground.noise import Noise
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.road_course import RoadCourse
from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.engine.cast import cast_of
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from dorosim.scenario.openscenario.engine.world_engine import ScenarioEngine
from dorosim.world.ordinary.judged_link_kernel import HOLD, MAKE_JUDGED_TICKS
from dorosim.world.ordinary.link_kernel import STORY_LINKS
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step
from dorosim.world.storyboard.advance import begin_storyboard

_TICKS = 3
_ROAD = b"""<OpenDRIVE><header revMajor="1" revMinor="8" name="" north="0" south="0" east="0" west="0"/>
<road id="1" length="500" junction="-1">
<planView><geometry s="0" x="0" y="0" hdg="0" length="500"><line/></geometry></planView>
<lanes><laneSection s="0"><center><lane id="0" type="none" level="false"/></center>
<right><lane id="-1" type="driving" level="false"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right>
</laneSection></lanes></road></OpenDRIVE>"""
_ENTITY = """<ScenarioObject name="{name}">{body}</ScenarioObject>"""
_BOX = """<BoundingBox><Center x="1" y="0" z="1"/><Dimensions width="1" length="2" height="2"/></BoundingBox>"""
_CAR = f"""<Vehicle name="car" vehicleCategory="car">{_BOX}
<Performance maxSpeed="50" maxAcceleration="5" maxDeceleration="9"/>
<Axles><RearAxle maxSteering="0" wheelDiameter="0.6" trackWidth="1.5" positionX="0" positionZ="0.3"/></Axles>
<Properties/></Vehicle>"""
_WALKER = f"""<Pedestrian name="walker" model="walker" mass="80" pedestrianCategory="pedestrian">{_BOX}
<Properties/></Pedestrian>"""
_START = """<Private entityRef="{name}">
<PrivateAction><TeleportAction><Position><LanePosition roadId="1" laneId="-1" s="{s}"/></Position></TeleportAction>
</PrivateAction>
<PrivateAction><LongitudinalAction><SpeedAction>
<SpeedActionDynamics dynamicsShape="linear" dynamicsDimension="time" value="5"/>
<SpeedActionTarget><AbsoluteTargetSpeed value="5"/></SpeedActionTarget>
</SpeedAction></LongitudinalAction></PrivateAction></Private>"""
_STOP = """<StopTrigger><ConditionGroup><Condition name="" delay="0" conditionEdge="none"><ByEntityCondition>
<TriggeringEntities triggeringEntitiesRule="any"><EntityRef entityRef="car"/></TriggeringEntities><EntityCondition>
<RelativeDistanceCondition entityRef="walker" relativeDistanceType="longitudinal" coordinateSystem="lane"
freespace="true" rule="lessThan" value="1"/>
</EntityCondition></ByEntityCondition></Condition></ConditionGroup></StopTrigger>"""


def use_storyboard_kernels(made: Build) -> Snapshot:
    """Step a world with a storyboard of a car and a pedestrian, which are not on the roads of the world's map.

    Args:
        made: any world without a storyboard; it stays as it is.

    Returns:
        The last snapshot.
    """
    names = {"car": (_CAR, 50), "walker": (_WALKER, 100)}
    entities = "".join(_ENTITY.format(name=name, body=body) for name, (body, _) in names.items())
    actions = "".join(_START.format(name=name, s=s) for name, (_, s) in names.items())
    text = f"""<OpenSCENARIO><FileHeader author="" date="2026-01-01T00:00:00" description="" revMajor="1" revMinor="3"/>
<CatalogLocations/><RoadNetwork/><Entities>{entities}</Entities>
<Storyboard><Init><Actions>{actions}</Actions></Init>{_STOP}</Storyboard></OpenSCENARIO>"""
    reading = open_document("rehearsal", text.encode()).read()
    roads = CourseNetwork(read_opendrive("rehearsal", _ROAD))
    program = compile_scenario("rehearsal", reading.scenario(), roads)
    scene = replace(made.scene, storyboard=ScenarioEngine(program=program, cast=cast_of(program.entities, "")))
    _ask(roads.roads[0])
    noise = Noise(0)
    now = begin_storyboard(scene, made.first, noise)
    for _ in range(_TICKS):
        now = step(scene, now, (), noise)
    for one in (HOLD, MAKE_JUDGED_TICKS, *STORY_LINKS.values()):
        one.address()
    return now


def _ask(course: RoadCourse) -> None:
    """Ask a road once for all that it knows."""
    course.line(1.0)
    course.edges(1.0)
    course.middle(1.0, -1)
    course.pose(1.0, -1.0)
    course.scale(1.0, -1.0)
    course.lane_at(1.0, -1.0)
    course.ground(1.0, -1.0, 0.0)
    course.body(-1, 1.0, 0.0, 0.0)
    course.nearest(1.0, 1.0, 0.0)
    course.lane_of_body(1.0, -1.0, 0.0)
    course.is_off(1.0, -1.0, 1.0, -1.0)
    course.length_of_lane(0, -1, 0.0, 1.0)
