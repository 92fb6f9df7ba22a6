"""OpenDRIVE out: a map as roads with lanes, and their bytes (docs/decisions/0075-links-side-by-side-become-a-road.md)."""
