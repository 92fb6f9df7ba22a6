"""ASAM OpenDRIVE, 1.4 to 1.8: the records of a file, its analytic reference lines, and the lanes along them."""
