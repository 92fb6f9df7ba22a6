"""The state of a running storyboard: tables of numbers, part of the Snapshot."""
