"""`dorosim scenario export`: a recording as a scenario that, run again, has every body where it was."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import numpy as np
import pytest

from dorosim.app.analyse import scenario_export
from dorosim.app.analyse.scenario_export import export_scenario
from dorosim.app.analyse.trace.recorded import open_recording
from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.export.thin import POSITION_TOLERANCE, thinned
from dorosim.scenario.openscenario.export.track import TrackReader
from dorosim.world.actor.command import PlaceActor, RemoveActor
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import SetLamps
from dorosim.world.vehicle.mode import TurnLamp
from tests.app.command import dorosim
from tests.app.recorded_drive import CAR as CAR_ID
from tests.app.recorded_drive import START, record
from tests.scenario.openscenario.morai_text import CAR, entity, file_text, start, write_small_map
from tests.scenario.openscenario.worldless import ticks_of

TICKS = 300
PLACE = (START[0] + 60.0, START[1] + 8.0, 9.0)


def _more(run, tick):
    """A pedestrian and an obstacle come, the car goes, a vehicle is put elsewhere, and lamps are switched."""
    if tick == 60:
        run.put(SpawnPedestrian(0, model=0, position=PLACE, yaw=1.0, start=True, move_distance=3.0))
        run.put(SpawnObstacle(0, model=1, position=(PLACE[0] + 5.0, *PLACE[1:]), drop=True))
        run.put(SetLamps(EGO, turn=TurnLamp.LEFT))
    if tick == 120:
        run.put(RemoveActor(CAR_ID))
        run.put(SetLamps(EGO, turn=TurnLamp.OFF))
    if tick == 200:
        run.put(PlaceActor(2, (START[0] - 30.0, START[1] - 10.0, 9.0), (0.0, 0.0, 0.3)))


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    path = tmp_path_factory.mktemp("drive") / "drive.rec"
    record(path, TICKS, more=_more)
    return path


@pytest.fixture(scope="module")
def exported(recording):
    out = recording.parent / "out" / "drive.xosc"
    result = dorosim("scenario", "export", str(recording), str(out))
    assert result.returncode == 0
    assert result.stdout.startswith(f"{out}: 5 entities, 3.00 s\n{out.with_suffix('.xodr')}: ")
    return out


@pytest.fixture
def quick(monkeypatch):
    """Writing the map of the town takes most of the time."""
    monkeypatch.setattr(scenario_export, "convert_map", lambda name, data, out: (f"{out}: {name}", []))


def tracks_of(recording):
    recorded = open_recording(recording, None, None)
    reader = TrackReader(recorded.ready.scene)
    for now in recorded.snapshots():
        reader.add(now)
    return reader.tracks


def test_bodies_are_where_they_were(recording, exported):
    where = {
        (actor, round(row[0] * 100)): row
        for actor, track in tracks_of(recording).items()
        for span in track.spans
        for row in span.rows
    }
    ready = ready_scenario(str(exported), recording.parent)
    ids = [EGO if one.name == "Ego" else int(one.name.split()[1]) for one in ready.program.entities]
    seen, last = set(), 0
    for tick in ticks_of(ready.program):
        if tick.ended:
            break
        last = round(tick.state_time * 1e-7)
        table = tick.state.entity
        for row, actor in enumerate(ids):
            expected = where.get((actor, last))
            if last > 0:  # what the first tick of a recording adds is there from the start
                assert bool(table.present[row]) == (expected is not None), (actor, last)
            if expected is not None:
                found = table.x[row], table.y[row], table.z[row]
                assert math.dist(found, expected[1:4]) < 0.01, (actor, last)
                seen.add(actor)
    assert (seen, last) == ({1, 2, 3, 4, 5}, TICKS)


def test_it_is_a_file_of_the_standard_with_its_map(exported):
    assert dorosim("scenario", "check", "--strict", str(exported)).stdout.endswith("nothing is wrong\n")
    reading = open_document(str(exported), exported.read_bytes()).read()
    assert reading.scenario().road_network.logic_file.filepath == "drive.xodr"
    assert exported.with_suffix(".xodr").is_file()


def test_lamps_are_switched_when_they_were(exported):
    root = ElementTree.fromstring(exported.read_bytes())
    found = []
    for event in root.iter("Event"):
        for action in event.iter("LightStateAction"):
            light, state = action.find(".//VehicleLight"), action.find("LightState")
            time = event.find(".//SimulationTimeCondition").get("value")
            if light.get("vehicleLightType") != "brakeLights":
                found.append((light.get("vehicleLightType"), state.get("mode"), time))
    # half a tick before the time, so that no rounding delays it
    assert found == [("indicatorLeft", "flashing", "0.595"), ("indicatorLeft", "off", "1.195")]


def test_a_part_begins_at_its_own_time(recording, quick):
    out = recording.parent / "part.xosc"
    lines = export_scenario(recording, out, begin=1.0, end=1.5, quiet=True)
    assert lines[0].endswith("0.50 s")
    ready = ready_scenario(str(out), recording.parent, map_name="town")
    ego = tracks_of(recording)[EGO].spans[0].rows
    first = next(iter(ticks_of(ready.program))).state.entity
    assert (first.x[0], first.y[0]) == pytest.approx(ego[100][1:3], abs=0.01)


def test_the_same_recording_gives_the_same_file(recording, exported, quick):
    again = recording.parent / "again" / "drive.xosc"
    export_scenario(recording, again, quiet=True)
    assert again.read_bytes() == exported.read_bytes()


def test_entities_of_a_scenario_keep_their_names_and_boxes(tmp_path):
    (tmp_path / "Scenario").mkdir()
    write_small_map(tmp_path / "roads.zip")
    cars = entity("Hero", CAR) + entity("Other", CAR)
    init = "".join(start(name, f'<WorldPosition x="{x}" y="0"/>', 5.0) for name, x in (("Hero", 10), ("Other", 30)))
    path = tmp_path / "a.xosc"
    path.write_text(file_text(cars, init, road_network='<LogicFile filepath="roads.zip"/>', end=1.0))
    run = ["run", "--scenario", str(path), "--record", str(tmp_path / "a.rec"), "--duration", "1", "--speed", "max"]
    assert dorosim(*run, "--ports", "auto").returncode == 0
    out = tmp_path / "b.xosc"
    export_scenario(tmp_path / "a.rec", out, quiet=True)
    ready = ready_scenario(str(out), tmp_path)
    assert [(one.name, one.box.length) for one in ready.program.entities] == [("Hero", 4.0), ("Other", 4.0)]
    first = next(iter(ticks_of(ready.program))).state.entity
    assert first.x.tolist() == pytest.approx([10.0, 30.0], abs=0.01)


@pytest.mark.parametrize(
    ("name", "options", "problem"),
    [
        ("a.xml", {}, "its ending '.xml' is not .xosc"),
        ("a.xosc", {"begin": 100.0}, "no actor is in that part"),
        ("a.xosc", {"part": 3}, "has no part 3"),
    ],
)
def test_what_cannot_be_written_is_one_clear_error(recording, name, options, problem):
    with pytest.raises(InputError, match=problem):
        export_scenario(recording, recording.parent / name, quiet=True, **options)


def test_points_between_which_nothing_changes_evenly_are_kept():
    time = np.linspace(0.0, 10.0, 1001)
    x = np.where(time < 4.0, 0.0, (time - 4.0) ** 2)
    table = np.column_stack((time, x, 0.0 * x, 0.0 * x, np.minimum(0.1 * time, 0.5)))
    kept = thinned(table)
    assert 20 < len(kept) < 100
    for column in range(1, 5):
        again = np.interp(time, kept[:, 0], kept[:, column])
        assert np.abs(again - table[:, column]).max() <= 2.0 * POSITION_TOLERANCE
    assert thinned(table[:1]).tolist() == table[:1].tolist()
