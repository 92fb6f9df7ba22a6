"""Reference pages of the documentation."""
