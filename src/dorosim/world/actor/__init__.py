"""What all actors have in common: bodies, names, numbers, neighbours."""
