"""Floor 3: scenarios. They say what is to be created in a world and removed from it, and change nothing."""
