"""What a run reports: to people at a terminal, to machines as JSON, to a log."""
