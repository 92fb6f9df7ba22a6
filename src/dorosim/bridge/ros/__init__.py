"""ROS topics and services to commands, snapshots and readings to messages."""
