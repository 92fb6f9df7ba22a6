"""What weather does to lidars: it takes light away on the way there and back, so that weak returns get lost.

Ranges of detection are of clear air, so what counts is the extinction beyond it. At the 905 nm of these lidars fog
takes as much as in visible light (I. I. Kim et al., Proc. SPIE 4214 (2001) 26: no dependence on the wavelength below
500 m of visibility), and drops of rain and flakes of snow are larger than either wavelength. Light that drops send
back, which shows as points in heavy fog and snow, is left out; so is water on the sensor, and light that is scattered
forward and comes late.
"""

from __future__ import annotations

from dorosim.world.environment.weather import EnvironmentState, extinction, first_environment

_CLEAR = extinction(first_environment())


def haze_of(environment: EnvironmentState) -> float:
    """Extinction beyond that of a sunny day [1/m]; 0 where the air is as clear or clearer."""
    return max(extinction(environment) - _CLEAR, 0.0)
