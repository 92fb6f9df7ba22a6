"""A recording and a snapshot of a scenario keep its files, and go on to the same digests without them."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from dorosim.app.analyse.recording_file import recording_facts
from dorosim.app.run.resume import build_recorded
from dorosim.ground.error import InputError
from dorosim.recording.format import RunHeader, decode_recording
from dorosim.recording.snapshot import read_snapshot, write_snapshot
from dorosim.recording.storyboard import kept_file
from dorosim.world.snapshot import STATE
from tests.app.command import dorosim
from tests.app.network import network_file
from tests.port import free_port
from tests.scenario.openscenario.sample import catalog, parameter
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed

EVENTS = event("go", speed(15.0, "sinusoidal", "time", 2.0), TIME.format(time=1.0))
VEHICLE = re.compile(r"<Vehicle .*</Vehicle>", re.DOTALL)


def scenario_files(folder: Path) -> Path:
    """A scenario whose car is in a catalog, and whose end is after 9 s or at a parameter."""
    declared = f"<ParameterDeclarations>{parameter('end', 'double', 9)}</ParameterDeclarations>"
    text = file_text(EVENTS, speed(3.0), end=9.0).replace("<ParameterDeclarations/>", declared)
    text = text.replace('value="9.0"', 'value="$end"')
    vehicle = VEHICLE.search(text)
    assert vehicle is not None
    (folder / "cars.xosc").write_bytes(catalog("cars", vehicle[0]))
    text = VEHICLE.sub('<CatalogReference catalogName="cars" entryName="car"/>', text)
    places = '<CatalogLocations><VehicleCatalog><Directory path="."/></VehicleCatalog></CatalogLocations>'
    file = folder / "run.xosc"
    file.write_text(text.replace("<CatalogLocations/>", places))
    return file


def run_of(folder: Path, *options: str | Path):
    net = network_file(folder, free_port(), free_port())
    return dorosim("run", "--network", net, "--data", folder, "--speed", "max", "--no-view", *options)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A folder with a recording of 3 s and snapshots of 1.5 s and of its end; the scenario is gone."""
    folder = tmp_path_factory.mktemp("recorded")
    file = scenario_files(folder)
    saved = ("--snapshot-at", "1.5", folder / "mid.snapshot", "--save-snapshot", folder / "end.snapshot")
    run = run_of(
        folder, "--scenario", file, "--param", "end=8", "--duration", "3", "--record", folder / "a.rec", *saved
    )
    assert run.returncode == 0, run.stderr
    assert "1 entity, the ego vehicle is car, moved as it commands" in run.stderr
    file.unlink()
    (folder / "cars.xosc").unlink()
    return folder


def test_a_recording_runs_the_storyboard_again(recorded):
    run = dorosim("replay", recorded / "a.rec")
    assert run.returncode == 0
    assert "300 ticks (3.00 s) replayed: every snapshot is equal, bit for bit" in run.stdout
    end = read_snapshot(recorded / "end.snapshot").snapshot
    # 3 m/s for a second, then on to 15 m/s along half a sine
    assert end.vehicle.x[0] == pytest.approx(3.0 + 18.0, abs=0.1)
    assert end.storyboard.entity.speed[0] == pytest.approx(15.0)


def test_it_says_which_scenario_it_plays(recorded):
    told = dorosim("recording", "info", recorded / "a.rec").stdout
    assert f"it plays {recorded / 'run.xosc'}, end=8" in told
    facts = recording_facts(recorded / "a.rec")
    assert (facts["scenario"], facts["parameters"]) == (str(recorded / "run.xosc"), {"end": "8"})


def test_a_run_goes_on_inside_a_storyboard(recorded):
    again = recorded / "again.snapshot"
    run = run_of(recorded, "--from", recorded / "mid.snapshot", "--duration", "1.5", "--save-snapshot", again)
    assert run.returncode == 0, run.stderr
    end = read_snapshot(recorded / "end.snapshot").snapshot
    assert read_snapshot(again).snapshot.digest() == end.digest()


def test_all_files_are_kept_with_digests_and_parameters(recorded):
    content = (recorded / "a.rec").read_bytes()
    header, _ = decode_recording("a.rec", content)
    kept = header.storyboard
    assert kept is not None
    assert [Path(one.path).name for one in kept.files] == ["run.xosc", "cars.xosc"]
    assert kept.parameters == {"end": "8"}
    assert (kept.ego, kept.ego_name) == ("default", "")
    broken = msgspec.structs.replace(kept.files[1], content=b"<OpenSCENARIO/>")
    for files, words in (
        ((kept.files[0], broken), "is not as its digest says"),
        (kept.files[:1], "there is no catalog 'cars'"),
        (kept.files[1:], "is not kept in the recording"),
    ):
        changed = msgspec.structs.replace(header, storyboard=msgspec.structs.replace(kept, files=files))
        with pytest.raises(InputError, match=words):
            build_recorded("a.rec", changed, None, recorded)


def test_a_snapshot_of_another_scenario_is_refused(recorded):
    header, _ = decode_recording("a.rec", (recorded / "a.rec").read_bytes())
    kept = header.storyboard
    assert kept is not None
    other = kept.files[0].content.replace(b"</Story>", b"</Story><Story name='more'/>")
    files = (kept_file(kept.files[0].path, other), kept.files[1])
    fields = msgspec.structs.asdict(header) | {"storyboard": msgspec.structs.replace(kept, files=files)}
    fields.pop("start")
    write_snapshot(recorded / "odd.snapshot", RunHeader(**fields), read_snapshot(recorded / "mid.snapshot").snapshot)
    run = run_of(recorded, "--from", recorded / "odd.snapshot", "--duration", "1")
    assert run.returncode == 2
    assert "no run can be in this state: storyboard.element.state has 6 rows" in run.stderr


def test_a_snapshot_with_an_entity_on_no_road_is_refused(recorded):
    header, _ = decode_recording("a.rec", (recorded / "a.rec").read_bytes())
    fields = msgspec.structs.asdict(header)
    fields.pop("start")
    leaves = dict(STATE.leaves(read_snapshot(recorded / "mid.snapshot").snapshot))
    for value in (-2, 10**6):
        road = leaves["storyboard.entity.road"].copy()
        road[-1] = value
        far = STATE.build(leaves | {"storyboard.entity.road": road})
        write_snapshot(recorded / "far.snapshot", RunHeader(**fields), far)
        run = run_of(recorded, "--from", recorded / "far.snapshot", "--duration", "1")
        assert run.returncode == 2
        assert "no run can be in this state: storyboard: an entity is on road" in run.stderr


def test_wrong_options_are_named(tmp_path):
    file = scenario_files(tmp_path)
    for options, words in (
        (("--ego", "ghost"), "--ego ghost: is nobody who can drive; must be one of default, dynamics"),
        (("--ego-name", "nobody"), "--ego-name nobody: there is no vehicle of that name"),
        (("--param", "end"), "--param end: is not NAME=VALUE"),
        (("--map", "nowhere"), "there is no such map"),
    ):
        run = run_of(tmp_path, "--scenario", file, "--duration", "1", *options)
        assert run.returncode == 2
        assert words in run.stderr
