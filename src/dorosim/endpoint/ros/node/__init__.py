"""A node of ROS 1 on the standard library: XML-RPC with the master and other nodes, TCPROS for the rest."""
