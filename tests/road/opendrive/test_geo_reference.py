"""The projection of a file that dorosim writes, as PROJ and CARLA read it."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from dorosim.road.opendrive.geo_reference import coordinate_system_of, origin_of
from dorosim.road.projection import MapProjection
from tests.road.opendrive.exported import BUILT_IN, written_map

PLACES = np.array([(0.0, 0.0, 0.0), (400.0, -300.0, 5.0), (-700.0, 900.0, 0.0)])
NEAR = np.array([(0.0, 0.0, 0.0), (45.0, 0.0, 0.0), (0.0, -45.0, 0.0)])
LATITUDE_METRE = 1.0 / 6_371_000.0
"""About how much latitude a metre is [rad]."""


@pytest.mark.parametrize("name", BUILT_IN)
def test_it_is_the_projection_of_the_map(name):
    """The words that are added for CARLA change nothing for PROJ, with and without what is kept for dorosim."""
    one = written_map(name)
    own = MapProjection(one.network.coordinate_system, one.network.origin)
    for header in (one.read.header, replace(one.read.header, user_data={})):
        other = MapProjection(coordinate_system_of(header), origin_of(header))
        for here, there in zip(own.geographic_from_map(PLACES), other.geographic_from_map(PLACES), strict=True):
            assert np.allclose(here, there, atol=1e-12, rtol=0.0)


@pytest.mark.parametrize("name", BUILT_IN)
def test_it_names_where_the_origin_is(name):
    one = written_map(name)
    found = {key: float(value) for key, value in re.findall(r"\+(lat_0|lon_0)=(\S+)", one.read.header.geo_reference)}
    latitude, longitude = MapProjection(one.network.coordinate_system, one.network.origin).geographic_from_point(0, 0)
    assert found == pytest.approx({"lat_0": math.degrees(latitude), "lon_0": math.degrees(longitude)}, abs=1e-11)


def test_a_changed_projection_is_read_as_it_is_then():
    header = replace(written_map("village").read.header, geo_reference="+proj=utm +zone=51 +datum=WGS84")
    assert coordinate_system_of(header) == "+proj=utm +zone=51 +datum=WGS84"


@pytest.mark.parametrize("name", BUILT_IN)
def test_carla_finds_latitude_and_longitude(name):
    """Within 1 m where the map's grid and CARLA's, which points north, are alike: by 1 degree they turn apart."""
    carla = pytest.importorskip("carla", reason="the wheel of CARLA is not installed: pip install carla")
    one = written_map(name)
    town = carla.Map(name, one.content.decode())
    own = MapProjection(one.network.coordinate_system, one.network.origin)
    for place in NEAR.tolist():
        latitude, longitude = own.geographic_from_point(*place[:2])
        found = town.transform_to_geolocation(carla.Location(*place))
        north = (math.radians(found.latitude) - latitude) / LATITUDE_METRE
        east = (math.radians(found.longitude) - longitude) / LATITUDE_METRE * math.cos(latitude)
        assert math.hypot(north, east) < 1.0
