"""Floor 6: settings, files, composition, one module per subcommand."""
