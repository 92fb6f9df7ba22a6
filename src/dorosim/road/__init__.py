"""Floor 1: the HD map. Network, lane geometry, routing, surface, projection; MGeo reading and writing; towns.

Knows no message and no world. Loaders take bytes; `dorosim.app` opens files.
"""
