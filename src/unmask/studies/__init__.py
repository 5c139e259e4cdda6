"""Grids of experiments: by what the intruder knows, over several releases, over several sources."""
