"""Cells that are episodes of environments of Gymnasium: a function sees observations and returns actions.

Parameters are settings of the environment (what `gymnasium.make` takes), with dots into tables: `rewards.collision`.
Environments of dorosim have a world, whose vehicle is judged and measured as in other cells; of any other one there is
what it says: rewards, their terms in `info["reward_terms"]`, whether it was terminated, and `info["is_success"]`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from dorosim.app.sweep.cell import Cell, CellRow, parameters_of
from dorosim.app.sweep.cell_result import CellFiles, facts_of_criterion, row_of
from dorosim.app.sweep.function_stack import StackFaultError, drive_with, driver_of
from dorosim.app.sweep.gym_name import OURS, gymnasium_knows
from dorosim.app.sweep.measure import margin_of
from dorosim.app.sweep.morai_cell import json_value
from dorosim.app.sweep.plan import GYM_PREFIX, SweepPlan
from dorosim.app.sweep.world_watch import WorldWatch, judged
from dorosim.ground.error import InputError, one_line
from dorosim.scenario.criterion.actor_moment import ActorSight
from dorosim.scenario.criterion.judge import CriterionResult
from dorosim.world.snapshot import EGO

_MAX_KEPT = 4
"""So many environments are kept, each with other settings."""
_KEEP_LANE = 0
"""Action of "lanes" with which the built-in driver drives."""
_CURE = "see docs/how-to/learn.md"


class GymCells:
    """Runs episodes, one after the other.

    Args:
        plan: of the sweep. function: that drives, None for the built-in driver.
    """

    def __init__(self, plan: SweepPlan, function: Any) -> None:
        self._plan, self._function = plan, function
        self._kept: OrderedDict[str, Any] = OrderedDict()

    def run(self, cell: Cell, files: CellFiles) -> CellRow:
        """Run an episode.

        Args:
            cell: which; its seed is that of the episode, and of the world of an environment of dorosim.
            files: what is written of it: a recording, of an environment of dorosim.

        Raises:
            InputError: there is no such environment, or it has no such settings.
            StackFaultError: the function breaks, or its action is none.
        """
        name = self._plan.scenarios[cell.scenario].file.removeprefix(GYM_PREFIX)
        ours = name.startswith(OURS)
        settings = settings_of_cell(parameters_of(self._plan, cell))
        if ours and self._function is None:
            settings = {"actions": "lanes"} | settings
        env = self._env(name, settings)
        act: Callable[[Any], Any] = (lambda _: _KEEP_LANE) if self._function is None else driver_of(self._function)
        options = {"world_seed": cell.seed} if ours else None
        observation, _ = env.reset(seed=cell.seed, options=options)
        world = env.unwrapped.episode.world if ours else None
        if world is not None and files.record is not None:
            world.record(files.record)
        try:
            return _Episode(self._plan, cell, env, world).run(observation, act)
        finally:
            if world is not None:
                world.end_recording()

    def _env(self, name: str, settings: Mapping[str, Any]) -> Any:
        """An environment with these settings, made or kept.

        Raises:
            InputError: it cannot be made.
        """
        key = f"{name} {sorted(settings.items())!r}"
        if key not in self._kept:
            self._kept[key] = make_env(name, settings)
            if len(self._kept) > _MAX_KEPT:
                self._kept.popitem(last=False)[1].close()
        self._kept.move_to_end(key)
        return self._kept[key]


class _Episode:
    """An episode that has begun.

    Args:
        plan: of the sweep. cell: which. env: the environment. world: of it, None for an environment of others.
    """

    def __init__(self, plan: SweepPlan, cell: Cell, env: Any, world: Any) -> None:
        self._plan, self._cell, self._env, self._world = plan, cell, env, world
        self._watch: WorldWatch | None = None
        if world is not None:
            sight = ActorSight(world.start.scene, EGO)
            self._watch, self._began = WorldWatch(plan.criteria.criteria(), plan.measures, sight), world.now.time
        self._sum, self._steps, self._terms, self._success = 0.0, 0, dict[str, float](), False

    def run(self, observation: Any, act: Callable[[Any], Any]) -> CellRow:
        """Run it to its end.

        Args:
            observation: the first one.
            act: what chooses actions.
        """
        ended, terminated = f"drove for {self._plan.time_limit:g} s", False
        while not self._looked():
            action = drive_with(act, observation)
            try:
                observation, reward, terminated, truncated, info = self._env.step(action)
            except (ValueError, TypeError, AssertionError, IndexError) as error:
                raise StackFaultError(f"the environment does not take the action: {one_line(str(error))}") from None
            self._take(float(reward), info)
            if terminated or truncated:
                ended = _end_in_words(info, terminated=terminated)
                self._looked()
                break
        return self._row(ended, terminated=terminated)

    def _looked(self) -> bool:
        """See the present state; whether the run is over."""
        if self._watch is None:
            return False
        time = self._world.now.time - self._began
        return self._watch.look(self._world.now, time) or time >= round(self._plan.time_limit * 1e9)

    def _take(self, reward: float, info: Mapping[str, Any]) -> None:
        self._sum, self._steps = self._sum + reward, self._steps + 1
        self._success |= bool(info.get("is_success", False))
        for name, value in info.get("reward_terms", {}).items():
            self._terms[name] = self._terms.get(name, 0.0) + float(value)

    def _row(self, ended: str, *, terminated: bool) -> CellRow:
        """What became of it."""
        more = list(self._rewards(ended, terminated=terminated))
        sums = {"return": self._sum, "steps": float(self._steps)}
        sums |= {f"reward_{name}": value for name, value in self._terms.items()}
        if self._watch is not None:
            row = row_of(self._cell, self._watch.result(ended, more), self._watch.measure)
            return msgspec.structs.replace(row, measures=row.measures | sums)
        run = judged(more, ended, float(self._steps))
        return CellRow(
            cell=self._cell,
            verdict=str(run.verdict),
            why=run.why,
            time=0.0,
            margin=margin_of(more, {}),
            measures=sums,
            criteria=[facts_of_criterion(one) for one in more],
        )

    def _rewards(self, ended: str, *, terminated: bool) -> Iterator[CriterionResult]:
        """What became of the table [reward], and whether the episode came to a bad end."""
        wanted = self._plan.reward
        yield _result("end of the episode", held=self._success or not terminated, said=ended)
        if wanted.success:
            said = "success" if self._success else "no success"
            yield _result("success", held=self._success, said=said)
        limits: dict[str, tuple[float | None, float | None]] = {"return": (self._sum, wanted.min_return)}
        limits |= {f"sum of {name}": (self._terms.get(name), least) for name, least in wanted.min_terms.items()}
        for title, (value, least) in limits.items():
            if least is not None:
                held = value is not None and value >= least
                said = f"{title}: {'none' if value is None else f'{value:.6g}'}, limit {least:g}"
                yield _result(title, held=held, said=said, value=value, limit=least)


def _result(
    title: str, *, held: bool, said: str, value: float | None = None, limit: float | None = None
) -> CriterionResult:
    return CriterionResult(title, limit, "", held, value, None, "", None, None, said)


def _end_in_words(info: Mapping[str, Any], *, terminated: bool) -> str:
    """How an episode ended: the events that info has as true."""
    events = [name for name, value in info.items() if value is True and name != "is_success"]
    return f"{'terminated' if terminated else 'truncated'}{': ' if events else ''}{', '.join(events)}"


def settings_of_cell(values: Mapping[str, str]) -> dict[str, Any]:
    """The settings of an environment, of parameters with dots in their names for tables in tables."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        *way, last = name.split(".")
        inner = found
        for key in way:
            inner = inner.setdefault(key, {})
        inner[last] = json_value(value)
    return found


def make_env(name: str, settings: Mapping[str, Any]) -> Any:
    """An environment.

    Args:
        name: id with which it is registered, "MODULE:ID" where a module has to be imported for that.
        settings: of it.

    Raises:
        InputError: it cannot be made.
    """
    gymnasium, known = gymnasium_knows(name)
    try:
        return gymnasium.make(known, disable_env_checker=True, **settings)
    except InputError:
        raise
    except Exception as error:
        problem = f"cannot be made: {type(error).__name__}: {one_line(str(error))[:300]}"
        raise InputError(f"{GYM_PREFIX}{name}", "", problem, _CURE) from None
