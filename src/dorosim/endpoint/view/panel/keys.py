"""Driving by the keyboard of a visitor: the documents' keyboard mode.

viser reports the keys of the page on its own thread; another thread does what they mean, in their order. While the
accelerator is pressed or the wheels are turned, the page sends a command to the vehicle 25 times a second; otherwise
only when pedals or gear change.
"""

from __future__ import annotations

import math
import queue
import threading
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, cast

import viser

from dorosim.bridge.view import keyboard
from dorosim.bridge.view.keyboard import HOLD, NEUTRAL, Key, KeyDriver, Pedals
from dorosim.endpoint.view.page_context import STEPPED_BY_CLIENTS, PageContext, PagePart, PageRun
from dorosim.ground.error import DorosimError
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.command import DriveByKeyboard, LeaveKeyboard, TakeKeyboard
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear

_PERIOD = 0.04
"""Wall time from one command to the next while keys drive [s]."""
PAUSE = 4.0
"""Wall time from one note of why keys do nothing to the next [s]."""
_IDLE = 10.0
"""Wall time without a key after which a vehicle that stands, and was not taken by Q, is given back [s]: a visitor may
have meant the camera, which these keys move, too."""
_SETTLED = 1.0
"""Wall time after which a snapshot surely shows that the keyboard has taken over [s]."""


class PageAction(Enum):
    """What keys ask for besides driving, and what visitors do besides pressing keys."""

    SWITCH = "switch"
    PAUSE = "pause"
    LEAVE = "leave"
    GO = "go"
    FORGET = "forget"


class Pressed(NamedTuple):
    """A key that is pressed.

    Attributes:
        what: what it asks for. visitor: number of the visitor of the key, from 0 by viser; None for no visitor.
        moment: when, by the clock of the page [s].
    """

    what: Key | Gear | PageAction
    visitor: int | None
    moment: float


@dataclass(frozen=True, slots=True)
class Binding:
    """Keys of the page with one meaning.

    Attributes:
        label: in the list of commands that Ctrl+K opens. keys: as viser names them. what: what they ask for.
    """

    label: str
    keys: tuple[str, ...]
    what: Key | Gear | PageAction


BINDINGS: tuple[Binding, ...] = (
    Binding("Accelerate", ("W", "arrowup"), Key.ACCELERATE),
    Binding("Brake", ("S", "arrowdown"), Key.BRAKE),
    Binding("Steer left", ("A", "arrowleft"), Key.LEFT),
    Binding("Steer right", ("D", "arrowright"), Key.RIGHT),
    Binding("Full brake", ("space",), Key.FULL_BRAKE),
    Binding("Gear P", ("1",), Gear.P),
    Binding("Gear R", ("2",), Gear.R),
    Binding("Gear N", ("3",), Gear.N),
    Binding("Gear D", ("4",), Gear.D),
    Binding("Keyboard / auto mode", ("Q",), PageAction.SWITCH),
    Binding("Pause / play", ("escape",), PageAction.PAUSE),
)
"""The keys. Digits are the numbers that the documents give the gears (documents/udp-messages-en.txt, Gear)."""


