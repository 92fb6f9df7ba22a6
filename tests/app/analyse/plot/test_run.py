"""The plots of a run: what their axes say, and that their lines are the trace's."""

from __future__ import annotations

import base64
import html.parser
import json
import math
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from dorosim.app.analyse.plot.panel import MAKERS, Panel, PlotCurve, pace_of, panels_of, thinned
from dorosim.app.analyse.plot.picture import draw_picture
from dorosim.app.analyse.plot.run_plot import lane_areas, moments, plot_of
from dorosim.app.analyse.trace.line import read_line
from dorosim.app.analyse.trace.recorded import open_recording
from dorosim.app.analyse.trace.trace import trace_of
from dorosim.endpoint.loop.clock import PacedClock
from tests.app.command import dorosim
from tests.app.recorded_drive import SECOND, START, record
from tests.port import free_port

CHROMIUM = Path("/usr/bin/chromium")


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    path = tmp_path_factory.mktemp("drive") / "run.rec"
    record(path, clock=PacedClock())
    (path.parent / "line.csv").write_text(f"x,y\n{START[0] - 10},{START[1]}\n{START[0] + 200},{START[1]}\n")
    return path


@pytest.fixture(scope="module")
def recorded(drive):
    return open_recording(drive, None, drive.parent)


@pytest.fixture(scope="module")
def trace(recorded, drive):
    return trace_of(recorded, reference=read_line(drive.parent / "line.csv"))


def drawn(axes):
    """Lines of axes that have names, by them."""
    return {line.get_label(): line.get_xydata() for line in axes.get_lines() if not line.get_label().startswith("_")}


def test_every_panel_has_a_title_a_unit_and_the_lines_of_the_trace(recorded, trace):
    reference = np.array([(0.0, 0.0), (1.0, 1.0)])
    figure = draw_picture(plot_of(trace, recorded.ready.scene.network, "a title", reference=reference))
    figure.draw_without_rendering()
    by_title = {axes.get_title(loc="left"): axes for axes in figure.axes}
    for title in (
        "Path over the lanes of the map",
        "Gear, mode, and kind of command",
        "Speed [km/h]",
        "Pedals [%]",
        "Angle of the front wheels, left positive [°]",
        "Distance to others [m]",
        "Time gap to the one ahead [s]",
        "Cross-track error, left positive [m]",
        "Real-time factor",
        "Latency of ticks [ms]",
    ):
        assert title in by_title
    assert sum(title.startswith(("Acceleration [m/s²]", "Jerk over 0.1 s [m/s³]")) for title in by_title) == 2
    speed = drawn(by_title["Speed [km/h]"])
    np.testing.assert_array_equal(speed["speed"], np.stack((trace.time, trace.speed * 3.6), axis=1))
    np.testing.assert_array_equal(speed["limit of the lane"][:, 1], trace.limit * 3.6)
    pedals = drawn(by_title["Pedals [%]"])
    np.testing.assert_array_equal(pedals["accelerator"][:, 1], trace.state.accelerator * 100.0)
    error = drawn(by_title["Cross-track error, left positive [m]"])
    np.testing.assert_array_equal(error["to the reference"][:, 1], trace.reference_error)
    np.testing.assert_allclose(trace.reference_error, trace.y - START[1], atol=1e-9)
    ready = drawn(by_title["Latency of ticks [ms]"])["snapshot after it was due"]
    np.testing.assert_array_equal(ready[:, 1], (trace.timing.late + trace.timing.step) * 1e3)
    marks = {line.get_xdata()[0] for line in by_title["Speed [km/h]"].get_lines() if len(line.get_xdata()) == 2}
    assert marks == {hit.time for hit in trace.collisions}
    assert figure.get_suptitle() == "a title"


def test_only_what_is_wanted_is_drawn_and_what_is_missing_is_said(recorded, tmp_path):
    figure = draw_picture(plot_of(trace_of(recorded, 3), recorded.ready.scene.network, "", ("pedals", "speed")))
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["Speed [km/h]", "Pedals [%]"]
    assert [text.get_text() for text in figure.axes[1].texts] == ["traffic has no pedals"]
    record(tmp_path / "plain.rec", 20)
    plain = trace_of(open_recording(tmp_path / "plain.rec", None, tmp_path))
    notes = {panel.key: panel.note for panel in panels_of(plain)}
    assert notes["pace"] == notes["latency"] == "no timing was recorded"


def test_a_panel_of_nobody_near_says_so(trace):
    far = replace(
        trace, gaps=replace(trace.gaps, nearest=np.full(len(trace), 150.0), ahead=np.full(len(trace), np.nan))
    )
    (panel,) = panels_of(far, ("gap",))
    assert (panel.note, panel.curves) == ("there was no actor within 100 m", ())
    (panel,) = panels_of(trace, ("gap",))
    assert (panel.note, len(panel.curves)) == ("", 2)


def test_panels_are_known_by_their_names(trace):
    assert [panel.key for panel in panels_of(trace)] == list(MAKERS)


