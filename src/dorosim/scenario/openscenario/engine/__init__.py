"""Runs storyboards: records become a program, and each tick makes the next state of the last Snapshot."""
