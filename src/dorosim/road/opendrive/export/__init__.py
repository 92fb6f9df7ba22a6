"""OpenDRIVE out: a map as roads with lanes, and their bytes (docs/decisions/0075-lanes-of-one-road.md)."""
