"""One module per subcommand. They import heavy things only when the command runs."""
