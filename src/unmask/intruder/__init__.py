"""What the intruder holds: scenario, sources of knowledge, the dossier that they see; and the truth."""
