"""Learn to cross intersections with lights, stop signs and other traffic, by PPO of Stable-Baselines3.

pip install 'dorosim[gym]' stable-baselines3
python examples/learn/intersection.py --seed 0 --out intersection
python examples/learn/intersection.py --evaluate intersection.npz
"""

from __future__ import annotations

from towns import Lesson

from dorosim.mapmaking.plan import Size

INTERSECTION = Lesson(
    kind="Intersection",
    size=Size.SMALL,
    settings={
        "vehicles": 20,
        "actions": "velocity",
        "observations": ("ego", "neighbours", "road", "lights"),
        "neighbours": 8,
        "neighbour_reach": 60.0,
        "road_points": 10,
        "road_spacing": 5.0,
        "lights": 1,
        "light_reach": 60.0,
        "max_speed": 12.0,
        "max_curvature": 0.2,
        "max_steps": 600,
        "beginnings": 300,
        "rewards": {"progress": 0.5, "steering": -0.2, "lane": -2.0, "red_light": -20.0},
    },
    steps=1200,
    metres=0.0,
)

if __name__ == "__main__":
    from training import main

    main(INTERSECTION, "intersection", __doc__)
