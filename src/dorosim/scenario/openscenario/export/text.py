"""A scenario of tracks as text: OpenSCENARIO XML 1.3, which MORAI's and other engines read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.export.thin import thinned
from dorosim.scenario.openscenario.export.track import ActorTrack, LampChange, TrackBody, TrackKind
from dorosim.scenario.openscenario.version import MAX_ELEMENTS

_ELEMENTS_OF_VERTEX = 3
_STILL = 1e-3
"""A body that moves less than this [m] stands, and follows no trajectory."""
_MAX_ACCELERATION = 50.0
"""Limits that no recorded motion reaches [m/s2]; trajectories with times do not heed them."""


class ScenarioHead(NamedTuple):
    """What a scenario says of itself.

    Attributes:
        author, date, description: of its header; the date as ISO 8601 has it.
        logic_file: path of the map, relative to the scenario.
        map_name: name of the map, for MORAI SIM.
    """

    author: str
    date: str
    description: str
    logic_file: str
    map_name: str


def scenario_of_tracks(head: ScenarioHead, tracks: Mapping[str, ActorTrack], end: float, tick: float) -> str:
    """A scenario in which actors do what tracks say.

    Every actor is put where its track begins, and follows a trajectory whose vertices have times; an actor that comes
    later is added then, and one that goes is deleted. Lamps change by light states. The run ends with the last track.

    Args:
        head: what it says of itself.
        tracks: by name of the entity.
        end: when the run ends [s].
        tick: length of a tick [s].

    Raises:
        InputError: it would have more elements than are read again.
    """
    groups: list[str] = []
    points = 0
    for name, track in tracks.items():
        spans = [thinned(span.table()) for span in track.spans]
        points += sum(map(len, spans))
        if points * _ELEMENTS_OF_VERTEX > MAX_ELEMENTS * 3 // 4:
            problem = f"its trajectories need more than {points:,} points"
            raise InputError("recording", "", problem, "take a shorter part of it: --begin, --end")
        groups += _group(name, track, spans, end, tick)
    present = {name: track for name, track in tracks.items() if _is_first(track.spans[0].rows[0][0], tick)}
    acts = f"<Act name='what was recorded'>{''.join(groups)}{_at('begin', 0.0)}</Act>".replace("'", '"')
    story = f'<Story name="recording">{acts}</Story>' if groups else ""
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<OpenSCENARIO>",
            f"<FileHeader author={_quoted(head.author)} date={_quoted(head.date)} "
            f'description={_quoted(head.description)} revMajor="1" revMinor="3"/>',
            "<ParameterDeclarations/>",
            f'<VariableDeclarations><VariableDeclaration name="moraiMap" variableType="string" '
            f"value={_quoted(head.map_name)}/></VariableDeclarations>",
            "<CatalogLocations/>",
            f"<RoadNetwork><LogicFile filepath={_quoted(head.logic_file)}/></RoadNetwork>",
            "<Entities>",
            *(_entity(name, track) for name, track in tracks.items()),
            "</Entities>",
            "<Storyboard>",
            "<Init><Actions>",
            *(_private(name, track) for name, track in present.items()),
            "</Actions></Init>",
            story,
            _at("end", end).replace("StartTrigger", "StopTrigger"),
            "</Storyboard>",
            "</OpenSCENARIO>",
            "",
        )
    )


def _quoted(text: str) -> str:
    """A text as the value of an attribute; `$` begins an expression, and is left out."""
    return quoteattr("".join(letter for letter in text if letter.isprintable()).replace("$", ""))


def _number(value: float) -> str:
    """A number to a tenth of a millimetre; no negative 0."""
    return f"{round(value, 4) + 0.0:.4f}".rstrip("0").rstrip(".")


def _time(value: float) -> str:
    """A time to a microsecond, not negative."""
    return f"{max(value, 0.0):.6f}".rstrip("0").rstrip(".")


def _entity(name: str, track: ActorTrack) -> str:
    """An entity."""
    body = track.body
    inside = _box(body)
    model = f"model3d={_quoted(body.model)} name={_quoted(body.model)}"
    if track.kind is TrackKind.PEDESTRIAN:
        made = f'<Pedestrian {model} mass="{_number(body.mass)}" pedestrianCategory="pedestrian">{inside}</Pedestrian>'
    elif track.kind is TrackKind.OBSTACLE:
        made = f'<MiscObject {model} mass="{_number(body.mass)}" miscObjectCategory="obstacle">{inside}</MiscObject>'
    else:
        made = (
            f'<Vehicle {model} mass="{_number(body.mass)}" vehicleCategory="{body.category}">{inside}'
            f'<Performance maxSpeed="{_number(body.max_speed)}" maxAcceleration="{_number(_MAX_ACCELERATION)}" '
            f'maxDeceleration="{_number(_MAX_ACCELERATION)}"/>{_axles(body)}</Vehicle>'
        )
    return f"<ScenarioObject name={_quoted(name)}>{made}</ScenarioObject>"


def _box(body: TrackBody) -> str:
    return (
        f'<BoundingBox><Center x="{_number(body.middle)}" y="0" z="{_number(body.height / 2.0)}"/>'
        f'<Dimensions width="{_number(body.width)}" length="{_number(body.length)}" '
        f'height="{_number(body.height)}"/></BoundingBox>'
    )


def _axles(body: TrackBody) -> str:
    """Two axles; the track width is that of the body but for its tyres."""
    same = f'wheelDiameter="{_number(body.wheel)}" trackWidth="{_number(0.85 * body.width)}"'
    height = _number(body.wheel / 2.0)
    return (
        f'<Axles><FrontAxle maxSteering="{_number(body.max_steer)}" {same} positionX="{_number(body.wheelbase)}" '
        f'positionZ="{height}"/><RearAxle maxSteering="0" {same} positionX="0" positionZ="{height}"/></Axles>'
    )


def _position(row: Sequence[float]) -> str:
    """A place: row of time, x, y, z, heading."""
    x, y, z, heading = map(_number, row[1:])
    return f'<Position><WorldPosition x="{x}" y="{y}" z="{z}" h="{heading}"/></Position>'


def _private(name: str, track: ActorTrack) -> str:
    """Where an entity is at the start, and how fast."""
    rows = track.spans[0].rows
    speed = 0.0
    if len(rows) > 1:
        (before, x, y, *_), (after, x1, y1, *_) = rows[0], rows[1]
        speed = float(np.hypot(x1 - x, y1 - y)) / (after - before)
    return (
        f"<Private entityRef={_quoted(name)}><PrivateAction><TeleportAction>{_position(rows[0])}</TeleportAction>"
        "</PrivateAction><PrivateAction><LongitudinalAction><SpeedAction>"
        '<SpeedActionDynamics dynamicsShape="step" dynamicsDimension="time" value="0"/>'
        f'<SpeedActionTarget><AbsoluteTargetSpeed value="{_number(speed)}"/></SpeedActionTarget>'
        "</SpeedAction></LongitudinalAction></PrivateAction></Private>"
    )


def _group(name: str, track: ActorTrack, spans: Sequence[FloatArray], end: float, tick: float) -> Iterator[str]:
    """The maneuver group of an entity: that it comes, follows its trajectories, switches its lamps and goes.

    What starts at a time is seen a tick later, so an entity comes a tick before it is seen. Triggers are half a tick
    earlier than meant, whatever the last digit of a time does.
    """
    half = tick / 2.0
    events: list[str] = []
    for number, table in enumerate(spans, 1):
        begin, last = float(table[0, 0]), float(table[-1, 0])
        first = _is_first(begin, tick)
        seen = 0.0 if first else begin - tick - half
        if not first:
            events.append(_event(f"comes {number}", seen, _entity_action(name, table[0].tolist())))
        if np.abs(table[:, 1:4] - table[0, 1:4]).max() > _STILL or np.ptp(table[:, 4]) > _STILL:
            events.append(_event(f"drives {number}", seen, _trajectory(f"{name} {number}", table)))
        if last < end:
            events.append(_event(f"goes {number}", last - half, _entity_action(name)))
    events += (_event(f"lamp {number}", one.time - half, _lamp(one)) for number, one in enumerate(track.lamps, 1))
    if events:
        yield (
            f'<ManeuverGroup maximumExecutionCount="1" name={_quoted(name)}><Actors selectTriggeringEntities="false">'
            f"<EntityRef entityRef={_quoted(name)}/></Actors><Maneuver name={_quoted(name)}>"
            f"{''.join(events)}</Maneuver></ManeuverGroup>"
        )


def _is_first(begin: float, tick: float) -> bool:
    """Whether what begins at a time belongs to the start of the run: what its first tick adds does, too."""
    return begin < 1.5 * tick


def _event(name: str, time: float, action: str) -> str:
    """An event at a time."""
    return (
        f'<Event name="{name}" priority="parallel" maximumExecutionCount="1"><Action name="{name}">{action}</Action>'
        f"{_at(name, time)}</Event>"
    )


def _at(name: str, time: float) -> str:
    """A trigger at a time."""
    return (
        f'<StartTrigger><ConditionGroup><Condition name="{name}" delay="0" conditionEdge="none"><ByValueCondition>'
        f'<SimulationTimeCondition rule="greaterOrEqual" value="{_time(time)}"/>'
        "</ByValueCondition></Condition></ConditionGroup></StartTrigger>"
    )


def _entity_action(name: str, row: Sequence[float] | None = None) -> str:
    """Add an entity at a place, or delete it."""
    done = "<DeleteEntityAction/>" if row is None else f"<AddEntityAction>{_position(row)}</AddEntityAction>"
    return f"<GlobalAction><EntityAction entityRef={_quoted(name)}>{done}</EntityAction></GlobalAction>"


def _trajectory(name: str, table: FloatArray) -> str:
    """Follow a trajectory by its times, which count from the start of the run."""
    vertices = "\n".join(f'<Vertex time="{_time(row[0])}">{_position(row)}</Vertex>' for row in table.tolist())
    return (
        "<PrivateAction><RoutingAction><FollowTrajectoryAction><TrajectoryRef>"
        f'<Trajectory name={_quoted(name)} closed="false"><Shape><Polyline>\n{vertices}\n</Polyline></Shape>'
        "</Trajectory></TrajectoryRef><TimeReference>"
        '<Timing domainAbsoluteRelative="absolute" scale="1" offset="0"/></TimeReference>'
        '<TrajectoryFollowingMode followingMode="position"/></FollowTrajectoryAction></RoutingAction></PrivateAction>'
    )


def _lamp(change: LampChange) -> str:
    """Switch a lamp."""
    return (
        "<PrivateAction><AppearanceAction><LightStateAction><LightType>"
        f'<VehicleLight vehicleLightType="{change.light}"/></LightType><LightState mode="{change.mode}"/>'
        "</LightStateAction></AppearanceAction></PrivateAction>"
    )
