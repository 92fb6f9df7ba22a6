"""Ticks in which nothing rare happens, made in compiled code with one call (`dorosim.world.step` makes all others)."""
