"""Lanelet2 maps: OSM XML with Autoware's conventions, read and written."""
