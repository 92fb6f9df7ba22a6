"""The form of the sources: sizes of files and functions, equal blocks, and constants of one name."""

from __future__ import annotations

import ast
import re
import statistics
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from tests.source import assignments, sources, texts, tree

MAX_FILE, MAX_FUNCTION, MAX_MEDIAN_FILE = 400, 60, 116
"""Lines."""

LONG_FUNCTIONS: dict[str, str] = {
    "sensor/scene/embree_kernel.py place_instances": "one loop of a kernel",
    "sensor/camera/render_kernel.py render_rows": "one loop of a kernel, which numba compiles as a whole",
    "app/serve/sensor/store.py open_station": "to be shortened",
    "world/actor/neighbour_kernel.py write_neighbours": "one loop of a kernel",
    "world/traffic/traffic_kernel.py advance_traffic": "the phases of a tick one after the other",
}
"""Functions of more lines, and why."""

LONG_FILES: dict[str, str] = {
    "endpoint/udp/endpoint.py": "to be shortened",
    "endpoint/loop/loop.py": "to be shortened",
}
"""Files of more lines, and why."""

BLOCK = 8
"""Lines of code, without comments, docstrings, imports and blank lines, that may not be in two places."""

EQUAL_BLOCKS: dict[tuple[str, ...], str] = {
    ("app/cli/sensor.py",): "to be merged",
    ("client/awaiting.py", "client/blocking.py"): "to be merged",
    ("sensor/scene/static/field_kernel.py",): "to be merged",
    ("wire/message.py",): "to be merged",
    ("world/draft.py", "world/snapshot.py"): "to be merged",
    ("world/vehicle/ground_vehicle_kernel.py", "world/vehicle/road_vehicle_kernel.py"): "to be merged",
    ("world/vehicle/road_vehicle.py",): "to be merged",
}
"""Files that have an equal block of that many lines or more, and why."""

SHARED = """
AZIMUTHS DEFAULT_RATE_HZ DISTANCE_STEP FAILURE FOREVER FRAME HOUR HURRIED LANES LAST_PORT MAX_ACTIVE_CALLS MAX_CALLERS
MAX_EGOS MILLISECOND MOST_OBJECTS MOST_SIDE NANOSECONDS NOBODY PULSE REACTION ROS SECOND SUCCESS UDP UNDEFINED VEHICLE
"""
"""Public constants with one name and one value in several modules."""

TWO_VALUES = """
ABOVE AHEAD ALIKE ASIDE BACKLOG BAND_HEIGHT BESIDE BRAKING BYTES CALL_THREADS CELL CHANGE_TIME CHUNK CLEARANCE DUAL
ERROR FAR FARTHEST FASTEST FLASH FLUSH_PERIOD FORESIGHT HEIGHT HOLD_BRAKE IDLE LANE_MARGIN LARGEST LAST LONGEST
LONGEST_HEADER LONGEST_PERIOD LONGEST_TEXT LOOK MARGIN MAX_HELD MAX_LANE_DISTANCE MAX_NAME_LENGTH MAX_TEXTS
MAX_WAITING_BYTES MOST MOST_ENTRIES MOST_TURNS NEAR NO_LIGHT PANEL_HEIGHT PATH_HEIGHT PATIENCE PAUSED PERIOD RAYS
REACH ROWS SAFE_DECELERATION SAMPLE SETTLED SHORTEST_PERIOD SHOWN SIZE SLOW SLOWEST SPACE STANDING STEP STOPPING
STRONGEST SYNCHRONOUS TURNING WIDTH WINDOW
"""
"""Public constants with one name and different values in several modules: names that are still to be made unique."""

OLD_STYLE = re.compile(r"_?(?:MOST|LEAST|LONGEST|FARTHEST|SHORTEST|PATIENCE|REACH)(?:_|$)")

