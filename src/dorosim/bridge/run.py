"""What clients of any protocol ask of a run as a whole: another one, a scenario, an end, steps of time."""

from __future__ import annotations

from collections.abc import Iterator

from dorosim.bridge.actor import ActorKind, Names, kind_of
from dorosim.bridge.host import Host, StartOrder
from dorosim.ground.error import DorosimError, InputError
from dorosim.scenario.load import LoadOptions
from dorosim.world.actor.command import PauseRun, RemoveActor, SetLabel
from dorosim.world.actor.effect import EGO_NAME
from dorosim.world.command import Command
from dorosim.world.environment.command import RemoveMapObject
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.spawn.command import RemoveSpawnPoints

MAX_FRAMES_PER_STEP = 100_000
"""Frames of one step."""
WHOLE = LoadOptions(delete_all=True, network=False)
"""A scenario takes the place of all that is there but the ego vehicle, which it puts where it has it. Addresses do not
change during a run."""


class NotNowError(DorosimError):
    """What is asked for cannot be in the present state of the run."""


def load_scenario(host: Host, now: Snapshot, name: str) -> tuple[Command, ...]:
    """Returns the commands that load a scenario of the data folder; shows users notes on what is missing.

    With a file of OpenSCENARIO another run begins; it is there when this returns.

    Raises:
        InputError: there is none of this name, or it is broken.
    """
    if host.runs.plays(name):
        host.runs.report("scenario loaded", f"{name}: {host.runs.start(StartOrder(scenario=name))}")
        return ()
    loading = host.files.scenario(name, WHOLE, now)
    host.runs.report("scenario loaded", loading.headline, loading.notes)
    return loading.commands


def name_ego(ego: str, label: str, owner: str) -> Iterator[SetLabel]:
    """Commands that give the ego vehicle of a new run another name beside "Ego", and an owner.

    Args:
        ego: the id by which the client names it.
        label: "" for none.
        owner: "" for none.

    Raises:
        InputError: the id is none of the ego vehicle.
    """
    if ego not in ("", EGO_NAME):
        raise InputError("ego", "id", f"{ego!r} is not the id of the ego vehicle", f"it is {EGO_NAME!r}")
    label = "" if label == EGO_NAME else label
    if label or owner:
        yield SetLabel(EGO, label, owner)


def stop_run(host: Host, now: Snapshot, names: Names, owner: str) -> tuple[str, tuple[Command, ...]]:
    """Ends the run for all clients, or returns the commands that remove what one of several clients owns.

    The whole run ends if `owner` is empty or owns the ego vehicle: time passes by the clock again, and the world stands
    at its start until a client or a user starts another run or lets it go on. For any other owner, its actors leave the
    world.

    Returns:
        The text of the answer, and commands.

    Raises:
        InputError: nothing belongs to the owner.
    """
    if owner in ("", names.owner_of(EGO)):
        if host.pace.synchronous:
            host.pace.release()
        host.runs.restart((PauseRun(paused=True),))
        return "the run stands at its start until it is started or resumed", ()
    mine = names.owned_by(owner)
    if not mine:
        raise InputError(
            "owner", "", f"nothing belongs to {owner!r}", "name the client_key that was given at the start"
        )
    return f"what belongs to {owner!r} has left the world", tuple(removal(now, actor) for actor in mine)


def removal(now: Snapshot, actor: int) -> Command:
    """The command that takes an actor, a map object or a spawn point out of the world."""
    kind = kind_of(now, actor)
    if kind is ActorKind.SPAWN_POINT:
        return RemoveSpawnPoints((actor,))
    return RemoveMapObject(actor) if kind is ActorKind.MAP_OBJECT else RemoveActor(actor)


def check_step(host: Host, now: Snapshot, frames: int) -> None:
    """Refuse a step of synchronous mode that cannot be made now.

    Raises:
        InputError: so many frames cannot be.
        NotNowError: the run is not in this mode, or is paused.
    """
    if not host.pace.synchronous:
        raise NotNowError("the run is not in synchronous mode; begin it with SetSynchronousMode")
    if not 0 <= frames <= MAX_FRAMES_PER_STEP:
        raise InputError("Tick", "value", f"{frames} frames", f"use 0 to {MAX_FRAMES_PER_STEP:,}")
    if frames and now.paused:
        raise NotNowError("the run is paused; let it go on with Resume")


def step_frames(host: Host, now: Snapshot, client: str, frames: int, timeout: float) -> int:
    """Let frames of synchronous mode pass; simulated time then [ns].

    Raises:
        InputError: so many frames cannot be.
        NotNowError: the run is not in this mode, is paused, or did not come to it.
    """
    check_step(host, now, frames)
    if frames == 0:
        return now.time
    time = host.pace.step(client, frames, timeout)
    if time is None and not host.pace.synchronous:
        raise NotNowError("a client ended synchronous mode, which is one for all, while this step waited")
    if time is None:
        raise NotNowError("the step did not end: the run ended or paused, or others were waited for too long")
    return time


def wait_for_frame(host: Host, now: Snapshot, timeout: float) -> int:
    """Wait until time has gone on; simulated time then [ns].

    Raises:
        NotNowError: the run is paused, or time did not go on.
    """
    if now.paused:
        raise NotNowError("the run is paused; let it go on with Resume")
    time = host.pace.wait(timeout)
    if time is None:
        raise NotNowError("no client let time go on, or the run ended")
    return time
