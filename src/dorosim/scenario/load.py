"""What loading a scenario removes from the world and creates in it, by the options of the message Scenario Load.

The pages say (documents/udp-messages-en.txt and ros-messages-ko.txt, Scenario Load): with `delete_all` the scenario's
data except the ego vehicle are deleted and loaded; without it, the options choose what is loaded. So `delete_all`
speaks of everything but the ego vehicle and the network settings, whose own options count in either case.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Flag, auto

from dorosim.scenario.plan import ScenarioPlan


class LoadKind(Flag):
    """Kinds of things that a scenario creates."""

    VEHICLE = auto()
    PEDESTRIAN = auto()
    OBSTACLE = auto()
    VEHICLE_SPAWN_POINT = auto()
    PEDESTRIAN_SPAWN_POINT = auto()
    FRICTION_AREA = auto()
    SHADED_AREA = auto()


NPC_KINDS = LoadKind.VEHICLE | LoadKind.VEHICLE_SPAWN_POINT
PEDESTRIAN_KINDS = LoadKind.PEDESTRIAN | LoadKind.PEDESTRIAN_SPAWN_POINT
OBJECT_KINDS = LoadKind.OBSTACLE | LoadKind.FRICTION_AREA | LoadKind.SHADED_AREA
ALL_KINDS = NPC_KINDS | PEDESTRIAN_KINDS | OBJECT_KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadOptions:
    """The options of the message, by the names of the pages."""

    delete_all: bool = False
    network: bool = True
    ego: bool = True
    npc: bool = True
    pedestrian: bool = True
    object: bool = True
    pause: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadWork:
    """What a load does, in this order.

    Attributes:
        delete: kinds of which everything in the world is removed, whatever created it.
        replace: kinds of which only what has the scenario id of something in `create` is removed, so that a scenario
            that is loaded twice does not stand in the world twice.
        create: the part of the plan that is created; its `ego` says where the ego vehicle is put.
        load_network: read the network settings of the scenario's name, if there are any.
        pause: whether the simulation pauses afterwards, or runs.
    """

    delete: LoadKind
    replace: LoadKind
    create: ScenarioPlan
    load_network: bool
    pause: bool


def select_work(plan: ScenarioPlan, options: LoadOptions) -> LoadWork:
    """What loading a plan does. Traffic lights have no option of their own and are always set."""
    loaded = ALL_KINDS if options.delete_all else LoadKind(0)
    for chosen, kinds in (
        (options.npc, NPC_KINDS),
        (options.pedestrian, PEDESTRIAN_KINDS),
        (options.object, OBJECT_KINDS),
    ):
        loaded |= kinds if chosen else LoadKind(0)
    return LoadWork(
        delete=ALL_KINDS if options.delete_all else LoadKind(0),
        replace=LoadKind(0) if options.delete_all else loaded,
        create=replace(
            plan,
            ego=plan.ego if options.ego else None,
            vehicles=plan.vehicles if LoadKind.VEHICLE in loaded else (),
            pedestrians=plan.pedestrians if LoadKind.PEDESTRIAN in loaded else (),
            obstacles=plan.obstacles if LoadKind.OBSTACLE in loaded else (),
            vehicle_spawn_points=plan.vehicle_spawn_points if LoadKind.VEHICLE_SPAWN_POINT in loaded else (),
            pedestrian_spawn_points=plan.pedestrian_spawn_points if LoadKind.PEDESTRIAN_SPAWN_POINT in loaded else (),
            friction_areas=plan.friction_areas if LoadKind.FRICTION_AREA in loaded else (),
            shaded_areas=plan.shaded_areas if LoadKind.SHADED_AREA in loaded else (),
        ),
        load_network=options.network,
        pause=options.pause,
    )
