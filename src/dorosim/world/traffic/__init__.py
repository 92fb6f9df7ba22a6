"""NPC vehicles: the simulator drives them along the lanes, by the lights and by the vehicles around them."""
