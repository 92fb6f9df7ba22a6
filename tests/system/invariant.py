"""What holds in every world after every tick, whatever was asked of it. Each function here is one such law."""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from dorosim.recording.format import RunHeader
from dorosim.recording.snapshot import snapshot_from_bytes, snapshot_to_bytes
from dorosim.world.actor.command import PlaceActor
from dorosim.world.collision.body import BodyKind
from dorosim.world.command import Command
from dorosim.world.scene import Scene
from dorosim.world.signal.effect import LAMPS
from dorosim.world.signal.state import WalkSignal
from dorosim.world.signal.update import NO_LAMP
from dorosim.world.snapshot import EGO, LAST_ID, STATE, Snapshot
from dorosim.world.snapshot_validation import flaw_of
from dorosim.world.traffic.state import Passing, Presence
from dorosim.world.vehicle.command import PlaceVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from dorosim.world.vehicle.single_track_kernel import DYNAMIC_SPEED
from tests import packet
from tests.world.collision.standing import deepest

FASTEST = 301.0
"""No command asks for more than 300 m/s [m/s]."""
FASTEST_HIT = 801.0
"""No impact makes anybody faster than 600 m/s, and a body of 4 m that spins at 50 rad/s has 200 m/s more at its end
(`world/collision/impact_kernel.py`)."""
MAY_BE_INFINITE = (
    "people.state.crossing_begin",
    "people.state.crossing_end",
    "people.state.allowed_speed",
    "crosswalk.gap",
)
"""Columns in which infinity means "nowhere" or "never"."""
BESIDE = 2.5
"""The body of one who drives along a lane does not reach its centre line exactly in a bend [m]."""
REACH = 1e-6
"""Rounding of arc lengths [m]."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A tick of a run.

    Attributes:
        seed: of the run, for messages.
        scene, header: of the run.
        first: its first snapshot.
        before, now: the snapshots before and after the tick.
        digest_before: digest of `before` as it was when the tick began.
        sent: datagrams of the tick by the names of their messages; empty if none were built.
        asked: commands of the tick.
    """

    seed: int
    scene: Scene
    header: RunHeader
    first: Snapshot
    before: Snapshot
    now: Snapshot
    digest_before: bytes
    sent: dict[str, bytes]
    asked: Sequence[Command]


Flaws = Iterator[str]
ON_GROUND = 0.02
"""[m]"""
WHEEL_PLACES = ("wheelbase", "front_track", "rear_track", "width", "wheel_radius")
MAX_DEPTH_IN_SCENERY = 0.1
"""[m]"""
PLACES_A_VEHICLE = (PlaceActor, PlaceVehicle)
"""These put a vehicle where a client wants it, and with the speed that it wants."""


def numbers_are_finite(m: Moment) -> Flaws:
    """No NaN anywhere; infinity where it means "never" only."""
    if all(np.isfinite(array).all() for array in STATE.arrays(m.now)):
        return
    for path, values in STATE.leaves(m.now).items():
        if values.dtype.kind == "f":
            wrong = np.isnan(values) if path in MAY_BE_INFINITE else ~np.isfinite(values)
            if wrong.any():
                yield f"{path} holds {values[wrong][0]} at {np.argwhere(wrong)[0].tolist()}"


def ids_are_unique(m: Moment) -> Flaws:
    """No two things in the world have the same id, and all ids have been given."""
    now = m.now
    tables = {
        "ego": now.vehicle.id,
        "NPC": now.traffic.id[now.traffic.plan_of_ego == 0],
        "ghost": now.ghost.id,
        "person": now.people.state.id,
        "obstacle": now.obstacles.state.id,
        "map object": now.friction.objects.id,
        "vehicle spawn point": now.spawn.vehicle.id,
        "pedestrian spawn point": now.spawn.pedestrian.id,
    }
    ids = [(actor, kind) for kind, table in tables.items() for actor in table.tolist()]
    for actor, count in Counter(actor for actor, _ in ids).items():
        if count > 1:
            yield f"id {actor} is that of {[kind for one, kind in ids if one == actor]}"
        if not 1 <= actor <= now.last_id <= LAST_ID:
            yield f"id {actor} has not been given; the last one is {now.last_id}"


