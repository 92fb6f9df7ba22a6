"""What surrounds the actors: weather, friction, areas without satellite reception."""
