"""Plots of what the world does, each measured in a run: `make plots`. One module a plot: it measures, and it draws."""
