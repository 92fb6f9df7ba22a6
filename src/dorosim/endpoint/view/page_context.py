"""What the page consists of: parts, each of which shows one kind of thing or one panel."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

import viser

from dorosim.bridge.view.pick import Picker
from dorosim.endpoint.view.run_proxy import RunProxy
from dorosim.ground.error import DorosimError
from dorosim.world.actor.command import PauseRun
from dorosim.world.snapshot import EGO, Snapshot

if TYPE_CHECKING:
    from dorosim.bridge.view.scenery import PageScenery
    from dorosim.bridge.view.storyboard import StoryboardGuide
    from dorosim.endpoint.view.message import Status
    from dorosim.sensor.pose import Pose
    from dorosim.sensor.reading import Reading
    from dorosim.sensor.scene.actor.catalogue import ActorModels
    from dorosim.sensor.scene.static.world import StaticWorld
    from dorosim.world.scene import Scene

STEPPED_BY_CLIENTS = "clients step the run (synchronous mode): they let time pass"
Colour = Literal["red", "green", "blue", "orange"]
_NOTED = 12
"""Notes that are remembered, so that none is shown twice."""


class DoneText(str):
    """What was done, in words for a visitor."""

    __slots__ = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class PageRun:
    """A run as the page's parts see it.

    Attributes:
        scene: what does not change in it. models: of all actors.
        first: the snapshot with which the page begins.
        origin: `(x, y, z)` of the page's frame in the map [m]: triangles are sent as float32, which is too coarse far
            from it.
        place: names what stands still: the same for runs with the same scenery.
        load_scenery: returns what stands still, which takes long. load_static: triangles of the map, as sensors see it.
        number: 1 for the first of the program.
        load_storyboard: reads the scenario that the run plays; None for a run that plays none.
    """

    scene: Scene
    models: ActorModels
    first: Snapshot
    origin: tuple[float, float, float]
    place: str
    load_scenery: Callable[[], PageScenery]
    load_static: Callable[[], StaticWorld]
    number: int = 1
    load_storyboard: Callable[[], StoryboardGuide] | None = None


@dataclass(slots=True, eq=False)
class PageContext:
    """What all parts have in common.

    Attributes:
        server: of the page. proxy: the run.
        followed: id of the actor that cameras follow, that panels show and that keys drive; parts read it with each
            snapshot.
        now: the last snapshot that was shown; None before the first.
        status: figures of the interfaces, some tenths of a second old; None before the first of a run. One of the
            run before can still come in after another has begun.
        poses: map_from_sensor of the readings that the page shows just now, by number of the sensor.
        keyed: moment at which each visitor last pressed a key of the page, by `clock`; viser moves the camera by some
            of these keys, too.
        clicking: what the next click on the picture does, where it does not choose the actor to follow; "" for nothing.
        clock: the wall clock of all parts [s].
        heard: moment by `clock` of the last snapshot, or of the last look without visitors; None before the first.
        head: what stands above the tabs of the panel.
    """

    server: viser.ViserServer
    proxy: RunProxy
    followed: int = EGO
    now: Snapshot | None = None
    status: Status | None = None
    poses: Mapping[int, Pose | None] = field(default_factory=dict)
    keyed: dict[int, float] = field(default_factory=dict)
    clicking: str = ""
    clock: Callable[[], float] = time.monotonic
    heard: float | None = None
    head: viser.GuiFolderHandle = field(init=False)
    _picker: tuple[PageRun, Picker] | None = None
    _follow_callbacks: list[Callable[[int], None]] = field(default_factory=list)
    _use_callbacks: list[Callable[[object, int | None], None]] = field(default_factory=list)
    _notes: deque[str] = field(default_factory=lambda: deque(maxlen=_NOTED))
    _group: viser.GuiTabGroupHandle = field(init=False)
    _tabs: dict[str, viser.GuiTabHandle] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.head = self.server.gui.add_folder(None)
        self._group = self.server.gui.add_tab_group()

    def tab(self, name: str) -> viser.GuiTabHandle:
        """The tab of a name, in which a part puts its handles: `with context.tab("World"): ...`. New ones come last."""
        if name not in self._tabs:
            self._tabs[name] = self._group.add_tab(name)
        return self._tabs[name]

    @property
    def stepped(self) -> bool:
        """Whether clients step the run, by the last status."""
        return self.status is not None and self.status.synchronous

    def pause_or_play(self) -> None:
        """Pause the run, or let it go on.

        Raises:
            DorosimError: clients step the run, or the command could not be done.
        """
        if self.stepped:
            raise DorosimError(STEPPED_BY_CLIENTS)
        if self.now is not None:
            self.proxy.do(PauseRun(not self.now.paused))

    def picker(self, run: PageRun) -> Picker:
        """Returns the `Picker` of a run, for what visitors point at: one for all parts, as it holds the ground."""
        if self._picker is None or self._picker[0] is not run:
            self._picker = run, Picker(run.scene, run.models, run.origin, run.load_static)
        return self._picker[1]

    def follow(self, actor: int) -> None:
        """Follow another actor, and call the functions that `on_follow` was given with its id."""
        self.followed = actor
        for callback in self._follow_callbacks:
            callback(actor)

    def on_follow(self, callback: Callable[[int], None]) -> None:
        """Call `callback` with the id of the followed actor at each change of it."""
        self._follow_callbacks.append(callback)

    def notify(self, title: str, text: str, *, colour: Colour = "red") -> None:
        """Show all visitors a note for some seconds."""
        self._notes.append(text)
        for client in self.server.get_clients().values():
            client.add_notification(title, text, color=colour, auto_close_seconds=6.0)

    def has_noted(self, text: str) -> bool:
        """Whether one of the last notes was this one."""
        return text in self._notes

    def trying(self, title: str, act: Callable[[], object]) -> bool:
        """Do something that a visitor asked for; if it fails, show the reason. Returns whether it was done.

        Args:
            title: of the note.
            act: does it; a `DoneText` that it returns is shown, too.
        """
        try:
            done = act()
        except DorosimError as problem:
            self.notify(title, str(problem))
            return False
        except (TypeError, ValueError, LookupError, OverflowError) as problem:
            self.notify(title, f"that cannot be done with such a value ({problem})")
            return False
        if isinstance(done, DoneText):
            self.notify(title, str(done), colour="green")  # viser sends plain text only
        return True

    def later(self, act: Callable[[], object]) -> None:
        """Do something on another thread: the one that takes messages of the run must not wait for an answer of it."""
        threading.Thread(target=lambda: self.trying("Page", act), name="dorosim-page-later", daemon=True).start()

    def every(self, period: float, name: str, act: Callable[[], object]) -> None:
        """Do something again and again on a thread of its own, while there are visitors; not between two runs.

        Args:
            period: wall time from one time to the next [s].
            name: of the thread.
            act: does it; a `DorosimError` of it is ignored, as the next time may go better.
        """

        def work_on() -> None:
            pause = threading.Event()
            while True:
                pause.wait(period)
                if self.server.get_clients() and self.now is not None:
                    with suppress(DorosimError):
                        act()

        threading.Thread(target=work_on, name=name, daemon=True).start()

    def on_use(self, callback: Callable[[object, int | None], None]) -> None:
        """Call `callback` with each field or button in a tab before it acts, and with the number of its visitor."""
        self._use_callbacks.append(callback)

    def on_input(self, handle: Any, title: str, act: Callable[[], object]) -> None:
        """Do something when a visitor changes a field, but not when the page itself sets it to the present value."""

        def changed(event: viser.GuiEvent[Any]) -> None:
            if event.client_id is not None:
                self._use(handle, event.client_id)
                self.trying(title, act)

        handle.on_update(changed)

    def on_press(self, button: Any, title: str, act: Callable[[], object], *, in_tab: bool = True) -> None:
        """Do something when a visitor presses a button, or one of a group.

        Args:
            button: the button or the group.
            title: of the note that is shown if it cannot be done.
            act: does it.
            in_tab: whether it is in a tab, so that `on_use` reports it; buttons above the tabs are not reported.
        """

        def pressed(event: viser.GuiEvent[Any]) -> None:
            if in_tab:
                self._use(button, event.client_id)
            self.trying(title, act)

        button.on_click(pressed)

    def _use(self, handle: object, visitor: int | None) -> None:
        for callback in self._use_callbacks:
            callback(handle, visitor)


def assign(field: Any, value: object) -> None:
    """Set the value of a field if it differs: a value that browsers have already is not sent again."""
    if field.value != value:
        field.value = value


def write(field: Any, content: str) -> None:
    """Set the content of a text if it differs: a content that browsers have already is not sent again."""
    if field.content != content:
        field.content = content


class PagePart(Protocol):
    """One kind of thing on the page."""

    def begin(self, run: PageRun) -> None:
        """Forget the last run, and show another one."""

    def show(self, now: Snapshot) -> None:
        """Show a snapshot."""

    def furnish(self, scenery: PageScenery) -> None:  # noqa: ARG002 - whatever it is
        """Show what stands still, which comes after the first snapshot; most parts do nothing."""
        return

    def hear(self, readings: Sequence[Reading]) -> None:  # noqa: ARG002 - whichever they are
        """Show what sensors read; most parts do nothing."""
        return
