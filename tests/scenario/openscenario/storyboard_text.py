"""Small scenarios with one car and no roads, as texts."""

from __future__ import annotations

PLACE = """<PrivateAction><TeleportAction><Position><WorldPosition x="0" y="0" h="0"/></Position>
  </TeleportAction></PrivateAction>"""
SPEED = """<PrivateAction><LongitudinalAction><SpeedAction>
  <SpeedActionDynamics dynamicsShape="{shape}" dynamicsDimension="{dimension}" value="{value}"/>
  <SpeedActionTarget><AbsoluteTargetSpeed value="{speed}"/></SpeedActionTarget>
  </SpeedAction></LongitudinalAction></PrivateAction>"""
TIME = '<SimulationTimeCondition rule="greaterOrEqual" value="{time}"/>'
FILE = """<OpenSCENARIO>
<FileHeader revMajor="1" revMinor="3" date="2026-01-01T00:00:00" author="" description=""/>
<ParameterDeclarations/>
<VariableDeclarations><VariableDeclaration name="count" variableType="double" value="1"/></VariableDeclarations>
<CatalogLocations/><RoadNetwork/>
<Entities><ScenarioObject name="car"><Vehicle name="car" vehicleCategory="car">
 <BoundingBox><Center x="1.4" y="0" z="0.75"/><Dimensions width="2" length="5" height="1.5"/></BoundingBox>
 <Performance maxSpeed="70" maxAcceleration="100" maxDeceleration="100"/>
 <Axles><RearAxle maxSteering="0" wheelDiameter="0.6" trackWidth="1.6" positionX="0" positionZ="0.3"/></Axles>
</Vehicle></ScenarioObject></Entities>
<Storyboard><Init><Actions><Private entityRef="car">{place}{init}</Private></Actions></Init>
<Story name="story"><Act name="act"><ManeuverGroup name="group" maximumExecutionCount="1">
<Actors selectTriggeringEntities="false"><EntityRef entityRef="car"/></Actors>
<Maneuver name="maneuver">{events}</Maneuver></ManeuverGroup></Act></Story>
<StopTrigger><ConditionGroup><Condition name="end" delay="0" conditionEdge="none">
<ByValueCondition>{stop}</ByValueCondition></Condition></ConditionGroup></StopTrigger></Storyboard></OpenSCENARIO>"""


def event(name: str, action: str, condition: str, *, priority="parallel", count=1, edge="none", delay=0.0) -> str:
    return f"""<Event name="{name}" priority="{priority}" maximumExecutionCount="{count}">
    <Action name="{name} action">{action}</Action><StartTrigger><ConditionGroup>
    <Condition name="{name} condition" delay="{delay}" conditionEdge="{edge}">
    <ByValueCondition>{condition}</ByValueCondition></Condition></ConditionGroup></StartTrigger></Event>"""


def speed(value: float, shape="step", dimension="time", over=0.0) -> str:
    return SPEED.format(shape=shape, dimension=dimension, value=over, speed=value)


def file_text(events: str, init: str = "", end: float = 3.0) -> str:
    """A scenario with events, further init actions of its car, and the time of its end [s]."""
    return FILE.format(place=PLACE, init=init, events=events, stop=TIME.format(time=end))
