"""Kinds of ground under a wheel, and what each is like: the one table of grip, rolling resistance and roughness.

Friction (peak coefficients of car tyres):

- asphalt, concrete, gravel, packed snow, ice: J. Y. Wong, "Theory of Ground Vehicles", average values of road adhesion;
- wet asphalt: Bosch, "Automotive Handbook", new tyres at 50 km/h: 0.85 dry, 0.65 under 0.2 mm of water;
- wet concrete: between Wong's 0.8 and the 0.6 of R. Noon, "Engineering Analysis of Vehicular Accidents" (1994);
- cobble: over asphalt as the peaks of M. Burckhardt, "Radschlupf-Regelsysteme" (1993), 1.0 dry and 0.40 wet to 1.17;
- wet paint: EN 1436, class S1, a pendulum value of 45 where asphalt has about 60;
- grass: wet Noon's 0.20; dry P. Cenek et al., "Frictional Characteristics of Roadside Grass Types";
- sand: R. L. Peurifoy, "Construction Planning, Equipment, and Methods": loose and dry 0.2 to 0.3, wet 0.3 to 0.4;
- mud: as wet earth, 0.15 to 0.25 (tables of tyre makers);
- wet ice: Bosch, 0.1 and below;
- dry paint (somewhat below asphalt), wet gravel and wet snow have no source of their own: estimates.

Rolling resistance:

- asphalt, concrete, rolled gravel: Wong, 0.013 and 0.02 for car tyres;
- cobble: J. Carvill, "Mechanical Engineer's Data Handbook" (1993), 0.015 to 0.03;
- sand, mud, snow: J. J. Taborek, "Mechanics of Vehicles" (1957), cars: 0.06 to 0.15, 0.037 to 0.15, 0.025 to 0.037;
- grass: E. G. McKibben and J. B. Davidson, Agricultural Engineering (1939), pneumatic tyres on sod;
- paint and ice: as asphalt, since they are as hard: estimates.

Roughness: ISO 8608, middles of the classes A (16e-6 m^3) to E (4096e-6 m^3), each four times the one before; the class
of each kind is ours: roads and ice A and B, cobbles, gravel and packed snow C, ground beside the road D, mud E.

Where a source gives a range, the number is inside it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple, Self


class SurfaceProperties(NamedTuple):
    """What a kind of ground does to a wheel.

    Attributes:
        friction: peak coefficient of a car's tyre on the dry surface.
        wet_friction: the same where it is wet but no water stands on it.
        rolling_resistance: force over load of a car's tyre.
        roughness: displacement power spectral density at 0.1 cycles per metre (ISO 8608, G_d(n_0)) [m^3].
        sealed: whether rain stays on it as a film of water; else it seeps away.
    """

    friction: float
    wet_friction: float
    rolling_resistance: float
    roughness: float
    sealed: bool


class SurfaceKind(IntEnum):
    """Kinds of ground; the value is what states and kernels hold."""

    properties: SurfaceProperties

    def __new__(cls, value: int, properties: SurfaceProperties) -> Self:
        """A member by its value and what it is like."""
        self = int.__new__(cls, value)
        self._value_, self.properties = value, properties
        return self

    ASPHALT = 0, SurfaceProperties(0.85, 0.65, 0.013, 16e-6, True)
    PAINT = 1, SurfaceProperties(0.75, 0.45, 0.013, 16e-6, True)
    CONCRETE = 2, SurfaceProperties(0.85, 0.70, 0.013, 64e-6, True)
    COBBLE = 3, SurfaceProperties(0.73, 0.29, 0.025, 256e-6, True)
    GRASS = 4, SurfaceProperties(0.40, 0.20, 0.07, 1024e-6, False)
    GRAVEL = 5, SurfaceProperties(0.60, 0.50, 0.02, 256e-6, False)
    SAND = 6, SurfaceProperties(0.25, 0.35, 0.12, 1024e-6, False)
    MUD = 7, SurfaceProperties(0.25, 0.20, 0.12, 4096e-6, False)
    SNOW = 8, SurfaceProperties(0.20, 0.20, 0.03, 256e-6, False)
    ICE = 9, SurfaceProperties(0.10, 0.05, 0.013, 64e-6, True)
