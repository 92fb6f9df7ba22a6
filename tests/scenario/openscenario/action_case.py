"""Scenarios of some entities on roads of our own, as texts, and runs of them: what tests of actions are made of."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

from dorosim.app.run.build import Build
from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.run.scenario_run import RunTick, world_ticks
from dorosim.ground.noise import Noise
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.state import StoryboardState
from tests.scenario.openscenario.sample import MemoryFiles
from tests.scenario.openscenario.storyboard_text import TIME, event
from tests.scenario.openscenario.worldless import ticks_of

STEP = 10_000_000

LANES = "".join(
    f'<lane id="{lane}" type="driving" level="false"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane>'
    for lane in (-1, -2, -3)
)
LEFT = "".join(
    f'<lane id="{lane}" type="driving" level="false"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane>'
    for lane in (2, 1)
)
SECTION = (
    f'<laneSection s="0"><left>{LEFT}</left><center><lane id="0" type="none" level="false"/></center>'
    f"<right>{LANES}</right></laneSection>"
)


def road(
    number: int,
    geometry: str,
    length: float,
    *,
    link: str = "",
    junction: int = -1,
    lanes: str = SECTION,
    signals: str = "",
) -> str:
    """A road whose reference line has one geometry: "x y heading line" or "x y heading arc:curvature"."""
    x, y, heading, kind = geometry.split()
    shape = f'<arc curvature="{kind.split(":")[1]}"/>' if ":" in kind else "<line/>"
    return (
        f'<road name="" length="{length}" id="{number}" junction="{junction}"><link>{link}</link><planView>'
        f'<geometry s="0" x="{x}" y="{y}" hdg="{heading}" length="{length}">{shape}</geometry></planView>'
        f"<lanes>{lanes}</lanes>{signals}</road>"
    )


def map_text(*roads: str, extra: str = "") -> bytes:
    """A map."""
    header = '<header revMajor="1" revMinor="7" name="" version="1" date="" north="0" south="0" east="0" west="0"/>'
    return f"<OpenDRIVE>{header}{''.join(roads)}{extra}</OpenDRIVE>".encode()


@cache
def network(text: bytes) -> CourseNetwork:
    """The roads of a map."""
    return CourseNetwork(read_opendrive("map.xodr", text))


STRAIGHT = map_text(road(0, "0 0 0 line", 2000.0))
"""2 km to the east, with three lanes to the east and two to the west, 3.5 m wide."""


ONE_LANE = (
    '<laneSection s="0"><center><lane id="0" type="none" level="false"/></center><right><lane id="-1" type="driving" '
    'level="false"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right></laneSection>'
)
IN = '<predecessor elementType="road" elementId="0" contactPoint="end"/>'


def fork(signals: str = "") -> bytes:
    """A road of 100 m, with some signals, that divides: straight on, to the left and to the right."""
    roads = [
        road(
            0,
            "0 0 0 line",
            100.0,
            link='<successor elementType="junction" elementId="1"/>',
            lanes=ONE_LANE,
            signals=signals,
        )
    ]
    for number, curve in enumerate((0.0, 0.02, -0.02), start=1):
        x, y, heading = 140.0, 0.0, curve * 40.0
        if curve:
            x, y = 100.0 + math.sin(heading) / curve, (1.0 - math.cos(heading)) / curve
        after = f'<successor elementType="road" elementId="{number + 10}" contactPoint="start"/>'
        shape = f"100 0 0 arc:{curve}" if curve else "100 0 0 line"
        roads.append(road(number, shape, 40.0, link=IN + after, junction=1, lanes=ONE_LANE))
        before = f'<predecessor elementType="road" elementId="{number}" contactPoint="end"/>'
        roads.append(road(number + 10, f"{x} {y} {heading} line", 100.0, link=before, lanes=ONE_LANE))
    lanes = '<laneLink from="-1" to="-1"/>'
    connections = "".join(
        f'<connection id="{n}" incomingRoad="0" connectingRoad="{n + 1}" contactPoint="start">{lanes}</connection>'
        for n in range(3)
    )
    return map_text(*roads, extra=f'<junction id="1" name="">{connections}</junction>')


def vehicle(name: str, *, category="car", inside="", attributes="", performance="", controllers="", front="") -> str:
    """A vehicle, 5 m long and 2 m wide, its rear axle 1.1 m before its rear."""
    limits = performance or 'maxSpeed="70" maxAcceleration="100" maxDeceleration="100"'
    front = (
        front or '<FrontAxle maxSteering="0.6" wheelDiameter="0.6" trackWidth="1.6" positionX="2.8" positionZ="0.3"/>'
    )
    return f"""<ScenarioObject name="{name}"><Vehicle name="{name}" vehicleCategory="{category}" {attributes}>
    <BoundingBox><Center x="1.4" y="0" z="0.75"/><Dimensions width="2" length="5" height="1.5"/></BoundingBox>
    <Performance {limits}/><Axles>{front}
    <RearAxle maxSteering="0" wheelDiameter="0.6" trackWidth="1.6" positionX="0" positionZ="0.3"/></Axles>{inside}
    </Vehicle>{controllers}</ScenarioObject>"""


def private(action: str) -> str:
    """A private action."""
    return f"<PrivateAction>{action}</PrivateAction>"


def at(lane: int, s: float, *, road_id=0, offset=0.0) -> str:
    """A teleport onto a lane."""
    return private(
        f'<TeleportAction><Position><LanePosition roadId="{road_id}" laneId="{lane}" s="{s}" offset="{offset}"/>'
        "</Position></TeleportAction>"
    )


def at_world(x: float, y: float, heading: float = 0.0) -> str:
    """A teleport to a point."""
    return private(
        f'<TeleportAction><Position><WorldPosition x="{x}" y="{y}" h="{heading}"/></Position></TeleportAction>'
    )


def going(speed: float) -> str:
    """A speed at once."""
    return private(
        '<LongitudinalAction><SpeedAction><SpeedActionDynamics dynamicsShape="step" dynamicsDimension="time" '
        f'value="0"/><SpeedActionTarget><AbsoluteTargetSpeed value="{speed}"/></SpeedActionTarget></SpeedAction>'
        "</LongitudinalAction>"
    )


def events(*actions: tuple[float, str]) -> str:
    """Events at times [s]."""
    return "".join(event(f"event {n}", action, TIME.format(time=time)) for n, (time, action) in enumerate(actions))


def case_text(
    entities: str,
    init: dict[str, str],
    *actions: tuple[float, str],
    end: float = 3.0,
    actors: tuple[str, ...] = (),
    extra: str = "",
    global_init: str = "",
    signals: str = "",
    catalogs: str = "",
    parameters: str = "",
    logic: str = "",
) -> str:
    """A scenario as text; its actors are the first entity of `init` if none are given."""
    refs = "".join(f'<EntityRef entityRef="{one}"/>' for one in actors or tuple(init)[:1])
    privates = "".join(f'<Private entityRef="{name}">{inside}</Private>' for name, inside in init.items())
    return f"""<OpenSCENARIO>
