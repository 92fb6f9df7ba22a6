"""The UDP interface: sockets, floods, messages whose work takes long, and the network that the user sets."""
