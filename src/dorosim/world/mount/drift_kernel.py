"""The slow errors of all sensors at once."""

from __future__ import annotations

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.draw_kernel import normal, stream_at
from dorosim.ground.jit import kernel
from dorosim.world.mount.state import NOISE_COLUMNS

BEGUN = NOISE_COLUMNS - 1
"""The column that is 1 once a sensor's processes have begun."""


@kernel
def advance_processes(
    noise: FloatArray, sensor: IntArray, decay: FloatArray, drive: FloatArray, first: FloatArray, key: int, tick: int
) -> None:
    """Let the processes of sensors go on by one tick, or begin.

    Args:
        noise: `(columns, N)`, written.
        sensor: `(N,)` numbers of the sensors, by which draws are addressed.
        decay: `(columns, N)` what is left of a value, like what follows read-only.
        drive: `(columns, N)` deviation of what is added.
        first: `(columns, N)` deviation of the first value.
        key: of the run's noise.
        tick: number of the tick.
    """
    for i in range(noise.shape[1]):
        stream = stream_at(key + sensor[i], tick)
        begins, has = noise[BEGUN, i] == 0.0, False
        for c in range(BEGUN):
            has = has or decay[c, i] > 0.0 or drive[c, i] > 0.0
            if begins:
                # a walk has no first value: it takes its first step
                deviation = first[c, i] if first[c, i] > 0.0 else drive[c, i]
                noise[c, i] = deviation * normal(stream, c) if deviation > 0.0 else 0.0
            elif drive[c, i] > 0.0:
                noise[c, i] = decay[c, i] * noise[c, i] + drive[c, i] * normal(stream, c)
            else:
                noise[c, i] *= decay[c, i]
        noise[BEGUN, i] = 1.0 if has else 0.0
