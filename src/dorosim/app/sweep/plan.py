"""The plan of a sweep: scenarios, parameters, the stack under test, criteria and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dorosim.app.run.scenario_criteria import CriteriaOptions
from dorosim.app.run.scenario_suite import DEFAULT_STEP_S
from dorosim.app.sweep.limits import SweepLimits

METHODS = ("list", "grid", "random", "latin-hypercube", "sobol", "file", "importance", "cmaes")
"""Ways to choose values of parameters."""
OPENSCENARIO, MORAI, GYM = KINDS = ("openscenario", "morai", "gym")
"""Kinds of scenarios: files of OpenSCENARIO, scenario files of MORAI SIM, environments of Gymnasium."""
GYM_PREFIX = "gym:"
INTERFACES = ("udp", "ros", "grpc")
DRIVERS = ("default", "dynamics", "driver")
MEASURES = (
    "min_ttc",
    "min_ettc",
    "min_thw",
    "min_pet",
    "min_distance",
    "max_drac",
    "max_required_deceleration",
    "max_deceleration",
    "max_jerk",
)
"""What is measured of cells, by the names of criteria."""
USUAL_MEASURES = ("min_ttc", "min_distance")
MAX_CELLS = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioEntry:
    """A scenario of a plan.

    Attributes:
        name: in tables. file: as the plan names it; "gym:ID" for an environment.
        parameters: values that all its cells have, as texts.
        kind: one of `KINDS`.
    """

    name: str
    file: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    kind: str = OPENSCENARIO


@dataclass(frozen=True, slots=True, kw_only=True)
class Density:
    """How likely values of a parameter are.

    Attributes:
        kind: "uniform" between the bounds of the axis, or "normal", cut off at these.
        mean, deviation: of the normal distribution.
    """

    kind: str = "uniform"
    mean: float = 0.0
    deviation: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A parameter that varies.

    Attributes:
        name: of the parameter. values: those it may have, as texts; () for a range.
        low, high: of the range. step, count: of a grid on it. whole: whether values are whole numbers.
        nominal: how likely values are in traffic. proposal: how likely they are drawn.
    """

    name: str
    values: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    step: float | None = None
    count: int | None = None
    whole: bool = False
    nominal: Density = field(default_factory=Density)
    proposal: Density = field(default_factory=Density)


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingPlan:
    """How cells are chosen.

    Attributes:
        method: one of `METHODS`. count: points of methods that draw; the greatest number of cells for "cmaes".
        seed: of what is drawn. seeds: of the runs, each point with each. repeats: of each cell.
        population: cells of a generation of "cmaes", 0 for the usual number. stop_at_failure: whether "cmaes" ends
            with the first generation that has a cell that fails.
    """

    method: str = "grid"
    count: int = 0
    seed: int = 0
    seeds: tuple[int, ...] = (0,)
    repeats: int = 1
    population: int = 0
    stop_at_failure: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StackPlan:
    """What drives the ego vehicle.

    Attributes:
        driver: one of `DRIVERS`, where no stack does.
        function: "FILE.py:NAME" or "MODULE:NAME", "" for none.
        command: program with its arguments, "" for none.
        container: the same, of a container. stop: ends it, after each cell.
        interface: by which a program drives. lockstep: whether each tick waits for it.
    """

    driver: str = "driver"
    function: str = ""
    command: str = ""
    container: str = ""
    stop: str = ""
    interface: str = "udp"
    lockstep: bool = True

    @property
    def program(self) -> str:
        """The command of a program or container, "" for none."""
        return self.command or self.container

    @property
    def free_running(self) -> bool:
        """Whether a program drives beside the run, so that nothing repeats bit for bit."""
        return bool(self.program) and not self.lockstep

    @property
    def title(self) -> str:
        """What drives, in words."""
        return self.function or self.program or f"built-in: {self.driver}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepPlan:
    """What is kept of cells.

    Attributes:
        worst: of so many cells the report has recordings, plots, videos and traces. video: whether it has videos.
        folders: whether folders of stacks are kept.
    """

    worst: int = 20
    video: bool = True
    folders: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchPlan:
    """Cells that share a beginning.

    Attributes:
        at: until then parameters that are not shared have no effect [simulated s]; 0 for no branches.
        parameters: those that have an effect only later.
    """

    at: float = 0.0
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardPlan:
    """What an episode of an environment has to come to, beside the criteria.

    Attributes:
        min_return: least sum of rewards, None for any.
        min_terms: least sums of terms of the reward, by name, as they are in info["reward_terms"].
        success: whether info["is_success"] has to be true once.
    """

    min_return: float | None = None
    min_terms: Mapping[str, float] = field(default_factory=dict)
    success: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPlan:
    """A plan.

    Attributes:
        source: the file. text: its content, which the sweep's folder keeps. name: of the sweep.
        scenarios, axes, sampling, stack, criteria, limits, keep, branch, reward: the tables of the plan.
        measures: what is measured beside the criteria, names of `MEASURES`.
        step: length of a tick [s]. time_limit: [simulated s]. map_name: None for that of each file.
        ego_name: of the entity that is judged, "" for the usual one.
        data: the data folder, None for the usual one. allow: folders in which files may be opened.
    """

    source: str
    text: str
    name: str
    scenarios: tuple[ScenarioEntry, ...]
    axes: tuple[Axis, ...] = ()
    sampling: SamplingPlan = field(default_factory=SamplingPlan)
    stack: StackPlan = field(default_factory=StackPlan)
    criteria: CriteriaOptions = field(default_factory=CriteriaOptions)
    measures: tuple[str, ...] = USUAL_MEASURES
    limits: SweepLimits = field(default_factory=SweepLimits)
    keep: KeepPlan = field(default_factory=KeepPlan)
    branch: BranchPlan = field(default_factory=BranchPlan)
    reward: RewardPlan = field(default_factory=RewardPlan)
    step: float = DEFAULT_STEP_S
    time_limit: float = 60.0
    map_name: str | None = None
    ego_name: str = ""
    data: str | None = None
    allow: tuple[Path, ...] = ()
