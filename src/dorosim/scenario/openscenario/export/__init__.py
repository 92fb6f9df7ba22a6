"""A run as a scenario: what all actors did, as trajectories with times."""
