"""What protection costs: many masks of one file, each attacked, measured and held against the original."""
