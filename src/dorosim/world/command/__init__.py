"""What can be asked of the world: one class a command, and the inbox in which commands wait for the next tick."""
