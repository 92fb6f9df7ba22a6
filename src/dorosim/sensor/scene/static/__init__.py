"""What stands still: road, markings, kerbs, pavements, ground, lights, signs, buildings and trees, made of the map."""
