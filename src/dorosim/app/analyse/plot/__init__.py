"""Plots of recordings and sensors."""
