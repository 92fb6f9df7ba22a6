"""What threads of the crew of the traffic do: they wait for steps, and take parts of them (`traffic.crew`)."""

from __future__ import annotations

from dorosim.ground.address_kernel import floats_at, ints_at
from dorosim.ground.atomic_kernel import load
from dorosim.ground.crew_kernel import CrewWord, await_job, leave_job, stop_crew
from dorosim.ground.jit import kernel
from dorosim.world.ordinary.link_kernel import ADVANCE_TRAFFIC
from dorosim.world.traffic.traffic_job_kernel import JobWord

_advance_traffic = ADVANCE_TRAFFIC.call

_GENERATION = int(CrewWord.GENERATION)
_W_SEED, _W_TURN, _W_DECISION, _W_DT = int(JobWord.SEED), int(JobWord.TURN), int(JobWord.DECISION), int(JobWord.DT)
_W_END = int(JobWord.END)
_W_ARRAYS = tuple(
    8 * int(word)
    for word in (
        *(JobWord.ROADS, JobWord.ROUTES, JobWord.FLOATS, JobWord.INTS, JobWord.OBSTRUCTION, JobWord.OBSTRUCTION_INTS),
        *(JobWord.CROSSING, JobWord.CROSSING_INTS, JobWord.ROADSIDE, JobWord.PERMISSION),
    )
)


@kernel
def work_on_traffic(crew: int, advance: int) -> None:
    """Take parts of the steps of the traffic until the crew at an address is to stop.

    Args:
        crew: the address of its block.
        advance: the address of `advance_traffic`; with 0 the crew's threads are stopped and no part is taken.
    """
    if advance == 0:
        stop_crew(crew)
        return
    block, real = ints_at(crew, _W_END), floats_at(crew, _W_END)
    seen = load(crew + 8 * _GENERATION)
    while True:
        seen = await_job(crew, seen)
        if seen < 0:
            return
        _advance_traffic(
            advance,
            (
                crew + _W_ARRAYS[0],
                crew + _W_ARRAYS[1],
                crew + _W_ARRAYS[2],
                crew + _W_ARRAYS[3],
                crew + _W_ARRAYS[4],
                crew + _W_ARRAYS[5],
                crew + _W_ARRAYS[6],
                crew + _W_ARRAYS[7],
                crew + _W_ARRAYS[8],
                crew + _W_ARRAYS[9],
                block[_W_SEED],
                block[_W_TURN],
                real[_W_DECISION],
                real[_W_DT],
                crew,
                False,
            ),
        )
        leave_job(crew)
