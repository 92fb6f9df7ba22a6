"""Lights, signs, controllers and programmes from the records of their files (facts/ros-grpc-mgeo.md, 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from dorosim.road.mgeo.field import MgeoEntry
from dorosim.road.mgeo.record import (
    IntersectionController,
    IntersectionProgramme,
    SignalStateRecord,
    SyncedTrafficLight,
    TrafficLightRecord,
    TrafficSign,
)

Signal = TypeVar("Signal", bound=TrafficLightRecord)


def light_from_entry(entry: MgeoEntry) -> TrafficLightRecord:
    """A signal head."""
    return _signal_from_entry(entry, TrafficLightRecord)


def sign_from_entry(entry: MgeoEntry) -> TrafficSign:
    """A sign."""
    return _signal_from_entry(entry, TrafficSign)


def _signal_from_entry(entry: MgeoEntry, kind: type[Signal]) -> Signal:
    """What lights and signs have in common: all fields. `sub_type` is a list, one code, or nothing."""
    return kind(
        idx=entry.idx(),
        point=entry.point("point"),
        link_id_list=entry.texts("link_id_list"),
        road_id=entry.text("road_id"),
        type=entry.text("type", default="car" if kind is TrafficLightRecord else ""),
        sub_type=entry.texts("sub_type"),
        dynamic=entry.flag("dynamic", default=kind is TrafficLightRecord),
        orientation=entry.text("orientation"),
        value=entry.text("value"),
        country=entry.text("country"),
        z_offset=entry.number("z_offset", default=0.0),
        height=entry.number("height", default=0.0),
        width=entry.number("width", default=0.0),
        type_def=entry.text("type_def"),
        ref_crosswalk_id=entry.text("ref_crosswalk_id"),
        heading=entry.number("heading", default=0.0),
    )


def synced_light_from_entry(entry: MgeoEntry) -> SyncedTrafficLight:
    """Heads that switch together."""
    return SyncedTrafficLight(
        idx=entry.idx(),
        link_id_list=entry.texts("link_id_list"),
        point=entry.points("point"),
        intersection_controller_id=entry.text("intersection_controller_id"),
        signal_id_list=entry.texts("signal_id_list"),
    )


def controller_from_entry(entry: MgeoEntry) -> IntersectionController:
    """A controller: groups of signal ids. A group of one may stand as the bare id."""
    groups: list[list[str]] = []
    for group in entry.items("TL"):
        ids = group if isinstance(group, list) else [group]
        if not all(isinstance(item, str | int) for item in ids):
            raise entry.refuse("TL", f"group {len(groups)} is not a list of signal ids", "list ids only")
        groups.append([str(item) for item in ids])
    return IntersectionController(idx=entry.idx(), TL=groups)


def is_programme(entry: MgeoEntry) -> bool:
    """Whether the record is a programme, whichever file it stands in.

    The K-City copy of 2021 keeps its programmes in synced_traffic_light_set.json.
    """
    return "TLState" in entry.data


def programme_from_entry(entry: MgeoEntry) -> IntersectionProgramme:
    """A controller's programme.

    Raises:
        InputError: if a duration is negative or a pedestrian row has not five numbers.
    """
    states = [
        SignalStateRecord(duration=_duration(state, "duration"), lightcolor=state.texts("lightcolor"))
        for state in entry.entries("TLState")
    ]
    yellow = entry.numbers("yelloduration", "yellowduration")
    if any(duration < 0 for duration in yellow):
        raise entry.refuse("yelloduration", "a duration is negative", "give seconds of 0 or more")
    rows: list[list[float]] = []
    for row in entry.items("PSState"):
        if not isinstance(row, list) or len(row) != 5:
            raise entry.refuse(
                "PSState",
                f"row {len(rows)} has not five numbers",
                "give state, synced light, before, green and flicker seconds",
            )
        rows.append(
            [
                MgeoEntry(entry.source, entry.place, {"PSState": item}, set()).number("PSState", default=0.0)
                for item in row
            ]
        )
    return IntersectionProgramme(idx=entry.idx(), TLState=states, yelloduration=yellow, PSState=rows)


def _duration(state: MgeoEntry, key: str) -> float:
    """A time in seconds, not negative."""
    found = state.number(key, default=0.0)
    if found < 0:
        raise state.refuse(key, f"the duration is negative ({found})", "give seconds of 0 or more")
    return found


def programme_fits(programme: IntersectionProgramme, controller: IntersectionController | None) -> bool:
    """Whether each state of a programme has one colour for each group of its controller."""
    return controller is not None and all(len(state.lightcolor) == len(controller.TL) for state in programme.TLState)


def choose_programmes(
    candidates: Sequence[tuple[str, list[IntersectionProgramme]]],
    controllers: Sequence[IntersectionController],
    notices: list[str],
) -> list[IntersectionProgramme]:
    """The programmes of a map whose files hold more than one set of them.

    V_RHT_Suburb_03 has two: intersection_controller_state.json, whose ids and numbers of colours agree with
    intersection_controller_set.json, and synced_traffic_light_state.json, left from an earlier numbering of the
    controllers (IntTL0 to IntTL7). So the file that fits most controllers is taken, and of equals the first.

    Args:
        candidates: file name and programmes, the newest file name first.
        controllers: the map's controllers.
        notices: takes a line for each file that is left out.
    """
    by_id = {controller.idx: controller for controller in controllers}
    filled = [(source, programmes) for source, programmes in candidates if programmes]
    if not filled:
        return []
    fits = [sum(programme_fits(item, by_id.get(item.idx)) for item in programmes) for _, programmes in filled]
    best = fits.index(max(fits))
    taken, chosen = filled[best]
    for number, (source, programmes) in enumerate(filled):
        if number != best:
            notices.append(
                f"{source}: left out; {fits[number]} of its {len(programmes)} light programmes fit the controllers, "
                f"in {taken} {fits[best]} of {len(chosen)}"
            )
    return chosen
