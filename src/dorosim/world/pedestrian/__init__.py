"""Pedestrians: models, state, routes, and the kernel that lets them walk."""
