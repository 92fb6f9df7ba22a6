"""`python -m dorosim` is the `dorosim` command."""

from dorosim.app.main import main

main()
