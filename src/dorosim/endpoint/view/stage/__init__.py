"""What the page shows in three dimensions, one module a kind of thing."""