def ids_are_not_used_again(m: Moment) -> Flaws:
    """An id that was given stays given, and no new actor has one of before."""
    if m.now.last_id < m.before.last_id:
        yield f"the last id went from {m.before.last_id} back to {m.now.last_id}"
    for path in ("vehicle", "ghost", "people.state", "obstacles.state", "friction.objects"):
        old, new = attrgetter(f"{path}.id")(m.before), attrgetter(f"{path}.id")(m.now)
        again = [actor for actor in set(new.tolist()) - set(old.tolist()) if actor <= m.before.last_id]
        if again:
            yield f"{path}: id {again[0]} came again"


def npcs_are_on_their_lanes(m: Moment) -> Flaws:
    """Who is on a lane is within its length, not beside it, and its body is there too."""
    network, traffic = m.scene.network, m.now.traffic
    rows = np.flatnonzero(traffic.present == Presence.ON_LANE)
    link, s, lateral = traffic.link[rows], traffic.s[rows], traffic.lateral[rows]
    lost = rows[(link < 0) | (link >= network.link_count)]
    if len(lost):
        yield f"NPC {traffic.id[lost[0]]} is on link {traffic.link[lost[0]]} of {network.link_count}"
        return
    if not len(rows):
        return

    def told(wrong: np.ndarray[Any, Any], what: str) -> Flaws:
        for row in np.flatnonzero(wrong)[:1].tolist():
            name = network.link_ids[int(link[row])]
            where = f"at {s[row]:.3f} m of {network.link_length[link[row]]:.3f} m, {lateral[row]:.3f} m beside"
            yield f"NPC {traffic.id[rows[row]]} {what}: link {name}, {where}"

    yield from told(~network.link_drivable[link], "is on a lane that is not for vehicles")
    yield from told((s < -REACH) | (s > network.link_length[link] + REACH), "is beyond the end of its lane")
    # the plan of an ego vehicle begins wherever that stands
    rows = rows[traffic.plan_of_ego[rows] == 0]
    link, s, lateral = traffic.link[rows], traffic.s[rows], traffic.lateral[rows]
    if not len(rows):
        return
    width = network.width_at(link, s)
    # a vehicle that changes lanes starts from the middle of the lane beside; one that passes may go beyond it
    passes, changes = traffic.passing[rows] != Passing.NOTHING, traffic.change_from[rows] >= 0
    room = np.where(passes, 2.5, np.where(changes, 1.5, 0.5)) * width + REACH
    yield from told(np.abs(lateral) > room, "is beside its lane")
    pose = network.pose_at(link, s)
    nose = traffic.wheelbase[rows] + traffic.front_overhang[rows]
    front_x = traffic.x[rows] + nose * np.cos(traffic.yaw[rows])
    front_y = traffic.y[rows] + nose * np.sin(traffic.yaw[rows])
    gap = np.hypot(front_x - pose.point[:, 0], front_y - pose.point[:, 1])
    yield from told(gap > room + BESIDE, "has its body elsewhere")


