"""The panel of the world: its pace, other runs, scenarios, weather and roads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dorosim.bridge.host import StartOrder
from dorosim.bridge.view import surroundings
from dorosim.bridge.view.surroundings import SEASONS, WEATHERS, surroundings_of
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun, assign
from dorosim.ground.error import InputError
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS

PACES: dict[str, float] = {
    "0.1 ×": 0.1,
    "0.25 ×": 0.25,
    "0.5 ×": 0.5,
    "real time": 1.0,
    "2 ×": 2.0,
    "4 ×": 4.0,
    "10 ×": 10.0,
    "as fast as possible": 0.0,
}
"""Paces that can be chosen, and their factors of real time; 0 for as fast as possible."""
NO_SCENARIO = "none"
_SHOWN = 0.5
"""Wall time from one look at the fields to the next [s]."""
_SETTLED = 1.5
"""Wall time after a visitor's change in which fields stay as the visitor set them [s]."""


class WorldPart(PagePart):
    """The panel of the world (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._look = Throttle(_SHOWN, context.clock)
        self._paces = PACES
        gui = context.server.gui
        with context.tab("World"):
            self._pace = gui.add_dropdown("Pace", tuple(PACES), initial_value="real time")
            with gui.add_folder("Another run"):
                self._map = gui.add_dropdown("Map", ("",))
                self._vehicle = gui.add_dropdown("Vehicle", tuple(model.name for model in VEHICLE_MODELS))
                self._scenario = gui.add_dropdown("Scenario", (NO_SCENARIO,))
                self._start = gui.add_button("Start", hint="Begins another run on this map, with this vehicle")
                self._load = gui.add_button(
                    "Load scenario into this run",
                    color="gray",
                    hint="In place of all but the ego vehicle",
                )
                self._reload = gui.add_button("Look for new files", color="gray")
            with gui.add_folder("Weather and light"):
                self._weather = gui.add_dropdown("Weather", WEATHERS)
                self._rain = gui.add_slider("Rain [mm/h]", 0.0, 60.0, 0.5, 0.0)
                self._visibility = gui.add_slider("Visibility [m]", 10, 20_000, 10, 20_000)
                self._cloud = gui.add_slider("Clouds [%]", 0, 100, 5, 10)
                self._season = gui.add_dropdown("Season", SEASONS)
                self._hour = gui.add_slider("Time of day [h]", 0.0, 24.0, 0.25, 12.0)
            with gui.add_folder("Roads"):
                self._friction = gui.add_slider("Friction", 0.05, 1.5, 0.05, 1.0)
                self._puddles = gui.add_checkbox("Show puddles", initial_value=True)
        self._bind()

    def begin(self, run: PageRun) -> None:
        """Show map, vehicle and weather of another run."""
        self._look.wait(0.0)
        self._sync(run.first)
        # another thread asks for the maps and scenarios to start with: this one takes the answer
        self._context.later(self._choices)

    def show(self, now: Snapshot) -> None:
        """Show the present state of the world in the fields, whichever client changed it."""
        if self._look.due():
            self._sync(now)

    def _bind(self) -> None:
        context = self._context
        context.on_input(self._pace, "Pace", self._set_pace)
        context.on_press(self._start, "Start", self._begin_run)
        context.on_press(self._load, "Scenario", self._load_scenario)
        context.on_press(self._reload, "Files", self._choices)
        fields: tuple[tuple[Any, str, Callable[[Any], Command]], ...] = (
            (self._weather, "Weather", surroundings.set_weather),
            (self._rain, "Rain", surroundings.set_rain),
            (self._visibility, "Visibility", surroundings.set_visibility),
            (self._cloud, "Clouds", surroundings.set_cloud),
            (self._season, "Season", surroundings.set_season),
            (self._hour, "Time of day", surroundings.set_hour),
            (self._friction, "Friction", surroundings.set_friction),
            (self._puddles, "Puddles", surroundings.show_puddles),
        )
        for field, title, meaning in fields:
            context.on_input(field, title, self._setter(field, meaning))

    def _setter(self, field: Any, meaning: Callable[[Any], Command]) -> Callable[[], None]:
        def act() -> None:
            self._look.wait(_SETTLED)
            self._context.proxy.do(meaning(field.value))

        return act

    def _set_pace(self) -> None:
        self._look.wait(_SETTLED)
        if self._pace.value not in self._paces:
            raise InputError("pace", "", f"there is no {self._pace.value!r}")
        self._context.proxy.ask("page", "set_pace", self._paces[self._pace.value])

    def _begin_run(self) -> None:
        scenario = "" if self._scenario.value == NO_SCENARIO else str(self._scenario.value)
        order = StartOrder(map_name=str(self._map.value), vehicle=str(self._vehicle.value), scenario=scenario)
        if scenario.endswith(".xosc"):  # it names its own map and vehicles
            order = StartOrder(scenario=scenario)
        self._context.notify("Start", "another run is being built", colour="blue")
        said = self._context.proxy.ask("runs", "start", order)
        self._context.notify("Start", f"the run has begun ({said})", colour="green")

    def _load_scenario(self) -> None:
        if self._scenario.value == NO_SCENARIO:
            raise InputError("scenario", "", "none is chosen", "put files into Scenario/ of the data folder")
        said = self._context.proxy.ask("page", "load", str(self._scenario.value))
        self._context.notify("Scenario", said, colour="green")

    def _choices(self) -> None:
        found = self._context.proxy.ask("page", "choices")
        self._map.options = found.maps
        self._scenario.options = (NO_SCENARIO, *found.scenarios)
        assign(self._map, found.map_name)
        assign(self._vehicle, found.vehicle)

    def _sync(self, now: Snapshot) -> None:
        """Show the present values in the fields; one that is shown already is not sent again."""
        shown = surroundings_of(now)
        for field, value in (
            (self._weather, shown.weather),
            (self._rain, min(shown.rain, 60.0)),
            (self._visibility, min(max(int(shown.visibility), 10), 20_000)),
            (self._cloud, int(shown.cloud)),
            (self._season, shown.season),
            (self._hour, shown.hour),
            (self._friction, min(max(shown.friction, 0.05), 1.5)),
            (self._puddles, shown.puddles),
        ):
            assign(field, value)
        status = self._context.status
        if status is None:
            return
        name = next((name for name, factor in self._paces.items() if factor == status.factor), None)
        if name is None:  # as the user began the run
            name = f"{status.factor:g} ×"
            self._paces = PACES | {name: status.factor}
            self._pace.options = tuple(self._paces)
        assign(self._pace, name)
        if self._pace.disabled != status.synchronous:
            self._pace.disabled = status.synchronous
