"""Maps as Lanelet2."""
