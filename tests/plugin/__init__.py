"""A real package that adds to unmask: its folder on the path is all that an installation does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unmask import attacks, masks, measures

FOLDER = Path(__file__).parent
PACKAGE = "unmask-example"


@contextmanager
def installed(folder: Path = FOLDER) -> Iterator[None]:
    """The packages in the folder are installed."""
    sys.path.insert(0, str(folder))
    try:
        _reload()
        yield
    finally:
        sys.path.remove(str(folder))
        _reload()


def _reload() -> None:
    for registry in (attacks.REGISTRY, masks.REGISTRY, measures.REGISTRY):
        registry.reload()
