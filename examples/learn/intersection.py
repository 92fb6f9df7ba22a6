"""Learn to cross intersections with lights, stop signs and other traffic, by PPO of Stable-Baselines3.

pip install 'dorosim[gym]' stable-baselines3
python examples/learn/intersection.py --seed 0 --out intersection
python examples/learn/intersection.py --evaluate intersection.npz
"""

from __future__ import annotations

from towns import REWARDS, SETTINGS, Lesson

from dorosim.mapmaking.plan import Size

INTERSECTION = Lesson(
    kind="Intersection",
    size=Size.SMALL,
    settings={
        **SETTINGS,
        "vehicles": 20,
        "neighbours": 8,
        "neighbour_reach": 60.0,
        "max_steps": 600,
        "rewards": REWARDS,
    },
    steps=1200,
    metres=0.0,
)

if __name__ == "__main__":
    from training import main

    main(INTERSECTION, "intersection", __doc__)
