"""Videos of recordings."""
