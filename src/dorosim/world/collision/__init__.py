"""Collisions: bodies, contacts, impacts."""
