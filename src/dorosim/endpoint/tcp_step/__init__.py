"""MORAI SIM 2's fixed step over TCP: the server, its connections, and the datagrams beside it."""
