"""Drawings of maps. What they look like is for people to judge; here is what they hold."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection

from dorosim.app.analyse.drawing.drawing import draw_map
from dorosim.ground.error import InputError
from dorosim.mapmaking.lap import lap
from dorosim.mapmaking.plan import Size
from dorosim.road import outline as shapes
from dorosim.road.mgeo.reader import read_mgeo
from dorosim.road.mgeo.record import MGeoMap
from tests.road.generated_town import town_of

MAPS = Path(__file__).parents[2].parent / "shared" / "maps"
JUNCTION = (-150.0, -60.0, -50.0, 60.0)


def small_town() -> MGeoMap:
    return town_of(1, Size.SMALL)


def texts_of(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def lines_of(figure, color):
    """The lines of one colour."""
    from matplotlib.colors import to_rgba

    found = []
    for item in figure.axes[0].collections:
        if isinstance(item, LineCollection) and np.allclose(item.get_colors()[0], to_rgba(color)):
            found += item.get_segments()
    return found


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_drawing_is_saved_without_a_window(kind):
    out = io.BytesIO()
    draw_map(small_town()).savefig(out, format=kind, dpi=40)
    assert len(out.getvalue()) > 5000
    assert "matplotlib.pyplot" not in sys.modules or sys.modules["matplotlib.pyplot"].get_fignums() == []


def test_the_whole_map_fits_and_keeps_its_proportions():
    figure = draw_map(small_town(), width=10.0, title=False)
    axes = figure.axes[0]
    (west, east), (south, north) = axes.get_xlim(), axes.get_ylim()
    points = np.concatenate([link.points for link in small_town().links])
    assert west < points[:, 0].min() < points[:, 0].max() < east
    assert south < points[:, 1].min() < points[:, 1].max() < north
    width, height = figure.get_size_inches()
    assert height / width == pytest.approx((north - south) / (east - west))


def test_bounds_choose_a_part():
    axes = draw_map(small_town(), bounds=JUNCTION).axes[0]
    assert (*axes.get_xlim(), *axes.get_ylim()) == (-150.0, -50.0, -60.0, 60.0)


def test_a_narrow_part_is_framed_to_fit_a_page():
    figure = draw_map(small_town(), bounds=(-1.0, -200.0, 1.0, 200.0), width=8.0)
    assert figure.get_size_inches()[1] < 21
    assert figure.axes[0].get_ylim() == (-200.0, 200.0)


@pytest.mark.parametrize("bounds", [(0.0, 0.0, 0.0, 5.0), (5.0, 0.0, 0.0, 5.0), (0.0, 0.0, float("nan"), 5.0)])
def test_bounds_without_area_are_refused(bounds):
    with pytest.raises(InputError, match="enclose no area"):
        draw_map(small_town(), bounds=bounds)


def test_lines_keep_their_colours_and_dashes():
    figure = draw_map(small_town(), bounds=JUNCTION)
    yellow, white = lines_of(figure, "#f2b632"), lines_of(figure, "#f4f4f0")
    assert yellow
    lengths = np.array([np.hypot(*np.diff(line, axis=0).T).sum() for line in white])
    assert np.sum(np.abs(lengths - 3.0) < 0.02) > 5  # dashes of lane lines
    assert np.sum(np.abs(lengths - 0.75) < 0.02) > 5  # dashes of guide lines


def test_bridges_are_drawn_above_what_they_cross():
    axes = draw_map(small_town()).axes[0]
    decks = [item for item in axes.collections if isinstance(item, PolyCollection) and item.get_zorder() == 41]
    assert len(decks) == 1
    places = np.array([path.vertices.mean(axis=0) for path in decks[0].get_paths()])
    assert np.ptp(np.abs(places[:, 0])) < 30  # at the two interchanges, west and east
    assert {True, False} == set((places[:, 0] > 0).tolist())


def test_ids_and_route_on_request():
    plain, full = draw_map(small_town()), draw_map(small_town(), link_ids=True, route=lap(small_town()))
    lanes = {link.idx for link in small_town().links if not link.lazy_init}
    assert lanes <= set(texts_of(full))
    assert not lanes & set(texts_of(plain))
    assert len(lines_of(full, (0.878, 0.129, 0.541, 0.8))) in (0, len(lap(small_town())))
    assert sum(isinstance(item, LineCollection) and item.get_zorder() == 60 for item in full.axes[0].collections) == 1


@pytest.mark.parametrize("name", ["V_RHT_Suburb_03", "Sangam_Track"])
def test_real_maps_are_drawn(name):
    folder = MAPS / name
    if not folder.is_dir():
        pytest.skip(f"the real map {folder} is not here")
    town = read_mgeo(name, {path.name: path.read_bytes() for path in folder.iterdir()})
    out = io.BytesIO()
    draw_map(town, width=8.0).savefig(out, format="png", dpi=30)
    draw_map(town, bounds=(440.0, 350.0, 540.0, 440.0), width=8.0)
    assert len(out.getvalue()) > 2000


def test_an_empty_map_is_an_empty_drawing():
    draw_map(MGeoMap("nothing")).savefig(io.BytesIO(), format="png", dpi=20)


def test_without_matplotlib_the_cure_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'dorosim\[plot\]'"):
        draw_map(small_town())


def test_dashes_cover_painted_and_leave_gaps():
    found = shapes.dashes(np.array([[0.0, 0.0], [20.0, 0.0]]), 3.0, 5.0)
    assert [(line[0, 0], line[-1, 0]) for line in found] == [(0.0, 3.0), (8.0, 11.0), (16.0, 19.0)]


def test_crosswalk_bars_lie_along_the_road():
    bars = shapes.bars(np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 4.0], [0.0, 4.0], [0.0, 0.0]]))
    assert len(bars) == 10
    assert all(np.ptp(bar[:, 1]) == pytest.approx(4.0) and np.ptp(bar[:, 0]) == pytest.approx(0.45) for bar in bars)


def test_only_the_piece_above_another_road_is_raised():
    low = np.array([[0.0, -50.0, 0.0], [0.0, 50.0, 0.0]])
    high = np.array([[-100.0, 0.0, 6.0], [100.0, 0.0, 6.0]])
    lowest = shapes.lowest_ground([low, high])
    (piece,) = shapes.raised_pieces(high, lowest)
    assert -20 < piece[0, 0] < -5
    assert 5 < piece[-1, 0] < 20
    assert shapes.raised_pieces(low, lowest) == []