def speeds_are_bounded(m: Moment) -> Flaws:
    """Nobody is faster than anybody was ever asked to be."""
    now = m.now
    vehicle, people, obstacles = now.vehicle, now.people.state, now.obstacles.state
    on_lane = now.traffic.present == Presence.ON_LANE
    for name, ids, x, y, most in (
        ("ego", vehicle.id, vehicle.velocity_x, vehicle.velocity_y, FASTEST_HIT),
        ("NPC", now.traffic.id[on_lane], now.traffic.speed[on_lane], 0.0, FASTEST),
        ("NPC off its lane", now.traffic.id, now.traffic.slide_x, now.traffic.slide_y, FASTEST_HIT),
        ("ghost", now.ghost.id, now.ghost.velocity_x, now.ghost.velocity_y, FASTEST),
        ("person", people.id, people.velocity_x, people.velocity_y, FASTEST_HIT),
        ("obstacle", obstacles.id, obstacles.velocity_x, obstacles.velocity_y, FASTEST_HIT),
    ):
        speed = np.hypot(x, y)
        if (speed > most).any():
            yield f"{name} {ids[speed.argmax()]} goes at {speed.max():g} m/s"
    if (now.traffic.speed < 0.0).any():
        yield f"NPC {now.traffic.id[now.traffic.speed.argmin()]} drives backwards"


def no_vehicle_is_inside_of_what_stands(m: Moment) -> Flaws:
    """No vehicle on its wheels comes deeper than 10 cm into a solid part, unless it is put or held there."""
    now = m.now
    if (
        now.time == m.before.time
        or now.egos != m.before.egos
        or not (now.contact.second_kind == BodyKind.SCENERY).any()
    ):
        return
    free = (now.vehicle.control_kind != ControlKind.GHOST) & (now.vehicle.paused == 0) & (now.vehicle.placed == 0)
    free &= now.vehicle.rolled == 0
    free &= ~np.isin(now.vehicle.id, [command.actor for command in m.asked if isinstance(command, PLACES_A_VEHICLE)])
    for row in np.flatnonzero(free).tolist():
        depth = deepest(now, m.scene.scenery, [row])
        # one that a client has put into something, or drove into it as a ghost, does what it will until it is out
        if depth > MAX_DEPTH_IN_SCENERY >= deepest(m.before, m.scene.scenery, [row]):
            yield f"ego {now.vehicle.id[row]} is {depth:.3f} m inside of what stands"


def loaded_wheels_stand_on_the_ground(m: Moment) -> Flaws:
    """A wheel that carries load is within 2 cm of the ground at its place, or as its rim rolls over a step there."""
    before, now, terrain = m.before.vehicle, m.now.vehicle, m.scene.terrain
    if terrain is None or m.asked or m.now.egos != m.before.egos or m.now.time == m.before.time:
        return
    loaded = (
        (now.wheel_gap == 0.0)
        & (now.rolled == 0)
        & (before.rolled == 0)
        & (now.control_kind != ControlKind.GHOST)
        & (now.paused == 0)
    )
    ahead = np.arange(-0.75, 1.0, 0.25)
    for wheel, row in np.argwhere(loaded).tolist():
        size = {name: float(getattr(m.now.parameter, name)[row]) for name in WHEEL_PLACES}
        along = size["wheelbase"] if wheel < 2 else 0.0
        across = 0.5 * (size["front_track"] if wheel < 2 else size["rear_track"]) or 0.4 * size["width"]
        across *= -1.0 if wheel % 2 else 1.0
        c, s = math.cos(before.yaw[row]), math.sin(before.yaw[row])
        way = along + ahead * size["wheel_radius"]
        x, y = before.x[row] + c * way - s * across, before.y[row] + s * way + c * across
        height = float(now.wheel_height[wheel, row])
        # of grounds above one another it keeps to the one that it has been on
        guess = np.full(len(x), before.wheel_height[wheel, row])
        found = terrain.height(np.column_stack((x, y, guess)))
        if not found[3] - ON_GROUND <= height <= found.max() + ON_GROUND:
            off = height - found[3]
            yield f"wheel {wheel} of ego {now.id[row]} is {off:.3f} m off the ground at ({x[3]:.2f}, {y[3]:.2f})"


