"""What air, fog, smoke, rain and snow are made of, and what they do to light: the numbers that all sensors share.

All functions are of plain numbers in SI units, so that cameras, lidars and radars take the same ones. Extinction is
what a beam loses by a metre (Beer and Lambert: exp(-extinction * way) is left); backscatter is what a metre sends back
into a steradian. What radio waves lose in rain is in `dorosim.sensor.radar.rain`.

- Air and fog: H. Koschmieder's law at 5 % contrast (WMO-No. 8), by wavelength as in I. I. Kim et al. (`kim_exponent`).
- Rain, light: T. H. Carbonneau and D. R. Wisely, Proc. SPIE 3232 (1998): 1.076 R^0.67 dB/km, R in mm/h.
- Rain, drops: J. S. Marshall and W. McK. Palmer, J. Meteor. 5 (1948) 165; D. Atlas et al., Rev. Geophys. 11 (1973) 1.
- Snow, light: a visibility of 1 km at 1 mm/h of water, which lies in the wide band that R. M. Rasmussen et al. measured
  (J. Appl. Meteorol. 38 (1999) 1542).
- Snow, flakes: R. S. Sekhon and R. C. Srivastava, J. Atmos. Sci. 27 (1970) 299, by diameters of the melted drops.
- Smoke: G. W. Mulholland and C. Croarkin, Fire and Materials 24 (2000) 227: 8.7 m²/g at 633 nm.
- Backscatter of water: E. J. O'Connor et al., J. Atmos. Ocean. Technol. 21 (2004) 777.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray

MM_PER_HOUR = 1e-3 / 3600.0
"""A rate of rain of 1 mm/h [m/s]."""
CONTRAST = 0.05
"""Contrast at the meteorological optical range (WMO-No. 8, Guide to Instruments, part I, 9.1)."""
KIM_CONTRAST = 0.02
"""Contrast at the visibility of I. I. Kim et al."""
GREEN_LIGHT, NEAR_INFRARED = 550e-9, 905e-9
"""Wavelengths: of sight, at which visibility is defined, and of common lidars [m]."""
WATER_LIDAR_RATIO = 18.8
"""Extinction over backscatter of drops of water at 905 nm [sr] (O'Connor et al. 2004)."""
SMOKE_LIDAR_RATIO = 60.0
"""The same of smoke [sr]: 40 to 80 (D. Müller et al., J. Geophys. Res. 112 (2007) D16202)."""
SNOW_LIDAR_RATIO = 20.0
"""The same of flakes [sr]: 15 to 25 of ice crystals without specular reflection (S. A. Young and M. A. Vaughan,
J. Atmos. Ocean. Technol. 26 (2009) 1105)."""
SMOKE_EXTINCTION, SMOKE_WAVELENGTH = 8700.0, 633e-9
"""Extinction over the density of smoke [m²/kg], and its wavelength, with whose inverse it goes [m]."""
NEW_SNOW_DENSITY = 100.0
"""Density of snow that has just fallen [kg/m³] (WMO-No. 8, part II, 2: ten times the depth of its water)."""
WATER_DENSITY = 1000.0
"""[kg/m³]"""


class SizeDistribution(NamedTuple):
    """How many particles of each size are in the air: `intercept * exp(-slope * diameter)` a cubic metre and metre.

    Attributes:
        intercept: [1/m⁴]. slope: [1/m]; 0 of both where there are none.
    """

    intercept: float
    slope: float

    @property
    def number(self) -> float:
        """Particles of all sizes in a cubic metre [1/m³]."""
        return self.intercept / self.slope if self.slope else 0.0

    @property
    def water(self) -> float:
        """Mass of their water in a cubic metre [kg/m³], where diameters are those of the drops."""
        return math.pi * WATER_DENSITY * self.intercept / self.slope**4 if self.slope else 0.0

    @property
    def mean_diameter(self) -> float:
        """Mean diameter [m]."""
        return 1.0 / self.slope if self.slope else 0.0

    def larger_than(self, diameter: float) -> float:
        """Particles in a cubic metre whose diameter is larger than one [m]."""
        return self.number * math.exp(-self.slope * diameter)


NO_PARTICLES = SizeDistribution(0.0, 0.0)


def raindrops(rain: float) -> SizeDistribution:
    """Drops at a rate of rain [m/s] (Marshall and Palmer 1948)."""
    if rain <= 0.0:
        return NO_PARTICLES
    return SizeDistribution(8e6, 4100.0 * (rain / MM_PER_HOUR) ** -0.21)


def drop_speed(diameter: float) -> float:
    """Speed at which drops of a diameter [m] fall [m/s] (Atlas et al. 1973); 0 for those below 0.11 mm."""
    return max(9.65 - 10.3 * math.exp(-600.0 * diameter), 0.0)


def drop_speeds(diameter: FloatArray) -> FloatArray:
    """The same of many drops, `(N,)` [m] and [m/s]."""
    return np.maximum(9.65 - 10.3 * np.exp(-600.0 * diameter), 0.0)


def snowflakes(snow: float) -> SizeDistribution:
    """Flakes at a rate of snow, as water [m/s], by the diameters of the drops that they melt to."""
    if snow <= 0.0:
        return NO_PARTICLES
    rate = snow / MM_PER_HOUR
    return SizeDistribution(2.5e6 * rate**-0.94, 2290.0 * rate**-0.45)


FLAKE_SPEED = 1.0
"""Speed at which flakes fall [m/s]: 0.8 to 1.4 of aggregates of all sizes (J. D. Locatelli and P. V. Hobbs,
J. Geophys. Res. 79 (1974) 2185)."""


def flake_diameter(melted: float) -> float:
    """Diameter [m] of a flake that melts to a drop of one [m].

    Its density is 0.17 g/cm³ over its diameter in millimetres (E. W. Holroyd, J. Appl. Meteorol. 10 (1971) 633).
    """
    return math.sqrt(melted**3 * WATER_DENSITY / 0.17)


def kim_exponent(visibility: float) -> float:
    """By which power of the wavelength extinction falls, at a visibility by 2 % contrast [m].

    I. I. Kim, B. McArthur, E. Korevaar, Proc. SPIE 4214 (2001) 26: none in fog below 500 m.
    """
    km = visibility * 1e-3
    if km > 50.0:
        return 1.6
    if km > 6.0:
        return 1.3
    if km > 1.0:
        return 0.16 * km + 0.34
    return max(km - 0.5, 0.0)


def air_extinction(visibility: float, wavelength: float = GREEN_LIGHT) -> float:
    """Extinction of air and fog [1/m].

    Args:
        visibility: meteorological optical range [m].
        wavelength: of the light [m].
    """
    green = -math.log(CONTRAST) / visibility
    seen_by_kim = -math.log(KIM_CONTRAST) / green
    return green * math.pow(wavelength / GREEN_LIGHT, -kim_exponent(seen_by_kim))


def rain_extinction(rain: float) -> float:
    """Extinction of rain at a rate [m/s], of any light [1/m]."""
    return 1.076e-3 * math.pow(max(rain, 0.0) / MM_PER_HOUR, 0.67) * math.log(10.0) / 10.0


def snow_extinction(snow: float) -> float:
    """Extinction of falling snow at a rate, as water [m/s], of any light [1/m]."""
    return -math.log(CONTRAST) * 1e-3 * max(snow, 0.0) / MM_PER_HOUR


def smoke_extinction(density: float, wavelength: float = GREEN_LIGHT) -> float:
    """Extinction of smoke of a density [kg/m³], of a wavelength [m], [1/m]."""
    return SMOKE_EXTINCTION * density * SMOKE_WAVELENGTH / wavelength
