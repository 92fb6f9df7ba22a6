"""`python -m dorosim` is the `dorosim` command."""

from dorosim.app.cli.main import main

main()
