"""Videos of recordings: what a camera saw, or one that was not there."""
