"""Worlds in which every vehicle is an agent that moves by the kinematic bicycle."""
