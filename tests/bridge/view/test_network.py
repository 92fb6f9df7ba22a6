"""Counts of the interfaces as a table."""

from __future__ import annotations

import pytest

from dorosim.bridge.view.network import NetworkWay, Row, counts_of, kind_of, rows_of

SENT = {"EgoVehicleStatus": 100, "ObjectInfo": 50}
PACKETS = {"lidar_3d": 754}
COUNTS = {
    "received EgoCtrlCmd": 40,
    "bad size": 2,
    "clamped": 1,
    "gRPC Simulation/Pause": 3,
    "gRPC not found": 1,
    "/Ego_topic sent": 60,
    "/ctrl_cmd received": 30,
    "/Service_MoraiEventCmd called": 2,
    "scenario": 1,
}


def test_each_count_has_its_way():
    found = counts_of(SENT, PACKETS, COUNTS)
    assert found == {
        (NetworkWay.UDP_SENT, "EgoVehicleStatus"): 100,
        (NetworkWay.UDP_SENT, "ObjectInfo"): 50,
        (NetworkWay.SENSOR, "lidar_3d"): 754,
        (NetworkWay.UDP_RECEIVED, "EgoCtrlCmd"): 40,
        (NetworkWay.ERROR, "bad size"): 2,
        (NetworkWay.ERROR, "clamped"): 1,
        (NetworkWay.GRPC_CALLED, "Simulation/Pause"): 3,
        (NetworkWay.ERROR, "gRPC not found"): 1,
        (NetworkWay.ROS_SENT, "/Ego_topic"): 60,
        (NetworkWay.ROS_RECEIVED, "/ctrl_cmd"): 30,
        (NetworkWay.ROS_CALLED, "/Service_MoraiEventCmd"): 2,
        (NetworkWay.EVENT, "scenario"): 1,
    }


@pytest.mark.parametrize(
    "kind",
    [
        "ROS internal error", "ROS message refused", "ROS master not reached", "bad size", "bag", "clamped",
        "dropped to the bag", "gRPC is not served", "gRPC not found", "live page", "not in this version",
        "not written to the bag", "page error", "receive error", "refused", "rosbridge dropped",
        "rosbridge is not served", "save error", "send error", "sensor error", "sensors late",
    ],
)  # fmt: skip
def test_what_goes_wrong_is_an_error(kind):
    assert counts_of({}, {}, {kind: 1}) == {(NetworkWay.ERROR, kind): 1}


@pytest.mark.parametrize(
    "kind",
    [
        "ROS bridge says", "ROS publisher waits", "/Ego_topic recorded", "first start", "message INFO",
        "rosbridge clients", "scenario loaded", "sensor data", "sensor data saved", "sensor socket",
    ],
)  # fmt: skip
def test_what_goes_well_is_none(kind):
    assert counts_of({}, {}, {kind: 1}) == {(NetworkWay.EVENT, kind): 1}


def test_a_row_leads_back_to_its_kind_of_count():
    """By which the last value of a call or of a message of ROS is found."""
    kinds = {kind for kind in COUNTS if kind.startswith(("/", "gRPC ")) and kind != "gRPC not found"}
    assert {kind_of(way, name) for way, name in counts_of({}, {}, dict.fromkeys(kinds, 1))} == kinds


def test_rates_are_those_between_two_looks():
    before = counts_of(SENT, PACKETS, COUNTS)
    now = counts_of({**SENT, "EgoVehicleStatus": 200}, PACKETS, {**COUNTS, "received New": 4})
    rows = rows_of(now, before, 2.0)
    assert rows[0] == Row(NetworkWay.UDP_SENT, "EgoVehicleStatus", 200, 50.0)
    assert rows[1] == Row(NetworkWay.UDP_SENT, "ObjectInfo", 50, 0.0)
    assert Row(NetworkWay.UDP_RECEIVED, "New", 4, 2.0) in rows
    assert [row.way for row in rows] == sorted((row.way for row in rows), key=list(NetworkWay).index)


def test_no_rate_is_told_that_is_not_known():
    now = counts_of(SENT, {}, {})
    assert {row.rate for row in rows_of(now, {}, 1.0)} == {None}
    assert {row.rate for row in rows_of(now, now, 0.0)} == {None}
    begun_anew = rows_of({(NetworkWay.UDP_SENT, "ObjectInfo"): 3}, now, 1.0)
    assert begun_anew == [Row(NetworkWay.UDP_SENT, "ObjectInfo", 3, None)]
