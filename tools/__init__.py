"""What only developers use: figures of speed, pictures and reference pages of the documentation, the built-in town."""
