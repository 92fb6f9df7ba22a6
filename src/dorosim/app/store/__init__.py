"""What is made once and kept for later runs: maps, scenes, scenarios in the user's folders and in the cache."""