def test_the_modes_of_a_trajectory_are_bands(recorded):
    (panel,) = panels_of(trace_of(recorded, SECOND), ("mode",))
    told = [(band.row, band.label) for band in panel.bands]
    assert ("gear", "D") in told
    assert ("command", "trajectory") in told
    assert {row for row, _ in told} == {"gear", "mode", "command"}
    for row in ("gear", "mode", "command"):
        ends = [(band.begin, band.end) for band in panel.bands if band.row == row]
        assert ends[0][0] == 0.0
        assert ends[-1][1] == 5.0
        assert all(a[1] == b[0] for a, b in pairwise(ends))


def test_single_peaks_are_named_and_do_not_flatten_the_rest():
    time = np.linspace(0.0, 10.0, 1001)
    value = np.sin(time)
    value[500] = -250.0
    panel = Panel("x", "Title", "m", (PlotCurve("c", time, value, "k"),), peaks=True)
    low, high = panel.frame
    assert -4.0 < low < -1.0
    assert 1.0 <= high < 4.0
    assert panel.heading == "Title [m], peaks to -250"
    plain = Panel("x", "Title", "m", (PlotCurve("c", time, np.sin(time), "k"),), peaks=True)
    assert plain.heading == "Title [m]"
    still = Panel("x", "Title", "m", (PlotCurve("c", time, 1e-9 * np.sin(time), "k"),))
    assert still.frame == pytest.approx((-0.05, 0.05), abs=1e-6)


def test_the_real_time_factor_is_that_of_the_last_second():
    begun = np.concatenate((np.arange(0.0, 5.0, 0.01), np.arange(5.0, 15.0, 0.02)))
    time = 0.01 * np.arange(len(begun))
    factor = pace_of(time, begun)
    assert math.isnan(factor[0])
    assert factor[400] == pytest.approx(1.0, abs=0.02)
    assert factor[-1] == pytest.approx(0.5, abs=0.02)


def test_thinned_lines_keep_their_peaks():
    time = np.arange(100_000) * 0.01
    value = np.sin(time)
    value[77_777], value[3] = 9.0, np.nan
    t, v = thinned(time, value, 2000)
    assert len(t) <= 2004
    assert 9.0 in v
    assert (np.diff(t) > 0.0).all()
    assert np.nanmin(v) == np.nanmin(value)
    assert (np.isin(t, time)).all()


def test_thinned_lines_keep_their_gaps():
    time = np.arange(100_000) * 0.01
    value = np.ones(100_000)
    value[50_000:50_020], value[70_000:80_000] = np.nan, np.nan
    t, v = thinned(time, value, 2000)
    assert np.isnan(v[(t >= 500.0) & (t <= 500.2)]).any()
    assert np.isnan(v[(t >= 701.0) & (t <= 799.0)]).all()
    assert len(t) <= 3004


def test_areas_of_lanes_are_where_the_lanes_are(recorded, trace):
    network = recorded.ready.scene.network
    areas = lane_areas(network, (-240.0, 60.0, -100.0, 90.0))
    assert 4 <= len(areas) < network.link_count / 2
    assert any((area[:, 0].min() <= START[0] + 1) and (area[:, 0].max() >= START[0] + 50) for area in areas)
    marks = moments(trace)
    assert [time for time, _ in marks] == [1.0, 2.0, 3.0, 4.0]
    assert all(trace.time[row] == pytest.approx(time) for time, row in marks)


class Reader(html.parser.HTMLParser):
    """Checks that tags are closed, and collects what a page would load."""

    def __init__(self):
        super().__init__()
        self.open, self.loaded, self.text, self.scripts = [], [], [], 0

    def handle_starttag(self, tag, attributes):
        self.loaded += [value for name, value in attributes if name in ("src", "href", "action", "data")]
        self.scripts += tag == "script"
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.text.append(data)


@pytest.fixture(scope="module")
def page(drive):
    out = drive.parent / "run.html"
    line = drive.parent / "line.csv"
    done = dorosim("plot", drive, "-o", out, "--data", drive.parent, "--reference", line)
    assert done.returncode == 0, done.stderr
    return out


def test_a_page_is_whole_and_loads_nothing(page, trace):
    content = page.read_text()
    reader = Reader()
    reader.feed(content)
    reader.close()
    assert reader.open == []
    assert reader.loaded == []
    assert reader.scripts >= 3
    shown = " ".join(reader.text)
    assert "2016_Hyundai_Ioniq" in shown
    assert f"collision at {trace.collisions[0].time:.2f} s" in shown
    assert "steering: offset" in shown
    assert "sendChartToCloud" not in content[content.rindex('id="panels"') :]