<FileHeader revMajor="1" revMinor="3" date="2026-01-01T00:00:00" author="" description=""/>
<ParameterDeclarations>{parameters}</ParameterDeclarations>{extra}
<CatalogLocations>{catalogs}</CatalogLocations><RoadNetwork>{logic}{signals}</RoadNetwork>
<Entities>{entities}</Entities>
<Storyboard><Init><Actions>{global_init}{privates}</Actions></Init>
<Story name="story"><Act name="act"><ManeuverGroup name="group" maximumExecutionCount="1">
<Actors selectTriggeringEntities="false">{refs}</Actors>
<Maneuver name="maneuver">{events(*actions)}</Maneuver></ManeuverGroup></Act></Story>
<StopTrigger><ConditionGroup><Condition name="end" delay="0" conditionEdge="none">
<ByValueCondition>{TIME.format(time=end)}</ByValueCondition></Condition></ConditionGroup></StopTrigger></Storyboard>
</OpenSCENARIO>"""


def case(
    entities: str,
    init: dict[str, str],
    *actions: tuple[float, str],
    roads: bytes | None = STRAIGHT,
    files: MemoryFiles | None = None,
    seed: int = 0,
    **more: Any,
) -> Program:
    """A scenario, ready to run without a world; the other arguments are those of `case_text`."""
    text = case_text(entities, init, *actions, **more)
    opened = open_document("a.xosc", text.encode()) if files is None else open_document("a.xosc", text.encode(), files)
    reading = opened.read()
    known = None if roads is None else network(roads)
    return compile_scenario("a.xosc", reading.scenario(), known, reading.parameters, seed)


def run(program: Program) -> list[RunTick]:
    """All ticks of a run."""
    return list(ticks_of(program, STEP, 60.0))


def last(program: Program) -> StoryboardState:
    """The state at the end of a run."""
    return run(program)[-1].state


def state_at(ticks: list[RunTick], time: float) -> StoryboardState:
    """The state at a time [s]."""
    return next(tick.state for tick in ticks if tick.state_time >= round(time * 1e9))


def happened(program: Program, ticks: list[RunTick], name: str) -> list[tuple[str, float]]:
    """The states that an element came into, with their times [s]."""
    return [
        (one.transition.name.lower(), round(tick.time * 1e-9, 6))
        for tick in ticks
        for one in tick.happened
        if program.elements[one.element].name == name
    ]


def ended(program: Program, ticks: list[RunTick], number: int = 0) -> float | None:
    """When the action of an event ended by itself [s], None if it did not."""
    found = [time for how, time in happened(program, ticks, f"event {number} action") if how == "end"]
    return found[-1] if found else None


MAP = '<LogicFile filepath="map.xodr"/>'


def built(folder: Path, text: str, roads: bytes = STRAIGHT, seed: int = 1) -> Build:
    """A scenario in the world, its init actions done; arguments as of `in_world`."""
    (folder / "a.xosc").write_text(text)
    (folder / "map.xodr").write_bytes(roads)
    return ready_scenario(str(folder / "a.xosc"), folder, [folder], seed=seed).world(STEP)


def in_world(
    folder: Path, text: str, roads: bytes = STRAIGHT, *, seed: int = 1, time_limit: float = 60.0
) -> list[RunTick]:
    """All ticks of a scenario that runs in the world.

    Args:
        folder: an empty one, for its files.
        text: of the scenario, which names the map as `map.xodr`.
        roads: of the map.
        seed: of the run.
        time_limit: [s].
    """
    return list(world_ticks(built(folder, text, roads, seed), Noise(seed), time_limit))
