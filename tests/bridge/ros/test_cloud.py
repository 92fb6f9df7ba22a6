"""Clouds of spinning lidars: the driver's layout, and the same points as a reader of the packets gets."""

from __future__ import annotations

import struct

import numpy as np
import pytest
import velodyne_decoder

from dorosim.bridge.ros.cloud import CloudTurns, cloud_of
from dorosim.bridge.ros.sensor_message import cloud
from dorosim.ground.noise import Noise
from dorosim.sensor.lidar.lidar import Lidar
from dorosim.sensor.lidar.motion import SweepMotion
from dorosim.world.mount.setting import Lidar3dSettings
from tests.bridge.ros.sensor_stage import EPOCH, told_of
from tests.sensor.lidar.place import POSITION, distance_to_walls, packets_of, quiet, room, standing, turned
from tests.sensor.lidar.reader import HDL_32E_ELEVATION, VLP_16_ELEVATION, read_driver

MS = 1_000_000
CASES = [("VLP-16", "strongest"), ("VLP-16", "dual"), ("HDL-32E", "strongest"), ("HDL-32E", "dual")]


def slices(setting, tick: int, until: int):
    """What a lidar at rest in the room reads, tick by tick."""
    scene, view = room()
    assert scene
    lidar, turn = Lidar(7, setting, Noise(1)), turned(0.3)
    for since in range(0, until, tick):
        end = min(since + tick, until)
        yield lidar.read(view, SweepMotion.at_rest(POSITION, turn, since, end), since, end)


def turns_of(readings) -> list:
    turns = CloudTurns()
    return [turn for reading in readings for turn in turns.take(reading)]


def test_a_point_lies_in_the_message_as_the_velodyne_driver_lays_it_out():
    """velodyne_pointcloud, pointcloudXYZIRT.cc: x, y, z, intensity FLOAT32, ring UINT16, time FLOAT32, packed."""
    turn = standing(quiet("VLP-16"), turned(0.0), 0, 100 * MS)
    turn.distance[:] = 0
    turn.distance[5, 3, 16 + 1] = 5000  # of the block's second sequence: laser 1, 1 degree up, 10 m away
    turn.intensity[5, 3, 16 + 1] = 77
    message = cloud(turn, told_of(Lidar3dSettings(), frame="Lidar3D-2"))
    assert [(one.name, one.offset, one.datatype, one.count) for one in message.fields] == [
        ("x", 0, 7, 1),
        ("y", 4, 7, 1),
        ("z", 8, 7, 1),
        ("intensity", 12, 7, 1),
        ("ring", 16, 4, 1),
        ("time", 18, 7, 1),
    ]
    assert (message.height, message.width, message.point_step, message.row_step) == (1, 1, 22, 22)
    assert (message.is_bigendian, message.is_dense) == (False, True)
    x, y, z, intensity, ring, late = struct.unpack("<ffffHf", message.data.tobytes())
    within = 3 * 110.592e-6 + 55.296e-6 + 2.304e-6
    azimuth = np.radians(360.0 * (5 * 1.327104e-3 + within) / 0.1)
    level = 10.0 * np.cos(np.radians(1.0))
    assert (x, y) == pytest.approx((level * np.cos(azimuth), -level * np.sin(azimuth)), abs=2e-3)
    assert z == pytest.approx(10.0 * np.sin(np.radians(1.0)), abs=1e-5)
    assert (intensity, ring) == (77.0, 8), "eight lasers look down"
    assert late == pytest.approx((5 - 74) * 1.327104e-3 + within, abs=1e-8)
    assert len(turn.number) == 75
    assert message.header.stamp.sec * 10**9 + message.header.stamp.nanosec == EPOCH + 74 * 1_327_104
    assert message.header.frame_id == "Lidar3D-2"


def test_times_count_from_the_first_packet_if_asked():
    turn = standing(quiet("VLP-16"), turned(0.0), 0, 100 * MS)
    message = cloud(turn, told_of(Lidar3dSettings(), cloud_stamp="first"))
    late = np.frombuffer(message.data, np.dtype([("rest", "V18"), ("time", "<f4")]))["time"]
    assert message.header.stamp.sec * 10**9 + message.header.stamp.nanosec == EPOCH
    assert late.min() >= 0.0
    assert 0.098 < late.max() < 0.1


