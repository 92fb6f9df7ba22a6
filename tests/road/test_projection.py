"""Latitude and longitude against known places, and there and back."""

import math

import numpy as np
import pytest
from pyproj import Transformer

from dorosim.ground.error import InputError
from dorosim.road.projection import MapProjection
from tests.road.real_map import SUBURB, real_map

KCITY = ("UTM52N", (302459.942, 4122635.537, 28.991))
"""K-City, Hwaseong; origin as in public scenario files of that map."""


def test_the_middle_of_a_zone_at_the_equator():
    """UTM puts the central meridian (129 degrees east in zone 52) at 500 km, the equator at 0."""
    place = MapProjection("UTM52N", (500_000.0, 0.0, 10.0)).geographic_from_map([0, 0, 2])
    assert math.degrees(place.latitude[0]) == pytest.approx(0, abs=1e-9)
    assert math.degrees(place.longitude[0]) == pytest.approx(129, abs=1e-9)
    assert place.altitude[0] == 12


def test_one_metre_north_is_a_metre_along_the_meridian():
    """Near the equator a degree of latitude is 110 574 m on WGS 84; UTM scales by 0.9996."""
    place = MapProjection("UTM52N", (500_000.0, 0.0, 0.0)).geographic_from_map([[0, 1000, 0]])
    assert math.degrees(place.latitude[0]) * 110_574.27 * 0.9996 == pytest.approx(1000, rel=1e-5)


def test_k_city_lies_in_hwaseong():
    place = MapProjection(*KCITY).geographic_from_map([0, 0, 0])
    assert math.degrees(place.latitude[0]) == pytest.approx(37.229, abs=0.001)
    assert math.degrees(place.longitude[0]) == pytest.approx(126.773, abs=0.001)


@pytest.mark.parametrize(
    "system", ["UTM52N", "utm 52n", "52N", "EPSG:32652", "+proj=utm +zone=52 +datum=WGS84 +units=m +no_defs"]
)
def test_a_zone_may_be_written_in_several_ways(system):
    projection = MapProjection(system, KCITY[1])
    assert (projection.utm_zone, projection.utm_north) == (52, True)
    expected = MapProjection(*KCITY).geographic_from_map([10, 20, 0])
    np.testing.assert_allclose(projection.geographic_from_map([10, 20, 0]), expected, rtol=1e-12)


def test_southern_zones_and_other_projections_say_so():
    assert not MapProjection("UTM23S", (0, 0, 0)).utm_north
    assert MapProjection("EPSG:5186", (200_000.0, 600_000.0, 0.0)).utm_zone == 0


def test_suburbs_string_works_without_its_geoid_grid():
    info = real_map(SUBURB).info
    assert "geoidgrids" in info.coordinate_system
    place = MapProjection(info.coordinate_system, info.origin).geographic_from_map([500.0, 300.0, 2.0])
    assert place.latitude[0] == pytest.approx(300 / 6_335_439, rel=1e-4)
    assert place.longitude[0] == pytest.approx(500 / 6_378_137, rel=1e-4)
    assert place.altitude[0] == 2.0


@pytest.mark.parametrize(
    ("system", "known"), [("UTM52N", "EPSG:32652"), ("UTM23S", "EPSG:32723"), ("EPSG:5186", "EPSG:5186")]
)
def test_there_and_back_by_the_registered_system(system, known):
    projection = MapProjection(system, (302_459.942, 4_122_635.537, 28.991))
    points = np.random.default_rng(5).uniform(-5000, 5000, (200, 3))
    place = projection.geographic_from_map(points)
    back = Transformer.from_crs("EPSG:4326", known, always_xy=True)
    east, north = back.transform(np.degrees(place.longitude), np.degrees(place.latitude))
    found = np.column_stack((east, north, place.altitude)) - projection.origin
    np.testing.assert_allclose(found, points, atol=1e-5)


def test_places_that_cannot_be_projected_are_nan():
    projection = MapProjection(*KCITY)
    assert np.isnan(projection.geographic_from_map([1e12, 0, 0]).latitude[0])


@pytest.mark.parametrize("system", ["", "  ", "nowhere", "UTM61N", "EPSG:4326", "+proj=utm +zone=52 +units=us-ft"])
def test_what_is_no_metric_projection_is_refused(system):
    with pytest.raises(InputError, match="global_coordinate_system"):
        MapProjection(system, (0, 0, 0), "the map")
