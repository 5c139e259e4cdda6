"""Speed and memory of the linkage engine beside the libraries one would use instead: `python -m bench`."""
