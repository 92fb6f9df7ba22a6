"""Learn to keep the lane, stop at red lights and keep distance, by PPO of Stable-Baselines3.

pip install 'dorosim[gym]' stable-baselines3
python examples/learn/lane_keeping.py --seed 0 --out lane
python examples/learn/lane_keeping.py --evaluate lane.npz
"""

from __future__ import annotations

from towns import REWARDS, SETTINGS, Lesson

from dorosim.mapmaking.plan import Size

LANE_KEEPING = Lesson(
    kind="Town",
    size=Size.DEFAULT,
    settings={
        **SETTINGS,
        "vehicles": 8,
        "neighbours": 4,
        "neighbour_reach": 50.0,
        "max_steps": 400,
        "way_length": 900.0,
        "start_speed": 5.0,
        "ends": ("collision", "off_road", "red_light"),
        "rewards": {**REWARDS, "arrival": 0.0},
    },
    steps=1200,
    metres=300.0,
)

if __name__ == "__main__":
    from training import main

    main(LANE_KEEPING, "lane", __doc__)
