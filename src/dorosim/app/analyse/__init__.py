"""What is made of files afterwards: plots, videos, drawings of maps, bags, captures."""
