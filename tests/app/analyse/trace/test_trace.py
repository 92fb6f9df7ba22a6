"""What traces tell is what the snapshots of the replayed run hold, and what geometry says of it."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from dorosim.app.analyse.trace import recorded as trace_recorded
from dorosim.app.analyse.trace.gap import box_distances, boxes_of, corners_of, moved_on
from dorosim.app.analyse.trace.line import offsets_from_line, read_line
from dorosim.app.analyse.trace.recorded import open_recording, watched
from dorosim.app.analyse.trace.summary import summary_of
from dorosim.app.analyse.trace.trace import trace_of
from dorosim.ground.error import InputError
from dorosim.recording.format import MAGIC, Tick, decode_recording, encode_record
from dorosim.world.actor.command import PauseRun
from dorosim.world.collision.body import BodyTable
from dorosim.world.command import Source
from dorosim.world.vehicle.mode import ControlKind
from tests.app.recorded_drive import AHEAD, BESIDE, CAMERA, CAR, FAULT_AT, FAULT_FOR, SECOND, SPEED, START, record


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    path = tmp_path_factory.mktemp("drive") / "run.rec"
    record(path)
    return path


@pytest.fixture(scope="module")
def recorded(drive):
    return open_recording(drive, None, drive.parent)


@pytest.fixture(scope="module")
def trace(recorded):
    return trace_of(recorded)


def test_series_are_those_of_the_snapshots(recorded, trace):
    snapshots = list(recorded.snapshots())
    assert len(snapshots) == len(trace) == 501
    assert trace.state is not None
    for row in (0, 1, 77, 250, 500):
        now = snapshots[row]
        assert trace.time[row] == now.time * 1e-9
        vehicle = now.vehicle
        assert (trace.x[row], trace.y[row], trace.z[row]) == (vehicle.x[0], vehicle.y[0], vehicle.z[0])
        assert trace.speed[row] == vehicle.velocity_x[0]
        assert tuple(trace.acceleration[row]) == (vehicle.acceleration[0, 0], vehicle.acceleration[1, 0])
        assert trace.state.steer[row] == vehicle.steer[0]
        assert trace.state.accelerator[row] == vehicle.accelerator[0]
        assert trace.state.gear[row] == vehicle.gear[0]
    assert trace.model == "2016_Hyundai_Ioniq"


def test_the_car_ahead_is_as_far_away_as_it_was_put(trace):
    """Two of the same model, one behind the other: bumper to bumper is origin to origin less the length."""
    length = 4.47
    for row in (120, 180, 240):
        gap = AHEAD - (trace.x[row] - START[0]) - length
        assert trace.gaps.ahead[row] == pytest.approx(gap, abs=SPEED * 0.05 + 0.15)
        assert trace.gaps.nearest[row] <= trace.gaps.ahead[row] + SPEED * 0.05
        assert trace.gaps.ahead_time[row] == pytest.approx(trace.gaps.ahead[row] / trace.speed[row])


def test_the_collision_is_marked_where_the_gap_closes(trace):
    hit = trace.collisions[0]
    assert (hit.other, hit.kind) == (CAR, "NPC vehicle")
    row = int(np.searchsorted(trace.time, hit.time - 1e-9))
    assert hit.closing_speed == pytest.approx(trace.speed[row - 1], abs=0.5)
    assert trace.gaps.nearest[row - 30 : row - 1].min() > 0.0
    assert trace.gaps.nearest[row] == pytest.approx(0.0, abs=0.2)
    assert summary_of(trace)["collisions"] == len(trace.collisions) >= 1


def test_a_vehicle_of_the_traffic_that_was_hit_has_no_known_acceleration(recorded, trace):
    """A run keeps none of it: 0 would say that it slid on unbraked."""
    hit = trace_of(recorded, CAR)
    after = np.searchsorted(hit.time, trace.collisions[0].time + 0.05)
    assert (hit.acceleration[1 : after - 10] == 0.0).all(), "it stood"
    assert np.isnan(hit.acceleration[after:]).all()
    assert np.abs(hit.speed[after : after + 50]).max() > 1.0
    figures = summary_of(trace_of(recorded, CAR, begin=float(hit.time[after])))
    assert figures["max_longitudinal_acceleration_mps2"] is None
    assert figures["max_longitudinal_jerk_mps3"] is None


def test_a_fault_is_marked_as_long_as_it_acts(trace):
    (fault,) = trace.faults
    assert fault.name == "steering: offset"
    assert fault.begin == pytest.approx(FAULT_AT * 0.01, abs=0.011)
    assert fault.end - fault.begin == pytest.approx(FAULT_FOR * 0.01, abs=0.021)


def test_lane_and_limit_are_those_of_the_map(recorded, trace):
    network = recorded.ready.scene.network
    rows = np.flatnonzero(trace.link >= 0)
    assert len(rows) > 400
    for row in rows[::97]:
        assert trace.limit[row] == network.link_speed_limit[trace.link[row]]
        line = shapely.LineString(network.points_of(int(trace.link[row]))[:, :2])
        distance = line.distance(shapely.Point(trace.x[row], trace.y[row]))
        assert abs(trace.lane_error[row]) == pytest.approx(distance, abs=0.02)


def test_another_vehicle_and_its_trajectory(recorded):
    trace = trace_of(recorded, SECOND)
    assert trace.state is not None
    followed = trace.state.control_kind == ControlKind.TRAJECTORY
    assert followed.sum() > 300
    assert np.isfinite(trace.trajectory_error[followed]).mean() > 0.8
    assert np.isnan(trace.trajectory_error[~followed]).all()
    row = int(np.flatnonzero(followed)[200])
    points = [(START[0] + 3.0 * n, START[1] - BESIDE + 0.05 * n**2) for n in range(25)]
    distance = shapely.LineString(points).distance(shapely.Point(trace.x[row], trace.y[row]))
    assert abs(trace.trajectory_error[row]) == pytest.approx(distance, abs=1e-6)
    assert trace.cross_track[0] == "trajectory"


def test_a_vehicle_of_the_traffic_has_no_pedals_and_is_there_from_its_tick_on(recorded):
    trace = trace_of(recorded, CAR)
    assert trace.state is None
    assert np.isnan(trace.x[0])
    assert np.isfinite(trace.x[1:]).all()
    assert trace.x[1] == pytest.approx(START[0] + AHEAD, abs=0.5)


def test_a_part_of_the_time(recorded, trace):
    part = trace_of(recorded, begin=1.0, end=2.0)
    assert (part.time[0], part.time[-1], len(part)) == (1.0, 2.0, 101)
    assert (part.x == trace.x[100:201]).all()
    figures = summary_of(part)
    assert figures["distance_m"] == pytest.approx(part.x[-1] - part.x[0], abs=0.01)
    assert figures["max_speed_kmh"] == pytest.approx(part.speed.max() * 3.6)


def test_times_that_stand_still_count_once_and_parts_are_chosen(tmp_path):
    def pause(run, tick):
        if tick in (20, 30):
            run.loop.put(Source.PEER, PauseRun(tick == 20))
        if tick == 100:
            run.loop.reset()

    path = tmp_path / "run.rec"
    record(path, 160, more=pause)
    longest = open_recording(path, None, tmp_path)
    assert len(longest.ticks) == 99
    assert "part 1 of 2" in longest.notes[0]
    trace = trace_of(longest)
    assert (np.diff(trace.time) > 0.0).all()
    assert trace.time[-1] == pytest.approx(0.89)
    assert len(trace) == 90
    assert trace.state is not None
    assert len(trace.state) == len(trace) == len(trace.gaps.nearest)
    other = open_recording(path, None, tmp_path, 2)
    assert len(trace_of(other)) == 62
    assert "part 2 of 2" in other.notes[0]
    with pytest.raises(InputError, match="give 1 to 2"):
        open_recording(path, None, tmp_path, 3)


def test_a_recording_that_cannot_be_run_again_is_shown_up_to_there(drive, tmp_path):
    header, ticks = decode_recording("run", drive.read_bytes())
    changed = [Tick(tick.tick, b"x" * 16, tick.commands) if tick.tick == 50 else tick for tick in ticks]
    path = tmp_path / "changed.rec"
    path.write_bytes(MAGIC + encode_record(header) + b"".join(map(encode_record, changed)))
    trace = trace_of(open_recording(path, None, drive.parent))
    assert len(trace) == 50
    assert "from tick 50 on" in trace.notes[0]
    first = [Tick(1, b"x" * 16, changed[0].commands)]
    path.write_bytes(MAGIC + encode_record(header) + b"".join(map(encode_record, first)))
    with pytest.raises(InputError, match="differs"):
        trace_of(open_recording(path, None, drive.parent))


def test_a_recording_that_ends_inside_a_record_is_read_and_says_so(drive, tmp_path):
    path = tmp_path / "cut.rec"
    path.write_bytes(drive.read_bytes()[:-7])
    cut = open_recording(path, None, drive.parent)
    assert len(cut.ticks) == 499
    assert "ends inside a record" in cut.notes[0]
    assert cut.timing is None


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"begin": 2.0, "end": 1.0}, "is not after --from"),
        ({"begin": 50.0}, "no tick then"),
        ({"end": 0.0}, "not after the start"),
        ({"begin": math.nan}, "is not a valid time"),
        ({"actor": 77}, "ego vehicles: 1, 2; NPC vehicles: 3"),
    ],
)
def test_what_is_not_there_is_refused(recorded, wanted, words):
    actor = wanted.pop("actor", 1)
    with pytest.raises(InputError, match=words):
        trace_of(recorded, actor, **wanted)


def test_distances_between_boxes_are_those_of_shapely():
    noise = np.random.default_rng(1)
    table = BodyTable.zeros(300)
    table.x[:], table.y[:] = noise.uniform(-12, 12, (2, 300))
    table.yaw[:] = noise.uniform(-4, 4, 300)
    table.half_length[:], table.half_width[:] = noise.uniform(0.2, 6, 300), noise.uniform(0.1, 2, 300)
    outlines = boxes_of(table, np.arange(300))
    found = box_distances(outlines[:1].repeat(299, axis=0), outlines[1:])
    boxes = [shapely.Polygon(corners) for corners in corners_of(outlines)]
    wanted = [boxes[0].distance(box) for box in boxes[1:]]
    assert min(wanted) == 0.0
    assert max(wanted) > 5.0
    np.testing.assert_allclose(found, wanted, atol=1e-9)


def test_who_drives_fast_in_long_ticks_is_not_placed_elsewhere():
    time = 0.1 * np.arange(6)
    x = np.array((0.0, 6.0, 12.0, 40.0, 46.0, math.nan))
    speed = np.full(6, 60.0)
    assert moved_on(time, x, np.zeros(6), speed).tolist() == [True, True, False, True, False]
    stands = np.zeros(6)
    assert moved_on(0.1 * time, np.array((0.0, 0.9, 0.9, 3.0, 3.0, 3.0)), stands, stands).tolist() == [
        *(True, True, False, True, True)
    ]


def test_offsets_from_a_line_are_those_of_shapely_left_positive():
    noise = np.random.default_rng(2)
    angle = np.linspace(0.0, math.pi, 40)
    line = np.stack((50.0 * np.cos(angle), 50.0 * np.sin(angle)), axis=1)
    at = noise.uniform(0.1, math.pi - 0.1, 200)
    radius = 50.0 + noise.uniform(-3, 3, 200)
    points = np.stack((radius * np.cos(at), radius * np.sin(at)), axis=1)
    found = offsets_from_line(points, at + math.pi / 2, line)
    wanted = shapely.distance(shapely.LineString(line), shapely.points(points))
    np.testing.assert_allclose(np.abs(found), wanted, atol=1e-9)
    clear = wanted > 0.2
    assert (np.sign(found[clear]) == np.sign(50.0 - radius[clear])).all(), "the arc turns left: left is inside"
    assert np.isnan(offsets_from_line(np.array([(50.0, -3.0)]), np.array([1.5]), line)).all()


def test_where_a_line_comes_back_the_way_in_ones_own_direction_counts():
    line = np.array([(0.0, 0.0), (100.0, 0.0), (100.0, 3.0), (0.0, 3.0)])
    found = offsets_from_line(np.array([(50.0, 1.4), (50.0, 1.6)]), np.array([math.pi, 0.0]), line)
    np.testing.assert_allclose(found, (1.6, 1.6))


def test_a_line_of_a_file_is_closed_if_its_ends_meet(tmp_path):
    path = tmp_path / "line.csv"
    path.write_text("x,y,z\n0,0,1\n10,0,1\n10,10,1\n0,10,1\n")
    assert read_line(path).tolist() == [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]
    path.write_text("y,x\n0,0\n0,10\n0,200\n")
    assert read_line(path).tolist() == [[0, 0], [10, 0], [200, 0]]
    for text, words in (
        ("a,b\n1,2\n", "no columns x and y"),
        ("x,y\n1,2\n1,two\n", "line 3"),
        ("x,y\n1,2\n1,nan\n", "not finite"),
        ("x,y\n1,2\n", "two points"),
        ("x,y\n1,2\n1,2\n", "two points"),
        ("", "no columns"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=words):
            read_line(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a CSV"):
        read_line(path)


def test_the_camera_of_the_drive_is_on_the_ego_vehicle(recorded):
    *_, last = recorded.snapshots()
    assert last.mounts.table.id.tolist() == [CAMERA]


def test_progress_counts_up_to_the_end_that_is_asked_for(recorded, monkeypatch):
    shown = []

    def counted(items, total, label, unit):
        shown.append((total(), label, unit))
        return items

    monkeypatch.setattr(trace_recorded, "counted", counted)
    for quiet in (False, True):
        watch = watched(recorded, "running it again", 1.0, quiet=quiet)
        assert len(trace_of(recorded, end=1.0, watch=watch)) == 101
    assert shown == [(100, "running it again", "ticks")]
