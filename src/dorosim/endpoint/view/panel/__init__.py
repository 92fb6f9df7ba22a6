"""What stands beside the picture: figures, plots, buttons, one module a panel."""
