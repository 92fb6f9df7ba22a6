"""What commonroad-crime makes of encounters, as JSON. Runs in the environment of the peer, without dorosim.

Argument: a JSON file (tests/scenario/criterion/case.py). Two things of the library are changed, so that its formulas
can be compared closely: it does not round to two decimals or so, and a lane whose heading is exactly 0, which it takes
for none, has a tiny one. Infinite values are null.
"""

import json
import logging
import math
import sys
from pathlib import Path

import commonroad_crime.utility.general as general
import commonroad_crime.utility.solver as solver
import numpy as np
from commonroad.geometry.shape import Rectangle
from commonroad.prediction.prediction import TrajectoryPrediction
from commonroad.scenario.intersection import Intersection, IntersectionIncomingElement
from commonroad.scenario.lanelet import Lanelet, LaneletNetwork
from commonroad.scenario.obstacle import DynamicObstacle, ObstacleType
from commonroad.scenario.scenario import Scenario, ScenarioID, Tag
from commonroad.scenario.state import InitialState, KSState
from commonroad.scenario.trajectory import Trajectory
from commonroad_crime.data_structure.configuration import CriMeConfiguration
from commonroad_crime.measure import DCE, ET, HW, PET, THW, TTC, ALongReq, LongJ

logging.disable(logging.CRITICAL)
general.int_round = lambda value, tolerance=1: value
_width_and_heading = solver.compute_lanelet_width_orientation


def width_and_heading(lanelet, position):
    """Width and heading of a lane [m, rad]; never 0."""
    width, heading = _width_and_heading(lanelet, position)
    return width, heading or 1e-12


solver.compute_lanelet_width_orientation = width_and_heading

EGO, OTHER = 100, 200


def lane(number, begin, end, heading, width, before=(), after=()):
    """A straight lane from one place to another along a direction through the origin."""
    along = np.array([math.cos(heading), math.sin(heading)])
    left = np.array([-along[1], along[0]]) * width / 2.0
    middle = np.linspace(begin, end, max(int(end - begin) // 2, 2) + 1)[:, None] * along
    return Lanelet(middle + left, middle, middle - left, number, predecessor=list(before), successor=list(after))


def network(crosses, width):
    """One lane, or two that cross, with three parts each."""
    if not crosses:
        return LaneletNetwork.create_from_lanelet_list([lane(1, -100.0, 500.0, 0.0, width)])
    half, lanes = width / 2.0, []
    for first, heading in ((1, 0.0), (11, math.pi / 2.0)):
        lanes += [
            lane(first, -150.0, -half, heading, width, (), (first + 1,)),
            lane(first + 1, -half, half, heading, width, (first,), (first + 2,)),
            lane(first + 2, half, 200.0, heading, width, (first + 1,), ()),
        ]
    found = LaneletNetwork.create_from_lanelet_list(lanes)
    incomings = [
        IntersectionIncomingElement(1000 + first, {first}, successors_straight={first + 1}) for first in (1, 11)
    ]
    found.add_intersection(Intersection(1000, incomings))
    return found


def vehicle(number, one, heading, roads, dt):
    """A vehicle with the way that it takes."""
    shape = Rectangle(one["length"], one["width"])
    places = [np.array([place * math.cos(heading), place * math.sin(heading)]) for place in one["place"]]
    start = InitialState(
        time_step=0,
        position=places[0],
        orientation=heading,
        velocity=one["speed"][0],
        acceleration=0.0,
        yaw_rate=0.0,
        slip_angle=0.0,
    )
    states = [
        KSState(time_step=step, position=places[step], orientation=heading, velocity=one["speed"][step])
        for step in range(1, len(places))
    ]
    lanes = {step: set(roads.find_lanelet_by_position([place])[0]) for step, place in enumerate(places)}
    prediction = TrajectoryPrediction(Trajectory(1, states), shape, lanes)
    return DynamicObstacle(number, ObstacleType.CAR, shape, start, prediction)


def scenario(case, data):
    """An encounter as the library has it."""
    roads = network(case["crosses"], data["lane_width"])
    made = Scenario(data["dt"], ScenarioID(), tags={Tag.INTERSECTION} if case["crosses"] else set())
    made.add_objects(roads)
    ego, other = case["vehicles"]
    made.add_objects(vehicle(EGO, ego, 0.0, roads, data["dt"]))
    made.add_objects(vehicle(OTHER, other, math.pi / 2.0 if case["crosses"] else 0.0, roads, data["dt"]))
    return made


def measured(case, data):
    """The measures of an encounter."""
    found = {}
    measures = {"dce": DCE, "pet": PET, "et": ET} if case["crosses"] else FOLLOWING
    for name, measure in measures.items():
        configuration = CriMeConfiguration()
        configuration.update(ego_id=EGO, sce=scenario(case, data))
        value = float(measure(configuration).compute(vehicle_id=OTHER, time_step=data["look"], verbose=False))
        assert not math.isnan(value), (case["name"], name)
        found[name] = value if math.isfinite(value) else None
    return found


FOLLOWING = {"gap": HW, "ttc": TTC, "thw": THW, "required": ALongReq, "dce": DCE, "jerk": LongJ}

data = json.loads(Path(sys.argv[1]).read_text())
print(json.dumps({case["name"]: measured(case, data) for case in data["cases"]}, indent=1))
