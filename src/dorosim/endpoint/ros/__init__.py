"""ROS: a hub of topics and services, and the ways in which ROS programs reach it."""
