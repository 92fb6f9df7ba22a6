"""Sensors are loaded when the first of them comes, and nothing is missed by that."""

import subprocess
import sys
import threading
import time

import pytest

from dorosim.app.serve.sensor.start import LateStation, SensorFolder, sensor_plan
from dorosim.app.setting.settings import SensorRow, Settings
from dorosim.ground.error import InputError
from dorosim.world.mount.command import AddSensor, RemoveSensor
from dorosim.world.mount.setting import GpsSettings
from dorosim.world.snapshot import EGO
from tests.scenario.world import SMALL
from tests.sensor.scene.town import town
from tests.world.stage import Stage


class Station:
    """Notes what it is given."""

    def __init__(self) -> None:
        self.before = None
        self.seen = []

    def follow(self, before) -> None:
        self.before = before

    def __call__(self, now, commands) -> None:
        self.seen.append(now.tick)

    def save(self, request) -> None:
        self.seen.append(request.name)

    def close(self) -> dict[str, int]:
        return {"gps": 3}


def test_a_station_opens_with_the_first_sensor_and_knows_the_snapshot_before():
    stage, made = Stage(SMALL), []

    def make() -> Station:
        made.append(Station())
        return made[-1]

    assert LateStation(make, stage.now).close() == {}
    late = LateStation(make, stage.now)
    for command in ((), (), (AddSensor(EGO, settings=GpsSettings()),), (RemoveSensor(1),), ()):
        late(stage.tick(*command), ())
    (station,) = made
    first = stage.now.tick - 2
    assert station.before.tick == first - 1
    assert station.seen == [first, first + 1, first + 2], "it stays open when the last sensor goes"
    assert late.close() == {"gps": 3}


def test_several_threads_open_one_station():
    """Interfaces ask from threads of their own, at the moment at which the run's first sensor comes."""
    made, together = [], threading.Barrier(4)

    def make() -> Station:
        time.sleep(0.01)
        made.append(Station())
        return made[-1]

    late, found = LateStation(make, Stage(SMALL).now), []

    def ask() -> None:
        together.wait()
        found.append(late.open())

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert found == made * 4


def test_who_asks_to_save_opens_the_station(tmp_path):
    station = Station()
    late = LateStation(lambda: station, Stage(SMALL).now)
    folder = SensorFolder(tmp_path)
    folder.save("", "before the run")
    folder.station = late.open
    folder.save("", "in the run")
    assert station.seen == ["in the run"]


def test_a_run_without_sensors_loads_nothing_of_them(tmp_path):
    program = (
        "import sys; from dorosim.app.cli.main import main; sys.argv = 'dorosim run --duration 0.05 --speed max -q'"
        f".split() + ['--grpc', 'off', '--data', {str(tmp_path)!r}]\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([name for name in sys.modules if name.startswith(('dorosim.sensor', 'dorosim.endpoint.sensor.station',"
        " 'dorosim.wire.device.velodyne', 'dorosim.endpoint.sensor.pool'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout + done.stderr


def test_a_station_of_a_run_that_is_over_opens_no_more():
    late = LateStation(Station, Stage(SMALL).now)
    late.close()
    with pytest.raises(InputError, match="the run is over"):
        late.open()


def test_the_geometry_is_begun_for_sensors_that_look_only(tmp_path):
    made = town()
    gps, camera = SensorRow(kind="gps"), SensorRow(kind="camera")
    assert sensor_plan(Settings(), tmp_path, made).ahead is None
    assert sensor_plan(Settings(sensor=(gps,)), tmp_path, made).ahead is None
    plan = sensor_plan(Settings(sensor=(gps, camera)), tmp_path, made)
    assert plan.ahead is not None
    assert plan.ahead.take() is not None
