"""Towns by seed and size, in MGeo form."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.mapmaking.curve import Chain, Curve, CurvePose, connection, line, turn
from dorosim.mapmaking.draft import MapDraft
from dorosim.mapmaking.grid import plan_town
from dorosim.mapmaking.junction import Junction, build_junction
from dorosim.mapmaking.marking import (
    SIGN_ROUNDABOUT,
    SIGN_STOP,
    SIGN_YIELD,
    add_entry_sign,
    add_exit_signs,
    draw_arrows,
    draw_crosswalk,
    draw_stop_line,
    join_crosswalk_lights,
)
from dorosim.mapmaking.parking import DRIVEWAY_LANE_WIDTH, build_lot
from dorosim.mapmaking.plan import Arm, Control, Heading, Interchange, MapPlan, Road, Site, Size
from dorosim.mapmaking.ring import Ring, build_off_ramp, build_on_ramp, build_ring, ring_axis
from dorosim.mapmaking.roundabout import MOUTH, build_roundabout
from dorosim.mapmaking.signal import build_signals, plan_signals
from dorosim.mapmaking.street import Mouth, Street, build_street, has_room
from dorosim.mapmaking.terrain import HillyGround, shape_terrain
from dorosim.road.mgeo.record import GlobalInfo, MGeoMap

__all__ = ["Size", "generate_town"]

_ORIGIN = (352000.0, 4132000.0, 35.0)
"""Where the towns lie in UTM zone 52 north: in the hills south of Seoul, 37.3 degrees north. They are not there."""

_CORNER = {Control.SIGNAL: 11.5, Control.STOP: 11.5, Control.YIELD: 9.0}
"""Distance from the kerb of the crossing road to the mouth [m]: room for the corner and the crosswalk."""

_PLAIN_MOUTH = 12.0


def generate_town(seed: int, size: Size = Size.DEFAULT, name: str = "town") -> MGeoMap:
    """A town by seed and size: the same arguments give the same map, to the last digit.

    The town has right-hand traffic and its origin near its centre. It has signalised junctions with controllers and
    programmes, a roundabout, junctions with stop signs, one-way and two-way streets of one to three lanes with turn
    lanes, a ring road with bridges and ramps, hills, and a parking lot. Every lane can be reached from every other.

    Args:
        seed: of all choices, not negative.
        size: small (about 0.8 x 0.5 km, two signalised junctions), default (1.1 x 0.8 km) or large (3 x 2.6 km).
        name: of the map.

    Raises:
        InputError: if the seed is negative.
    """
    if seed < 0:
        raise InputError("town", f"seed {seed}", "a seed is not negative", "choose 0 or more")
    noise = Noise(seed)
    plan = plan_town(size, noise)
    terrain = shape_terrain(plan.half_width, plan.half_height, plan.grade, noise)
    return build_map(plan, terrain, name)


def build_map(plan: MapPlan, terrain: HillyGround, name: str) -> MGeoMap:
    """The map of a plan.

    Args:
        plan: what to build.
        terrain: the ground that it is built on.
        name: of the map.
    """
    builder = _Builder(plan, MapDraft(name, terrain))
    builder.build()
    town = builder.draft.town
    town.info = GlobalInfo(
        coordinate_system="UTM52N",
        origin=_ORIGIN,
        traffic_dir="RHT",
        country="KR",
        license="Apache-2.0",
    )
    return town


class _Builder:
    """Builds a plan, part after part, and keeps the mouths of the roads at each site."""

    def __init__(self, plan: MapPlan, draft: MapDraft) -> None:
        self.plan = plan
        self.draft = draft
        self.mouths: dict[str, list[Mouth]] = {key: [] for key in plan.sites}
        self.setbacks = _setbacks(plan)
        self.one_way: set[tuple[str, int]] = set()

    def build(self) -> None:
        """Draw everything."""
        for road in self.plan.roads:
            self._build_road(road)
        if self.plan.interchanges:
            self._build_ring()
        for lot in self.plan.lots:
            self.mouths[lot.site].append(build_lot(self.draft, self._mouth_pose(lot)))
        for key, site in self.plan.sites.items():
            arms = sorted(self.mouths[key], key=lambda mouth: math.fmod(_outward(mouth) + 4.5 * math.pi, math.tau))
            self._build_site(key, site, arms)
        join_crosswalk_lights(self.draft)

    def _build_ring(self) -> None:
        kind = self.plan.ring
        axis = ring_axis(self.plan.half_width, self.plan.half_height, kind.corner)
        ring = build_ring(self.draft, axis, [item.crossing for item in self.plan.interchanges], kind)
        for number, interchange in enumerate(self.plan.interchanges):
            self._build_ramps(ring, number, interchange)

    def _mouth_pose(self, arm: Arm) -> CurvePose:
        """Where a road leaves a site, heading away from it."""
        site = self.plan.sites[arm.site]
        return CurvePose(site.x, site.y, arm.heading.angle).moved(self.setbacks[arm])

    def _build_road(self, road: Road) -> None:
        start, end = self._mouth_pose(road.start), self._mouth_pose(road.end).turned()
        curve = _road_curve(start, end, road.via, road.bend)
        kind = road.kind
        wanted = (self._turns_left(road.end), self._turns_left(road.start))
        room = kind.lanes > 1 and not kind.one_way and has_room(curve.length, sum(wanted))
        street = Street(
            road=self.draft.road_id(),
            curve=curve,
            lanes=(kind.lanes, 0 if kind.one_way else kind.lanes),
            turn_lanes=(room and wanted[0], room and wanted[1]),
            width=kind.width,
            speed_kmh=kind.speed_kmh,
        )
        first, last = build_street(self.draft, street)
        self.mouths[road.start.site].append(first)
        self.mouths[road.end.site].append(last)
        add_exit_signs(self.draft, first, one_way=kind.one_way)
        add_exit_signs(self.draft, last, one_way=kind.one_way)

    def _turns_left(self, arm: Arm) -> bool:
        """Whether vehicles that come in at an arm of a signalised site can turn left there."""
        left = Arm(arm.site, arm.heading.turned(3))
        out = [road.start for road in self.plan.roads] + [r.end for r in self.plan.roads if not r.kind.one_way]
        out += [ramp for ramp, leaves_site in _ramp_arms(self.plan) if leaves_site]
        return self.plan.sites[arm.site].control is Control.SIGNAL and left in out

    def _build_ramps(self, ring: Ring, number: int, interchange: Interchange) -> None:
        for key, nose, side in (
            (interchange.inner, ring.inner[number], 1),
            (interchange.outer, ring.outer[number], 3),
        ):
            off = Arm(key, interchange.heading.turned(side))
            on = Arm(key, interchange.heading.turned(side + 2))
            self.mouths[key].append(build_off_ramp(self.draft, nose, self._mouth_pose(off).turned(), self.plan.ring))
            mouth = build_on_ramp(self.draft, nose, self._mouth_pose(on), self.plan.ring)
            self.mouths[key].append(mouth)
            add_exit_signs(self.draft, mouth, one_way=True)

    def _build_site(self, key: str, site: Site, arms: Sequence[Mouth]) -> None:
        idx = self.draft.name("JC")
        if site.control is Control.ROUNDABOUT:
            build_roundabout(self.draft, idx, (site.x, site.y), arms)
            for mouth in arms:
                add_entry_sign(self.draft, mouth, SIGN_YIELD)
                add_entry_sign(self.draft, mouth, SIGN_ROUNDABOUT, before=5.0)
            return
        junction = build_junction(self.draft, idx, arms)
        if site.control is Control.SIGNAL:
            self._signalise(junction)
            return
        for arm, mouth in enumerate(arms):
            if mouth.entries and not _is_major(site, mouth):
                stops = site.control is Control.STOP
                draw_stop_line(self.draft, mouth, give_way=not stops)
                add_entry_sign(self.draft, mouth, SIGN_STOP if stops else SIGN_YIELD)
            if site.control is Control.STOP and mouth.entries:
                draw_arrows(self.draft, junction, arm, (9.0,))
            if any(one.site == key and _leads(one.heading, mouth) for one in self.plan.crosswalks):
                draw_crosswalk(self.draft, junction, arm)

    def _signalise(self, junction: Junction) -> None:
        signals = plan_signals(junction)
        crosswalks = {item.arm: draw_crosswalk(self.draft, junction, item.arm) for item in signals.crossings}
        build_signals(self.draft, junction, signals, crosswalks)
        for arm, mouth in enumerate(junction.mouths):
            if mouth.entries:
                draw_stop_line(self.draft, mouth)
                draw_arrows(self.draft, junction, arm, (9.0, 27.0) if len(mouth.entries) > 1 else (9.0,))


def _outward(mouth: Mouth) -> float:
    return mouth.inward.heading + math.pi


def _is_major(site: Site, mouth: Mouth) -> bool:
    """Whether an arm belongs to the road with priority."""
    return any(_leads(heading, mouth) for heading in site.major)


def _leads(heading: Heading, mouth: Mouth) -> bool:
    """Whether an arm leaves its site in a direction."""
    return math.cos(heading.angle - _outward(mouth)) > 0.7


def _road_curve(start: CurvePose, end: CurvePose, via: Sequence[CurvePose], bend: float) -> Curve:
    """The axis of a road between its mouths, through the poses between its bends."""
    stops = [start, *via, end]
    pieces: list[Curve] = []
    for here, there in itertools.pairwise(stops):
        if abs(math.sin(there.heading - here.heading)) > 0.5:
            pieces.append(turn(here, there, bend))
        elif abs(math.atan2(there.y - here.y, there.x - here.x) - here.heading) < 1e-4:
            pieces.append(line(here, math.hypot(there.x - here.x, there.y - here.y)))
        else:
            pieces.append(connection(here, there))
    return pieces[0] if len(pieces) == 1 else Chain(pieces)


def _ramp_arms(plan: MapPlan) -> list[tuple[Arm, bool]]:
    """Arms at which ramps meet sites, and whether one leaves the site there."""
    arms = []
    for item in plan.interchanges:
        for key, side in ((item.inner, 1), (item.outer, 3)):
            arms.append((Arm(key, item.heading.turned(side)), False))
            arms.append((Arm(key, item.heading.turned(side + 2)), True))
    return arms


def _setbacks(plan: MapPlan) -> dict[Arm, float]:
    """Distance of the mouth of each arm from its site [m]: beyond the crossing road's kerb and the corner."""
    halves: dict[Arm, float] = {}
    for road in plan.roads:
        for arm in (road.start, road.end):
            signalled = plan.sites[arm.site].control is Control.SIGNAL
            halves[arm] = road.kind.half_width(turn_lane=signalled and road.kind.lanes > 1)
    for arm, _ in _ramp_arms(plan):
        halves[arm] = 0.5 * plan.ring.width
    for arm in plan.lots:
        halves[arm] = DRIVEWAY_LANE_WIDTH
    setbacks = {}
    for arm in halves:
        control = plan.sites[arm.site].control
        if control is Control.ROUNDABOUT:
            setbacks[arm] = MOUTH
            continue
        beside = [Arm(arm.site, arm.heading.turned(quarters)) for quarters in (1, 3)]
        widths = [halves[other] for other in beside if other in halves]
        setbacks[arm] = (max(widths) + _CORNER[control]) if widths else _PLAIN_MOUTH
    return setbacks
