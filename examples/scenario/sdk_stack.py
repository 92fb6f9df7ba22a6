#!/usr/bin/env python3
"""The smallest stack that brakes, by the Python SDK: put your own in the place of `pedals`.

    dorosim scenario run examples/scenario/pedestrian.xosc --ego grpc --lockstep --no-collision \\
        --stack "python examples/scenario/sdk_stack.py"

It reads the states of all actors, answers with pedals, and does so again, until the run is over. The simulator
tells it by DOROSIM_RUN where it is. With --blind it does not brake.
"""

import sys

from dorosim.client import ClientError, States, connect

BLIND = "--blind" in sys.argv
WAY, LOOK_AHEAD = 2.5, 40.0
"""Others are looked at to this far aside of the ego's line, and this far ahead [m]."""


def pedals(states: States) -> tuple[float, float]:
    """Accelerator and brake, 0 to 1, for what is around; the street leads along x."""
    place = states["position"]
    ahead, aside, _ = (place - place[states.row_of("Ego")]).T
    in_the_way = (ahead > 0.0) & (ahead < LOOK_AHEAD) & (abs(aside) < WAY)
    return (0.0, 1.0) if in_the_way.any() and not BLIND else (0.1, 0.0)


def main() -> None:
    """Drive until the run is over."""
    with connect() as client:
        while True:
            try:
                accelerator, brake = pedals(client.all_states())
                client.drive("Ego", accelerator=accelerator, brake=brake)
            except ClientError:
                return  # the run is over


if __name__ == "__main__":
    main()
