"""Bags of ROS messages, made and looked into."""
