"""Moments of a run that are kept to go back to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dorosim.bridge.view.storyboard import element_texts
from dorosim.endpoint.view.moments import MAX_KEPT_SNAPSHOTS, MAX_MOMENTS, MomentKeeper
from dorosim.ground.error import InputError
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.scenario.openscenario.world_run import scene_with, snapshots, start_of

TEXT = file_text(event("go", speed(5.0), TIME.format(time=1.5)), end=99.0)


@pytest.fixture
def kept():
    """A keeper that has seen 3 s, with the scene and all snapshots."""
    scene = scene_with(TEXT)
    first = start_of(scene)
    keeper = MomentKeeper()
    keeper.begin(first, element_texts(scene), goes_on=False)
    seen = [first, *snapshots(scene, 300)]
    for now in seen[1:]:
        keeper.see(now)
    return keeper, scene, seen


def test_the_moment_before_an_event_is_kept_and_leads_to_the_same(kept):
    keeper, scene, seen = kept
    moment = next(one for one in keeper.listed() if one.text == "before event go starts")
    there = keeper.last_before(moment.time)
    assert there is seen[round(moment.time * 100)]
    assert there.storyboard_report.happened == ()
    (after,) = snapshots(scene, 1, there)
    assert after.storyboard_report.happened
    assert after.digest() == seen[after.tick].digest()


def test_snapshots_are_kept_each_second(kept):
    keeper, _, seen = kept
    assert keeper.last_before(2.3) is seen[200]
    assert keeper.last_before(99.0) is seen[300]
    with pytest.raises(InputError, match=r"kept from 0\.00 s on"):
        keeper.last_before(-1.0)


def test_a_run_that_goes_on_from_a_moment_keeps_those_before(kept):
    keeper, _, seen = kept
    keeper.begin(seen[120], (), goes_on=True)
    assert keeper.last_before(99.0) is seen[100]
    assert keeper.listed() == ()  # what the event began is not there yet
    keeper.begin(seen[120], (), goes_on=False)
    assert keeper.last_before(99.0) is seen[120]


def test_a_reset_forgets_what_has_not_happened_any_more(kept):
    keeper, _, seen = kept
    keeper.see(seen[50])
    assert keeper.last_before(99.0).time <= seen[50].time
    assert not any("event go" in one.text for one in keeper.listed())


def test_a_snapshot_that_was_not_the_last_one_is_no_moment():
    scene = scene_with(TEXT)
    keeper = MomentKeeper()
    first, *rest = start_of(scene), *snapshots(scene, 200)
    keeper.begin(first, element_texts(scene), goes_on=False)
    keeper.see(next(now for now in rest if now.storyboard_report.happened and now.time > 1_000_000_000))
    assert keeper.listed() == ()


def test_few_are_kept_of_a_long_run():
    scene = scene_with(TEXT)
    keeper = MomentKeeper()
    first = start_of(scene)
    keeper.begin(first, element_texts(scene), goes_on=False)
    happened = next(now for now in snapshots(scene, 300) if now.storyboard_report.happened and now.time > 10**9)
    for second in range(1, 1000):
        now = replace(first, time=second * 10**9, tick=second)
        keeper.see(replace(now, storyboard_report=happened.storyboard_report) if second % 2 else now)
    assert len(keeper._regular) <= MAX_KEPT_SNAPSHOTS
    assert len(keeper.listed()) <= MAX_MOMENTS
    assert keeper.last_before(1e9).time > 900 * 10**9
