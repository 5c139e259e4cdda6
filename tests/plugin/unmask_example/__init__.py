"""What another package adds to unmask: an attack, a mask and a measure, registered as entry points."""