class KeysPart(PagePart):
    """Keys of the page (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
        presses: keys that wait for the worker; a new queue if None.
    """

    def __init__(self, context: PageContext, presses: queue.SimpleQueue[Pressed] | None = None) -> None:
        self._context = context
        self._clock = context.clock
        self._driver = KeyDriver()
        self._presses: queue.SimpleQueue[Pressed] = presses or queue.SimpleQueue()
        self._actor = 0
        self._visitor: int | None = None
        self._asked = False
        self._taken = self._pressed = 0.0
        self._sent = NEUTRAL
        self._last_note = 0.0
        self._last: dict[tuple[Key | Gear | PageAction, int | None], float] = {}
        for binding in BINDINGS:
            for key in binding.keys:
                self._bind(binding, key)
        context.on_follow(self._follow)
        context.server.on_client_disconnect(self._visitor_left)
        self._worker = threading.Thread(target=self._work_on, name="dorosim-page-keys", daemon=True)
        self._worker.start()

    def begin(self, run: PageRun) -> None:  # noqa: ARG002 - whichever it is
        """Forget the driven vehicle: in another run the page drives none yet."""
        self.do(PageAction.FORGET)

    def show(self, now: Snapshot) -> None:
        """Forget the driven vehicle where it is gone or not in keyboard mode: after a reset, or a client took it."""
        row = now.row_of(self._actor) if self._actor else -1
        lost = row < 0 or now.vehicle.control_mode[row] != ControlMode.KEYBOARD
        if self._actor and lost and self._clock() - self._taken > _SETTLED:
            self.do(PageAction.FORGET)

    def do(self, what: Key | Gear | PageAction, visitor: int | None = None) -> None:
        """Queue a deed or key as if a visitor had pressed it; None for no visitor. Safe from any thread."""
        self._presses.put(self._press(what, visitor))

    def _follow(self, actor: int) -> None:
        """Stop driving when the page follows another actor: a visitor drives only the vehicle in view."""
        if actor != self._actor:
            self.do(PageAction.LEAVE)

    def _visitor_left(self, client: viser.ClientHandle) -> None:
        self._context.keyed.pop(client.client_id, None)
        self.do(PageAction.GO, client.client_id)

    def _bind(self, binding: Binding, key: str) -> None:
        label = binding.label if key == binding.keys[0] else f"{binding.label} (arrow)"
        command = self._context.server.gui.add_command(label, hotkey=cast("Any", key))

        @command.on_trigger
        async def _(event: viser.CommandEvent) -> None:  # on viser's own thread, which keeps keys in their order
            pressed = self._press(binding.what, event.client_id)
            if event.client_id is not None:
                self._context.keyed[event.client_id] = pressed.moment
            self._presses.put(pressed)

    def _work_on(self) -> None:
        while True:
            pressed = self._next()
            try:
                if pressed is not None and not self._repeats(pressed):
                    self._take(pressed)
                self._give_back()
                if self._presses.empty():
                    self._send()
            except DorosimError as problem:
                self._forget()
                self._note("Keyboard", str(problem))
            except Exception as problem:  # a mistake in this program: it is reported, and keys go on
                self._forget()
                self._context.proxy.report(f"keys: {type(problem).__name__}: {problem}")

    def _next(self) -> Pressed | None:
        """The next key; None when it is time for a command."""
        if not self._actor:
            return self._presses.get()
        try:
            return self._presses.get(timeout=_PERIOD)
        except queue.Empty:
            return None

    def _take(self, pressed: Pressed) -> None:
        match pressed.what:
            case PageAction.PAUSE:
                self._pause()
            case PageAction.FORGET:
                self._forget()
            case PageAction.LEAVE:
                self._leave(ControlMode.AUTO)
            case PageAction.GO:
                self._last = {key: moment for key, moment in self._last.items() if key[1] != pressed.visitor}
                if pressed.visitor == self._visitor:
                    self._leave(ControlMode.KEEP)
            case PageAction.SWITCH:
                if self._actor:
                    self._leave(ControlMode.AUTO)
                else:
                    self._take_over(pressed, asked=True)
            case Gear() as gear:
                if self._has(pressed):
                    self._shift(gear)
            case Key() as key:
                if self._has(pressed):
                    self._driver.press(key, pressed.moment)
                    self._leave_park(key)

    def _repeats(self, pressed: Pressed) -> bool:
        """Whether it is a repetition of a held key for pause or mode, which would switch to and fro."""
        if pressed.what not in (PageAction.PAUSE, PageAction.SWITCH):
            return False
        last = self._last.get((pressed.what, pressed.visitor), -math.inf)
        self._last[pressed.what, pressed.visitor] = pressed.moment
        return pressed.moment - last < HOLD

    def _has(self, pressed: Pressed) -> bool:
        """Returns whether the keyboard drives a vehicle; takes over the followed one if no client drives it."""
        if not self._actor:
            self._take_over(pressed, asked=False)
        if self._actor:
            self._visitor, self._pressed = pressed.visitor, pressed.moment
        return bool(self._actor)

    def _take_over(self, pressed: Pressed, *, asked: bool) -> None:
        now, actor = self._context.now, self._context.followed
        if now is None:
            return
        problem = self._problem_with(now, actor, asked=asked)
        if problem:
            self._note("Keyboard", problem)
            return
        self._context.proxy.do(TakeKeyboard(actor))
        self._driver.release()
        self._actor, self._visitor, self._asked, self._sent = actor, pressed.visitor, asked, NEUTRAL
        self._taken, self._pressed = self._clock(), pressed.moment

    def _problem_with(self, now: Snapshot, actor: int, *, asked: bool) -> str:
        """Why the keyboard cannot take an actor, or an empty string."""
        row = now.row_of(actor)
        if row < 0:
            return "only ego vehicles can be driven; follow one (tab View), or make one (tab Spawn)"
        if self._context.stepped:
            return "clients step the run (synchronous mode): keys do not drive meanwhile"
        mode, kind = ControlMode(int(now.vehicle.control_mode[row])), now.vehicle.control_kind[row]
        free = mode is ControlMode.KEYBOARD or (mode is ControlMode.AUTO and kind == ControlKind.HOLD)
        if not (asked or free):
            return f"the vehicle is in {mode.name.lower()} mode; Q takes it over"
        return ""

    def _shift(self, gear: Gear) -> None:
        problem = keyboard.problem_with_gear(gear, self._speed())
        if problem:
            self._note("Gear", problem)
        else:
            self._order(self._pedals(), gear)

    def _leave_park(self, key: Key) -> None:
        """Shift from P to D when a visitor accelerates."""
        driven = self._driven()
        if key is Key.ACCELERATE and driven is not None and driven[0].vehicle.gear[driven[1]] == Gear.P:
            self._order(self._pedals(), Gear.D)

    def _pause(self) -> None:
        if self._context.stepped:
            self._note("Pause", STEPPED_BY_CLIENTS)
        else:
            self._context.pause_or_play()

    def _leave(self, mode: ControlMode) -> None:
        if self._actor:
            actor = self._actor
            self._forget()
            self._context.proxy.do(LeaveKeyboard(actor, mode))

    def _give_back(self) -> None:
        """Give the vehicle back where clients step the run, or where it stands and no key came for `_IDLE`.

        The second only where it was not taken by Q: a visitor may have moved the camera by a key that also drives.
        """
        if not self._actor:
            return
        if self._context.stepped:
            self._leave(ControlMode.AUTO)
            self._note("Keyboard", "clients step the run (synchronous mode): the vehicle is theirs")
        elif not self._asked and self._clock() - self._pressed > _IDLE and abs(self._speed()) < keyboard.STILL:
            self._leave(ControlMode.AUTO)
            self._note("Keyboard", f"no key for {_IDLE:g} s: clients may drive again; Q keeps the vehicle")

    def _forget(self) -> None:
        self._driver.release()
        self._actor, self._visitor, self._asked, self._sent = 0, None, False, NEUTRAL

    def _send(self) -> None:
        if not self._actor:
            return
        pedals = self._pedals()
        # a page that only brakes may be silent: `KeyboardWatchdog` does not release its vehicle
        if pedals != self._sent or pedals.accelerator or pedals.steering:
            self._order(pedals)

    def _pedals(self) -> Pedals:
        """What keys ask for now, with the brake on at rest."""
        pedals, driven = self._driver.at(self._clock()), self._driven()
        if driven is None:
            return pedals
        now, row = driven
        return keyboard.held_at_rest(pedals, Gear(int(now.vehicle.gear[row])), float(now.vehicle.velocity_x[row]))

    def _order(self, pedals: Pedals, gear: Gear | None = None) -> None:
        driven = self._driven()
        if driven is None:
            self._forget()
            return
        now, row = driven
        limit = keyboard.steering_limit(
            self._speed(), float(now.parameter.wheelbase[row]), float(now.parameter.max_steer[row])
        )
        self._context.proxy.do(
            DriveByKeyboard(
                self._actor,
                accelerator=pedals.accelerator,
                brake=pedals.brake,
                steer=limit * pedals.steering,
                gear=gear,
            )
        )
        self._sent = pedals

    def _speed(self) -> float:
        """Speed forwards of the vehicle that the keyboard drives [m/s]; 0 for none."""
        driven = self._driven()
        return 0.0 if driven is None else float(driven[0].vehicle.velocity_x[driven[1]])

    def _driven(self) -> tuple[Snapshot, int] | None:
        """Returns the last snapshot, and the row in it of the vehicle that the keyboard drives; None for none."""
        now = self._context.now
        row = -1 if now is None else now.row_of(self._actor)
        return None if now is None or row < 0 else (now, row)

    def _note(self, title: str, text: str) -> None:
        """Show a note, at most one in `PAUSE`, so not one for each repetition of a key."""
        moment = self._clock()
        if moment - self._last_note > PAUSE:
            self._last_note = moment
            self._context.notify(title, text, colour="orange")

    def _press(self, what: Key | Gear | PageAction, visitor: int | None) -> Pressed:
        return Pressed(what, visitor, self._clock())
