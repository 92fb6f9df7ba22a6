"""Floor 2: makes maps, from streets and junctions to a road network."""