def energy_does_not_come_from_nowhere(m: Moment) -> Flaws:
    """A vehicle whose driver asks for nothing new and who touches nobody gains no more than its drive and a slope give.

    Of the kinetic energy of each vehicle with full dynamics, rotation included, in a tick without commands. Where tyres
    roll without slip, at low speed and in vehicles of no inertia, the body turns as its wheels do, without a moment
    that would tell its energy.
    """
    before, now = m.before, m.now
    if now.outcomes or before.egos != now.egos or now.time == before.time:
        return
    dt = (now.time - before.time) * 1e-9
    # what stands gives no energy to anybody
    pushed = now.contact.second_kind != BodyKind.SCENERY
    pushed |= np.isin(-1 - now.contact.second_id, now.displaced.object)
    touched = {*now.contact.first_id[pushed].tolist(), *now.contact.second_id[pushed].tolist()}
    gained = _energy(now) - _energy(before)
    speed = np.hypot(before.vehicle.velocity_x, before.vehicle.velocity_y)
    mass = now.parameter.mass
    # drive force and a slope of 45 degrees, at the speed of the end of the tick if both go on
    most = now.parameter.drive_force + 7.0 * mass
    most = most * (speed + most / mass * dt) * dt
    most += _SLACK * np.maximum(_energy(before), mass)
    on_tyres = np.minimum(np.abs(before.vehicle.velocity_x), np.abs(now.vehicle.velocity_x)) > DYNAMIC_SPEED
    # the energy of a box that tumbles is not that of motion in the plane
    on_tyres &= (now.parameter.yaw_inertia > 0.0) & (before.vehicle.rolled == 0) & (now.vehicle.rolled == 0)
    for row in np.flatnonzero((gained > most) & on_tyres).tolist():
        driven = now.vehicle.control_mode[row] != ControlMode.GHOST
        if driven and int(now.vehicle.id[row]) not in touched and not now.vehicle.placed[row]:
            yield f"ego {now.vehicle.id[row]} gained {gained[row]:g} J of which {most[row]:g} J can be told"


_SLACK = 0.02
"""Share of its energy that integration may add in a tick."""


def _energy(now: Snapshot) -> np.ndarray[Any, np.dtype[np.float64]]:
    vehicle, parameter = now.vehicle, now.parameter
    # of the centre of gravity, which is before the body origin
    square = vehicle.velocity_x**2 + (vehicle.velocity_y + parameter.rear_distance * vehicle.angular_velocity[2]) ** 2
    return 0.5 * parameter.mass * square + 0.5 * parameter.yaw_inertia * vehicle.angular_velocity[2] ** 2


def lights_are_legal(m: Moment) -> Flaws:
    """Lights show sums of lamps, controllers are in a state of theirs, and clocks run within it."""
    light, controller, programme = m.now.signal.light, m.now.signal.controller, m.now.signal.programme
    for name, shown in (("shows", light.status), ("is told to show", light.command)):
        wrong = (shown != NO_LAMP) & ((shown < 0) | (shown & ~LAMPS != 0))
        for row in np.flatnonzero(wrong)[:1].tolist():
            yield f"light {m.scene.signal_plan.ids[row]} {name} {shown[row]}"
    walks = [int(one) for one in WalkSignal]
    if not np.isin(light.walk, walks).all() or not np.isin(light.once, (0, 1)).all():
        yield "a light says a walk that there is not"
    rows = np.arange(len(controller))
    there = programme.count > 0
    state = controller.state
    if ((state < 0) | (there & (state >= programme.count))).any():
        yield f"a controller is in state {state.max()}"
        return
    duration = programme.duration[rows, state]
    wrong = there & ((controller.remaining <= 0) | (controller.remaining > duration))
    wrong |= there & ((controller.due <= 0) | (controller.due > controller.remaining))
    for row in np.flatnonzero(wrong)[:1].tolist():
        left = f"{controller.remaining[row]} ns, due {controller.due[row]} ns, of {duration[row]} ns"
        yield f"controller {m.scene.signal_plan.controller_ids[row]}: left of state {state[row]}: {left}"


