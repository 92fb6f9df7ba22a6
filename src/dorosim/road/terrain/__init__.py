"""The ground of a map: how far the road is, how high it lies, and the triangles of road and land."""
