"""Bags of ROS as files: looked into, mended, made of recordings, and read to be replayed."""