def time_goes_on(m: Moment) -> Flaws:
    """A tick has its number, and its length unless the run is paused."""
    if m.now.tick != m.before.tick + 1:
        yield f"tick {m.before.tick} is followed by {m.now.tick}"
    passed = 0 if m.now.paused else m.scene.tick
    if m.now.time - m.before.time != passed:
        yield f"{m.now.time - m.before.time} ns have passed, not {passed}"


def the_snapshot_is_sound(m: Moment) -> Flaws:
    """A snapshot of a run is one that a run may go on from."""
    flaw = flaw_of(m.scene, m.first, m.now)
    if flaw:
        yield flaw


def arrays_are_read_only(m: Moment) -> Flaws:
    """Nobody can change a snapshot."""
    for number, array in enumerate(STATE.arrays(m.now)):
        if array.flags.writeable:
            yield f"array {number} of shape {array.shape} can be written to"


def the_past_is_untouched(m: Moment) -> Flaws:
    """A tick changes nothing of the snapshot that it starts from."""
    if m.before.digest() != m.digest_before:
        yield "the snapshot before is not what it was"


def a_file_holds_it_all(m: Moment) -> Flaws:
    """A snapshot that is written and read again is the same."""
    again = snapshot_from_bytes("memory", snapshot_to_bytes(m.header, m.now)).snapshot
    if again.digest() != m.now.digest():
        yield "the snapshot that is read is not the one that was written"


def packets_are_finite(m: Moment) -> Flaws:
    """The status of the ego vehicle, and all slots, hold finite numbers."""
    if not np.isfinite(struct.unpack_from("<24f", m.sent["EgoVehicleStatus"], 45)).all():
        yield "the ego status holds a number that is none"
    for name, slots in _slots(m).items():
        for slot in slots:
            parts = (*slot.position, slot.heading, *slot.size, *slot.axles, *slot.velocity, *slot.acceleration)
            if not np.isfinite(parts).all():
                yield f"{name}: slot of actor {slot.id} holds {parts}"


def slots_name_actors(m: Moment) -> Flaws:
    """Slots name actors that are there, by their numbers, with a type that there is; the ego only where it may."""
    now = m.now
    tables = (now.vehicle, now.traffic, now.ghost, now.people.state, now.obstacles.state)
    there = {number for table in tables for number in now.number.numbers_of(table.id).tolist()}
    told = now.ghost.is_told != 0
    there -= {*now.number.numbers_of(now.ghost.id[told & (np.abs(now.ghost.alias) <= 32767)]).tolist()}
    there |= {*now.ghost.alias[told].tolist()}
    for name, slots in _slots(m).items():
        for slot in slots:
            among = name == "NpcVehicleCollisionData"
            known = slot.id in there and (slot.id != 1 or among)
            if slot.id < 0 and slot.type == 2 and name != "ObjectInfo":
                known |= -slot.id <= m.scene.scenery.objects.rows
            if not known or slot.type not in ({-1, 0, 1, 2} if slot.id == 1 else {0, 1, 2}):
                yield f"{name}: there is a slot of actor {slot.id} and type {slot.type}"


def slots_are_in_order(m: Moment) -> Flaws:
    """Object info and collisions tell of the nearest first, of each once, without holes."""
    here = struct.unpack_from("<3f", m.sent["EgoVehicleStatus"], 77)
    slots = _slots(m)
    for name in ("ObjectInfo", "CollisionData"):
        ids = [slot.id for slot in slots[name]]
        if len(set(ids)) != len(ids):
            yield f"{name} tells twice of one of {ids}"
        gaps = np.array([math.dist(slot.position, here) for slot in slots[name]])
        # places are float32 on the wire: far from the origin they are coarse
        coarse = 1e-6 * max(map(abs, (*here, *(part for slot in slots[name] for part in slot.position))), default=0.0)
        if (np.diff(gaps) < -1e-3 - coarse - 1e-5 * gaps[1:]).any():
            yield f"{name} is not nearest first: {gaps.tolist()}"
    info = m.sent["ObjectInfo"]
    if any(info[38 + 106 * len(slots["ObjectInfo"]) : 2158]):
        yield "there is something behind a hole in the object info"
    hits = m.sent["CollisionData"]
    if any(hits[39 + 28 * len(slots["CollisionData"]) : 179]):
        yield "there is something behind a hole in the collision data"


