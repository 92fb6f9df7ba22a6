"""The ten examples, run against a simulator in a process of its own."""

from __future__ import annotations

import runpy
from contextlib import nullcontext
from pathlib import Path

import pytest

from dorosim.client import Light, connect
from tests.app.scenario_file import START, scenario
from tests.client.program import program

EXAMPLES = Path(__file__).parents[2] / "examples" / "grpc"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    with program(folder, "--vehicles", "20") as found:
        with connect(found, timeout=120.0) as client:
            client.cast_ray((0.0, 0.0, 2.0), (0.0, 0.0, 0.0))  # the first builds the geometry
        yield found


def play(name, *args, **options):
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))["main"](*args, **options)


def test_there_are_ten_examples_of_at_most_sixty_lines():
    lines = {path.name: len(path.read_text().splitlines()) for path in EXAMPLES.glob("*.py")}
    assert len(lines) == 10
    assert max(lines.values()) <= 60


def test_spawn_and_drive(address):
    assert play("spawn_and_drive", address, seconds=2.0) > 2.0
    with connect(address) as client:
        assert client.all_states(columns=["kind"])["kind"].tolist().count("ego") == 1


def test_cruise_fleet(address):
    speeds = play("cruise_fleet", address, count=3, seconds=4.0)
    assert len(speeds) == 3
    assert min(speeds) > 1.0


def test_change_light(address):
    assert play("change_light", address) == Light.RED


def test_inject_fault(address):
    broken, healthy = play("inject_fault", address)
    assert broken < 0.5
    assert healthy > 1.0


def test_record_ground_truth(address, tmp_path):
    out = tmp_path / "truth.csv"
    with connect(address, key="truth") as client:
        x, y, z = client.state().position
        client.spawn_obstacle((x, y + 10.0, z), model="cone")
        rows = play("record_ground_truth", address, str(out), seconds=2.0)
        client.destroy_all()
    assert rows >= 4
    assert len(out.read_text().splitlines()) == rows + 1
    assert ",obstacle,cone," in out.read_text()


def test_obstacles_are_put_on_the_ground_unless_their_height_is_to_stay(address):
    with connect(address, key="drop") as client:
        x, y, z = client.state().position
        heights = {}
        for drop in (True, False):
            place = (x, y + 8.0 + 2.0 * drop, z + 4.0)
            with nullcontext() if drop else pytest.warns(UserWarning, match="m above the ground"):
                name = client.spawn_obstacle(place, model="cone", drop=drop)
            heights[drop] = client.state(name).position[2]
        client.destroy_all()
    assert heights[True] < z + 1.0
    assert heights[False] == pytest.approx(z + 4.0, abs=1e-4)


def test_lockstep(address):
    with connect(address) as client:
        before = client.time()
        client.set_mode("Ego", "auto")
        client.drive(brake=1.0)
    last = play("lockstep", address, steps=40, target=5.0)
    assert last.time - before >= 2.0
    assert 3.0 < last.speed < 6.0


def test_load_scenario(tmp_path, capsys):
    (tmp_path / "Scenario").mkdir()
    scenario(tmp_path / "Scenario", "first", START)
    with program(tmp_path) as address:
        assert play("load_scenario", address, "first")["ego"] == 1
        with pytest.raises(SystemExit):
            play("load_scenario", address, "nothing_of_this_name")
    assert "nothing_of_this_name" in capsys.readouterr().out


def test_read_states(address):
    assert play("read_states", address, frames=20) == 20


def test_cast_ray(address):
    distances = play("cast_ray", address)
    container = 15.0 - 4.0 - 3.03  # it is 6.06 m long
    assert 0.0 < distances[0] < container + 0.3, "the container, or somebody who stands before it"


def test_weather(address):
    assert play("weather", address, pause=0.0) == [
        ("sunny", 12, 1.0),
        ("foggy", 6.5, 1.0),
        ("rainy", 18, 0.6),
        ("snowy", 22, 0.6),
    ]
