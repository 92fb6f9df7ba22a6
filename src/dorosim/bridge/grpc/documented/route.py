"""Routes and destinations of vehicles, and where they go (documents/grpc-api-en.txt, Driving Path)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.actor import VEHICLES, kind_of
from dorosim.bridge.answer import Refusal
from dorosim.bridge.drive import EgoType, offset, problem_with_ego, problem_with_whose
from dorosim.bridge.grpc.call import Procedure, Response, vector_of
from dorosim.bridge.grpc.documented.answer import actor_of, empty, vector3
from dorosim.bridge.link import LinkPoint
from dorosim.bridge.reply import DeferredReply, ElementOutcome, Elements
from dorosim.bridge.route import PlannedRoute, RouteError
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import MORAI_MSGS
from dorosim.world.actor.command import SetGoal
from dorosim.world.snapshot import Snapshot

LOCAL_LINKS = 5
"""Links of the local path: the one under the vehicle, and those that follow on its route."""


def _routes(request: Any, at: Situation) -> Response:
    def find(one: Any, actor: int) -> PlannedRoute:
        places = [LinkPoint(link.unique_id, link.index) for link in one.link_list]
        return at.index.routes.along(at.now, actor, _text(one), places, whose=one.obj_type)

    return _set_routes(request, at, find)


def _destinations(request: Any, at: Situation) -> Response:
    def find(one: Any, actor: int) -> PlannedRoute:
        position = vector_of(one.position) if one.HasField("position") else None
        return at.index.routes.to(at.now, actor, _text(one), position, one.decision_range, one.obj_type)

    return _set_routes(request, at, find)


def _text(one: Any) -> str:
    """The id of a vehicle as it was asked for; the type may stand for that of the ego vehicle."""
    return one.unique_id or ("Ego" if one.obj_type == EgoType.EGO else "")


def _set_routes(request: Any, at: Situation, find: Callable[[Any, int], PlannedRoute]) -> Response:
    """Each vehicle gets its way by itself, and an answer with its links or the reason."""
    if not request.req_list:
        nothing = MORAI_MSGS.VehicleRouteResult(error_code=RouteError.EMPTY_LIST, description="req_list is empty")
        return MORAI_MSGS.VehicleRouteResultList(res_list=[nothing])
    elements, routes = Elements(), []
    for one in request.req_list:
        route = find(one, actor_of(at, one.unique_id, one.obj_type))
        routes.append((one.unique_id, route))
        elements.add(route.command if route.command is not None else Refusal(route.reason))

    def reply(now: Snapshot, outcomes: Sequence[ElementOutcome]) -> Message:
        pairs, after = zip(routes, outcomes, strict=True), replace(at, now=now)
        return MORAI_MSGS.VehicleRouteResultList(
            res_list=[_route_result(after, text, route, outcome) for (text, route), outcome in pairs]
        )

    return elements.ask(reply)


def _route_result(at: Situation, text: str, route: PlannedRoute, outcome: ElementOutcome) -> Message:
    """The answer of one vehicle; `at` is after the tick that set its route."""
    if route.command is None or outcome.refusal:
        error = RouteError.FAILED if route.error is RouteError.SUCCESS else route.error
        return MORAI_MSGS.VehicleRouteResult(
            unique_id=text, error_code=error, description=route.reason or outcome.refusal
        )
    return MORAI_MSGS.VehicleRouteResult(
        success=True,
        unique_id=text,
        description="the way is set",
        waypoints=_waypoints(at, route.command),
    )


def _waypoints(at: Situation, goal: SetGoal) -> list[Message]:
    """The links of a route, each with a point of it: of the first that where the vehicle is, of the last the goal.

    Links between those are driven from their point 0 on, and so is a first one that the vehicle is not on.
    """
    index, row = at.index, at.now.goal.table.row_of(goal.actor)
    points = [0] * len(goal.links)
    state = index.actors.state(at.now, goal.actor)
    link, s = index.vehicles.lane_of(state) if state is not None else (-1, 0.0)
    if link == goal.links[0]:
        points[0] = index.vehicles.nearest_point(link, s)
    if row >= 0:
        points[-1] = index.vehicles.nearest_point(goal.links[-1], float(at.now.goal.table.s[row]))
    pairs = zip(index.routes.links_of(goal.links), points, strict=True)
    return [MORAI_MSGS.LinkInfo(unique_id=text, index=point) for text, point in pairs]


def _offsets(request: Any, at: Situation) -> DeferredReply:
    elements, texts = Elements(), [one.unique_id for one in request.req_list]
    for one in request.req_list:
        actor = actor_of(at, one.unique_id, one.obj_type)
        problem = ""
        if one.obj_type:
            problem = problem_with_ego(at.now, actor, _text(one)) or problem_with_whose(actor, _text(one), one.obj_type)
        answer = offset(at.now, actor, _text(one), one.value / 100.0, one.lat_bias_mode)
        elements.add(Refusal(problem) if problem else answer)
    return elements.ask(lambda _, outcomes: empty("SendVehiclePathOffset", outcomes, texts))


def _aux_states(request: Any, at: Situation) -> Message:
    """One answer per id, in their order; of an id that is none of a vehicle the id alone."""
    return MORAI_MSGS.VehicleAuxStateInfoList(res_list=[_aux_state(one.unique_id, at) for one in request.id_list])


def _aux_state(text: str, at: Situation) -> Message:
    now, index = at.now, at.index
    actor = at.names.actor_of(text)
    state = index.actors.state(now, actor) if actor and kind_of(now, actor) in VEHICLES else None
    if state is None:
        return MORAI_MSGS.VehicleAuxStateInfo(unique_id=text)
    link, s = index.vehicles.lane_of(state)
    local = []
    if link >= 0:
        local = [
            MORAI_MSGS.LinkInfo(unique_id=index.routes.links_of([link])[0], index=index.vehicles.nearest_point(link, s))
        ]
    journey = index.vehicles.journey(now, state, link, s)
    if journey is None:
        return MORAI_MSGS.VehicleAuxStateInfo(unique_id=text, local_path=local)
    ahead = index.routes.links_of(journey.ahead[1:LOCAL_LINKS])
    return MORAI_MSGS.VehicleAuxStateInfo(
        unique_id=text,
        isPassDestPos=journey.passed,
        destPos=vector3(journey.goal),
        remaining_distance=journey.remaining,
        global_path=[MORAI_MSGS.LinkInfo(unique_id=link) for link in index.routes.links_of(journey.route)],
        local_path=[*local, *(MORAI_MSGS.LinkInfo(unique_id=link) for link in ahead)],
        range=journey.reach,
    )


PROCEDURES: dict[str, Procedure] = {
    "SendVehicleRoutes": _routes,
    "SendVehicleDestinations": _destinations,
    "SendVehiclePathOffset": _offsets,
    "GetVehicleAuxState": _aux_states,
}
"""By name."""
