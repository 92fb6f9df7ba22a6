"""How the slow errors of sensors go on from tick to tick.

Two kinds of processes, both in their exact form for any length of a tick (P. Maybeck, "Stochastic Models, Estimation
and Control", vol. 1 (1979), section 4.11): a first-order Gauss-Markov process of deviation s and correlation time T,
x' = e^(-dt/T) x + s sqrt(1 - e^(-2 dt/T)) n, stationary from its first value on, and a random walk of density K,
x' = x + K sqrt(dt) n, from 0.

What the `noise` columns of a sensor hold:

| kind | columns | |
|---|---|---|
| GPS | 0 to 2 | Gauss-Markov error along x, y, z of the map [m] |
| IMU | 0 to 2, 3 to 5 | Gauss-Markov bias of acceleration [m/s²] and rate [rad/s] along x, y, z of the sensor |
| IMU | 6 to 8, 9 to 11 | random walk of the same |
| both | 15 | 1 once the processes have begun |

Draws are addressed by the sensor's number, the tick and the column, so that no sensor changes another's.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray, read_only, writable
from dorosim.ground.noise import Noise
from dorosim.world.mount.setting import AnySettings, GpsSettings, ImuSettings, settings_from_text
from dorosim.world.mount.state import NOISE_COLUMNS, Mounts


class SlowError(NamedTuple):
    """The processes of sensors, `(NOISE_COLUMNS, N)` each; zeros where there is none.

    Attributes:
        decay: what is left of a value after a tick.
        drive: deviation of what is added in a tick.
        first: deviation of the first value.
    """

    decay: FloatArray
    drive: FloatArray
    first: FloatArray


def has_slow_errors(mounts: Mounts, dt: float) -> bool:
    """Whether sensors have slow errors, or remember some: whether `advance_mounts` changes anything.

    Args:
        mounts: as they are.
        dt: length of a tick [s].
    """
    if not mounts.table.rows:
        return False
    errors = _errors_of_text(mounts.text.tobytes(), mounts.first.tobytes(), dt)
    return errors is not None or bool(mounts.table.noise.any())


def advance_mounts(mounts: Mounts, noise: Noise, tick: int, dt: float) -> Mounts:
    """The sensors a tick later; the very same where none has slow errors.

    Args:
        mounts: as they are.
        noise: the run's randomness.
        tick: number of the tick that is being made.
        dt: its length [s].
    """
    errors = _errors_of_text(mounts.text.tobytes(), mounts.first.tobytes(), dt)
    if errors is None and not mounts.table.noise.any():
        return mounts
    table = mounts.table.copy()
    if errors is None:
        table.noise[:] = 0.0
    else:
        table.noise[:] = advance_noise(table.noise, table.id, errors, noise, tick)
    return mounts.with_table(table)


def advance_noise(before: FloatArray, sensors: np.ndarray, errors: SlowError, noise: Noise, tick: int) -> FloatArray:
    """The slow errors of sensors a tick later.

    Args:
        before: `(NOISE_COLUMNS, N)` as they are.
        sensors: `(N,)` numbers of the sensors.
        errors: their processes.
        noise: the run's randomness.
        tick: number of the tick that is being made.
    """
    # compiled where a sensor drifts, and only there
    from dorosim.world.mount.drift_kernel import advance_processes

    after = np.ascontiguousarray(before).copy()
    advance_processes(after, writable(sensors), *errors, noise.key("sensor/drift"), tick)
    return after


@lru_cache(maxsize=16)
def _errors_of_text(text: bytes, first: bytes, dt: float) -> SlowError | None:
    """The processes of all sensors by the text of their settings; None if there are none at all."""
    bounds = np.frombuffer(first, np.int64).tolist()
    found = [slow_error(settings_from_text(text[begin:end]), dt) for begin, end in pairwise(bounds)]
    if not any(one is not None for one in found):
        return None
    rows = [one or _NONE for one in found]
    return SlowError(*(read_only(np.column_stack(part)) for part in zip(*rows, strict=True)))


def slow_error(settings: AnySettings, dt: float) -> SlowError | None:
    """The processes of one sensor, `(NOISE_COLUMNS,)` each; None if it has none.

    Args:
        settings: of the sensor.
        dt: length of a tick [s].
    """
    deviation: tuple[float, ...]
    density: tuple[float, ...] = ()
    if isinstance(settings, GpsSettings):
        deviation, time = settings.drift, settings.drift_time
    elif isinstance(settings, ImuSettings):
        deviation = (*settings.acceleration_bias, *settings.rate_bias)
        density, time = (*settings.acceleration_walk, *settings.rate_walk), settings.bias_time
    else:
        return None
    if not any(deviation) and not any(density):
        return None
    markov, walk = len(deviation), len(deviation) + len(density)
    errors = SlowError(np.zeros(NOISE_COLUMNS), np.zeros(NOISE_COLUMNS), np.zeros(NOISE_COLUMNS))
    errors.first[:markov] = deviation
    errors.decay[:markov] = np.exp(-dt / time)
    errors.drive[:markov] = errors.first[:markov] * np.sqrt(-np.expm1(-2.0 * dt / time))
    errors.decay[markov:walk] = 1.0
    errors.drive[markov:walk] = np.array(density) * np.sqrt(dt)
    return errors


_NONE = SlowError(np.zeros(NOISE_COLUMNS), np.zeros(NOISE_COLUMNS), np.zeros(NOISE_COLUMNS))
