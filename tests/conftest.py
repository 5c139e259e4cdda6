"""Where tests must give one answer for one tree (CI), hypothesis draws the same examples every time."""

from __future__ import annotations

import os

from hypothesis import settings

# No test asserts a time: a busy machine is no mistake.
settings.register_profile("own", deadline=None)
settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "own")
