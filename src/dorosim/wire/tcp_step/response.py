"""What the simulator answers over TCP (facts/tcp-fixed-step.md). Every answer begins with the same two numbers."""

from __future__ import annotations

from enum import IntEnum

from dorosim.ground.unit import NONE
from dorosim.wire.message import Wire, f32, i32, i64, record, records, string, u32, u64


class ResultCode(IntEnum):
    """What became of a request. dorosim writes it into both numbers: programs read the one or the other."""

    OK = 0
    INVALID_STATE = 101
    INVALID_PARAM = 102
    FAILED = 200
    TIMEOUT = 201
    NOT_SUPPORTED = 202


class ScenarioState(IntEnum):
    """What a scenario does; only the newest clients know COMPLETED."""

    PLAY = 1
    PAUSE = 2
    STOP = 3
    COMPLETED = 4


@record
class StepResult(Wire):
    """The answer to what only succeeds or fails."""

    result_code: ResultCode = u32("what became of it", enum=ResultCode, default=ResultCode.OK)
    detail_code: int = u32("the same", default=0)


@record
class SimulatorState(Wire):
    """The state of the program."""

    result_code: ResultCode = u32("what became of it", enum=ResultCode, default=ResultCode.OK)
    detail_code: int = u32("the same", default=0)
    state: int = u32("1 before the login, 2 home, 3 loading, 4 ready", default=0)


@record
class SimulatorMode(Wire):
    """The mode of the program."""

    result_code: ResultCode = u32("what became of it", enum=ResultCode, default=ResultCode.OK)
    detail_code: int = u32("the same", default=0)
    mode: int = u32("1 scenario, 2 replay, 3 traffic, 4 monitoring, 5 competition", default=0)


@record
class TimeStatus(Wire):
    """How time passes, in the first form (40 bytes)."""

    result_code: ResultCode = u32("what became of it", enum=ResultCode, default=ResultCode.OK)
    detail_code: int = u32("the same", default=0)
    mode: int = u32("1 variable, 2 fixed delta, 3 fixed step", default=0)
    fixed_delta: float = f32(NONE, "simulated time of a step [ms]", default=0.0)
    simulation_speed: float = f32(NONE, "simulated over wall time", default=0.0)
    step_index: int = u64("steps of simulated time so far", default=0)
    seconds: int = i64("simulated time, whole seconds", default=0)
    nanos: int = i32("and nanoseconds", default=0)


@record
class VariableTimeStatus(Wire):
    """How time passes, in the second form of mode 1 (44 bytes)."""

    result_code: ResultCode = u32("what became of it", enum=ResultCode, default=ResultCode.OK)
    detail_code: int = u32("the same", default=0)
    mode: int = u32("1 variable", default=0)
    target_fps: int = i32("as it was set", default=0)
    physics_delta_time: int = i32("as it was set [ms]", default=0)
    simulation_speed: float = f32(NONE, "simulated over wall time", default=0.0)
    step_index: int = u64("steps of simulated time so far", default=0)
    seconds: int = i64("simulated time, whole seconds", default=0)
    nanos: int = i32("and nanoseconds", default=0)


@record
class FixedTimeStatus(Wire):
    """How time passes, in the second form of mode 2, and in the third form of both modes (48 bytes)."""

    result_code: ResultCode = u32("what became of it", enum=ResultCode, default=ResultCode.OK)
    detail_code: int = u32("the same", default=0)
    mode: int = u32("1 variable, in the third form; 2 fixed", default=0)
    simulation_delta_time: int = i32("simulated time of a step [ms]; in the third form pictures a second", default=0)
    physics_delta_time: int = i32("as it was set [ms]", default=0)
    rtf: int = i32("simulated over wall time; 0 while clients step the run, or as fast as possible", default=0)
    user_control: int = i32("1 while clients step the run", default=0)
    step_index: int = u64("steps of simulated time so far", default=0)
    seconds: int = i64("simulated time, whole seconds", default=0)
    nanos: int = i32("and nanoseconds", default=0)


@record
class TimeModeSet(Wire):
    """How time passes from now on, whatever the form of the request."""

    result_code: ResultCode = u32("what became of it", enum=ResultCode, default=ResultCode.OK)
    detail_code: int = u32("the same", default=0)
    mode: int = u32("as it counts", default=0)
    fixed_delta: float = f32(NONE, "simulated time of a step as it counts [ms]", default=0.0)
    simulation_speed: float = f32(NONE, "simulated over wall time as it counts", default=0.0)


@record
class ObjectCreated(Wire):
    """What was made."""

    result_code: ResultCode = u32("what became of it", enum=ResultCode, default=ResultCode.OK)
    detail_code: int = u32("the same", default=0)
    object_id: str = string("by which it is known; empty for nothing", default="")


@record
class ScenarioName(Wire):
    """A scenario of the active suite."""

    name: str = string("its name")


@record
class SuiteStatus(Wire):
    """The active suite."""

    result_code: ResultCode = u32("what became of it", enum=ResultCode, default=ResultCode.OK)
    detail_code: int = u32("the same", default=0)
    active_suite_name: str = string("empty for none", default="")
    active_scenario_name: str = string("empty for none", default="")
    scenario_list: tuple[ScenarioName, ...] = records(ScenarioName, "all scenarios, in order")


@record
class ScenarioStatus(Wire):
    """What the active scenario does (12 bytes)."""

    result_code: ResultCode = u32("what became of it", enum=ResultCode, default=ResultCode.OK)
    detail_code: int = u32("the same", default=0)
    state: int = u32("1 play, 2 pause, 3 stop", default=int(ScenarioState.STOP))


@record
class NamedScenarioStatus(Wire):
    """The same with the scenario's name, for the newest clients."""

    result_code: ResultCode = u32("what became of it", enum=ResultCode, default=ResultCode.OK)
    detail_code: int = u32("the same", default=0)
    state: int = u32("1 play, 2 pause, 3 stop, 4 completed", default=int(ScenarioState.STOP))
    name: str = string("of the scenario", default="")
