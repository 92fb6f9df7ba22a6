"""Vehicles with full dynamics: their state, parameters, catalogue, kernels, driver and placement."""
