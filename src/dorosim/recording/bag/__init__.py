"""Bags of messages: ROS 1 bags and MCAP files, written while a run goes on, read, and mended."""