def contacts_are_told_once_each(m: Moment) -> Flaws:
    """Collision data has the nearest five of all that the ego vehicle touches, and each pair of others once."""
    contact = m.now.contact
    mine = {*contact.second_id[contact.first_id == EGO].tolist(), *contact.first_id[contact.second_id == EGO].tolist()}
    slots = _slots(m)["CollisionData"]
    if len(slots) != min(len(mine), 5):
        yield f"{[slot.id for slot in slots]} are told of the {len(mine)} that the ego vehicle touches"
    pairs = packet.collision_pairs(m.sent["NpcVehicleCollisionData"])
    names = [tuple(sorted(half.id for half in pair)) for pair in pairs]
    if len(set(names)) != len(names):
        yield f"pairs are told twice: {names}"


def lights_on_the_wire_are_legal(m: Moment) -> Flaws:
    """The light ahead shows a sum of lamps, and the intersection's state has lasted some time."""
    (status,) = struct.unpack_from("<h", m.sent["GetTrafficLightStatus"], 44)
    if status != NO_LAMP and (status < 0 or status & ~LAMPS):
        yield f"the light status is {status}"
    (elapsed,) = struct.unpack_from("<f", m.sent["GetIntersectionStatus"], 31)
    if not 0.0 <= elapsed <= 2.0 * 86_400.0 + 1.0:
        yield f"the intersection's state has lasted {elapsed} s"


def _slots(m: Moment) -> dict[str, list[packet.Slot]]:
    pairs = packet.collision_pairs(m.sent["NpcVehicleCollisionData"])
    return {
        "ObjectInfo": packet.object_slots(m.sent["ObjectInfo"]),
        "CollisionData": [slot for slot, _ in packet.collision_slots(m.sent["CollisionData"])],
        "NpcVehicleCollisionData": [half for pair in pairs for half in pair],
    }


OF_STATE: tuple[Callable[[Moment], Flaws], ...] = (
    numbers_are_finite,
    ids_are_unique,
    ids_are_not_used_again,
    npcs_are_on_their_lanes,
    speeds_are_bounded,
    energy_does_not_come_from_nowhere,
    lights_are_legal,
    no_vehicle_is_inside_of_what_stands,
    loaded_wheels_stand_on_the_ground,
    time_goes_on,
    arrays_are_read_only,
    the_past_is_untouched,
)
"""Laws of snapshots."""
OF_FILES: tuple[Callable[[Moment], Flaws], ...] = (the_snapshot_is_sound, a_file_holds_it_all)
"""Laws of snapshots that take long to check."""
NOW_AND_THEN = 8
"""Ticks from one check of those to the next."""
OF_PACKETS: tuple[Callable[[Moment], Flaws], ...] = (
    packets_are_finite,
    slots_name_actors,
    slots_are_in_order,
    contacts_are_told_once_each,
    lights_on_the_wire_are_legal,
)
"""Laws of status messages."""


def check(moment: Moment) -> None:
    """Check every law.

    Raises:
        AssertionError: one is broken; the message says which, in which tick of which seed.
    """
    slow = OF_FILES if moment.now.tick % NOW_AND_THEN == 0 else ()
    for law in (*OF_STATE, *slow, *(OF_PACKETS if moment.sent else ())):
        flaw = next(law(moment), None)
        where = f"seed {moment.seed}, tick {moment.now.tick}"
        assert flaw is None, f"{where}: {law.__name__}: {flaw}, after {list(moment.asked)}"
