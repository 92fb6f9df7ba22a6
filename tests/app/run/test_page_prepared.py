"""The page's process comes before its first visitor, in runs at which somebody may look."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from dorosim.app.run.run import prepare_page
from dorosim.app.serve.view_service import ViewService
from dorosim.app.setting.settings import Settings, ViewSettings
from tests.timing import wait_for


class Noted(ViewService):
    """A service of the page that only notes that it is to be prepared."""

    def __init__(self) -> None:
        self.prepared = 0

    def prepare(self, *_) -> None:
        self.prepared += 1


AHEAD = ViewSettings(prepare=True)


@pytest.mark.parametrize(
    ("settings", "count"),
    [
        (Settings(), 0),
        (Settings(view=AHEAD), 1),
        (Settings(view=AHEAD, speed=2.0), 1),
        (Settings(view=AHEAD, duration=10.0), 0),
        (Settings(view=AHEAD, speed="max"), 0),
    ],
)
def test_it_is_prepared_where_somebody_may_look(settings, count):
    service = Noted()
    prepare_page(SimpleNamespace(services=[object(), service]), settings, lambda _: True)
    assert service.prepared == count


class Prepared(ViewService):
    """A service whose address notes when its process is to start."""

    def __init__(self) -> None:
        self.started = threading.Event()
        self._door = SimpleNamespace(prepare=self.started.set, close=lambda: None)
        self._link = self._current = None
        self._closed, self._ended, self._serving = False, threading.Event(), threading.Lock()


def test_it_waits_for_the_kernels():
    service, compiled = Prepared(), threading.Event()
    service.prepare(lambda _: compiled.wait(0.01), after=0.0)
    assert not service.started.wait(0.2)
    compiled.set()
    assert service.started.wait(30.0)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_program_that_has_ended_starts_none(compiled):
    service = Prepared()
    service.prepare(lambda _: compiled, after=60.0)
    service.close()
    assert wait_for(lambda: not [one for one in threading.enumerate() if one.name == "dorosim-page-ahead"])
    assert not service.started.is_set()
