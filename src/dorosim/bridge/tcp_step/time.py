"""How time passes: modes, their status, and steps (docs/decisions/0088-fixed-step-over-tcp.md).

The two ways are those of gRPC and ROS: time passes by the clock, or clients step the run through one gate.
"""

from __future__ import annotations

from dorosim.bridge.drive import leave_keyboards
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.run import step_frames
from dorosim.bridge.tcp_step.situation import MILLISECOND, StepSituation, TimeForm
from dorosim.ground.error import InputError
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step.request import Empty, FixedStep, SetFixedTime, SetTimeMode, SetVariableTime, TimeMode
from dorosim.wire.tcp_step.response import FixedTimeStatus, StepResult, TimeModeSet, TimeStatus, VariableTimeStatus
from dorosim.world.command import Command
from dorosim.world.snapshot import Outcome, Snapshot
from dorosim.world.vehicle.mode import ControlMode

NANOSECONDS = 1_000_000_000
MAX_STEP_MS = 10_000.0
"""Longest simulated time of a step [ms]."""
MIN_CLOCK_SPEED, MAX_CLOCK_SPEED = 0.01, 1000.0
"""Bounds of simulated over wall time."""
MIN_STEP_SPEED = 0.1
"""Simulated over wall time of a step below which its client waits no longer."""


def set_time_mode(request: SetTimeMode, to: StepSituation) -> DeferredReply:
    """The first form."""
    to.peer.show(TimeForm.FIRST)
    mode = _mode_of(request.mode, TimeMode)
    if mode is TimeMode.VARIABLE:
        return _pass_by_clock(to, mode, request.simulation_speed)
    step = _step_of(request.fixed_delta, to)
    if mode is TimeMode.FIXED_DELTA:
        return _pass_by_clock(to, mode, None, step)
    return _pass_by_steps(to, mode, step)


def set_variable_time(request: SetVariableTime, to: StepSituation) -> DeferredReply:
    """The second form of mode 1."""
    to.peer.show(TimeForm.SECOND)
    mode = _mode_of(request.mode, (TimeMode.VARIABLE,))
    answer = _pass_by_clock(to, mode, request.simulation_speed)
    _keep(to, request.target_fps, request.physics_delta_time)
    return answer


def set_fixed_time(request: SetFixedTime, to: StepSituation) -> DeferredReply:
    """The second form of mode 2, and the third form of both modes."""
    mode = _mode_of(request.mode, (TimeMode.VARIABLE, TimeMode.FIXED_DELTA))
    if mode is TimeMode.VARIABLE:
        to.peer.show(TimeForm.THIRD)
    elif to.peer.form is TimeForm.FIRST:
        to.peer.show(TimeForm.SECOND)
    third = to.peer.form is TimeForm.THIRD
    if request.simulation_delta_time <= 0:
        problem = f"{request.simulation_delta_time} is not a valid {'target_fps' if third else 'simulation_delta_time'}"
        raise InputError("SetTimeMode", "", problem, "it must be above 0")
    if request.user_control not in (0, 1):
        raise InputError("SetTimeMode", "", f"user_control {request.user_control} is not valid", "use 0 or 1")
    if request.rtf < 0:
        raise InputError("SetTimeMode", "", f"rtf {request.rtf} is not valid", "use 0 or more")
    step = _step_of(1000.0 / request.simulation_delta_time if third else float(request.simulation_delta_time), to)
    if mode is TimeMode.FIXED_DELTA and request.user_control:
        answer = _pass_by_steps(to, mode, step)
    else:
        answer = _pass_by_clock(to, mode, float(request.rtf) if request.rtf else None, step)
    _keep(to, request.simulation_delta_time if third else to.session.time.fps, request.physics_delta_time)
    return answer


