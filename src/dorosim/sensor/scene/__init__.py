"""The world as triangles: built once from the map, moved by transforms, and asked by rays."""
