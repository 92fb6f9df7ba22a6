"""What CARLA makes of an OpenDRIVE file, as JSON. Runs in the environment of the peer, without dorosim.

Arguments: the .xodr file, and a file with the question: {"lanes": [[road, lane, [s, ...], length], ...],
"points": [[x, y, z], ...]}, all to the right-handed frame of the file.
"""

import json
import sys
from pathlib import Path

import carla

town, asked = carla.Map("peer", Path(sys.argv[1]).read_text()), json.loads(Path(sys.argv[2]).read_text())


def place(waypoint):
    """Where a waypoint is: CARLA's frame is left-handed, with y to the south."""
    at = waypoint.transform.location
    return [at.x, -at.y, at.z]


lanes = []
for road, lane, stations, length in asked["lanes"]:
    found = [town.get_waypoint_xodr(road, lane, s) for s in stations]
    last = town.get_waypoint_xodr(road, lane, max(length - 0.5, 0.0))
    lanes.append(
        {
            "places": [None if one is None else place(one) for one in found],
            "widths": [None if one is None else one.lane_width for one in found],
            "after": sorted({(one.road_id, one.lane_id) for one in last.next(1.0)}) if last is not None else None,
        }
    )
nearest = [place(town.get_waypoint(carla.Location(x, -y, z))) for x, y, z in asked["points"]]
json.dump(
    {
        "roads": sorted({one.road_id for one in town.generate_waypoints(1.0)}),
        "lights": len(town.get_all_landmarks_of_type("1000001")),
        "lanes": lanes,
        "nearest": nearest,
    },
    sys.stdout,
)
