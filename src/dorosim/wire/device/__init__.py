"""What real sensors emit, byte by byte."""
