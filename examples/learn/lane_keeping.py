"""Learn to keep the lane, stop at red lights and keep distance, by PPO of Stable-Baselines3.

pip install 'dorosim[gym]' stable-baselines3
python examples/learn/lane_keeping.py --seed 0 --out lane
python examples/learn/lane_keeping.py --evaluate lane.npz
"""

from __future__ import annotations

from towns import Lesson

from dorosim.mapmaking.plan import Size

LANE_KEEPING = Lesson(
    kind="Town",
    size=Size.DEFAULT,
    settings={
        "vehicles": 8,
        "actions": "velocity",
        "observations": ("ego", "neighbours", "road", "lights"),
        "neighbours": 4,
        "neighbour_reach": 50.0,
        "road_points": 10,
        "road_spacing": 5.0,
        "lights": 1,
        "light_reach": 60.0,
        "max_speed": 12.0,
        "max_curvature": 0.2,
        "max_steps": 400,
        "way_length": 900.0,
        "start_speed": 5.0,
        "beginnings": 300,
        "ends": ("collision", "off_road", "red_light"),
        "rewards": {"progress": 0.5, "steering": -0.2, "lane": -2.0, "red_light": -20.0, "arrival": 0.0},
    },
    steps=1200,
    metres=300.0,
)

if __name__ == "__main__":
    from training import main

    main(LANE_KEEPING, "lane", __doc__)
