"""MORAI SIM 2's fixed step over TCP beside the runs of a program."""
