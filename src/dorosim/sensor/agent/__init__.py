"""What a program that learns to drive perceives, and how well it drives: numbers, worked out in compiled code."""