def test_the_lines_of_a_page_are_the_traces(page, trace):
    content = page.read_text()
    drawing = content[content.rindex('id="panels"') :]
    match = re.search(r"Plotly\.newPlot\(\s*\"panels\",\s*(\[.*\]),\s*\{", drawing, re.DOTALL)
    assert match
    lines = json.JSONDecoder().raw_decode(match.group(1))[0]
    (speed,) = [line for line in lines if line.get("name") == "speed"]
    value = np.frombuffer(base64.b64decode(speed["y"]["bdata"]), speed["y"]["dtype"])
    np.testing.assert_array_equal(value, (trace.speed * 3.6).astype(np.float32))


@pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed")
def test_a_browser_draws_the_page(page, tmp_path):
    """All panels are drawn, though no name of any host can be resolved."""
    done = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={tmp_path}", "--virtual-time-budget=8000",
            "--enable-logging=stderr", "--dump-dom", page.as_uri(),
        ],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    titles = re.findall(r'<text class="annotation-text"[^>]*>(?:<tspan[^>]*>)?([^<]*)', done.stdout)
    assert len(titles) == len(MAKERS)
    assert {"Cross-track error, left positive [m]", "Latency of ticks [ms]", "Real-time factor"} <= set(titles)
    assert len(re.findall(r'<path class="js-line"', done.stdout)) >= 15
    assert "CONSOLE" not in done.stderr


def test_the_command_draws_and_sums_up(drive, tmp_path):
    out = tmp_path / "run.png"
    done = dorosim("plot", drive, "--out", out, "--data", drive.parent, "--only", "speed,gap")
    assert done.returncode == 0, done.stderr
    assert out.read_bytes().startswith(b"\x89PNG")
    assert "vehicle: 1, 2016_Hyundai_Ioniq" in done.stdout
    assert "simulated time: 0.00 to 5.00 s" in done.stdout
    assert f"drawn: {out}" in done.stdout
    told = dorosim("plot", drive, "--json", "--data", drive.parent, "--actor", SECOND).stdout
    assert told.count("\n") == 1, "one line, as of every command"
    figures = json.loads(told)
    assert figures["actor"] == SECOND
    assert figures["cross_track_against"] == "trajectory"
    assert figures["collisions"] == 0
    assert figures["distance_m"] > 10.0
    svg = tmp_path / "run.svg"
    assert dorosim("plot", drive, "-q", "-o", svg, "--data", drive.parent, "--only", "path").stdout == ""
    assert "<svg" in svg.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.rec"], "none.rec"),
        (["{run}", "-o", "x.gif"], "end the name in .png or .svg or .html"),
        (["{run}", "-o", "/nowhere/x.png"], "there is no folder /nowhere"),
        (["{run}", "--only", "speed,curve"], "there is no 'curve'; use path, mode, speed"),
        (["{run}", "--reference", "none.csv", "--json"], "none.csv"),
        (["{run}", "--from", "3", "--to", "2", "--json"], "is not after --from 3 s"),
        (["{run}", "--from", "99", "--json"], "no tick then"),
        (["{run}", "--actor", "99", "--json"], "no vehicle has the id 99; ego vehicles: 1, 2"),
        (["{run}", "--part", "2", "--json"], "has no part 2"),
        (["{run}", "--map", "nowhere", "--json"], "there is no such map"),
        (["{text}", "--json"], "is not a dorosim recording"),
        (["{cut}", "--json"], "holds no tick"),
    ],
)
def test_wrong_input_is_refused_in_a_line(drive, tmp_path, arguments, words):
    text, cut = tmp_path / "text.rec", tmp_path / "cut.rec"
    text.write_text("not a recording")
    content = drive.read_bytes()
    size = len(b"dorosim recording 1\n")
    cut.write_bytes(content[: size + 4 + int.from_bytes(content[size : size + 4], "little") + 9])
    told = [one.format(run=drive, text=text, cut=cut) for one in arguments]
    done = dorosim("plot", *told, "--data", drive.parent)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_run_records_its_wall_times(tmp_path):
    net = tmp_path / "net.toml"
    net.write_text(f'[[listen]]\naddress = "127.0.0.1:{free_port()}"\n')
    path = tmp_path / "run.rec"
    done = dorosim(
        "run", "-q", "--network", net, "--data", tmp_path, "--duration", "0.6", "--record", path, "--grpc", "off",
        "--ros-server", "off",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    figures = json.loads(dorosim("plot", path, "--json", "--data", tmp_path).stdout)
    assert figures["real_time_factor"] == pytest.approx(1.0, abs=0.3)
    assert 0.0 <= figures["late_p99_ms"] < 1000.0
    assert figures["step_p99_ms"] > 0.0


def test_without_the_extra_it_is_said_what_to_install(drive, tmp_path, monkeypatch):
    for library in ("plotly", "matplotlib"):
        monkeypatch.setitem(sys.modules, library, None)
    for name, library in (("x.html", "plotly"), ("x.png", "matplotlib")):
        done = dorosim("plot", drive, "-o", tmp_path / name, "--data", drive.parent)
        assert done.returncode == 2
        assert f"{library} is needed" in done.stderr
        assert "pip install 'dorosim[plot]'" in done.stderr
    assert dorosim("plot", drive, "--json", "--data", drive.parent).returncode == 0
