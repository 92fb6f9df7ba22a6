"""What Lanelet2's own library makes of a file, as JSON. Runs in the environment of the peer, without dorosim.

Arguments: the .osm file, latitude and longitude of the origin of the projection [deg].
"""

import json
import sys

import lanelet2
from lanelet2 import io, projection, routing, traffic_rules

path, latitude, longitude = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
projector = projection.UtmProjector(io.Origin(latitude, longitude))
town = io.load(path, projector)
rules = traffic_rules.create(traffic_rules.Locations.Germany, traffic_rules.Participants.VehicleCar)
graph = routing.RoutingGraph(town, rules)


def places(line):
    """Latitude, longitude and height of the points of a line."""
    found = [projector.reverse(lanelet2.core.BasicPoint3d(one.x, one.y, one.z)) for one in line]
    return [[one.lat, one.lon, one.alt] for one in found]


def number(lanelet):
    return None if lanelet is None else lanelet.id


lanelets = [
    {
        "id": one.id,
        "tags": dict(one.attributes),
        "centre": places(one.centerline),
        "drivable": rules.canPass(one),
        "one_way": rules.isOneWay(one),
        "speed": rules.speedLimit(one).speedLimit,
        "following": sorted(after.id for after in graph.following(one)),
        "left": number(graph.left(one)),
        "right": number(graph.right(one)),
        "adjacent_left": number(graph.adjacentLeft(one)),
        "adjacent_right": number(graph.adjacentRight(one)),
        "lights": [light.id for light in one.trafficLights()],
    }
    for one in town.laneletLayer
]
lights = {
    one.id: {
        "heads": {head.id: [dict(head.attributes), places(head)] for head in one.trafficLights},
        "stop_line": None if one.stopLine is None else places(one.stopLine),
    }
    for one in town.regulatoryElementLayer
    if isinstance(one, lanelet2.core.TrafficLight)
}
json.dump({"lanelets": lanelets, "lights": lights}, sys.stdout)