def time_status(_: Empty, to: StepSituation) -> Wire:
    """How time passes, in the form in which the connection speaks of it."""
    at, time, pace = to.at, to.session.time, to.at.host.pace
    step = pace.frame if pace.synchronous else time.step
    step_index, (seconds, nanos) = at.now.time // step, divmod(at.now.time, NANOSECONDS)
    if to.peer.form is TimeForm.FIRST:
        return TimeStatus(
            mode=TimeMode.FIXED_STEP if pace.synchronous else time.mode,
            fixed_delta=step / MILLISECOND,
            simulation_speed=pace.speed or 0.0,
            step_index=step_index,
            seconds=seconds,
            nanos=nanos,
        )
    mode = TimeMode.FIXED_DELTA if pace.synchronous else time.mode
    if to.peer.form is TimeForm.SECOND and mode is TimeMode.VARIABLE:
        return VariableTimeStatus(
            mode=mode,
            target_fps=time.fps,
            physics_delta_time=time.physics,
            simulation_speed=pace.speed or 0.0,
            step_index=step_index,
            seconds=seconds,
            nanos=nanos,
        )
    third = to.peer.form is TimeForm.THIRD
    return FixedTimeStatus(
        mode=mode,
        simulation_delta_time=(time.fps or round(NANOSECONDS / step)) if third else round(step / MILLISECOND),
        physics_delta_time=time.physics,
        rtf=0 if pace.synchronous or mode is TimeMode.VARIABLE else round(pace.speed or 0.0),
        user_control=int(pace.synchronous),
        step_index=step_index,
        seconds=seconds,
        nanos=nanos,
    )


def fixed_step(request: FixedStep, to: StepSituation) -> Wire:
    """Let steps pass, and answer when they have: through the gate, as `Tick` of gRPC."""
    at = to.at
    timeout = at.form.timeout + request.step_count * at.host.pace.frame / NANOSECONDS / MIN_STEP_SPEED
    step_frames(at.host, at.now, at.client, request.step_count, timeout)
    return StepResult()


def _mode_of(code: int, known: type[TimeMode] | tuple[TimeMode, ...]) -> TimeMode:
    if code not in tuple(known):
        codes = ", ".join(str(int(one)) for one in known)
        raise InputError("SetTimeMode", "", f"mode {code} is not valid in this form", f"use {codes}")
    return TimeMode(code)


def _step_of(milliseconds: float, to: StepSituation) -> int:
    """The simulated time of a step [ns]: the nearest multiple of the tick, one at least."""
    if not 0.0 < milliseconds <= MAX_STEP_MS:
        raise InputError("SetTimeMode", "", f"a step of {milliseconds:g} ms", f"use more than 0 to {MAX_STEP_MS:g} ms")
    tick = to.at.scene.tick
    step = max(round(milliseconds * MILLISECOND / tick), 1) * tick
    if abs(step - milliseconds * MILLISECOND) >= 1.0:
        text = (
            f"a step of {milliseconds:g} ms counts as {step / MILLISECOND:g} ms, whole ticks (tick_ms in the settings)"
        )
        to.at.host.runs.report("fixed step", text)
    return step


def _pass_by_clock(to: StepSituation, mode: TimeMode, speed: float | None, step: int | None = None) -> DeferredReply:
    """Time passes by the clock, at a pace if one is given."""
    pace = to.at.host.pace
    if speed is not None and not MIN_CLOCK_SPEED <= speed <= MAX_CLOCK_SPEED:
        cure = f"use {MIN_CLOCK_SPEED:g} to {MAX_CLOCK_SPEED:g}"
        raise InputError("SetTimeMode", "", f"a speed of {speed:g} is not valid", cure)
    pace.release()
    if speed is not None:
        pace.run_at(speed)
    to.session.time.mode = mode
    to.session.time.step = step or to.session.time.step
    return _set(to, mode, ())


def _pass_by_steps(to: StepSituation, mode: TimeMode, step: int) -> DeferredReply:
    """Clients step the run; keyboards are released, since clients drive."""
    to.at.host.pace.synchronise(step)
    to.session.time.step = step
    return _set(to, mode, leave_keyboards(to.at.now, ControlMode.AUTO))


def _set(to: StepSituation, mode: TimeMode, commands: tuple[Command, ...]) -> DeferredReply:
    """The answer, after commands, which are those that release keyboards."""

    def reply(_: Snapshot, __: tuple[Outcome, ...]) -> Wire:
        speed = to.at.host.pace.speed or 0.0
        return TimeModeSet(mode=mode, fixed_delta=to.session.time.step / MILLISECOND, simulation_speed=speed)

    return DeferredReply(commands, reply)


def _keep(to: StepSituation, fps: int, physics: int) -> None:
    """Keep what changes nothing, to report it."""
    to.session.time.fps, to.session.time.physics = fps, physics
