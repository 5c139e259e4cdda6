"""An engine whose work is watched: the one place where tests say how a watcher reaches an engine."""

from __future__ import annotations

from unmask.engines import LocalEngine
from unmask.engines.cache import LIMIT, Cache
from unmask.engines.watcher import Watcher


def watched(watcher: Watcher, limit: int = LIMIT, **options: object) -> LocalEngine:
    """An engine that reports to this watcher, and keeps so many bytes."""
    return LocalEngine(cache=Cache(limit, watcher), **options)  # type: ignore[arg-type]
