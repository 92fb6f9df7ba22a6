"""The banner fits a small terminal, and a run that nobody drives says nothing about driving."""

from __future__ import annotations

import re

import pytest

from tests.app.terminal import on_terminal

ROWS, COLUMNS = 20, 80
DRIVING = ("To drive it", "EgoCtrlCmd with", "drive_lap.py")


def banner(*options: object) -> list[str]:
    """Rows of the terminal up to the end of the banner."""
    seen = []

    def stop(written: str) -> None:
        seen.append(written)
        if "Ctrl-C ends" in written:
            raise StopIteration

    try:
        _, written = on_terminal("run", "--ports", "auto", "--no-table", *options, columns=COLUMNS, rows=24, watch=stop)
    except StopIteration:
        written = seen[-1]
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written).replace("\r", "")
    assert "Ctrl-C ends." in plain, plain
    lines = plain[plain.rindex("dorosim ", 0, plain.index(": map ")) : plain.index("Ctrl-C ends.")].splitlines()
    return [line[at : at + COLUMNS] for line in [*lines, "Ctrl-C ends."] for at in range(0, max(len(line), 1), COLUMNS)]


def test_the_banner_of_a_usual_run_fits_and_tells_how_to_drive(tmp_path):
    rows = banner("--data", tmp_path)
    assert len(rows) <= ROWS, "\n".join(rows)
    told = "".join(rows)
    assert all(text in told for text in DRIVING), told
    assert re.search(r"sends EgoVehicleStatus → 127\.0\.0\.1:\d+ at 50 Hz, and 5 more messages", told)
    assert re.search(r"takes EgoCtrlCmd at 127\.0\.0\.1:\d+, and 13 more messages", told)
    assert "all addresses: --verbose" in told


def test_all_addresses_are_told_on_demand(tmp_path):
    told = "".join(banner("--data", tmp_path, "--verbose", "--duration", "0.01"))
    for message in ("ObjectInfo", "SetIntersectionStatus", "MultiEgoSetting"):
        assert message in told
    assert "takes every message to the simulator" in told


@pytest.mark.parametrize("options", [("--speed", "max"), ("--duration", "60")])
def test_a_run_that_nobody_drives_says_nothing_about_driving(tmp_path, options):
    told = "".join(banner("--data", tmp_path, *options))
    assert not [text for text in DRIVING if text in told]


@pytest.mark.parametrize(("options", "named"), [((), True), (("--pose", "-223.8,74.7,10"), False)])
def test_the_example_is_named_only_where_its_lap_begins(options, named, tmp_path):
    told = "".join(banner("--data", tmp_path, *options))
    assert ("examples/drive_lap.py" in told) == named
    assert "send EgoCtrlCmd with ctrl_mode 2" in told
