"""Properties of MORAI's Scenario Runner in a storyboard: pedestrians that wait for the ego, objects that stay."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from typing import cast
from xml.sax.saxutils import quoteattr

from lxml import etree

from dorosim.scenario.openscenario.catalog import Catalogs
from dorosim.scenario.openscenario.files import NoFiles
from dorosim.scenario.openscenario.finding import Findings
from dorosim.scenario.openscenario.morai import ACTIVE_DISTANCE, WalkPlan, stays, walk_of
from dorosim.scenario.openscenario.reader import Reader
from dorosim.scenario.openscenario.record.action import PrivateAction
from dorosim.scenario.openscenario.record.file import ScenarioDefinition
from dorosim.scenario.openscenario.record.motion import LateralAction, LongitudinalAction, SpeedAction
from dorosim.scenario.openscenario.record.routing import RoutingAction, SynchronizeAction
from dorosim.scenario.openscenario.record.storyboard import Init, Story
from dorosim.scenario.openscenario.record.table import OscRecord
from dorosim.world.spawn.pedestrian import WALKING_SPEED

_MOTIONS = (LongitudinalAction, LateralAction, RoutingAction, SynchronizeAction)

_STORY = """<Story name={story}><Act name="walk">
<ManeuverGroup name="walk" maximumExecutionCount="1"><Actors selectTriggeringEntities="false">
<EntityRef entityRef={walker}/></Actors><Maneuver name="walk">
<Event name="start" priority="parallel" maximumExecutionCount="1">
<Action name="speed"><PrivateAction><LongitudinalAction><SpeedAction>
<SpeedActionDynamics dynamicsShape="step" dynamicsDimension="time" value="0"/>
<SpeedActionTarget><AbsoluteTargetSpeed value="{speed!r}"/></SpeedActionTarget>
</SpeedAction></LongitudinalAction></PrivateAction></Action>
<Action name="straight on"><PrivateAction><RoutingAction><FollowTrajectoryAction>
<TimeReference><None/></TimeReference><TrajectoryFollowingMode followingMode="position"/>
<TrajectoryRef><Trajectory name="straight on" closed="false"><Shape><Polyline>
<Vertex><Position><RelativeObjectPosition entityRef={walker} dx="0" dy="0"/></Position></Vertex>
<Vertex><Position><RelativeObjectPosition entityRef={walker} dx="{distance!r}" dy="0"/></Position></Vertex>
</Polyline></Shape></Trajectory></TrajectoryRef>
</FollowTrajectoryAction></RoutingAction></PrivateAction></Action>
<StartTrigger><ConditionGroup><Condition name="ego is near" delay="0" conditionEdge="none"><ByEntityCondition>
<TriggeringEntities triggeringEntitiesRule="any"><EntityRef entityRef={walker}/></TriggeringEntities>
<EntityCondition><RelativeDistanceCondition entityRef={ego} freespace="false" rule="lessOrEqual" value="{active!r}"
 relativeDistanceType="euclidianDistance" coordinateSystem="entity"/></EntityCondition>
</ByEntityCondition></Condition></ConditionGroup></StartTrigger></Event>
<Event name="stop" priority="parallel" maximumExecutionCount="1">
<Action name="stand"><PrivateAction><LongitudinalAction><SpeedAction>
<SpeedActionDynamics dynamicsShape="step" dynamicsDimension="time" value="0"/>
<SpeedActionTarget><AbsoluteTargetSpeed value="0"/></SpeedActionTarget>
</SpeedAction></LongitudinalAction></PrivateAction></Action>
<StartTrigger><ConditionGroup><Condition name="it has walked" delay="0" conditionEdge="none"><ByValueCondition>
<StoryboardElementStateCondition storyboardElementType="action" storyboardElementRef={done} state="endTransition"/>
</ByValueCondition></Condition></ConditionGroup></StartTrigger></Event>
</Maneuver></ManeuverGroup></Act></Story>"""


def with_morai_properties(scenario: ScenarioDefinition, ego: str) -> ScenarioDefinition:
    """A scenario in which the properties of MORAI have their effect.

    Pedestrians with `activeDistance` stand until the ego is near, by a story for each. The speed that Init gives such a
    pedestrian is that at which it walks; without one it walks as people do. An object whose `moving_obstacle` is off
    gets no motion from Init.

    Args:
        scenario: that was read.
        ego: name of the ego, "" for none: then pedestrians do not wait.
    """
    objects = scenario.entities.scenario_objects
    walks = {one.name: found for one in objects if ego and (found := walk_of(one)) is not None}
    still = {one.name for one in objects if stays(one)}
    if not walks and not still:
        return scenario
    speeds: dict[str, float] = {}
    init = _still_init(scenario.storyboard.init, walks, still, speeds)
    added = [_story(name, ego, one, speeds.get(name, WALKING_SPEED)) for name, one in walks.items()]
    board = replace(scenario.storyboard, init=init, stories=(*scenario.storyboard.stories, *added))
    return replace(scenario, storyboard=board)


def _story(name: str, ego: str, walk: WalkPlan, speed: float) -> Story:
    """The story of one pedestrian."""
    story = f"{ACTIVE_DISTANCE} of {name}"
    text = _STORY.format(
        story=quoteattr(story),
        walker=quoteattr(name),
        ego=quoteattr(ego),
        speed=speed,
        distance=walk.move,
        active=walk.active,
        done=quoteattr(f"{story}::walk::walk::walk::start::straight on"),
    )
    findings = Findings(story)
    reader = Reader(findings, Catalogs([], story, NoFiles(), findings))
    return cast(Story, reader.record(etree.fromstring(text), Story, story, {}))


def _still_init(init: Init, walks: Container[str], still: Container[str], speeds: dict[str, float]) -> Init:
    """Init without the speeds of pedestrians that wait, which are put into `speeds`, and without motions of others."""
    privates = []
    for one in init.actions.privates:
        kept = list(one.private_actions)
        if one.entity_ref in walks:
            for speed in map(_speed_of, kept):
                if speed is not None and speed > 0.0:
                    speeds[one.entity_ref] = speed
            kept = [action for action in kept if _speed_of(action) is None]
        elif one.entity_ref in still:
            kept = [action for action in kept if not isinstance(action.chosen, _MOTIONS)]
        privates.append(replace(one, private_actions=tuple(kept)))
    return replace(init, actions=replace(init.actions, privates=tuple(privates)))


def _speed_of(action: PrivateAction) -> float | None:
    """The speed that an action sets; None for another action."""
    chosen: OscRecord | None = action.chosen
    inner = chosen.chosen if isinstance(chosen, LongitudinalAction) else None
    target = inner.speed_action_target.absolute_target_speed if isinstance(inner, SpeedAction) else None
    return None if target is None else target.value
