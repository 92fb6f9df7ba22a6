"""The reference pages, made of the tables in the code: `make docs`, or `python -m dorosim.app.reference DIR`."""