@pytest.mark.parametrize(("model", "mode"), CASES)
def test_a_cloud_has_the_points_that_velodyne_decoder_reads_from_the_packets_of_its_turn(model, mode):
    turns = turns_of(slices(quiet(model, return_mode=mode, focus=True), 10 * MS, 330 * MS))
    assert len(turns) == 3
    for turn in turns:
        config = velodyne_decoder.Config()
        config.timestamp_first_packet = False
        packets = velodyne_decoder.PacketVector()
        for data, start in zip(packets_of(turn), turn.start.tolist(), strict=True):
            packets.append(velodyne_decoder.VelodynePacket(start * 1e-9, data))
        _, found = velodyne_decoder.ScanDecoder(config).decode(packets)
        theirs = np.array(found, np.float64)
        ours = cloud_of(turn, int(turn.start[-1]))
        if mode == "dual":  # which it tells once where both returns are the same, and the driver twice
            ours = np.unique(ours)
        assert len(ours) == len(theirs) > 25_000
        by_time = theirs[np.lexsort((theirs[:, 3], theirs[:, 6], np.rint(theirs[:, 4] * 1e6)))]
        ours = ours[np.lexsort((ours["intensity"], ours["ring"], np.rint(ours["time"] * 1e6)))]
        mine = np.stack([ours[name].astype(np.float64) for name in ("x", "y", "z", "intensity", "time", "ring")], 1)
        assert np.abs(mine[:, :3] - by_time[:, :3]).max() < 2e-3, "a step of distance"
        assert (mine[:, [3, 5]] == by_time[:, [3, 6]]).all()
        assert np.abs(mine[:, 4] - by_time[:, 4]).max() < 2e-6, "stamps of packets count microseconds"


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize(
    ("model", "table", "rate"),
    [
        ("VLP-16", VLP_16_ELEVATION, 5.0),
        ("VLP-16", VLP_16_ELEVATION, 10.0),
        ("VLP-16", VLP_16_ELEVATION, 12.5),
        ("VLP-16", VLP_16_ELEVATION, 20.0),
        ("HDL-32E", HDL_32E_ELEVATION, 10.0),
    ],
)
def test_a_cloud_has_the_points_that_velodyne_pointcloud_reads_from_the_packets_of_its_turn(model, table, rate, older):
    """Each block has its own difference, the last one the one before; both lie on what was hit."""
    left_out = 0
    for turn in turns_of(slices(quiet(model, rate=rate), 10 * MS, round(3300 * MS / rate))):
        theirs, place = read_driver(packets_of(turn), table, older=older)
        ours = cloud_of(turn, int(turn.start[-1]))
        row = np.searchsorted(np.flatnonzero(turn.distance), place)
        mine = np.stack([ours[name][row].astype(np.float64) for name in "xyz"], axis=1)
        assert np.abs(mine - theirs).max() < 1e-4
        assert distance_to_walls(theirs @ turned(0.3).T + POSITION).max() < 3e-3
        assert len(theirs) > 25_000 * 10.0 / rate
        left_out += len(ours) - len(theirs)
    assert left_out in ((0,) if older else (0, 32)), "the first block of a packet that passes straight ahead"


@pytest.mark.parametrize("model", ["VLP-16", "HDL-32E", "HDL-64E"])
@pytest.mark.parametrize("mode", ["strongest", "dual"])
@pytest.mark.parametrize("focus", [False, True])
def test_a_cloud_has_the_points_of_the_reading(model, mode, focus):
    turn = standing(quiet(model, return_mode=mode, farthest=35.0, focus=focus), turned(0.3), 0, 100 * MS)
    ours, plain = cloud_of(turn, int(turn.start[0])), turn.points()
    assert 10_000 < len(ours) < turn.distance.size, "some do not come back"
    assert ours.dtype == plain.dtype
    for name in ("x", "y", "z"):
        assert np.abs(ours[name] - plain[name]).max() < 1e-4
    assert (ours["ring"] == plain["ring"]).all()
    assert (ours["intensity"] == plain["intensity"]).all()
    assert np.abs(ours["time"] - plain["time"]).max() < 1e-8


@pytest.mark.parametrize("tick", [2 * MS, 7 * MS, 100 * MS, 330 * MS])
def test_turns_are_the_same_however_they_are_sliced(tick):
    setting = quiet("VLP-16")
    turns = turns_of(slices(setting, tick, 330 * MS))
    assert [len(turn.number) for turn in turns] == [76, 75, 76]
    assert [turn.number[0] for turn in turns] == [0, 76, 151]
    usual = turns_of(slices(setting, 10 * MS, 330 * MS))
    for turn, other in zip(turns, usual, strict=True):
        assert (cloud_of(turn, 0) == cloud_of(other, 0)).all()


def test_the_first_turn_that_is_told_is_whole_and_one_with_a_gap_is_told_as_it_came():
    readings = list(slices(quiet("VLP-16"), 10 * MS, 430 * MS))
    turns = CloudTurns()
    found = [turn for reading in readings[5:15] for turn in turns.take(reading)]
    assert not found, "the turn had begun, and the next is not over"
    del readings[17]
    found = [turn for reading in readings[15:] for turn in turns.take(reading)]
    assert [len(turn.number) for turn in found] == [68, 76, 75]
    turns.drop()
    assert not turns.take(readings[-1])


def test_a_lost_end_does_not_lose_the_turn():
    readings = list(slices(quiet("VLP-16"), 10 * MS, 230 * MS))
    del readings[9:11]
    assert [len(turn.number) for turn in turns_of(readings)] == [67, 69]
