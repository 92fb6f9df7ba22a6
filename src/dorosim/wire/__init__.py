"""Floor 1: bytes to messages and back. No socket, no clock, no world.

`message` is the grammar of a message table, `codec` compiles a table, `udp` and `device` hold the tables.
"""
