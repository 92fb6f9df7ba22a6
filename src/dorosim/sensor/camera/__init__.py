"""Cameras: pictures, depth, classes, instances and boxes from rays."""