OLD_NAMES = """
app/serve/host/bag.py _MOST_NAMES
app/serve/host/record.py _MOST_NAMES
app/store/scenario.py _MOST_NAMES
bridge/contact.py MOST_PAIRS
bridge/ros/guard.py MOST_ENTRIES
bridge/ros/objects.py MOST_OBJECTS
bridge/ros/sync.py MOST_GIVEN
bridge/run.py MOST_FRAMES
bridge/sensor/ray.py FARTHEST
bridge/udp/publish.py MOST_COLLISIONS MOST_OBJECTS
bridge/view/backdrop.py _LONGEST
bridge/view/camera.py _FARTHEST_GLIDE _LONGEST _SHORTEST
bridge/view/event.py MOST_LINES
bridge/view/keyboard.py LONGEST_HOLD
bridge/view/overlay.py MOST_LINKS
bridge/view/pick.py FARTHEST
bridge/view/sky.py _FARTHEST
bridge/view/spawn.py MOST_LISTED
bridge/view/telemetry.py MOST_ROWS
bridge/view/townscape.py MOST_TRIANGLES
endpoint/sensor/rehearsal.py PATIENCE
endpoint/sensor/station.py PATIENCE
scenario/sensor_set/flaw.py LONGEST_RANGE MOST_SIDE
scenario/sensor_set/read.py LONGEST
sensor/camera/light.py _MOST_GAIN
sensor/camera/setting.py MOST_SIDE
sensor/camera/sky_kernel.py _FARTHEST
sensor/lidar/planar.py _MOST_MM
sensor/scene/static/bridge.py _REACH
sensor/scene/static/embankment.py _LEAST
sensor/scene/static/field.py REACH
sensor/scene/static/refine.py _SHORTEST
sensor/scene/static/roadside.py _MOST_BUILDINGS _MOST_TREES
sensor/scene/static/signal.py _FARTHEST_POLE
wire/device/camera.py MOST_BOXES
wire/grpc/check.py LONGEST_LIST LONGEST_TEXT
wire/ros/bag.py LONGEST_CHUNK LONGEST_HEADER
wire/ros/bag_decoder.py LONGEST_DEFINITION
wire/ros/fragment.py MOST_OPEN MOST_PARTS
wire/ros/registry.py LONGEST
wire/ros/tcpros.py LONGEST_HEADER
wire/value_text.py LONGEST_TEXT MOST_ENTRIES MOST_NUMBERS
world/actor/label.py LONGEST
world/actor/neighbour_kernel.py MOST
world/collision/box_kernel.py LEAST_AREA
world/collision/contact_kernel.py LEAST_SIZE MOST_COMPARED MOST_TOUCHING
world/collision/grid_kernel.py FARTHEST MOST_CELLS_ALONG
world/environment/friction_area.py MOST_FRICTION
world/environment/gnss_denied_area.py MOST_SHADES
world/mount/command.py FARTHEST LONGEST_PERIOD LONGEST_PHASE LONGEST_TURN MOST_SENSORS SHORTEST_PERIOD SHORTEST_TURN
world/mount/setting.py MOST_PIXELS MOST_RANGE_NOISE MAX_DRAWN_SEGMENTS SHORTEST_RANGE
world/obstacle/motion.py MOST_TURNS
world/pedestrian/activity_kernel.py SHORTEST_CROSSING
world/pedestrian/avoidance_kernel.py MOST_NEAR MOST_TURNS
world/pedestrian/command.py LONGEST_SILENCE MOST_WAYPOINTS
world/pedestrian/crowd_kernel.py MOST_PUSHING MOST_REPULSION REACH
world/pedestrian/kerb.py LEAST MOST
world/pedestrian/walk_kernel.py LONGEST_STEP MOST_ACCELERATION
world/scene.py LONGEST_SUBSTEP
world/signal/command.py LONGEST MOST_STATES SHORTEST_SET
world/signal/signal_program.py LONGEST SHORTEST
world/snapshot_validation.py FARTHEST LONGEST
world/spawn/mode.py _LONGEST
world/spawn/pedestrian.py MOST_AT_ONCE
world/spawn/point.py LONGEST_PERIOD SHORTEST_PERIOD
world/spawn/spawning.py LONGEST_BODY MOST_ENTRIES
world/spawn/table.py _FARTHEST_WAIT
world/traffic/change_kernel.py SHORTEST_CHANGE
world/traffic/conflict_kernel.py PATIENCE
world/traffic/course.py _REACH
world/traffic/effect.py MOST_BIAS MOST_NPCS
world/traffic/follow_kernel.py LEAST_GAP
world/traffic/ghost.py LONGEST_PAUSE MOST_STEER
world/traffic/insertion_gap.py _FARTHEST
world/traffic/lane_matching.py MOST_TURN REACH
world/traffic/lane_return.py REACH
world/traffic/link_occupancy_kernel.py SHORTEST_VEHICLE
world/traffic/obstruction_kernel.py MOST_LANES
world/vehicle/disturbance.py LONGEST
world/vehicle/effect.py LEAST_FORCE
world/vehicle/goal.py LONGEST_WAY
world/vehicle/ground_vehicle_kernel.py LEAST_SPEED
world/vehicle/road_vehicle_kernel.py LEAST_LOAD
world/vehicle/single_track_kernel.py MOST_SPEED MOST_TURN
world/vehicle/tire_kernel.py LEAST_FRICTION LEAST_GRIP_SHARE
"""
"""Constants that are still to get a name with MAX, MIN, TIMEOUT or RANGE, behind the path of their module."""


def functions(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_files_are_short():
    lines = {name: text.count("\n") for name, text in sources().items()}
    assert {name for name, count in lines.items() if count > MAX_FILE} == set(LONG_FILES)
    assert statistics.median(lines.values()) <= MAX_MEDIAN_FILE


def test_functions_are_short():
    long = {
        f"{name} {node.name}"
        for name in sources()
        for node in functions(tree(name))
        if (node.end_lineno or 0) - node.lineno + 1 > MAX_FUNCTION
    }
    assert long == set(LONG_FUNCTIONS)


def code_lines(name: str) -> list[str]:
    """The lines of a module without indent, blank lines, comments, docstrings and imports."""
    left_out: set[int] = set()
    imports = (node for node in ast.walk(tree(name)) if isinstance(node, ast.Import | ast.ImportFrom))
    for node in (*texts(tree(name)), *imports):
        left_out.update(range(node.lineno, (node.end_lineno or 0) + 1))
    stripped = ((number, line.strip()) for number, line in enumerate(sources()[name].splitlines(), 1))
    return [line for number, line in stripped if number not in left_out and line and not line.startswith("#")]


def test_no_block_is_in_two_places():
    """A list in the tests names those that are, with a reason."""
    places: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in sources():
        lines = code_lines(name)
        for first in range(len(lines) - BLOCK + 1):
            places[tuple(lines[first : first + BLOCK])].append(name)
    equal = {tuple(sorted(set(names))): block for block, names in places.items() if len(names) > 1}
    assert {names: block for names, block in equal.items() if names not in EQUAL_BLOCKS} == {}
    assert set(EQUAL_BLOCKS) <= set(equal), "take out exceptions that are no longer needed"


def number_of(value: ast.expr, known: dict[str, Any]) -> float | None:
    """The value of an expression of numbers and of constants before it; None for anything else."""
    try:
        found = eval(compile(ast.Expression(value), "", "eval"), {"__builtins__": {}}, dict(known))
    except Exception:
        return None
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def constants() -> dict[str, dict[str, float]]:
    """Name to module to value, of all public constants of modules that are numbers."""
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for module in sources():
        known: dict[str, Any] = {}
        for name, value in assignments(tree(module)):
            number = number_of(value, known) if re.fullmatch(r"_?[A-Z][A-Z0-9_]*", name) else None
            if number is not None:
                known[name] = number
                if not name.startswith("_"):
                    found[name][module] = number
    return found


def test_a_constant_of_one_name_has_one_value():
    """Lists in the tests name those that do not, and those that are defined twice."""
    several = {name: values for name, values in constants().items() if len(values) > 1}
    differ = {name for name, values in several.items() if len(set(values.values())) > 1}
    two_values, shared = set(TWO_VALUES.split()), set(SHARED.split())
    assert differ == two_values, {name: several[name] for name in differ - two_values}
    assert several.keys() - differ == shared, {name: several[name] for name in several.keys() - differ - shared}


def test_limits_have_the_names_of_the_field():
    found = {
        module: sorted(name for name, _ in assignments(tree(module)) if OLD_STYLE.match(name)) for module in sources()
    }
    listed: defaultdict[str, list[str]] = defaultdict(list)
    module = ""
    for word in OLD_NAMES.split():
        if word.endswith(".py"):
            module = word
        else:
            listed[module].append(word)
    assert {module: names for module, names in found.items() if names} == listed
